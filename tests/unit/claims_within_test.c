/* Tests results/report/claims_within on stages with given sums. The claims compare two classes of
 * one row, test the slope by layer, or compare a value with a number. Other tests have missing
 * values, and claims that are refused. */
#include "results/report/claims.h"

#include "core/base/digest.h"
#include "core/config/tree_read.h"
#include "results/table/summary.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { ROWS = 2, SEEDS = 3, SENTENCES = 60 };
#define HEAD 0.7 /* gate of head 2 with the first seed; each later seed has 0.01 less */

static struct world *world;

/* Returns the gate of a word of sentence i, in layer l, with seed s. The word is a NOUN or a CONJ.
 * Every sentence has two NOUN and one CONJ. */
static double gate_of(int s, int l, int i, bool noun)
{
    return 0.5 - 0.02 * l + (noun ? 0.03 : 0) + 0.002 * s * (noun ? 1 : 2) + 0.01 * (i % 7 - 3);
}

/* Makes a stage. Only row `Gate` has sums by sentence, in clusters.tsv. */
static struct run put_stage(int row, int s)
{
    static const char header[] = "cluster\tlayer\tclass\tcount\tsum\n";
    const char *name = arena_print(&arena, "row %d seed %d", row, s + 1), *text = header;
    const char *rows = "";
    const struct run run = run_new(world->runs, "gates", name, "{}", NULL, name);
    double all = 0, layers[2] = {0};
    for (int i = 0; i < SENTENCES; i++) {
        double sum[3][2] = {{0}}; /* [layer; 0: mean of both layers][NOUN, CONJ] */
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

/* With seed s, NOUN - CONJ is 0.03 - 0.002 s in every sentence. So the variance between sentences
 * is 0 up to rounding. The squared standard error is 0.002^2 / 3, with 2 degrees of freedom. */
TEST(classes_of_an_encoder)
{
    const struct claim_result result = judge(CLASSES ", expect: greater", SEEDS);
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    assert_int_equal(result.pair.seeds, SEEDS);
    for (int k = 0; k < 2; k++) assert_int_equal(result.stages[k], SEEDS);
    assert_int_equal(result.test, CLAIM_STUDENT);
    assert_string_equal(result.pair.items, "sentences");
    assert_float_equal(result.difference, 0.028, 1e-12);
    const double error = 0.002 / sqrt(3), t = 2.919986; /* 0.95 quantile for 2 degrees of freedom */
    assert_float_equal(result.high - result.difference, t * error, 1e-6);
    assert_int_equal(judge(CLASSES ", expect: less", SEEDS).verdict, CLAIM_CONTRADICTED);
    assert_int_equal(judge(CLASSES ", expect: greater", 1).verdict, CLAIM_ONE_SEED);
    const struct claim_result none =
        judge("row: Gate, metric: {column: gates.gate, layer: 9}, "
              "compare: [{class: NOUN}, {class: [CONJ]}], expect: less",
              SEEDS);
    assert_int_equal(none.verdict, CLAIM_UNTESTED);
    assert_string_equal(none.note, "a side has no value; check that the row has this layer");
    /* Without classes, the value is the mean over all words, not the mean of two classes. */
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

/* All words of a sentence deviate by the same amount. So the variance between sentences, V, is the
 * variance of a mean of 60 numbers 0.01 (i % 7 - 3). The only other variance is the variance
 * between seeds. */
TEST(sentences_are_added)
{
    const struct claim_result result =
        judge("row: Gate, metric: {column: gates.gate, layer: 2}, against: 0.5, expect: less", 2);
    double mean = 0, squares = 0;
    for (int i = 0; i < SENTENCES; i++) mean += 0.01 * (i % 7 - 3) / SENTENCES;
    for (int i = 0; i < SENTENCES; i++) squares += pow(0.01 * (i % 7 - 3) - mean, 2);
    const double V = squares / SENTENCES / SENTENCES;
    /* The two seeds differ by 0.002 (1 + 1 + 2) / 3 in the mean of two NOUN and one CONJ. */
    const double each = 0.002 * 4 / 3, seeds = each * each / 2 / 2;
    const double half = fiducial_quantile(0.95, (struct student_part){seeds, 1},
                                          (struct student_part){V, SENTENCES - 1});
    assert_float_equal(result.high - result.difference, half, 0.05 * half);
}

/* With two layers, the slope is their difference. It is -0.02 with every seed and in every
 * sentence. */
TEST(the_slope_by_layer)
{
    const struct claim_result result =
        judge("row: Gate, metric: gates.gate, along: layer, expect: less", SEEDS);
    assert_float_equal(result.difference, -0.02, 1e-9);
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    /* Without sums by sentence, the slope is computed from the metric rows of the layers, and the
     * test uses only seeds. */
    const struct claim_result old =
        judge("row: Old, metric: gates.gate, along: layer, expect: less", SEEDS);
    assert_float_equal(old.difference, -0.02, 1e-9);
    assert_null(old.pair.items);
    const struct claim_result both =
        judge("row: Gate, metric: gates.gate, along: layer, layers: 1-2, expect: less", SEEDS);
    assert_float_equal(both.difference, -0.02, 1e-9);
    const struct claim_result upper =
        judge("row: Gate, metric: gates.gate, along: layer, layers: 2-6, expect: less", SEEDS);
    assert_int_equal(upper.verdict, CLAIM_UNTESTED); /* of layers 2 to 6, the encoder has one */
    assert_string_equal(upper.note, "it has values of fewer than two layers");
    const struct claim_result more =
        judge("row: Gate, metric: gates.gate, along: layer, layers: 1-6, expect: less", SEEDS);
    assert_int_equal(more.verdict, CLAIM_UNTESTED);
    assert_string_equal(more.note, "it has values of 2 of the layers 1-6");
    const struct claim_result one =
        judge("row: Old, metric: gates.gate, along: layer, expect: less", 1);
    assert_int_equal(one.verdict, CLAIM_ONE_SEED);
    const struct claim_result classes =
        judge("row: Old, metric: gates.gate, compare: [{class: NOUN}, {class: CONJ}], expect: less",
              SEEDS);
    assert_int_equal(classes.verdict, CLAIM_UNTESTED);
    expect_part(classes.note, "has no values by class");
}

/* Sums by sentence cover all heads together. So one head has only metric rows, and the test uses
 * only seeds. */
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
    EXPECT_DIE("a claim within a row expected a value of a stage without class, such as",
               judge("row: Gate, metric: {column: gates.gate, class: NOUN}, against: 0.5, "
                     "expect: less",
                     SEEDS));
    EXPECT_DIE("nearest is \"Gate\"",
               judge("row: Gat, metric: gates.gate, along: layer, expect: less", SEEDS));
    EXPECT_DIE(
        "a claim: expected one of compare",
        judge("row: Gate, metric: gates.gate, along: layer, against: 1, expect: less", SEEDS));
    EXPECT_DIE(
        "expected a value of a stage without class and layer, such as",
        judge("row: Gate, metric: {column: gates.gate, layer: 1}, along: layer, expect: less",
              SEEDS));
    EXPECT_DIE("and row with compare, along or against",
               judge("along: layer, expect: less", SEEDS));
    EXPECT_DIE(
        "layers: expected row: NAME and along: layer",
        judge("row: Gate, metric: gates.gate, against: 1, layers: 1-2, expect: less", SEEDS));
    static const char *const layers[] = {"0", "0-2", "2"};
    for (size_t i = 0; i < COUNT_OF(layers); i++)
        EXPECT_DIE("expected at least two layers from 1, as in 2-6",
                   judge(arena_print(&arena,
                                     "row: Gate, metric: gates.gate, along: layer, layers: %s, "
                                     "expect: less",
                                     layers[i]),
                         SEEDS));
    EXPECT_DIE("expected two groups of classes",
               judge("row: Gate, metric: gates.gate, compare: Old, expect: less", SEEDS));
}
