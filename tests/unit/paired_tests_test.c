/* Tests results/table/paired_tests.h: the marks of cells that are better or worse than their
 * baselines, and the remarks below the table. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "results/table/summary.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/world.h"

/* Makes a world without rows. Its reference has 60 lines. */
static struct world *scored_world(const char *name)
{
    struct world *world = world_new(name);
    world->reference = scored_lines(60);
    return world;
}

/* Adds a row in which every `every`-th sentence is wrong. The first wrong sentence depends on the
 * seed. */
static void add_row(struct world *world, const char *name, int seeds, int every,
                    const char *reference, const char *device)
{
    const int r = world_add_row(world, name, seeds);
    for (int s = 0; s < seeds; s++) {
        const char *hypothesis = scored_worse(world->reference, s, every);
        struct run run = scored_new(world->runs, arena_print(&arena, "%s %d", name, s),
                                    "1234567890ab", reference, 1, &hypothesis);
        run_write(&run, "environment.json", arena_print(&arena, "{\"device\": \"%s\"}", device));
        world_add_stage(world, r, s, "score", run);
    }
}

TEST(better_and_worse_rows_are_marked)
{
    struct world *world = scored_world("pair_marks");
    add_row(world, "Base", 1, 4, world->reference, "cpu");
    add_row(world, "Better", 1, 20, world->reference, "cpu");
    add_row(world, "Worse", 1, 1, world->reference, "cpu");
    add_row(world, "Same", 1, 4, world->reference, "cpu");
    const char *text =
        world_table(world, "{columns: [bleu, p(bleu)], significance: {samples: 500}}");
    expect_part(text, "△△  0.002\n"); /* Better: 0 of 500 samples are worse, p = 1 / 501 */
    expect_part(text, "▽▽  0.002\n"); /* Worse */
    expect_part(text, "1.000\n");     /* Same: p is 1, and there is no mark */
    expect_no_part(text, "47△  ");
    EXPECT_PARTS(text,
                 "△, △△: better than Base (▽, ▽▽: worse), p < 0.05, 0.01, with one seed: paired "
                 "bootstrap (Koehn 2004, one-sided), 500 samples, random seed 12345; not corrected "
                 "for several comparisons.\n",
                 "With one seed (n = 1) sentences are sampled, not trainings: another seed may ");
    text =
        world_table(world, "{columns: [delta(bleu)], significance: {marks: arrows, alpha: 0.05}}");
    expect_part(text, "△");
    expect_no_part(text, "△△");
    text =
        world_table(world, "{columns: [bleu, p(bleu)], transpose: true, names: Row, significance: "
                           "{samples: 500}}");
    expect_no_part(text, "difference from");
    expect_part(text, "\nRow    Base   Better    Worse    Same\n");
    expect_part(text, "\nBLEU  97.33  99.47△△  89.32▽▽  97.33\n");
    text = world_table(world, "{columns: [bleu, delta(bleu)], significance: {test: randomization, "
                              "trials: 500, against: Worse}}");
    expect_part(text, "better than Worse (▽, ▽▽: worse), p < 0.05, 0.01, with one seed: "
                      "approximate randomization "
                      "(two-sided), 500 trials, random seed 12345");
    expect_part(text, "\nΔ BLEU: difference from Base.\n");
    text = world_table(world, "{columns: [bleu, delta(bleu)], baseline: [Base, Worse], "
                              "significance: {samples: 500, against: Base}}");
    EXPECT_PARTS(text, "better than Base (", "\nΔ BLEU: difference from Base, Worse.\n");
    expect_part(text, "97.33     +8.02\n"); /* Same: equal to Base, better than Worse */
}

/* Same has the translations of Base: no value varies. */
TEST(explanations_have_the_smallest_difference)
{
    struct world *world = scored_world("pair_smallest");
    add_row(world, "Base", 1, 4, world->reference, "cpu");
    add_row(world, "Better", 1, 20, world->reference, "cpu");
    add_row(world, "Same", 1, 4, world->reference, "cpu");
    const char *yaml = "{columns: [bleu], significance: {samples: 500}}",
               *text = world_explain(world, yaml, "Better", "bleu");
    expect_part(text, "Smallest difference that this design finds in 4 of 5 cases: ");
    expect_no_part(text, "cases: 0.00");
    expect_part(world_explain(world, yaml, "Same", "bleu"),
                "in 4 of 5 cases: unknown, because no value varies\n");
}

