/* Prepares a corpus. Text is read once and stays in memory, first as words, then as indices of
 * pieces. After the pieces of train were counted, token ids replace the indices in the same
 * arrays. */
#include "core/corpus/prepare.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/hash_table.h"
#include "core/corpus/corpus_folder.h"
#include "core/corpus/corpus_pairs.h"
#include "core/corpus/corpus_shard.h"
#include "core/text/bpe.h"
#include "core/text/utf8.h"

/* The pieces of a word. Sentences are converted to pieces before a vocabulary exists. So the pieces
 * of one side are numbered in the order of their first occurrence, over all splits. Each distinct
 * word is split once. */
struct spelling {
    int32_t pieces;
    const int32_t *piece; /* [pieces] numbers of the pieces */
};

struct speller {
    struct bpe *bpe;
    /* the pieces, in the order of their numbers, with @@; pieces_count counts them */
    struct bpe_words *piece;
    struct bpe_words *word;    /* words already split; their bytes outlive the speller */
    struct spelling *spelling; /* [word->words] */
    struct arena arena;        /* spellings and the texts of pieces */
};

enum { PIECES_END = -1 }; /* follows every sentence */

/* Sentence i has the elements piece[start[i]] to piece[start[i+1]-1]; the last of them is
 * PIECES_END. */
struct pieces {
    int sentences;
    int32_t *piece; /* on the heap */
    int64_t *start; /* [sentences+1], on the heap */
};

struct ticker {
    void (*tell)(void *context, int64_t done, int64_t total); /* or NULL */
    void *context;
    int64_t done, total; /* number of sentences */
};

struct preparation {
    const struct corpus_options *options;
    const char *folder;
    struct arena arena;
    struct corpus_sources sources;
    int merges;
    struct pairs pairs[SPLITS];
    struct speller speller[SIDES];
    struct pieces pieces[SPLITS][SIDES];
    int overlong[SPLITS]; /* sentences dropped from train, or cut in dev and test */
    struct text_audit audit;
    struct vocabulary vocabulary[SIDES];
    int64_t tokens[SPLITS][SIDES];
    json_t *files; /* name -> digest of the files written */
    struct ticker ticker;
};

static const char *path_of(struct preparation *job, const char *name)
{
    return arena_print(&job->arena, "%s/%s", job->folder, name);
}

/* Adds the digest of a complete file to corpus.json. */
static void note_file(struct preparation *job, const char *name)
{
    char digest[DIGEST_TEXT];
    digest_file(path_of(job, name), digest);
    json_object_set_new(job->files, name, json_string(digest));
}

/* ---- text ---- */

static void find_sources(struct preparation *job)
{
    struct arena *arena = &job->arena;
    job->sources = corpus_sources(job->options, arena, digest_file);
    const char *missing = corpus_missing(job->options, &job->sources, arena);
    if (missing) die("corpus: missing %s", missing);
}

/* Returns the numbers of dropped pairs of a split, as text. */
static const char *drops_text(struct arena *arena, const struct pairs *pairs)
{
    return arena_print(arena,
                       "empty: %d, too many words: %d, ratio of words too large: %d, not UTF-8: %d",
                       pairs->fate[PAIR_EMPTY], pairs->fate[PAIR_WORDS_OVER],
                       pairs->fate[PAIR_RATIO_OVER], pairs->fate[PAIR_INVALID]);
}

static void read_pairs(struct preparation *job)
{
    const struct corpus_options *options = job->options;
    pairs_read(&job->arena, options, &job->sources, job->pairs, &job->audit);
    for (int split = 0; split < SPLITS; split++) {
        const struct pairs *pairs = &job->pairs[split];
        if (!corpus_has_split(options, split)) continue;
        if (!pairs->count && split == SPLIT_DEV && options->dev_every)
            die("corpus.dev_every: %d leaves no pair for validation, because train keeps %d pairs; "
                "expected a smaller number",
                options->dev_every, job->pairs[SPLIT_TRAIN].count);
        if (!pairs->count)
            die("corpus.%s: all %d pairs of %s were dropped (%s)", split_names[split], pairs->lines,
                options->part[split].text[0], drops_text(&job->arena, pairs));
        job->ticker.total += SIDES * (int64_t)pairs->count;
    }
    if (options->threshold) job->ticker.total += SIDES * (int64_t)job->pairs[SPLIT_TRAIN].count;
}

