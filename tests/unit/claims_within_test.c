/* results/report/claims_within: classes of one row, the slope by layer and a value against a
 * number, on stages with given sums; unknown and refused values. */
#include "results/report/claims.h"

#include "core/base/digest.h"
#include "core/config/tree_read.h"
#include "results/table/summary.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { ROWS = 2, SEEDS = 3, SENTENCES = 60 };
#define HEAD 0.7 /* the gate of head 2 of the first seed; 0.01 less of each other one */

static struct world *world;

/* Returns the gate of seed s, layer l, in sentence i of a NOUN or a CONJ. Every sentence has two
 * NOUN and one CONJ. */
static double gate_of(int s, int l, int i, bool noun)
{
    return 0.5 - 0.02 * l + (noun ? 0.03 : 0) + 0.002 * s * (noun ? 1 : 2) + 0.01 * (i % 7 - 3);
}

/* Makes a stage: row `Gate` has sums of sentences, `Old` has none. */
static struct run put_stage(int row, int s)
{
    static const char header[] = "cluster\tlayer\tclass\tcount\tsum\n";
    const char *name = arena_print(&arena, "row %d seed %d", row, s + 1), *text = header;
    const char *rows = "";
    const struct run run = run_new(world->runs, "gates", name, "{}", NULL, name);
    double all = 0, layers[2] = {0};
    for (int i = 0; i < SENTENCES; i++) {
        double sum[3][2] = {{0}}; /* by layer, of both classes */
        for (int l = 1; l <= 2; l++)
            for (int c = 0; c < 2; c++) {
                const int words = c ? 1 : 2;
                sum[l][c] = words * gate_of(s, l, i, !c);
                sum[0][c] += sum[l][c] / 2;
                layers[l - 1] += sum[l][c] / (3 * SENTENCES);
            }
        for (int l = 0; l <= 2; l++)
            text = arena_print(
                &arena, "%s%d\t%d\tNOUN\t2\t%.17g\n%d\t%d\tCONJ\t1\t%.17g\n%d\t%d\t\t%d\t%.17g\n",
                text, i + 1, l, sum[l][0], i + 1, l, sum[l][1], i + 1, l, l ? 3 : 6,
                (l ? 1 : 2) * (sum[l][0] + sum[l][1]));
    }
    all = (layers[0] + layers[1]) / 2;
    for (int l = 1; l <= 2; l++)
        rows = arena_print(&arena,
                           "%s{\"name\":\"gate\",\"value\":%.17g,\"layer\":%d,\"n\":9}\n"
                           "{\"name\":\"gate\",\"value\":%.17g,\"layer\":%d,\"head\":2}\n",
                           rows, layers[l - 1], l, HEAD - 0.01 * s, l);
    run_write(&run, "metrics.jsonl", rows);
    char digest[DIGEST_TEXT];
    digest_bytes(text, strlen(text), digest);
    const char *outputs = "{}";
    if (!row) run_write(&run, "clusters.tsv", text);
    if (!row) outputs = arena_print(&arena, "{\"clusters.tsv\": \"%s\"}", digest);
    run_write(
        &run, "done.json",
        arena_print(&arena,
                    "{\"status\": \"done\", \"summary\": {\"gate\": %.17g, \"sentences\": %d, "
                    "\"signature\": \"text:a\"}, \"outputs\": %s}",
                    all, SENTENCES, outputs));
    return run;
}

BEFORE(all)
{
    static const char *const names[] = {"Gate", "Old"};
    world = world_new("claims_within");
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, names[r], SEEDS);
        for (int s = 0; s < SEEDS; s++) world_add_stage(world, r, s, "gates", put_stage(r, s));
    }
    layout_read(NULL, &world->grid, &arena);
    runs_store = world_collect(world);
}

AFTER(all)
{
    store_close(runs_store);
}

static struct claim_result judge(const char *rest, int seeds)
{
    static struct grid_row row[ROWS];
    struct grid some = world->grid;
    memcpy(row, world->row, sizeof row);
    for (int i = 0; i < ROWS; i++) row[i].count = seeds;
    some.row = row;
    return table_judge(runs_store, &some, rest);
}

#define CLASSES                                                                                    \
    "row: Gate, metric: {column: gates.gate, layer: 1}, compare: [{class: NOUN}, {class: [CONJ]}]"

/* NOUN - CONJ is 0.03 - 0.002 s for seed s, equal in every sentence. So V is 0 up to rounding, and
 * s^2 / n = 0.002^2 / 3 with 2 degrees of freedom. */
TEST(classes_of_an_encoder)
{
    const struct claim_result result = judge(CLASSES ", expect: greater", SEEDS);
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    assert_int_equal(result.pair.seeds, SEEDS);
    assert_int_equal(result.stages, SEEDS);
    assert_int_equal(result.test, CLAIM_STUDENT);
    assert_string_equal(result.pair.items, "sentences");
    assert_float_equal(result.difference, 0.028, 1e-12);
    const double error = 0.002 / sqrt(3), t = 2.919986; /* quantile 0.95 of 2 degrees */
    assert_float_equal(result.high - result.difference, t * error, 1e-6);
    assert_int_equal(judge(CLASSES ", expect: less", SEEDS).verdict, CLAIM_CONTRADICTED);
    assert_int_equal(judge(CLASSES ", expect: greater", 1).verdict, CLAIM_ONE_SEED);
    const struct claim_result none =
        judge("row: Gate, metric: {column: gates.gate, layer: 9}, "
              "compare: [{class: NOUN}, {class: [CONJ]}], expect: less",
              SEEDS);
    assert_int_equal(none.verdict, CLAIM_UNTESTED);
    assert_string_equal(none.note, "a side has no value; check that the row has this layer");
    /* Both classes on one side: the mean is over words, not over classes. */
    const struct claim_result all = judge("row: Gate, metric: {column: gates.gate, layer: 1}, "
                                          "against: 0.4, expect: greater",
                                          SEEDS);
    double mean = 0;
    for (int s = 0; s < SEEDS; s++)
        for (int i = 0; i < SENTENCES; i++)
            mean += (2 * gate_of(s, 1, i, true) + gate_of(s, 1, i, false)) / 3;
    assert_float_equal(all.difference, mean / (SEEDS * SENTENCES) - 0.4, 1e-12);
    assert_int_equal(all.verdict, CLAIM_SUPPORTED);
}