/* In LaTeX, hollow marks are mathematical symbols, which need no package. */
TEST(hollow_marks_are_mathematics)
{
    struct world *world = scored_world("pair_latex");
    add_row(world, "Base", 1, 4, world->reference, "cpu");
    add_row(world, "Better", 1, 20, world->reference, "cpu");
    add_row(world, "Worse", 1, 1, world->reference, "cpu");
    struct store *store = world_open(world, "{columns: [bleu], significance: {samples: 500}}");
    char *text = PRINTED(sheet_print(summary_table(store, &world->grid, &arena), SHEET_LATEX, out));
    expect_part(text, "[l]{\\textbf{.47}\\textsuperscript{$\\triangle$$\\triangle$}} \\\\\n");
    expect_part(text, "[l]{.32\\textsuperscript{$\\bigtriangledown$$\\bigtriangledown$}} \\\\\n");
    expect_part(text, "$\\triangle$, $\\triangle$$\\triangle$: better than Base");
    store_close(store);
}

/* Reads the p value of each row from the column p(bleu). */
static void read_p(struct world *world, const char *yaml, double *p)
{
    const char *at = strstr(world_table(world, yaml), "───\n");
    assert_non_null(at);
    for (int i = 0; i < world->grid.rows; i++) {
        const char *line = strchr(at, '\n') + 1, *end = strchr(line, '\n');
        while (end[-1] != ' ') end--;
        p[i] = strtod(end, NULL);
        at = line;
    }
}

TEST(holm_is_over_all_comparisons)
{
    struct world *world = scored_world("pair_holm");
    double plain[3], holm[3];
    add_row(world, "Base", 1, 6, world->reference, "cpu");
    add_row(world, "Some", 1, 9, world->reference, "cpu");
    add_row(world, "More", 1, 10, world->reference, "cpu");
    read_p(world, "{columns: [p(bleu)], significance: {samples: 1000}}", plain);
    read_p(world, "{columns: [p(bleu)], significance: {samples: 1000, correction: holm}}", holm);
    assert_true(plain[2] > 0.002 && plain[2] < plain[1] && plain[1] < 0.5);
    assert_float_equal(holm[2], 2 * plain[2], 1e-9);
    assert_float_equal(holm[1], plain[1] > 2 * plain[2] ? plain[1] : 2 * plain[2], 1e-9);
    expect_part(world_table(world, "{columns: [bleu], significance: {correction: holm}}"),
                "Holm over 2 comparisons.");
}

/* None of 100 samples reverses the difference, so p is 1 / 101. Holm's correction multiplies it by
 * 2, so it is above 0.01. */
TEST(holm_multiplies_what_no_sample_showed)
{
    struct world *world = scored_world("pair_least");
    add_row(world, "Base", 1, 1, world->reference, "cpu");
    add_row(world, "Some", 1, 9, world->reference, "cpu");
    add_row(world, "More", 1, 10, world->reference, "cpu");
    const char *yaml = "{columns: [bleu, p(bleu)], significance: {samples: 100, correction: %s}}";
    const char *text = world_table(world, arena_print(&arena, yaml, "none"));
    expect_part(text, "△△  0.010\n");
    text = world_table(world, arena_print(&arena, yaml, "holm"));
    EXPECT_PARTS(text, "p, Holm\n", "△    0.020\n");
    expect_no_part(text, "△△  ");
}

TEST(seeds_are_paired_by_number)
{
    struct world *world = scored_world("pair_seeds");
    add_row(world, "Base", 3, 4, world->reference, "cpu");
    add_row(world, "Better", 3, 20, world->reference, "cpu");
    add_row(world, "Two", 2, 20, world->reference, "cpu");
    const char *text = world_table(world, "{columns: [bleu], significance: {}}");
    EXPECT_PARTS(text, "‡",
                 "†, ‡: better than Base (↓, ⇓: worse), p < 0.05, 0.01: Student's t, two-sided, "
                 "over seeds and "
                 "sentences (10,000 resamples, random seed 12345); not corrected for several "
                 "comparisons; n = 2 to 3 seeds.\n");
    expect_part(world_explain(world, "{columns: [bleu]}", "Two", "bleu"),
                "The variance between seeds is pooled over 3 rows, and is the pair's own where "
                "that is larger (F test, p < 0.25).\n");
    expect_no_part(text, "With one seed");
    expect_no_part(text, "△");
}

