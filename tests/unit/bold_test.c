/* Tests bold values of a table: the best value, and all values that are not significantly worse. */

#include "results/sheet/sheet.h"
#include "tests/support/scored.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

/* Adds a row of trainings, with one dev loss per seed. dev_bleu differs by seed, hardly by row. */
static void add_losses(struct world *world, const char *name, int seeds, const double *loss)
{
    const int r = world_add_row(world, name, seeds);
    for (int s = 0; s < seeds; s++) {
        const char *one = arena_print(&arena, "%s %d", name, s);
        struct run run = run_new(world->runs, "train", one, "{}", NULL, one);
        run_done(&run, "done",
                 arena_print(&arena, "{\"dev_loss\": %.17g, \"dev_bleu\": %.17g}", loss[s],
                             s + loss[s] / 10));
        world_add_stage(world, r, s, "train", run);
    }
}

/* Returns the names of the rows whose cell in the last column is bold, such as "A, B". Writes the
 * captions of the table, one per line, to *captions. */
static const char *bold_of(struct world *world, const char *yaml, const char **captions)
{
    struct store *store = world_open(world, yaml);
    const struct sheet *sheet = summary_table(store, &world->grid, &arena);
    const char *text = "";
    for (int i = 0; i < sheet->rows; i++)
        if (sheet_at(sheet, i, sheet->columns - 1)->style & SHEET_BOLD)
            text = arena_print(&arena, "%s%s%s", text, *text ? ", " : "", world->row[i].name);
    *captions = "";
    for (int i = 0; i < sheet->captions; i++)
        *captions = arena_print(&arena, "%s%s\n", *captions, sheet->caption[i]);
    store_close(store);
    return text;
}

/* The losses of each row have a standard deviation of 0.01. So a difference has a standard error of
 * 0.01 sqrt(2/3) = 0.00816, with 8 degrees of freedom (four rows with 3 seeds). Near is 0.005
 * worse: t = 0.61, two-sided p = 0.56. Mid is 0.019 worse: t = 2.33, p = 0.048, corrected by Holm
 * to 0.097. Far is 0.3 worse: p < 0.00001. */
TEST(what_is_not_worse_is_bold)
{
    struct world *world = world_new("bold_losses");
    const char *captions;
    add_losses(world, "Far", 3, (const double[]){2.30, 2.31, 2.32});
    add_losses(world, "Best", 3, (const double[]){2.00, 2.01, 2.02});
    add_losses(world, "Near", 3, (const double[]){2.005, 2.015, 2.025});
    add_losses(world, "Mid", 3, (const double[]){2.019, 2.029, 2.039});
    const char *yaml = "{columns: [{column: dev_loss, best: min}]}";
    assert_string_equal(bold_of(world, yaml, &captions), "Best, Near, Mid");
    expect_part(captions, "Bold: the best value; of Dev loss also all values that are not "
                          "significantly worse (Student's t over seeds and");
    /* Plain text has no bold cells, so it has no caption about them. This also holds for a
     * transposed table. */
    expect_no_part(world_table(world, yaml), "Bold");
    expect_no_part(
        world_table(world, "{columns: [{column: dev_loss, best: min}], transpose: true}"), "Bold");
    assert_string_equal(
        bold_of(world, "{columns: [{column: dev_loss, best: min}], bold: best}", &captions),
        "Best");
    expect_part(captions, "\nBold: best mean, not tested.\n");
    assert_string_equal(
        bold_of(world, "{columns: [{column: dev_loss, best: min}], bold: false}", &captions), "");
    expect_no_part(captions, "Bold");
    assert_string_equal(bold_of(world, "{columns: [{column: dev_loss, best: max}]}", &captions),
                        "Far");
    /* A row with one seed cannot be tested against the best row, so it is not bold. Holm's method
     * still corrects three comparisons. */
    add_losses(world, "Alone", 1, (const double[]){2.0101});
    assert_string_equal(bold_of(world, yaml, &captions), "Best, Near, Mid");
    world->grid.row = &world->row[1];
    world->grid.rows = 2; /* only Best and Near */
    EXPECT_DIE("bold: ", bold_of(world, "{columns: [dev_loss], bold: bset}", &captions));
}

/* There is one comparison, so Holm's method does not change the p of Mid, 0.038. Mid is not
 * bold. */
TEST(holm_is_over_the_column)
{
    struct world *world = world_new("bold_holm");
    const char *captions;
    add_losses(world, "Best", 3, (const double[]){2.00, 2.01, 2.02});
    add_losses(world, "Mid", 3, (const double[]){2.025, 2.035, 2.045});
    assert_string_equal(bold_of(world, "{columns: [{column: dev_loss, best: min}]}", &captions),
                        "Best");
}

