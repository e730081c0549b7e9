/* Sets of words. The key of a word in a hash table is the bytes of its ids. */
#include "core/corpus/known_words.h"

#include <string.h>

#include "core/text/bpe.h"

int64_t span_get(const struct hash_table *set, struct token_span span)
{
    return hash_table_get(set, (const char *)span.token, (size_t)span.count * sizeof *span.token);
}

int64_t *span_at(struct hash_table *set, struct token_span span, int64_t fresh)
{
    return hash_table_at(set, (const char *)span.token, (size_t)span.count * sizeof *span.token,
                         fresh);
}

bool span_is_in(const struct hash_table *set, struct token_span span)
{
    return span_get(set, span) != HASH_TABLE_ABSENT;
}

bool span_put(struct hash_table *set, struct token_span span)
{
    const size_t before = set->count;
    span_at(set, span, 1);
    return set->count > before;
}

/* Returns an array [vocabulary size]. It is true for pieces that end in @@, because their word
 * continues. */
static bool *words_marked(struct arena *arena, const struct vocabulary *vocabulary)
{
    const size_t mark = strlen(BPE_SEPARATOR);
    bool *marked = ARENA_ARRAY(arena, bool, vocabulary->size);
    for (int id = VOCABULARY_FIRST; id < vocabulary->size; id++) {
        const size_t bytes = strlen(vocabulary->token[id]);
        marked[id] = bytes >= mark && !strcmp(vocabulary->token[id] + bytes - mark, BPE_SEPARATOR);
    }
    return marked;
}

/* Reads the word at *at of a sentence: the pieces up to the first piece without @@. Moves *at past
 * the word. Returns false at the <eos>. */
static bool words_next(struct token_span sentence, const bool *marked, int64_t *at,
                       struct token_span *word)
{
    int64_t i = *at;
    while (i < sentence.count - 1 && marked[sentence.token[i]]) i++;
    if (i < sentence.count - 1) i++;
    *word = (struct token_span){sentence.token + *at, i - *at};
    *at = i;
    return word->count > 0;
}

struct side_words side_words(struct arena *arena, const struct side *side, int sentences,
                             const struct vocabulary *vocabulary)
{
    return (struct side_words){
        .side = side, .sentences = sentences, .marked = words_marked(arena, vocabulary)};
}

bool side_words_next(struct side_words *words, struct token_span *word)
{
    for (; words->sentence < words->sentences; words->sentence++, words->at = 0) {
        const int64_t *start = words->side->start + words->sentence;
        const struct token_span sentence = {words->side->token + start[0], start[1] - start[0]};
        if (words_next(sentence, words->marked, &words->at, word)) return true;
    }
    return false;
}

struct hash_table *words_of_side(struct arena *arena, const struct side *side, int sentences,
                                 const struct vocabulary *vocabulary)
{
    struct side_words words = side_words(arena, side, sentences, vocabulary);
    struct hash_table *set = hash_table_new(arena, 0);
    for (struct token_span word; side_words_next(&words, &word);) span_put(set, word);
    return set;
}