TEST(other_numerics_and_signatures_are_not_paired)
{
    struct world *world = scored_world("pair_other");
    const char *other = scored_worse(world->reference, 0, 2);
    add_row(world, "Base", 1, 4, world->reference, "cpu");
    add_row(world, "Elsewhere", 1, 20, world->reference, "cuda");
    add_row(world, "Other text", 1, 20, other, "cpu");
    add_row(world, "Spoiled", 1, 20, world->reference, "cpu");
    const char *id = world->stage[3][0][0].id;
    file_write(arena_print(&arena, "%s/stages/score-%.12s/hypotheses.txt", world->runs, id), "x\n",
               2);
    const char *text = world_table(world, "{columns: [bleu, p(bleu)], significance: {}}");
    expect_no_part(text, "△");
    expect_part(text, "Not compared: Elsewhere (BLEU: other device: cuda, not cpu); "
                      "Other text (BLEU: another signature); Spoiled (");
    expect_part(text, "has changed since it was written");
    expect_part(text, "n/c\n");
}

/* Adds a row without runs. `keys` are its keys in the grid's file. */
static void add_file(struct world *world, const char *name, const char *keys)
{
    const char *yaml = arena_print(&arena, "{name: \"%s\", %s}", name, keys);
    world->row[world->grid.rows++] = (struct grid_row){
        .name = name,
        .entry = tree_parse(&arena, arena_print(&arena, "%s/grid.yaml", world->runs), yaml)};
}

static void write_file(struct world *world, const char *name, const char *text)
{
    put_text(arena_print(&arena, "%s/%s", world->runs, name), text);
}

TEST(files_of_hypotheses_take_part)
{
    struct world *world = scored_world("pair_file");
    add_row(world, "Base", 1, 4, world->reference, "cpu");
    add_row(world, "Ours", 1, 20, world->reference, "cpu");
    add_file(world, "Theirs", "hyp: theirs.txt");
    expect_part(world_table(world, "{columns: [bleu]}"), "\nTheirs  missing\n");
    static const struct said bad[] = {
        {"one line\n", " has 1 lines, the test set has 60 sentences)."},
        {"", " is empty)."},
        {"a\nb\xff\n", ":2: byte 2 is not valid UTF-8)."}};
    const char *text = world_table(world, "{columns: [bleu]}");
    expect_part(text, "\nNot scored: Theirs (there is no file ");
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        write_file(world, "theirs.txt", bad[i].text);
        text = world_table(world, "{columns: [bleu]}");
        expect_part(text, "\nTheirs  failed\n");
        expect_part(text, "\nBase     97.33\n"); /* other rows are not affected */
        expect_part(text, "\nNot scored: Theirs (");
        expect_part(text, arena_print(&arena, "theirs.txt%s\n", bad[i].says));
    }
    write_file(world, "theirs.txt", scored_worse(world->reference, 0, 20));
    text = world_table(world, "{columns: [bleu, delta(bleu)], significance: {}, names: X}");
    const char *ours = strstr(text, "\nOurs") + 8, *theirs = strstr(text, "\nTheirs") + 8;
    assert_memory_equal(ours, theirs, (size_t)(strchr(ours, '\n') - ours)); /* with its mark */
    expect_part(theirs, "△△");
    expect_part(text, "Theirs: hypotheses from a file, not run here");
}

/* A file of hypotheses has no seeds, so no claim about it is tested. The table has its p. */
TEST(a_claim_on_a_file_is_not_run)
{
    struct world *world = scored_world("pair_claim");
    add_row(world, "Base", 2, 4, world->reference, "cpu");
    add_file(world, "Theirs", "hyp: theirs.txt");
    write_file(world, "theirs.txt", scored_worse(world->reference, 0, 3));
    EXPECT_PARTS(claims_print(world->runs, "{columns: [bleu, p(bleu)], significance: {}}",
                              "[{text: Theirs, compare: [Theirs, Base], expect: less}]",
                              &world->grid),
                 "\n1. Theirs  not run", "Theirs: no value");
}

TEST(files_may_bring_their_references)
{
    struct world *world = scored_world("pair_ref");
    add_row(world, "Base", 1, 4, world->reference, "cpu");
    add_file(world, "Theirs", "hyp: theirs.txt, ref: other.txt");
    write_file(world, "theirs.txt", "a b c d e\n");
    write_file(world, "other.txt", "a b c d e\n");
    const char *text = world_table(world, "{columns: [bleu, delta(bleu)], significance: {}}");
    EXPECT_PARTS(text, "100.00", "n/c", "Not compared: Theirs (BLEU: another signature).");
}