/* ---- pieces ---- */

static void speller_open(struct speller *speller, struct bpe *bpe)
{
    *speller = (struct speller){.bpe = bpe};
    speller->piece = bpe_words_new(&speller->arena);
    speller->word = bpe_words_new(&speller->arena);
}

static void speller_close(struct speller *speller)
{
    bpe_free(speller->bpe);
    arena_free(&speller->arena);
}

static struct spelling split_word(struct speller *speller, const char *word, size_t bytes)
{
    const size_t mark = strlen(BPE_SEPARATOR);
    const struct bpe_piece *split;
    int pieces = bpe_split(speller->bpe, word, bytes, &split);
    int32_t *number = ARENA_ARRAY(&speller->arena, int32_t, pieces);
    for (int p = 0; p < pieces; p++) {
        size_t length = split[p].end - split[p].begin;
        char *text = arena_alloc(&speller->arena, length + mark + 1);
        memcpy(text, word + split[p].begin, length);
        if (p + 1 < pieces) {
            memcpy(text + length, BPE_SEPARATOR, mark);
            length += mark;
        }
        bpe_words_add(speller->piece, text, length, 0);
        number[p] = (int32_t)hash_table_get(speller->piece->index, text, length);
    }
    return (struct spelling){pieces, number};
}

static struct spelling spelling_of(struct speller *speller, const char *word, size_t bytes)
{
    int64_t known = hash_table_get(speller->word->index, word, bytes);
    if (known != HASH_TABLE_ABSENT) return speller->spelling[known];
    int32_t fresh = speller->word->words;
    ARENA_MORE(&speller->arena, speller->spelling, fresh);
    bpe_words_add(speller->word, word, bytes, 0);
    return speller->spelling[fresh] = split_word(speller, word, bytes);
}

static struct pieces spell(struct preparation *job, enum split_name split, enum side_name side)
{
    struct speller *speller = &job->speller[side];
    struct ticker *ticker = &job->ticker;
    const char *const *words = job->pairs[split].words[side];
    const int count = job->pairs[split].count;
    size_t capacity = 1024, used = 0;
    struct pieces pieces = {.sentences = count,
                            .piece = heap_alloc(capacity * sizeof *pieces.piece),
                            .start = heap_alloc(((size_t)count + 1) * sizeof *pieces.start)};
    for (int i = 0; i < count; i++) {
        size_t bytes = strlen(words[i]);
        if (used + bytes + 1 > capacity) { /* a piece has at least one byte */
            capacity = 2 * (used + bytes + 1);
            pieces.piece = heap_resize(pieces.piece, capacity * sizeof *pieces.piece);
        }
        const char *at = words[i], *end = at + bytes, *word;
        for (size_t length; bpe_next_word(&at, end, &word, &length);) {
            struct spelling spelling = spelling_of(speller, word, length);
            for (int32_t p = 0; p < spelling.pieces; p++) pieces.piece[used++] = spelling.piece[p];
        }
        pieces.piece[used++] = PIECES_END;
        pieces.start[i + 1] = (int64_t)used;
        const bool due = ++ticker->done % 4096 == 0 || ticker->done == ticker->total;
        if (due && ticker->tell) ticker->tell(ticker->context, ticker->done, ticker->total);
    }
    return pieces;
}

static void pieces_free(struct pieces *pieces)
{
    free(pieces->piece);
    free(pieces->start);
}

/* Adds the sentences to the counts of the speller's pieces. */
static void pieces_count(struct speller *speller, const struct pieces *pieces)
{
    for (int64_t t = 0; t < pieces->start[pieces->sentences]; t++)
        if (pieces->piece[t] != PIECES_END) speller->piece->word[pieces->piece[t]].count++;
}

