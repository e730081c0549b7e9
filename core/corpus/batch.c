/* Divides the sentences of a split into batches, and copies the tokens of a batch into one
 * array. */
#include "core/corpus/batch.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"

enum { POOL_BATCHES = 100 };

static int length_of(const struct split *split, enum side_name side, int32_t sentence)
{
    const int64_t *start = split->side[side].start;
    return start ? (int)(start[sentence + 1] - start[sentence]) : 0;
}

/* Cuts sentence[count] into consecutive runs of at most `limit` sentences and `tokens` tokens per
 * side. A sentence of more tokens is a separate run. Writes the start of each run, followed by
 * `count`, to begin [runs+1]. Returns the number of runs. */
static int cut_runs(const struct split *split, const int32_t *sentence, int count, int64_t tokens,
                    int limit, int32_t *begin)
{
    int runs = 0;
    int64_t sum[SIDES] = {0};
    begin[0] = 0;
    for (int i = 0; i < count; i++) {
        bool full = i - begin[runs] == limit;
        for (int side = 0; side < SIDES; side++) {
            sum[side] += length_of(split, side, sentence[i]);
            full |= sum[side] > tokens;
        }
        if (!full || i == begin[runs]) continue;
        begin[++runs] = i;
        for (int side = 0; side < SIDES; side++) sum[side] = length_of(split, side, sentence[i]);
    }
    if (count > 0) begin[++runs] = count;
    return runs;
}

/* A sentence with its sort keys: `first`, then `second`, then `place`, its position before
 * sorting. */
struct sort_entry {
    int first, second, place;
    int32_t sentence;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct sort_entry *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static void sort_sentences(struct sort_entry *entry, int count, int32_t *sentence)
{
    qsort(entry, (size_t)count, sizeof *entry, compare_ranked);
    for (int i = 0; i < count; i++) sentence[i] = entry[i].sentence;
}

/* Sorts sentence[count] by target length, then source length, then position; shortest first. */
static void sort_pool(const struct split *split, int32_t *sentence, int count,
                      struct sort_entry *scratch)
{
    for (int i = 0; i < count; i++)
        scratch[i] =
            (struct sort_entry){length_of(split, SIDE_TARGET, sentence[i]),
                                length_of(split, SIDE_SOURCE, sentence[i]), i, sentence[i]};
    sort_sentences(scratch, count, sentence);
}

struct epoch epoch_plan(struct arena *arena, const struct split *split, int tokens, uint32_t seed,
                        uint32_t epoch)
{
    int count = split->sentences;
    for (int side = 0; side < SIDES; side++)
        if (split->longest[side] > tokens)
            die("a batch of %d tokens cannot hold the longest training sentence of %d; "
                "raise batch_tokens or lower the corpus's max_length",
                tokens, split->longest[side]);

    SCOPED(arena_free) struct arena scratch = {0};
    int32_t *order = ARENA_ARRAY(&scratch, int32_t, count);
    int32_t *pool = ARENA_ARRAY(&scratch, int32_t, count + 1);
    /* Start of each batch in `order`. */
    int32_t *sorted = ARENA_ARRAY(&scratch, int32_t, count + 1);
    struct sort_entry *ranked = ARENA_ARRAY(&scratch, struct sort_entry, count);

    struct random_key key = {seed, random_stream("epoch.sentences")};
    random_permute(key, epoch, order, count);
    int pools = cut_runs(split, order, count, (int64_t)POOL_BATCHES * tokens, count, pool);
    int batches = 0;
    for (int p = 0; p < pools; p++) {
        int32_t *sentence = order + pool[p];
        int members = pool[p + 1] - pool[p];
        sort_pool(split, sentence, members, ranked);
        int32_t *begin = sorted + batches;
        int runs = cut_runs(split, sentence, members, tokens, members, begin);
        for (int i = 0; i <= runs; i++) begin[i] += pool[p];
        batches += runs;
    }

    int32_t *turn = ARENA_ARRAY(&scratch, int32_t, batches);
    key.stream = random_stream("epoch.batches");
    random_permute(key, epoch, turn, batches);
    int32_t *begin = ARENA_ARRAY(arena, int32_t, batches + 1);
    int32_t *sentence = ARENA_ARRAY(arena, int32_t, count);
    for (int b = 0; b < batches; b++) {
        const int32_t *from = sorted + turn[b];
        int members = from[1] - from[0];
        memcpy(sentence + begin[b], order + from[0], (size_t)members * sizeof *sentence);
        begin[b + 1] = begin[b] + members;
    }
    return (struct epoch){.batches = batches, .begin = begin, .sentence = sentence};
}

static struct epoch epoch_cut(struct arena *arena, const struct split *split,
                              const int32_t *sentence, int count, int tokens, int sentences)
{
    int32_t *begin = ARENA_ARRAY(arena, int32_t, count + 1);
    int batches = cut_runs(split, sentence, count, tokens, sentences, begin);
    return (struct epoch){.batches = batches, .begin = begin, .sentence = sentence};
}

struct epoch epoch_of_some(struct arena *arena, const struct split *split, const bool *wanted,
                           int tokens, int sentences)
{
    int32_t *sentence = ARENA_ARRAY(arena, int32_t, split->sentences);
    int count = 0;
    for (int i = 0; i < split->sentences; i++)
        if (!wanted || wanted[i]) sentence[count++] = i;
    return epoch_cut(arena, split, sentence, count, tokens, sentences);
}

struct epoch epoch_by_length(struct arena *arena, const struct split *split, int tokens,
                             int sentences)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct sort_entry *ranked = ARENA_ARRAY(&scratch, struct sort_entry, split->sentences);
    int32_t *sentence = ARENA_ARRAY(arena, int32_t, split->sentences);
    for (int i = 0; i < split->sentences; i++)
        ranked[i] = (struct sort_entry){-length_of(split, SIDE_SOURCE, i), 0, i, i};
    sort_sentences(ranked, split->sentences, sentence);
    return epoch_cut(arena, split, sentence, split->sentences, tokens, sentences);
}

static struct field pack_field(struct arena *arena, const struct split *split, enum side_name side,
                               const int32_t *sentence, int count)
{
    struct field field = {.B = count};
    int32_t *start = ARENA_ARRAY(arena, int32_t, count + 1);
    for (int b = 0; b < count; b++) {
        int length = length_of(split, side, sentence[b]);
        start[b + 1] = start[b] + length;
        if (length > field.longest) field.longest = length;
    }
    field.T = start[count];
    int32_t *token = ARENA_ARRAY(arena, int32_t, field.T);
    for (int b = 0; b < count && field.T; b++)
        memcpy(token + start[b], split->side[side].token + split->side[side].start[sentence[b]],
               (size_t)(start[b + 1] - start[b]) * sizeof *token);
    field.start = start;
    field.token = token;
    return field;
}

struct batch batch_pack(struct arena *arena, const struct split *split, const int32_t *sentence,
                        int count)
{
    int32_t *members = ARENA_ARRAY(arena, int32_t, count);
    for (int b = 0; b < count; b++) members[b] = sentence[b];
    return (struct batch){
        .field[FIELD_SOURCE] = pack_field(arena, split, SIDE_SOURCE, sentence, count),
        .field[FIELD_TARGET] = pack_field(arena, split, SIDE_TARGET, sentence, count),
        .sentence = members};
}
