/* Tests claims that select the seeds of each side. A claim may compare a row with itself, and the
 * sides may have different numbers of seeds. */
#include "results/report/claims.h"

#include "core/config/tree_read.h"
#include "results/sheet/sheet.h"
#include "results/table/summary.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { SEEDS = 8, LINES = 60 };
/* First half has the trainings of Whole with seeds 1 to 4, and Second half those with seeds 5 to
 * 8. */
enum { WHOLE, WORSE, FIRST_HALF, SECOND_HALF, ROWS };
static const char *const names[ROWS] = {"Whole", "Worse", "First half", "Second half"};

static struct world *world;

/* Adds the trainings of a row and their scores. In translations, about every `every`-th line has a
 * wrong last word. */
static void add_training(int row, double loss, int first, int every, const char *text)
{
    for (int s = 0; s < SEEDS; s++) {
        static const double noise[SEEDS] = {0, .011, .004, .015, .008, .001, .013, .006};
        const char *name = arena_print(&arena, "%s seed %d", names[row], s + 1);
        const char *worse = scored_worse(text, (first + s * 3) % 7, every + s % 2);
        const struct run train = run_new(world->runs, "train", name, "{}", NULL, name);
        const struct run score = scored_new(world->runs, name, train.id, text, 1, &worse);
        run_done(
            &train, "done",
            arena_print(&arena, "{\"parameters\": 1000, \"dev_loss\": %.3f}", loss + noise[s]));
        world_add_stage(world, row, s, "train", train);
        world_add_stage(world, row, s, "score", score);
        if (row != WHOLE) continue;
        world_add_stage(world, FIRST_HALF + s / 4, s % 4, "train", train);
        world_add_stage(world, FIRST_HALF + s / 4, s % 4, "score", score);
    }
}

BEFORE(all)
{
    world = world_new("claims_seeds");
    for (int row = 0; row < ROWS; row++)
        world_add_row(world, names[row], row < FIRST_HALF ? SEEDS : SEEDS / 2);
    const char *text = scored_lines(LINES);
    add_training(WHOLE, 2, 1, 6, text);
    add_training(WORSE, 2.1, 0, 2, text);
    layout_read(NULL, &world->grid, &arena);
    runs_store = world_collect(world);
}

AFTER(all)
{
    store_close(runs_store);
}

/* Returns the verdict on a claim {text: t, ..} in a grid of these rows. */
static struct claim_result judge(const char *rest, const int *rows, int count)
{
    struct grid_row row[ROWS];
    struct grid some = world->grid;
    for (int i = 0; i < count; i++) row[i] = world->row[rows[i]];
    some.row = row;
    some.rows = count;
    return grid_judge(&some, runs_store, rest);
}

static const int two[] = {WHOLE, WORSE}, three[] = {FIRST_HALF, SECOND_HALF, WORSE};

TEST(one_row_against_itself)
{
    static const char *const metrics[] = {"bleu", "dev_loss"}, *const expected[] = {"greater",
                                                                                    "less"};
    for (int m = 0; m < 2; m++)
        for (int e = 0; e < 2; e++) {
            const struct claim_result result = judge(
                arena_print(&arena,
                            "compare: [Whole, Whole], seeds: [1-4, 5-8], metric: %s, expect: %s",
                            metrics[m], expected[e]),
                two, 2);
            assert_int_equal(result.verdict, CLAIM_INCONCLUSIVE);
            assert_true(result.tested);
            assert_false(result.pair.paired);
            assert_int_equal(result.pair.pooled, 2);
            assert_int_equal(result.pair.seeds, 4);
            assert_int_equal(result.stages[0] + result.stages[1], SEEDS);
            assert_null(result.note);
        }
}

/* The two halves are also rows, each with seeds 1 to 4. A claim about these rows has the same
 * result as a claim that selects the seeds of Whole. */