/* Copies the merges from a file, or learns them on both sides of train together. */
static void make_codes(struct preparation *job)
{
    const struct corpus_input *codes = job->sources.codes;
    const char *ready = codes ? codes->file : NULL;
    const char *path = path_of(job, "codes.bpe");
    if (ready) {
        struct bpe *bpe =
            bpe_read(ready, BPE_ALL_MERGES); /* its messages name the file that the user gave */
        size_t bytes;
        const char *text = file_read(&job->arena, ready, 0, &bytes);
        file_write(path, text, bytes);
        job->merges = bpe_merges(bpe);
        bpe_free(bpe);
    } else {
        const struct pairs *train = &job->pairs[SPLIT_TRAIN];
        SCOPED(arena_free) struct arena scratch = {0};
        struct bpe_words *words = bpe_words_new(&scratch);
        for (int side = 0; side < SIDES; side++)
            for (int i = 0; i < train->count; i++)
                bpe_words_add_text(words, train->words[side][i], strlen(train->words[side][i]));
        struct bpe_learning learning = {.merges = job->options->merges, .min_frequency = 2};
        struct file_writer writer = file_create(path);
        job->merges = bpe_learn(words, &learning, writer.stream);
        file_commit(&writer);
    }
    note_file(job, "codes.bpe");
}

/* Writes the pieces of a side whose count in train reaches the threshold (THUMT's recipe). */
static void write_kept_pieces(struct preparation *job, enum side_name side)
{
    struct speller *speller = &job->speller[side];
    struct pieces train = spell(job, SPLIT_TRAIN, side);
    pieces_count(speller, &train);
    pieces_free(&train);
    const char *name = arena_print(&job->arena, "pieces.%s", side_names[side]);
    struct file_writer writer = file_create(path_of(job, name));
    bool first = true;
    for (int32_t p = 0; p < speller->piece->words; p++) {
        const struct bpe_word *piece = &speller->piece->word[p];
        if (piece->count < job->options->threshold) continue;
        /* A reader skips a byte order mark at the start of the file. So if the first piece begins
         * with this mark, the mark is written twice. */
        const size_t mark = first ? utf8_mark(piece->text, piece->bytes) : 0;
        first = false;
        fwrite(piece->text, 1, mark, writer.stream);
        fwrite(piece->text, 1, piece->bytes, writer.stream);
        fprintf(writer.stream, " %lld\n", (long long)piece->count);
    }
    file_commit(&writer);
    note_file(job, name);
}

static void spell_all(struct preparation *job)
{
    const int threshold = job->options->threshold;
    for (int side = 0; side < SIDES; side++) {
        struct speller *speller = &job->speller[side];
        speller_open(speller, corpus_merges(job->folder, side, 0));
        if (threshold) {
            write_kept_pieces(job, side);
            speller_close(speller);
            speller_open(speller, corpus_merges(job->folder, side, threshold));
        }
        for (int split = 0; split < SPLITS; split++)
            job->pieces[split][side] = spell(job, split, side);
    }
}

/* Appends sentence i of `from`, cut to `most` pieces. `to` and `from` share the array of pieces.
 * The end of `to` never passes sentence i of `from`, so no sentence is overwritten before it is
 * read. */
static void append_sentence(struct pieces *to, const struct pieces *from, int i, int64_t most)
{
    int64_t length = from->start[i + 1] - from->start[i];
    if (length > most) length = most;
    int64_t begin = to->start[to->sentences], end = begin + length;
    memmove(to->piece + begin, from->piece + from->start[i], (size_t)length * sizeof *to->piece);
    to->piece[end - 1] = PIECES_END;
    to->start[++to->sentences] = end;
}

/* Drops overlong pairs from train. In dev and test, cuts overlong sentences, because references
 * must stay aligned. */