/* Sentences differ by the same amount in all of their words. Their variance is that of a mean of 60
 * numbers 0.01 (i % 7 - 3), and is the only one besides the seeds'. */
TEST(sentences_are_added)
{
    const struct claim_result result =
        judge("row: Gate, metric: {column: gates.gate, layer: 2}, against: 0.5, expect: less", 2);
    double mean = 0, squares = 0;
    for (int i = 0; i < SENTENCES; i++) mean += 0.01 * (i % 7 - 3) / SENTENCES;
    for (int i = 0; i < SENTENCES; i++) squares += pow(0.01 * (i % 7 - 3) - mean, 2);
    const double V = squares / SENTENCES / SENTENCES;
    /* Seeds differ by 0.002 (2 + 2) / 3 in the mean of the three words. */
    const double each = 0.002 * 4 / 3, seeds = each * each / 2 / 2;
    /* With one degree of freedom the seeds' variance is at most 1 / 0.0357658 times as large. */
    const double error = sqrt(V + seeds), of_items = V / (V + seeds / 0.0357657791558),
                 freedom = 1 / (pow(1 - of_items, 2) + of_items * of_items / (SENTENCES - 1));
    const double half = error * student_quantile(0.95, freedom);
    assert_float_equal(result.high - result.difference, half, 0.05 * half);
}

/* Two layers: the slope is their difference, -0.02 in every encoder and sentence. */
TEST(the_slope_by_layer)
{
    const struct claim_result result =
        judge("row: Gate, metric: gates.gate, along: layer, expect: less", SEEDS);
    assert_float_equal(result.difference, -0.02, 1e-9);
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    /* Without sums of sentences the metric rows of layers exist, and only seeds are tested. */
    const struct claim_result old =
        judge("row: Old, metric: gates.gate, along: layer, expect: less", SEEDS);
    assert_float_equal(old.difference, -0.02, 1e-9);
    assert_null(old.pair.items);
    const struct claim_result one =
        judge("row: Old, metric: gates.gate, along: layer, expect: less", 1);
    assert_int_equal(one.verdict, CLAIM_ONE_SEED);
    const struct claim_result classes =
        judge("row: Old, metric: gates.gate, compare: [{class: NOUN}, {class: CONJ}], expect: less",
              SEEDS);
    assert_int_equal(classes.verdict, CLAIM_UNTESTED);
    expect_part(classes.note, "has no values by class");
}

/* Sums of sentences cover all heads, so a head has only metric rows, and only seeds are tested. */
TEST(a_head_of_a_layer)
{
    const struct claim_result result =
        judge("row: Gate, metric: {column: gates.gate, layer: 1, head: 2}, against: 0.5, expect: "
              "greater",
              SEEDS);
    assert_float_equal(result.difference, HEAD - 0.01 - 0.5, 1e-12);
    assert_null(result.pair.items);
    const struct claim_result classes = judge(
        "row: Gate, metric: {column: gates.gate, layer: 1, head: 2}, compare: [{class: NOUN}, "
        "{class: CONJ}], expect: less",
        SEEDS);
    assert_int_equal(classes.verdict, CLAIM_UNTESTED);
    expect_part(classes.note, "has no values by class");
}

TEST(what_is_refused)
{
    EXPECT_DIE("class: there is no class \"NOUM\"; nearest is \"NOUN\"",
               judge("row: Gate, metric: gates.gate, compare: [{class: NOUM}, {class: CONJ}], "
                     "expect: less",
                     SEEDS));
    EXPECT_DIE("class: NOUN is on both sides",
               judge("row: Gate, metric: gates.gate, compare: [{class: NOUN}, {class: NOUN}], "
                     "expect: less",
                     SEEDS));
    EXPECT_DIE("a claim within a row takes classes from compare: ",
               judge("row: Gate, metric: {column: gates.gate, class: NOUN}, against: 0.5, "
                     "expect: less",
                     SEEDS));
    EXPECT_DIE("nearest is \"Gate\"",
               judge("row: Gat, metric: gates.gate, along: layer, expect: less", SEEDS));
    EXPECT_DIE(
        "expected one of compare",
        judge("row: Gate, metric: gates.gate, along: layer, against: 1, expect: less", SEEDS));
    EXPECT_DIE(
        "along: layer takes all layers",
        judge("row: Gate, metric: {column: gates.gate, layer: 1}, along: layer, expect: less",
              SEEDS));
    EXPECT_DIE("a claim: row is missing", judge("along: layer, expect: less", SEEDS));
    EXPECT_DIE("expected two groups of classes",
               judge("row: Gate, metric: gates.gate, compare: [Gate, Old], expect: less", SEEDS));
}
