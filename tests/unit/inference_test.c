/* Tests the inputs of a classifier of logical inference, [u; v], or with match [u; v; u v; |u -
 * v|]. Also tests the selection of test pairs. */
#include "experiments/stage/kind_inference.c"
#include "tests/support/test.h"

enum { D = 3, STATEMENTS = 3 };

/* The vectors of the statements 0, 2 and 4 are in the rows 0, 2 and 1. The first pair of the file
 * is not selected. */
TEST(features_of_pairs)
{
    static const float vector[STATEMENTS][D] = {{1, 2, 3}, {-4, 5, 0.5F}, {7, -8, 9}};
    struct labeled_pair pair[] = {{.side = {0, 0}}, {.side = {4, 0}}, {.side = {2, 4}}};
    int32_t asked[] = {1, 2}, row[] = {0, -1, 2, -1, 1};
    const struct inference_pairs pairs = {
        .data = {.pairs = 3, .pair = pair}, .count = 2, .pair = asked, .row = row};
    struct npy vectors = {.number = vector[0], .rows = STATEMENTS, .columns = D};
    static const float expected[2][4 * D] = {{-4, 5, 0.5F, 1, 2, 3, -4, 10, 1.5F, 5, 3, 2.5F},
                                             {7, -8, 9, -4, 5, 0.5F, -28, -40, 4.5F, 11, 13, 8.5F}};
    const float *match = features(&pairs, &vectors, true, &arena),
                *concat = features(&pairs, &vectors, false, &arena);
    for (int i = 0; i < 2; i++) {
        assert_memory_equal(match + (size_t)i * 4 * D, expected[i], sizeof expected[i]);
        assert_memory_equal(concat + (size_t)i * 2 * D, expected[i], sizeof expected[i] / 2);
    }
}

/* Pairs of training and validation are not tested, and neither are pairs of single symbols (group
 * 0). */
TEST(pairs_that_are_tested)
{
    static const struct labeled_pair pair[] = {{.split = SPLIT_TRAIN, .group = 12},
                                               {.split = SPLIT_TEST, .group = 0},
                                               {.split = SPLIT_TEST, .group = 1},
                                               {.split = SPLIT_DEV, .group = 3},
                                               {.split = SPLIT_TEST, .group = 12}};
    const struct labeled data = {.pairs = COUNT_OF(pair), .pair = pair};
    const struct logic_tested tested = logic_tested_pairs(&data, &arena);
    assert_int_equal(tested.count, 2);
    assert_ptr_equal(logic_tested_at(&tested, 0), &pair[2]);
    assert_ptr_equal(logic_tested_at(&tested, 1), &pair[4]);
}
