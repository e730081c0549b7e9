/* Tests probes/trees and probes/structural: trees of given numbers, and structural probes of
 * vectors whose distances are known. */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "core/cpu/cpu.h"
#include "probes/structural.h"
#include "probes/trees.h"
#include "tests/support/here.h"

/* The cat sat on the mat . */
static const int32_t cat[] = {1, 2, TREES_NONE, 5, 5, 2, 2};
static const bool stop[] = {0, 0, 0, 0, 0, 0, 1};
enum { CAT = 7 };

static void expect_parents(const int32_t *got, const char *expected, int n)
{
    const char *list = "";
    for (int i = 0; i < n; i++) list = arena_print(&arena, "%s%s%d", list, i ? " " : "", got[i]);
    assert_string_equal(list, expected);
}

TEST(distances_are_numbers_of_edges)
{
    static const double depths[] = {2, 1, 0, 2, 2, 1, 1};
    static const double from_the[] = {0, 1, 2, 4, 4, 3, 3};
    double depth[CAT], distance[CAT * CAT];
    trees_measure(cat, CAT, depth, distance);
    for (int w = 0; w < CAT; w++) {
        assert_float_equal(depth[w], depths[w], 0);
        assert_float_equal(distance[w], from_the[w], 0);
        assert_float_equal(distance[w * CAT], from_the[w], 0);
    }
    assert_float_equal(distance[3 * CAT + 4], 2, 0);
    assert_float_equal(distance[6 * CAT + 3], 3, 0);
}

/* The spanning tree of the true distances is the tree. Punctuation has no edge. */
TEST(the_spanning_tree_has_the_shortest_edges)
{
    double depth[CAT], distance[CAT * CAT];
    int32_t parent[CAT];
    int right;
    trees_measure(cat, CAT, depth, distance);
    trees_span(distance, stop, CAT, parent);
    expect_parents(parent, "-1 0 1 5 5 2 -1", CAT);
    assert_int_equal(trees_edges(cat, stop, parent, CAT, &right), 5);
    assert_int_equal(right, 5);
    trees_join(stop, CAT, parent);
    expect_parents(parent, "-1 0 1 2 3 4 -1", CAT);
    assert_int_equal(trees_edges(cat, stop, parent, CAT, &right), 5);
    assert_int_equal(right, 3);                          /* the cat, cat sat, the mat */
    for (int i = 0; i < CAT * CAT; i++) distance[i] = 1; /* ties */
    trees_span(distance, stop, CAT, parent);
    expect_parents(parent, "-1 0 0 0 0 0 -1", CAT);
}

/* Expected edges are from the definition in trees.h, by hand. */
TEST(spans_are_cut_at_the_largest_gap)
{
    static const double gap[] = {99, 1, 5, 4, 2, 3, 9};
    static const bool comma[] = {0, 0, 0, 1, 0, 0, 1};
    int32_t parent[CAT];
    /* sat is the head of all; in "on the mat" it is on, then mat. */
    trees_cut(gap, stop, CAT, TREES_LARGEST, parent);
    expect_parents(parent, "1 2 -1 2 5 3 -1", CAT);
    /* (the cat) ((sat) ((on the) (mat))) has the cuts 2, 3, 5, 4, 1. */
    trees_cut(gap, stop, CAT, TREES_FIRST, parent);
    expect_parents(parent, "-1 0 0 2 3 3 -1", CAT);
    trees_cut(gap, stop, CAT, TREES_LAST, parent);
    expect_parents(parent, "1 5 5 4 5 -1 -1", CAT);
    /* Without word 3, the gap before word 4 is the larger one of 4 and 2. */
    trees_cut(gap, comma, CAT, TREES_FIRST, parent);
    expect_parents(parent, "-1 0 0 -1 2 4 -1", CAT);
    trees_cut(gap, (const bool[]){1}, 1, TREES_LARGEST, parent);
    expect_parents(parent, "-1", 1);
}

BEFORE(each)
{
    here_open();
}

/* ---- words of files ---- */

#define WORD(id, tag, head) id "\tw\t_\t" tag "\t_\t_\t" head "\tx\t_\t_\n"

static struct trees read_trees(const char *text)
{
    static int files;
    const char *path = here_put(arena_print(&arena, "trees%d.conllu", files++), text);
    struct words *words = ARENA_NEW(&arena, struct words);
    *words = words_read(&arena, &path, 1);
    if (words->words > 5) words->lost[5] = true;
    return trees_of(words, WORDS_TRAIN, &arena);
}

TEST(sentences_with_a_lost_word_are_left_out)
{
    const struct trees trees =
        read_trees("# newdoc\n" WORD("1", "X", "2") WORD("2", "X", "0") "\n" WORD("1", "X", "0")
                       WORD("2", "X", "1") WORD("3", "X", "1")
                           WORD("4", "PUNCT", "1") "\n# newdoc\n" WORD("1", "X", "0"));
    assert_int_equal(trees.sentences, 2);
    assert_int_equal(trees.left_out, 1);
    assert_int_equal(trees.words, 3);
    assert_int_equal(trees.longest, 2);
    expect_parents(trees.head, "1 -1 -1", 3);
    expect_parents(trees.word, "0 1 6", 3);
    assert_int_equal(trees.document[0], 0);
    assert_int_equal(trees.document[1], 1);
    int count;
    const struct trees_share *share = trees_neighbors(&trees, &count, &arena);
    assert_int_equal(count, 2);
    assert_int_equal(share[0].right, 1);
    assert_int_equal(share[1].all, 0);
    assert_float_equal(trees_percent(share, count), 100, 0);
}

