/* Tests columns that name a layer, a head, a set or a class. Their values come from the metric rows
 * of stages. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "core/config/tree_read.h"
#include "results/compare/explain.h"
#include "results/report/claims.h"
#include "tests/support/world.h"

enum { ROWS = 2, SEEDS = 2 };
enum { GATES, AUDIT }; /* indices of the stages of a seed */

/* Makes two rows with two seeds. Each seed has a stage `gates`, whose kind lists its measures, and
 * a stage `audit`, whose kind lists none. All stages are new. */
static struct world *two_rows(const char *name)
{
    static const char *const kind[] = {"gates", "audit"}, *const row_name[ROWS] = {"Base", "Gate"};
    struct world *world = world_new(name);
    world->grid.title = "T";
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, row_name[r], SEEDS);
        for (int s = 0; s < SEEDS; s++)
            for (int k = GATES; k <= AUDIT; k++) {
                const char *text = arena_print(&arena, "%s %d %d", kind[k], r, s);
                world_add_stage(world, r, s, kind[k],
                                run_new(world->runs, kind[k], text, "{}", NULL, "demo"));
            }
    }
    return world;
}

static void put(const struct run *run, const char *lines, const char *summary)
{
    run_append(run, "metrics.jsonl", lines);
    run_done(run, "done", summary);
}

/* Writes the gates of row r and seed s. Layer l has l/10 + r/10 + s/100. Its first head has 0.05
 * less, and its second head 0.05 more. */
static void put_gates(struct world *world, int r, int s)
{
    const char *lines = "";
    for (int layer = 1; layer <= 2; layer++)
        for (int head = 0; head <= 2; head++) {
            const double gate = layer / 10. + r / 10. + s / 100. + (head ? 0.1 * head - 0.15 : 0);
            const char *of = head ? arena_print(&arena, ",\"head\":%d", head) : "";
            lines = arena_print(&arena,
                                "%s{\"name\":\"gate\",\"value\":%.15g,\"layer\":%d%s}\n"
                                "{\"name\":\"gate\",\"value\":0.99,\"layer\":%d%s,\"set\":1}\n",
                                lines, gate, layer, of, layer, of);
        }
    put(&world->run[r][s][GATES], lines, "{\"gate\": 0.77}");
}

/* Writes accuracies by class, at two steps. The accuracy over all classes is only in the summary
 * and in one metric row. */
static void put_audit(struct world *world, int r, int s, const char *const *class)
{
    const char *lines = "{\"name\":\"right\",\"value\":0.5}\n";
    for (int step = 100; step <= 200; step += 100)
        for (int c = 0; class[c]; c++)
            lines = arena_print(
                &arena, "%s{\"name\":\"right\",\"step\":%d,\"value\":%.15g,\"class\":\"%s\"}\n",
                lines, step, step == 100 ? 0.01 : 0.1 * (c + 1) + 0.2 * r + 0.02 * s, class[c]);
    put(&world->run[r][s][AUDIT], lines, "{\"right\": 0.5}");
}

static void expect_table(struct world *world, const char *yaml, const char *expected)
{
    const char *text = world_table(world, yaml);
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("%s gives\n%s\nexpected\n%s", yaml, text, expected);
}

TEST(a_layer_and_a_head_have_a_column)
{
    struct world *world = two_rows("dimension_layer");
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < SEEDS; s++) put_gates(world, r, s);
    /* The mean over both seeds is 0.005 more than the value of the first seed. The standard
     * deviation is 0.01 / sqrt(2). */
    expect_table(
        world,
        "columns: [gates.gate, {column: gates.gate, layer: 1, decimals: 3},\n"
        "  {column: gates.gate, layer: 2, head: 2, header: Last, decimals: 3, best: max},\n"
        "  {column: delta(gates.gate), layer: 2, decimals: 2}]\n",
        "T (demo)\n"
        "            Mean gate  Mean gate layer 1           Last  Δ Mean gate layer 2\n"
        "────────────────────────────────────────────────────────────────────────────\n"
        "Base  0.7700 ± 0.0000      0.105 ± 0.007  0.255 ± 0.007\n"
        "Gate  0.7700 ± 0.0000      0.205 ± 0.007  0.355 ± 0.007                +0.10\n"
        "Mean ± sample standard deviation over 2 seeds (1, 2).\n");
}

