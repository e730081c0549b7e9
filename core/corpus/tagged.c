/* Tags text sentence by sentence. Each piece has the index of its token, and each token has the
 * index of its word. The frequency of a word in train is looked up by its ids, as in
 * known_words.h. */
#include "core/corpus/tagged.h"

#include <string.h>

#include "core/corpus/known_words.h"
#include "core/text/tokenize.h"

struct tagging {
    struct arena *arena;
    const struct corpus *corpus;
    const struct treebank *treebank;
    struct tagged_text *text;
    struct tags tags;
    struct hash_table *counted; /* ids of a word of train -> count */
    int64_t all;                /* number of pieces, <eos> included */
};

static struct hash_table *count_words(struct arena *arena, const struct corpus *corpus)
{
    const struct split *train = &corpus->split[SPLIT_TRAIN];
    struct side_words words = side_words(arena, &train->side[SIDE_SOURCE], train->sentences,
                                         &corpus->vocabulary[SIDE_SOURCE]);
    struct hash_table *counted = hash_table_new(arena, 0);
    for (struct token_span word; side_words_next(&words, &word);) (*span_at(counted, word, 0))++;
    return counted;
}

static struct tagging begin(struct arena *arena, const struct corpus *corpus,
                            const struct treebank *treebank, struct tag_reading tags)
{
    struct tagging tagging = {.arena = arena,
                              .corpus = corpus,
                              .treebank = treebank,
                              .text = ARENA_NEW(arena, struct tagged_text),
                              .tags = tags_new(tags, arena),
                              .counted = count_words(arena, corpus)};
    struct tagged_text *text = tagging.text;
    for (int i = 0; i < treebank->sentences; i++) text->words += treebank->sentence[i].words;
    text->split.sentences = treebank->sentences;
    text->first = ARENA_ARRAY(arena, int32_t, treebank->sentences + 1);
    text->class = ARENA_ARRAY(arena, int32_t, text->words + 1);
    text->pieces = ARENA_ARRAY(arena, int32_t, text->words + 1);
    text->frequency = ARENA_ARRAY(arena, int64_t, text->words + 1);
    text->ranges = treebank->ranges;
    text->empty = treebank->empty;
    return tagging;
}

/* Sets the classes of the words of sentence i, and the words of its pieces. token[pieces] is the
 * token of each piece. */
static void add(struct tagging *tagging, int i, const int32_t *id, const int32_t *token, int pieces)
{
    struct tagged_text *text = tagging->text;
    const struct treebank_sentence *sentence = &tagging->treebank->sentence[i];
    const int32_t first = text->first[i];
    text->first[i + 1] = first + sentence->words;
    for (int w = 0; w < sentence->words; w++)
        text->class[first + w] =
            tags_class(&tagging->tags, sentence->tag[w], treebank_place(tagging->treebank, i, w));
    int32_t *word = text->word + tagging->all;
    for (int p = 0, begin = 0; p < pieces; p++) {
        const bool none = token[p] == CORPUS_NO_WORD;
        word[p] = none ? CORPUS_NO_WORD : first + sentence->word[token[p]];
        if (none) continue;
        text->pieces[word[p]]++;
        text->all_pieces++;
        text->unknown_pieces += id[p] == VOCABULARY_UNK;
        if (!p || word[p] != word[p - 1]) begin = p;
        if (p + 1 < pieces && token[p + 1] != CORPUS_NO_WORD &&
            first + sentence->word[token[p + 1]] == word[p])
            continue;
        bool known = true;
        for (int k = begin; k <= p; k++) known &= id[k] != VOCABULARY_UNK;
        const int64_t count =
            span_get(tagging->counted, (struct token_span){id + begin, p + 1 - begin});
        if (known && count != HASH_TABLE_ABSENT) text->frequency[word[p]] = count;
    }
    for (int w = 0; w < sentence->words; w++) text->lost += !text->pieces[first + w];
    tagging->all += pieces;
}

static struct tagged_text *finish(struct tagging *tagging)
{
    tagging->text->classes = tagging->tags.count;
    tagging->text->name = tagging->tags.name;
    return tagging->text;
}

struct tagged_text *tagged_read(struct arena *arena, const struct corpus *corpus,
                                const struct tokenized_reading *reading,
                                const struct treebank *treebank, struct tag_reading tags)
{
    struct tagging tagging = begin(arena, corpus, treebank, tags);
    struct tagged_text *text = tagging.text;
    const int *line;
    const char **sentence = treebank_sentences(treebank, &line, arena);
    const struct tokenized all = tokenized_side(&text->split, corpus, SIDE_SOURCE, reading,
                                                sentence, treebank->path, line, arena);
    const int64_t *start = text->split.side[SIDE_SOURCE].start;
    text->word = ARENA_ARRAY(arena, int32_t, all.pieces + 1);
    for (int i = 0; i < treebank->sentences; i++)
        add(&tagging, i, all.id + start[i], all.token + start[i], (int)(start[i + 1] - start[i]));
    text->read = all.words;
    text->unknown_words = all.unknown_words;
    return finish(&tagging);
}

/* Returns the ids of a sentence's words, computed as in prepare.c. */
static const int32_t *encode(struct arena *arena, const struct corpus *corpus, const char *words,
                             int *count, int32_t **word)
{
    struct buffer line = {0};
    line_text(corpus->format, words, strlen(words), &line);
    return corpus_encode_words(arena, corpus, SIDE_SOURCE, buffer_take(&line, arena), count, word);
}

struct tagged_text *tagged_split(struct arena *arena, const struct corpus *corpus,
                                 enum split_name which, const struct split_text *lines,
                                 const struct treebank *treebank, struct tag_reading tags)
{
    struct tagging tagging = begin(arena, corpus, treebank, tags);
    struct tagged_text *text = tagging.text;
    const struct split *split = &corpus->split[which];
    const struct side *side = &split->side[SIDE_SOURCE];
    struct arena scratch = {0};
    bool same = split->sentences == lines->sentences && treebank->sentences == lines->sentences;
    text->split = (struct split){
        .sentences = split->sentences, .longest = {split->longest[SIDE_SOURCE]}, .side = {*side}};
    text->word = ARENA_ARRAY(arena, int32_t, side->start[split->sentences] + 1);
    for (int i = 0; same && i < split->sentences; i++) {
        const int64_t begin = side->start[i];
        const int pieces = (int)(side->start[i + 1] - begin);
        int count;
        int32_t *word;
        const int32_t *id = encode(&scratch, corpus, lines->words[i], &count, &word);
        same =
            count >= pieces && !memcmp(id, side->token + begin, (size_t)(pieces - 1) * sizeof *id);
        if (!same) break;
        word[pieces - 1] = CORPUS_NO_WORD; /* <eos>, also of a cut sentence */
        add(&tagging, i, side->token + begin, word, pieces);
        text->read += pieces > 1 ? word[pieces - 2] + 1 : 0;
        text->unknown_words +=
            corpus_unknown_words(corpus, SIDE_SOURCE, side->token + begin, word, pieces);
        arena_free(&scratch);
    }
    arena_free(&scratch);
    if (!same)
        die("corpus.%s: its text differs from the text that the corpus was prepared from; restore "
            "the text, or prepare the corpus again",
            split_names[which]);
    return finish(&tagging);
}
