/* Tests packed batches. An epoch has every sentence once, no batch exceeds its budget of tokens,
 * and the same seed and epoch give the same batches. */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "core/corpus/batch.h"

enum { SENTENCES = 3000, BUDGET = 500 };

/* Returns a split of sentences with random lengths from 1 to 40. Token t of sentence i is 100 i +
 * t, so that the test can check copies. */
static struct split random_split(int sentences)
{
    struct random_key key = {11, random_stream("batch_test")};
    struct split split = {.sentences = sentences};
    for (int side = 0; side < SIDES; side++) {
        int64_t *start = ARENA_ARRAY(&arena, int64_t, sentences + 1);
        int32_t *token = ARENA_ARRAY(&arena, int32_t, sentences * 40);
        for (int i = 0; i < sentences; i++) {
            int length = 1 + (int)random_below(key, (uint64_t)i, (uint32_t)side, 40);
            for (int t = 0; t < length; t++) token[start[i] + t] = 100 * i + t;
            start[i + 1] = start[i] + length;
            if (length > split.longest[side]) split.longest[side] = length;
        }
        split.side[side] = (struct side){.token = token, .start = start};
    }
    return split;
}

static int side_tokens(const struct split *split, enum side_name side, const int32_t *sentence,
                       int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += split->side[side].start[sentence[i] + 1] - split->side[side].start[sentence[i]];
    return (int)sum;
}

static void expect_partition(const struct split *split, const struct epoch *epoch, int tokens,
                             int sentences)
{
    char seen[SENTENCES] = {0};
    assert_int_equal(epoch->begin[0], 0);
    assert_int_equal(epoch->begin[epoch->batches], split->sentences);
    for (int b = 0; b < epoch->batches; b++) {
        int count = epoch->begin[b + 1] - epoch->begin[b];
        const int32_t *sentence = epoch->sentence + epoch->begin[b];
        assert_in_range(count, 1, sentences);
        for (int side = 0; side < SIDES; side++)
            assert_true(count == 1 || side_tokens(split, side, sentence, count) <= tokens);
        for (int i = 0; i < count; i++) assert_int_equal(seen[sentence[i]]++, 0);
    }
}

TEST(epoch_is_a_partition_within_the_budget)
{
    struct split split = random_split(SENTENCES);
    struct epoch epoch = epoch_plan(&arena, &split, BUDGET, 1, 0);
    expect_partition(&split, &epoch, BUDGET, SENTENCES);
    /* 3000 sentences with a mean length of 20.5 tokens need at least 3000 * 20.5 / 500 = 123
     * batches. Batches are sorted by the lengths of both sides, so only few more are needed. */
    assert_in_range(epoch.batches, 123, 190);
}

TEST(epoch_is_a_function_of_seed_and_epoch)
{
    struct split split = random_split(SENTENCES);
    size_t bytes = SENTENCES * sizeof(int32_t);
    struct epoch a = epoch_plan(&arena, &split, BUDGET, 1, 3);
    struct epoch b = epoch_plan(&arena, &split, BUDGET, 1, 3);
    struct epoch next = epoch_plan(&arena, &split, BUDGET, 1, 4);
    struct epoch other = epoch_plan(&arena, &split, BUDGET, 2, 3);
    assert_int_equal(a.batches, b.batches);
    assert_memory_equal(a.sentence, b.sentence, bytes);
    assert_memory_equal(a.begin, b.begin, (size_t)(a.batches + 1) * sizeof *a.begin);
    assert_memory_not_equal(a.sentence, next.sentence, bytes);
    assert_memory_not_equal(a.sentence, other.sentence, bytes);
}

TEST(epoch_puts_like_lengths_together)
{
    struct split split = random_split(SENTENCES);
    struct epoch epoch = epoch_plan(&arena, &split, BUDGET, 1, 0);
    const int64_t *start = split.side[SIDE_TARGET].start;
    int64_t spread = 0;
    int falls = 0, last = 0;
    for (int b = 0; b < epoch.batches; b++) {
        int low = 1000, high = 0;
        for (int i = epoch.begin[b]; i < epoch.begin[b + 1]; i++) {
            int length = (int)(start[epoch.sentence[i] + 1] - start[epoch.sentence[i]]);
            if (length < low) low = length;
            if (length > high) high = length;
        }
        spread += high - low;
        falls += high < last;
        last = high;
    }
    assert_true(spread <= 2 * epoch.batches);
    assert_true(falls > epoch.batches / 4); /* the order of batches is random */
}

/* If all targets have the same length, the sentences of a batch are sorted by source length. */
TEST(equal_targets_are_sorted_by_source)
{
    struct split split = random_split(SENTENCES);
    int64_t *start = ARENA_ARRAY(&arena, int64_t, SENTENCES + 1);
    for (int i = 0; i <= SENTENCES; i++) start[i] = 2 * i;
    split.side[SIDE_TARGET].start = start;
    const struct epoch epoch = epoch_plan(&arena, &split, BUDGET, 1, 0);
    expect_partition(&split, &epoch, BUDGET, SENTENCES);
    for (int b = 0; b < epoch.batches; b++)
        for (int i = epoch.begin[b] + 1; i < epoch.begin[b + 1]; i++)
            assert_true(side_tokens(&split, SIDE_SOURCE, epoch.sentence + i - 1, 1) <=
                        side_tokens(&split, SIDE_SOURCE, epoch.sentence + i, 1));
}