TEST(every_class_has_a_column)
{
    static const char *const first[] = {"noun", "verb", NULL}, *const other[] = {"all", "noun",
                                                                                 NULL};
    static const char yaml[] = "columns: [audit.right, {column: audit.right, class: all, "
                               "header: Right, decimals: 2}]";
    struct world *world = two_rows("dimension_class");
    expect_table(world, yaml,
                 "T (demo)\n"
                 "      audit.right  Right by class\n"
                 "─────────────────────────────────\n"
                 "Base          new             new\n"
                 "Gate          new             new\n");
    put_audit(world, 0, 0, first);
    put_audit(world, 0, 1, first);
    put_audit(world, 1, 0, other);
    for (int s = 0; s < SEEDS; s++) put_gates(world, 0, s);
    put_gates(world, 1, 0);
    /* Values of the last step: 0.1 for the first class and 0.2 for the second. The second row has
     * 0.2 more, and seed 2 has 0.02 more. */
    expect_table(world, yaml,
                 "T (demo)\n"
                 "           audit.right        Right: noun      Right: verb         Right: all\n"
                 "─────────────────────────────────────────────────────────────────────────────\n"
                 "Base  0.5 ± 0 (2)       0.11 ± 0.01 (2)    0.21 ± 0.01 (2)                  -\n"
                 "Gate  0.5 (1/2, 1 new)  0.40 (1/2, 1 new)  1 new            0.30 (1/2, 1 new)\n");
    expect_table(
        world,
        "columns: [{column: delta(audit.right), class: all}, "
        "{column: audit.right, class: verb, best: max}]",
        "T (demo)\n"
        "      Δ audit.right: noun  Δ audit.right: verb  Δ audit.right: all  audit.right: verb\n"
        "─────────────────────────────────────────────────────────────────────────────────────\n"
        "Base                                                                    0.210 ± 0.014\n"
        "Gate           +0.3 (1/2)                    -                   -      1 new\n");
}

TEST(a_class_is_explained)
{
    static const char *const class[] = {"noun", "verb", NULL};
    struct world *world = two_rows("dimension_explain");
    put_gates(world, 0, 0);
    put_audit(world, 0, 0, class);
    world_table(world, "columns: [{column: audit.right, class: all, header: Right}]");
    struct store *store = store_open(world->runs);
    char *text = PRINTED(explain_cell(store, &world->grid, "Base", "Right: verb", "sanlab", out));
    expect_part(text, "Base, audit.right: verb\n");
    expect_part(text, "seed 1: 0.2\n");
    store_close(store);
}

/* Returns the claim of Gate against Base about a metric. */
static struct claims read_claim(struct world *world, const char *metric)
{
    const char *yaml = arena_print(
        &arena, "[{text: t, compare: [Gate, Base], expect: greater, metric: %s}]", metric);
    layout_read(NULL, &world->grid, &arena);
    return claims_read(tree_parse(&arena, "grid.yaml", yaml), &world->grid, &arena);
}

static struct claim_result judge(struct world *world, const char *metric)
{
    const struct claims claims = read_claim(world, metric);
    struct store *store = world_collect(world);
    struct sampler sampler = sampler_open(store, &world->grid, &arena);
    const struct claim_result result =
        *claims_judge(&sampler, &(struct claims){1, claims.claim, 0});
    store_close(store);
    return result;
}

TEST(a_claim_is_of_a_layer_or_a_class)
{
    static const char *const class[] = {"noun", "verb", NULL};
    struct world *world = two_rows("dimension_claim");
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < SEEDS; s++) {
            put_gates(world, r, s);
            put_audit(world, r, s, class);
        }
    struct claim_result result = judge(world, "{column: gates.gate, layer: 2}");
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    assert_true(fabs(result.difference - 0.1) < 1e-12);
    assert_int_equal(judge(world, "gates.gate").verdict, CLAIM_CONTRADICTED); /* both have 0.77 */
    result = judge(world, "{column: audit.right, class: verb}");
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    assert_true(fabs(result.difference - 0.2) < 1e-12);
    EXPECT_DIE("grid.yaml:1:89: metric: class: all makes a column for each class",
               read_claim(world, "{column: audit.right, class: all}"));
    EXPECT_DIE("class: there is no class \"verbs\"; nearest is \"verb\"",
               judge(world, "{column: audit.right, class: verbs}"));
}