static void fit_lengths(struct preparation *job, enum split_name split)
{
    struct pairs *pairs = &job->pairs[split];
    int64_t most = job->options->max_length;
    int lines = pairs->count, *kept = heap_alloc(((size_t)lines + 1) * sizeof *kept);
    pairs->count = 0;
    struct pieces old[SIDES], *pieces = job->pieces[split];
    for (int side = 0; side < SIDES; side++) {
        old[side] = pieces[side];
        pieces[side].sentences = 0;
        pieces[side].start = heap_alloc(((size_t)lines + 1) * sizeof *pieces[side].start);
    }
    for (int i = 0; i < lines; i++) {
        bool overlong = false;
        for (int side = 0; side < SIDES; side++)
            overlong |= old[side].start[i + 1] - old[side].start[i] > most;
        job->overlong[split] += overlong;
        if (overlong && split == SPLIT_TRAIN) continue;
        for (int side = 0; side < SIDES; side++)
            append_sentence(&pieces[side], &old[side], i, most);
        kept[pairs->count] = i;
        pairs->reference[pairs->count++] = pairs->reference[i];
    }
    if (split == SPLIT_TRAIN) text_audit_keep(&job->audit, kept, pairs->count);
    free(kept);
    for (int side = 0; side < SIDES; side++) free(old[side].start);
    if (split != SPLIT_TRAIN && job->overlong[split])
        warn("corpus.%s: cut to %d pieces on a side (corpus.max_length): %d pairs; references are "
             "not cut",
             split_names[split], job->options->max_length, job->overlong[split]);
    if (split == SPLIT_TRAIN && lines && !pairs->count)
        die("corpus.train: all %d pairs have more than %d pieces on a side (corpus.max_length)",
            lines, job->options->max_length);
}

/* ---- vocabularies and ids ---- */

/* Builds the vocabulary of the pieces of train, from the sides `first` to `last`. */
static struct vocabulary collect_vocabulary(struct preparation *job, int first, int last)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct bpe_words *all = bpe_words_new(&scratch);
    for (int side = first; side <= last; side++) {
        const struct bpe_words *piece = job->speller[side].piece;
        for (int32_t p = 0; p < piece->words; p++)
            if (piece->word[p].count)
                bpe_words_add(all, piece->word[p].text, piece->word[p].bytes, piece->word[p].count);
    }
    /* The pieces' texts end with a NUL (split_word). */
    return vocabulary_build(&job->arena, all->word, all->words);
}

static void make_vocabularies(struct preparation *job)
{
    bool joint = job->options->joint;
    for (int side = 0; side < SIDES; side++)
        pieces_count(&job->speller[side], &job->pieces[SPLIT_TRAIN][side]);
    for (int side = 0; side < SIDES; side++) {
        job->vocabulary[side] = joint && side ? job->vocabulary[SIDE_SOURCE]
                                              : collect_vocabulary(job, joint ? SIDE_SOURCE : side,
                                                                   joint ? SIDE_TARGET : side);
        const char *name = arena_print(&job->arena, "vocabulary.%s", side_names[side]);
        vocabulary_write(&job->vocabulary[side], path_of(job, name));
        note_file(job, name);
    }
}

/* Replaces numbers of pieces by ids, in place. */
static void number_to_id(const struct speller *speller, const struct vocabulary *vocabulary,
                         struct pieces *pieces)
{
    SCOPED(heap_free) int32_t *id = heap_alloc((size_t)speller->piece->words * sizeof *id);
    for (int32_t p = 0; p < speller->piece->words; p++)
        id[p] =
            vocabulary_id(vocabulary, speller->piece->word[p].text, speller->piece->word[p].bytes);
    for (int64_t t = 0; t < pieces->start[pieces->sentences]; t++)
        pieces->piece[t] = pieces->piece[t] == PIECES_END ? VOCABULARY_EOS : id[pieces->piece[t]];
}

static void write_references(struct preparation *job, const char *file,
                             const char *const *reference, int count)
{
    struct file_writer writer = file_create(path_of(job, file));
    for (int i = 0; i < count; i++) fprintf(writer.stream, "%s\n", reference[i]);
    file_commit(&writer);
    note_file(job, file);
}

static void write_split(struct preparation *job, enum split_name name)
{
    const struct pairs *pairs = &job->pairs[name];
    struct split split = {.sentences = pairs->count};
    for (int side = 0; side < SIDES; side++) {
        struct pieces *pieces = &job->pieces[name][side];
        number_to_id(&job->speller[side], &job->vocabulary[side], pieces);
        split.side[side] = (struct side){.token = pieces->piece, .start = pieces->start};
        job->tokens[name][side] = pieces->start[pieces->sentences];
    }
    const char *file = arena_print(&job->arena, "%s.shard", split_names[name]);
    shard_write(path_of(job, file), &split);
    note_file(job, file);

    file = arena_print(&job->arena, "%s.reference", split_names[name]);
    write_references(job, file, pairs->reference, pairs->count);
    for (int r = 0; r < pairs->references; r++)
        write_references(job, arena_print(&job->arena, "%s.reference.%d", split_names[name], r + 2),
                         pairs->more[r], pairs->count);
}