TEST(halves_are_as_two_rows)
{
    static const char *const metrics[] = {"bleu", "dev_loss"};
    for (int m = 0; m < 2; m++) {
        const struct claim_result
            named = judge(arena_print(&arena,
                                      "compare: [Whole, Whole], seeds: [1-4, 5-8], metric: %s, "
                                      "expect: greater",
                                      metrics[m]),
                          two, 2),
            rows =
                judge(arena_print(&arena,
                                  "compare: [First half, Second half], metric: %s, expect: greater",
                                  metrics[m]),
                      three, 3);
        assert_true(rows.tested);
        assert_false(rows.pair.paired);
        assert_float_equal(named.difference, rows.difference, 0);
        assert_float_equal(named.low, rows.low, 0);
        assert_float_equal(named.high, rows.high, 0);
        assert_float_equal(named.p, rows.p, 0);
    }
}

TEST(a_planted_difference_is_found)
{
    static const struct {
        const char *claim;
        int seeds;
        enum claim_verdict verdict;
    } cases[] = {
        {"compare: [Whole, Worse], seeds: [1-4, 5-8], expect: greater", 4, CLAIM_SUPPORTED},
        {"compare: [Whole, Worse], seeds: [1-4, 5-8], expect: less", 4, CLAIM_CONTRADICTED},
        {"compare: [Whole, Worse], seeds: [7-8, 1-6], metric: dev_loss, expect: less", 2,
         CLAIM_SUPPORTED},
        {"compare: [Whole, Worse], seeds: [8, 1-6], metric: dev_loss, expect: less", 1,
         CLAIM_ONE_SEED},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct claim_result result = judge(cases[i].claim, two, 2);
        if (result.verdict != cases[i].verdict)
            fail_msg("%s: %s", cases[i].claim, claim_verdicts[result.verdict]);
        assert_int_equal(result.pair.seeds, cases[i].seeds);
    }
}

/* The note states how many seeds have a value. Only these seeds count. */
TEST(absent_seeds)
{
    const char *const claim = "compare: [Whole, Whole], seeds: [1-4, %s], expect: greater";
    struct claim_result result = judge(arena_print(&arena, claim, "7-12"), two, 2);
    assert_int_equal(result.verdict, CLAIM_INCONCLUSIVE);
    assert_int_equal(result.pair.seeds, 2);
    assert_string_equal(result.note, "Whole has values of 2 of the seeds 7-12");
    result = judge(arena_print(&arena, claim, "9-12"), two, 2);
    assert_int_equal(result.verdict, CLAIM_NOT_RUN);
    expect_part(result.note, "Whole has values of 0 of the seeds 9-12");
}

TEST(the_sheet_names_the_seeds)
{
    const char *yaml = "claims: [{text: Same, compare: [Whole, Whole], seeds: [1-3, 4-8], "
                       "expect: greater}]\n";
    const struct claims claims = table_claims(&world->grid, yaml);
    const char *text = sheet_string(claims_sheet(runs_store, &world->grid, &claims, &arena));
    expect_part(text, "1. Same  inconclusive");
    expect_part(text, "\n1. BLEU of Whole (seeds 1-3) against Whole (seeds 4-8), expected greater");
}

TEST(mistakes_are_refused)
{
    static const struct said cases[] = {
        {"compare: [Whole, Whole], expect: less", "two different rows, or the seeds of each side"},
        {"compare: [Whole, Whole], seeds: 1-4, expect: less",
         "grid.yaml:1:52: seeds: expected the seeds of each row, as in [1-6, 7-12]"},
        {"compare: [Whole, Whole], seeds: [1-4], expect: less", "expected the seeds of each row"},
        {"compare: [Whole, Whole], seeds: [1-4, []], expect: less", "seeds: expected"},
        {"compare: [Whole, Whole], seeds: [1-4, 4-8], expect: less", "seeds: 4 is on both sides"},
        {"compare: [Whole, Worse], seeds: [5-8, 2-6], expect: less", "seeds: 5 is on both sides"},
        {"compare: [Whole, Whole], seeds: [1-4, 8-5], expect: less", "\"8-5\" is empty"},
        {"compare: [Whole, Whole], seeds: [1-4, all], expect: less", "seeds: expected"},
        {"row: Whole, along: layer, metric: gates.gate, seeds: [1, 2], expect: less",
         "seeds: expected compare: [ROW, ROW]"},
        {"compare: [Whole], metric: margin(probe.Tense), seeds: [1, 2], expect: less",
         "seeds: expected compare: [ROW, ROW]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, judge(cases[i].text, two, 2));
}