static void expect_refused(struct world *world, const char *columns, const char *says)
{
    const char *yaml = arena_print(&arena, "columns: %s", columns);
    EXPECT_DIE(says, world_table(world, yaml));
}

TEST(what_no_stage_has_is_refused)
{
    static const struct {
        const char *yaml, *says;
    } at_once
        [] =
            {
                {"[{column: bleu, layer: 3}]",
                 "grid.yaml:1:33: layer: \"bleu\" has no values by layer; it has them by: set"},
                {"[{column: parameters, set: 1}]", "grid.yaml:1:37: set: \"parameters\" has no "
                                                   "values by set; it has them by: none of layer"},
                {"[{column: localness.window, class: all}]",
                 "by class; it has them by: layer, head"},
                {"[{column: delta(bleu), head: 1}]", "\"delta(bleu)\" has no values by head"},
                {"[{column: gates.gate, layer: 0}]",
                 "grid.yaml:1:39: layer: expected a whole number"},
                {"[{column: gates.gate, layer: all}]", "layer: expected a whole number"},
                {"[{column: audit.right, class: 3}]",
                 "grid.yaml:1:40: class: expected the name of a class, or all; got the number 3; a "
                 "class of this name needs quotes"},
                {"[{column: audit.right, class: ''}]", "got an empty text"},
                {"[{column: audit.right, class: [a, b]}]", "class"},
                {"[{column: wall, layer: 1}]", "layer: \"wall\" is not a value of a stage"},
                {"[{column: number, class: a}]", "class: \"number\" is not a value of a stage"},
                {"[{column: p(bleu), set: 1}]", "set: \"p(bleu)\" is not a value of a stage"},
                {"[{column: bleu, lair: 3}]",
                 "grid.yaml:1:26: a column: unknown key \"lair\"; nearest is \"layer\"; expected "
                 "one of: "
                 "column, header, decimals, form, best, baseline, once, layer, head, set, class"},
            },
 later[] = {
     {"[{column: audit.right, class: nuon}]",
      "grid.yaml:1:20: class: there is no class \"nuon\"; nearest is \"noun\"; expected one of: "
      "noun, verb"},
     {"[{column: audit.left, class: all}]",
      "grid.yaml:1:20: no stage has values of \"audit.left: all\" by class"},
 };
    static const char *const classes[] = {"noun", "verb", NULL};
    struct world *world = two_rows("dimension_wrong");
    for (size_t i = 0; i < COUNT_OF(at_once); i++)
        expect_refused(world, at_once[i].yaml, at_once[i].says);
    for (size_t i = 0; i < COUNT_OF(later); i++)
        assert_non_null(world_table(world, arena_print(&arena, "columns: %s", later[i].yaml)));
    put_gates(world, 0, 0);
    put_audit(world, 0, 0, classes);
    for (size_t i = 0; i < COUNT_OF(later); i++)
        expect_refused(world, later[i].yaml, later[i].says);
    /* Layer 9 is allowed while an unfinished stage could have it. */
    static const char deep[] = "columns: [{column: gates.gate, layer: 9}]";
    expect_part(world_table(world, deep), "new");
    for (int i = 1; i < ROWS * SEEDS; i++) {
        put_gates(world, i / SEEDS, i % SEEDS);
        put_audit(world, i / SEEDS, i % SEEDS, classes);
    }
    expect_refused(world, "[{column: audit.right, layer: 1}]",
                   "grid.yaml:1:20: no stage has values of \"audit.right layer 1\"");
    expect_refused(world, "[{column: gates.gate_sd, layer: 1}]",
                   "no stage has values of \"gates.gate_sd layer 1\"");
    EXPECT_DIE("grid.yaml:1:20: no stage has values of \"gates.gate layer 9\"",
               world_table(world, deep));
}

/* The accuracy over all classes is not a value by class. */
TEST(a_stage_without_classes_is_refused)
{
    static const char *const none[] = {NULL};
    struct world *world = two_rows("dimension_none");
    put_audit(world, 0, 0, none);
    expect_refused(world, "[{column: audit.right, class: all}]",
                   "grid.yaml:1:20: no stage has values of \"audit.right: all\" by class");
}