TEST(heads_that_are_no_tree_are_refused)
{
    EXPECT_DIE(".conllu:1: the word has the head \"_\"; expected 0 to 1",
               read_trees(WORD("1", "X", "_")));
    EXPECT_DIE(".conllu:2: the word has the head \"3\"; expected 0 to 2",
               read_trees(WORD("1", "X", "0") WORD("2", "X", "3")));
    EXPECT_DIE(".conllu:2: the word has the head \"0\"; expected 0 to 2 in the seventh column, and "
               "0 for one word",
               read_trees(WORD("1", "X", "0") WORD("2", "X", "0")));
    EXPECT_DIE(".conllu:2: the heads form a circle",
               read_trees(WORD("1", "X", "0") WORD("2", "X", "3") WORD("3", "X", "2")));
}

/* ---- probes ---- */

/* Random trees of up to 9 words. Column w of a vector is 1 if word w is on the way from the word to
 * the root, without the root itself. So squared distances of the first columns are exact distances
 * of the tree. Other columns are noise. */
enum { SENTENCES = 480, MOST = 9, D = MOST + 7 };
struct made_trees {
    struct trees trees;
    int32_t start[SENTENCES + 1], head[SENTENCES * MOST], word[SENTENCES * MOST];
    bool punctuation[SENTENCES * MOST];
    int document[SENTENCES];
    float vector[SENTENCES * MOST * D];
};

static struct structural_set make(struct made_trees *made, uint32_t seed)
{
    const struct random_key key = {seed, 1};
    int32_t at = 0;
    for (int s = 0; s < SENTENCES; s++) {
        const int n = 2 + s % (MOST - 1);
        made->start[s] = at;
        made->document[s] = s / 10;
        for (int w = 0; w < n; w++, at++) {
            made->word[at] = at;
            float *vector = made->vector + (int64_t)at * D;
            made->head[at] =
                w ? (int32_t)random_below(key, (uint64_t)at, 0, (uint32_t)w) : TREES_NONE;
            for (int c = 0; c < D; c++)
                vector[c] =
                    c < MOST ? 0 : (float)(random_uniform(key, (uint64_t)(at * D + c), 1) - 0.5);
            for (int x = w; x; x = made->head[made->start[s] + x]) vector[x] = 1;
        }
    }
    made->start[SENTENCES] = at;
    made->trees = (struct trees){.sentences = SENTENCES,
                                 .words = at,
                                 .longest = MOST,
                                 .start = made->start,
                                 .head = made->head,
                                 .punctuation = made->punctuation,
                                 .word = made->word,
                                 .document = made->document};
    return (struct structural_set){&made->trees, made->vector};
}

static struct made_trees train, dev;

static struct structural_job job_of(void)
{
    return (struct structural_job){.train = make(&train, 1),
                                   .dev = make(&dev, 2),
                                   .D = D,
                                   .ranks = 2,
                                   .rank = {2, D},
                                   .seed = 1};
}

TEST(probes_find_trees_in_vectors)
{
    const struct structural_job job = job_of();
    struct structural_trained chosen[STRUCTURAL_TASKS];
    structural_train(&job, chosen, &arena);
    const struct structural_score distance =
        structural_score(STRUCTURAL_DISTANCE, &chosen[STRUCTURAL_DISTANCE], &job.dev, D, &arena);
    const struct structural_score depth =
        structural_score(STRUCTURAL_DEPTH, &chosen[STRUCTURAL_DEPTH], &job.dev, D, &arena);
    assert_int_equal(chosen[STRUCTURAL_DISTANCE].rank, D);
    assert_float_equal(distance.loss, chosen[STRUCTURAL_DISTANCE].dev, 1e-6);
    assert_float_equal(depth.loss, chosen[STRUCTURAL_DEPTH].dev, 1e-6);
    assert_true(trees_percent(distance.share, distance.shares) > 97);
    assert_true(trees_percent(depth.share, depth.shares) > 97);
    assert_true(distance.correlation > 0.95);
    assert_int_equal(distance.lists[4], 0);
    assert_int_equal(distance.lists[5], 5 * SENTENCES / 8);
    assert_int_equal(depth.lists[5], SENTENCES / 8);
    assert_int_equal(distance.shares, SENTENCES / 10);
}

TEST(threads_and_instruction_sets_change_no_bit)
{
    const struct structural_job job = job_of();
    const int before = omp_get_max_threads();
    struct structural_trained one[STRUCTURAL_TASKS], many[STRUCTURAL_TASKS];
    omp_set_num_threads(1);
    structural_train(&job, one, &arena);
    omp_set_num_threads(3);
    structural_train(&job, many, &arena);
    omp_set_num_threads(before);
    for (int t = 0; t < STRUCTURAL_TASKS; t++) {
        assert_int_equal(one[t].rank, many[t].rank);
        assert_memory_equal(one[t].map, many[t].map, (size_t)(D * one[t].rank) * sizeof(real));
    }
}