/* If all values of a column would be bold, none is. */
TEST(nothing_is_bold_if_all_would_be)
{
    struct world *world = world_new("bold_all");
    const char *captions, *yaml = "{columns: [wall, {column: dev_loss, best: min}]}";
    add_losses(world, "Best", 3, (const double[]){2.00, 2.01, 2.02});
    add_losses(world, "Near", 3, (const double[]){2.005, 2.015, 2.025});
    assert_string_equal(bold_of(world, yaml, &captions), "");
    expect_part(captions, "None is bold if all would be.\n");
    add_losses(world, "Far", 3, (const double[]){2.30, 2.31, 2.32});
    assert_string_equal(bold_of(world, yaml, &captions), "Best, Near");
    yaml = "{columns: [{column: dev_loss, best: min}, {column: train.dev_bleu, best: min}]}";
    assert_string_equal(bold_of(world, yaml, &captions), ""); /* of the last column */
    expect_part(captions, "Bold: the best value; of Dev loss, train.dev_bleu also all");
}

TEST(one_seed_tests_nothing)
{
    struct world *world = world_new("bold_one");
    const char *captions;
    add_losses(world, "A", 1, (const double[]){2.00});
    add_losses(world, "B", 1, (const double[]){2.0002});
    add_losses(world, "C", 1, (const double[]){2.00001}); /* is printed with the same digits as A */
    assert_string_equal(bold_of(world, "{columns: [{column: dev_loss, best: min}]}", &captions),
                        "A, C");
    expect_no_part(captions, "Bold");
}

/* Returns a grid of three rows with three seeds each, scored on 60 sentences. */
static struct world *scored_world(const char *name)
{
    enum { SENTENCES = 60 };
    static const struct {
        const char *name;
        int every; /* one word of every `every`-th sentence is wrong */
    } rows[] = {{"Base", 2}, {"Good", 20}, {"As good", 19}};
    struct world *world = world_new(name);
    const char *reference = scored_lines(SENTENCES);
    for (int r = 0; r < 3; r++) {
        world_add_row(world, rows[r].name, 3);
        for (int s = 0; s < 3; s++) {
            const char *text = scored_worse(reference, s, rows[r].every);
            struct run run = scored_new(world->runs, arena_print(&arena, "%s %d", rows[r].name, s),
                                        "1234567890ab", reference, 1, &text);
            world_add_stage(world, r, s, "score", run);
        }
    }
    return world;
}

TEST(sentences_count)
{
    struct world *world = scored_world("bold_bleu");
    const char *captions;
    assert_string_equal(bold_of(world, "{columns: [bleu]}", &captions), "Good, As good");
    expect_part(captions, "Bold: the best value; of BLEU also all");
    expect_no_part(captions, "Not tested");
}

/* If translations of a row are missing, the row cannot be tested and is not bold. The caption lists
 * the first missing file. */
TEST(what_is_missing_is_not_as_good)
{
    struct world *world = scored_world("bold_missing");
    const char *captions, *path = NULL;
    for (int s = 1; s >= 0; s--) {
        path = arena_print(&arena, "%s/hypotheses.txt", world->run[2][s][0].folder);
        assert_int_equal(unlink(path), 0);
    }
    const char *yaml = "{columns: [bleu], significance: {}}";
    assert_string_equal(bold_of(world, yaml, &captions), "Good");
    const char *gone = strstr(path, "/stages/") + 1;
    expect_part(captions, arena_print(&arena, "Not compared: As good (BLEU: %s is gone).", gone));
    expect_part(
        captions,
        arena_print(
            &arena,
            "Not tested against the best, and therefore not bold: BLEU of As good (%s is gone)",
            gone));
}

/* If all printed values are equal, none is bold. */
TEST(equal_values_are_not_bold)
{
    struct world *world = world_new("bold_equal");
    const char *captions, *yaml = "{columns: [{column: dev_loss, best: min}]}";
    add_losses(world, "A", 2, (const double[]){2.00001, 2.00003});
    add_losses(world, "B", 2, (const double[]){2.00002, 2.00004});
    assert_string_equal(bold_of(world, yaml, &captions), "");
    expect_no_part(captions, "Bold");
    add_losses(world, "C", 2, (const double[]){3.1, 3.11});
    assert_string_equal(bold_of(world, yaml, &captions), "A, B");
}