/* A batch of at most 11 tokens has two sentences of 4 tokens. A pool of 100 * 11 tokens has 275
 * sentences: 137 batches of two sentences and one batch of one. So 3 * 275 + 1 sentences make 3 *
 * 138 + 1 batches. Pools of 99 batches would make two batches fewer, pools of 101 batches one
 * fewer. */
TEST(a_pool_is_of_a_hundred_batches)
{
    enum { POOLED = 3 * 275 + 1, LENGTH = 4 };
    int64_t *start = ARENA_ARRAY(&arena, int64_t, POOLED + 1);
    int32_t *token = ARENA_ARRAY(&arena, int32_t, POOLED * LENGTH);
    for (int i = 0; i <= POOLED; i++) start[i] = i * LENGTH;
    const struct side side = {token, start};
    const struct split split = {POOLED, {LENGTH, LENGTH}, {side, side}};
    assert_int_equal(epoch_plan(&arena, &split, 11, 1, 0).batches, 3 * 138 + 1);
}

TEST(a_sentence_beyond_the_budget_is_refused)
{
    struct split split = random_split(50);
    EXPECT_DIE("a batch of 30 tokens cannot hold the longest training sentence of",
               epoch_plan(&arena, &split, 30, 1, 0));
}

/* A batch is filled until it has its maximum number of tokens (those of one or three sentences
 * here) or of sentences (4). */
TEST(a_budget_is_used_to_the_last_token)
{
    enum { TWELVE = 12, LENGTH = 10 };
    int64_t start[TWELVE + 1];
    static const int32_t token[TWELVE * LENGTH];
    for (int i = 0; i <= TWELVE; i++) start[i] = i * LENGTH;
    const struct side side = {token, start};
    const struct split split = {TWELVE, {LENGTH, LENGTH}, {side, side}};
    assert_int_equal(epoch_plan(&arena, &split, LENGTH, 1, 0).batches, TWELVE);
    assert_int_equal(epoch_plan(&arena, &split, 3 * LENGTH, 1, 0).batches, TWELVE / 3);
    assert_int_equal(epoch_of_some(&arena, &split, NULL, 3 * LENGTH, 16).batches, TWELVE / 3);
    assert_int_equal(epoch_of_some(&arena, &split, NULL, 9 * LENGTH, 4).batches, TWELVE / 4);
}

TEST(orders_for_validation_and_translation)
{
    struct split split = random_split(SENTENCES);
    struct epoch in_order = epoch_of_some(&arena, &split, NULL, BUDGET, 16);
    expect_partition(&split, &in_order, BUDGET, 16);
    for (int i = 0; i < SENTENCES; i++) assert_int_equal(in_order.sentence[i], i);

    struct epoch by_length = epoch_by_length(&arena, &split, 20, 16); /* some exceed 20 tokens */
    expect_partition(&split, &by_length, 20, 16);
    const int64_t *start = split.side[SIDE_SOURCE].start;
    for (int i = 1; i < SENTENCES; i++) {
        int32_t a = by_length.sentence[i - 1], b = by_length.sentence[i];
        int64_t long_one = start[a + 1] - start[a], short_one = start[b + 1] - start[b];
        assert_true(long_one > short_one || (long_one == short_one && a < b));
    }
}

TEST(a_batch_holds_the_tokens_of_its_sentences)
{
    struct split split = random_split(50);
    const int32_t sentence[] = {7, 0, 49};
    struct batch batch = batch_pack(&arena, &split, sentence, 3);
    assert_memory_equal(batch.sentence, sentence, sizeof sentence);
    for (int f = 0; f < FIELDS; f++) {
        const struct field *field = &batch.field[f];
        int longest = 0;
        assert_int_equal(field->B, 3);
        assert_int_equal(field->start[0], 0);
        assert_int_equal(field->start[3], field->T);
        assert_int_equal(field->T, side_tokens(&split, (enum side_name)f, sentence, 3));
        assert_int_equal(batch.first_token[f], 0);
        for (int b = 0; b < 3; b++) {
            int length = field->start[b + 1] - field->start[b];
            if (length > longest) longest = length;
            for (int t = 0; t < length; t++)
                assert_int_equal(field->token[field->start[b] + t], 100 * sentence[b] + t);
        }
        assert_int_equal(field->longest, longest);
    }
}

TEST(an_empty_split_has_no_batches)
{
    struct split split = random_split(0);
    assert_int_equal(epoch_plan(&arena, &split, BUDGET, 1, 0).batches, 0);
    assert_int_equal(epoch_of_some(&arena, &split, NULL, BUDGET, 16).batches, 0);
    assert_int_equal(batch_pack(&arena, &split, NULL, 0).field[FIELD_SOURCE].T, 0);
}