/* ---- the description ---- */

static json_t *describe_inputs(const struct preparation *job)
{
    json_t *inputs = json_object();
    for (int i = 0; i < job->sources.inputs; i++) {
        const struct corpus_input *input = &job->sources.input[i];
        json_object_set_new(inputs, input->name,
                            json_pack("{s:s, s:s}", "path", input->path, "sha256", input->digest));
    }
    return inputs;
}

static json_t *describe_splits(struct preparation *job)
{
    const struct text_findings findings = text_audit_end(&job->audit);
    json_t *splits = json_object();
    for (int split = 0; split < SPLITS; split++) {
        const struct pairs *pairs = &job->pairs[split];
        const int64_t *tokens = job->tokens[split];
        const int *fate = pairs->fate;
        json_object_set_new(
            splits, split_names[split],
            json_pack("{s:i, s:i, s:i, s:i, s:I, s:I, s:{s:i, s:i, s:i, s:i, s:i}, s:i}", "lines",
                      pairs->lines, "markup", pairs->markup, "held_out", fate[PAIR_HELD_OUT],
                      "pairs", pairs->count, "source_tokens", (json_int_t)tokens[SIDE_SOURCE],
                      "target_tokens", (json_int_t)tokens[SIDE_TARGET], "dropped", "empty",
                      fate[PAIR_EMPTY], "invalid", fate[PAIR_INVALID], "words",
                      fate[PAIR_WORDS_OVER], "ratio", fate[PAIR_RATIO_OVER], "overlong",
                      split == SPLIT_TRAIN ? job->overlong[split] : 0, "cut",
                      split == SPLIT_TRAIN ? 0 : job->overlong[split]));
    }
    text_findings_write(&findings, splits);
    return splits;
}

static void write_description(struct preparation *job)
{
    const struct corpus_options *options = job->options;
    json_auto_t *root = json_pack(
        "{s:i, s:s, s:s, s:b, s:b, s:b, s:b, s:i, s:i, s:i, s:i, s:{s:i, s:i}, s:o, s:o, s:O}",
        "format", CORPUS_FORMAT, "source", options->source, "target", options->target, "raw",
        options->text == CORPUS_RAW, "segmented", options->segmented, "lowercase",
        options->lowercase, "joint", options->joint, "threshold", options->threshold, "merges",
        job->merges, "max_length", options->max_length, "max_words", options->max_words,
        "vocabulary", "source", job->vocabulary[SIDE_SOURCE].size, "target",
        job->vocabulary[SIDE_TARGET].size, "splits", describe_splits(job), "inputs",
        describe_inputs(job), "files", job->files);
    CHECK(root, "the description cannot be packed");
    json_file_write(path_of(job, "corpus.json"), root);
}

void corpus_prepare(const struct corpus_options *options, const char *folder,
                    void (*progress)(void *context, int64_t done, int64_t total), void *context)
{
    struct preparation job = {.options = options,
                              .folder = folder,
                              .files = json_object(),
                              .ticker = {.tell = progress, .context = context}};
    find_sources(&job);
    read_pairs(&job);
    file_remove_tree(path_of(&job, "corpus.json")); /* invalidates an older corpus */
    make_codes(&job);
    spell_all(&job);
    for (int split = 0; split < SPLITS; split++) fit_lengths(&job, split);
    make_vocabularies(&job);
    for (int split = 0; split < SPLITS; split++) write_split(&job, split);
    write_description(&job);

    for (int side = 0; side < SIDES; side++) {
        speller_close(&job.speller[side]);
        for (int split = 0; split < SPLITS; split++) pieces_free(&job.pieces[split][side]);
    }
    json_decref(job.files);
    arena_free(&job.arena);
}
