/* Tests margins of a kind of stage without parts, where the control is a measure of the same stage.
 * This file defines such a kind, `exam`. */
#include "core/base/digest.h"
#include "core/config/tree_read.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

extern const struct offer offer_train;
#define TESTED .decimals = 1, .observations = observations_items, .traits = RIGHT_OR_WRONG
static const struct offer offer_exam = {.kind = "exam",
                                        VALUES({.name = "right", .header = "Right", TESTED},
                                               {.name = "start_right", .header = "Start", TESTED},
                                               {.name = "other", .header = "Other", .decimals = 1}),
                                        .numbers = ""};

const struct offer *const *offers(void)
{
    static const struct offer *const all[] = {&offer_train, &offer_exam, NULL};
    return all;
}

enum { ITEMS = 80, SEEDS = 3 };

/* Writes a file with ITEMS items. The first `wrong` items are wrong, the others right. Returns the
 * digest of the file. */
static const char *write_items(const struct run *run, const char *file, int wrong)
{
    struct item item[ITEMS];
    char *digest = arena_alloc(&arena, DIGEST_TEXT);
    for (int i = 0; i < ITEMS; i++) item[i] = (struct item){i < wrong ? 0 : 100, "", "", 0};
    items_write(run->folder, file, item, ITEMS);
    digest_file(arena_print(&arena, "%s/%s", run->folder, file), digest);
    return digest;
}

static void add_exam(struct world *world, int r, int s, int wrong, int wrong_at_start)
{
    const char *text = arena_print(&arena, "exam of row %d seed %d", r, s);
    const struct run run = run_new(world->runs, "exam", text, "{}", NULL, text);
    const char *items = write_items(&run, "items.tsv", wrong),
               *start = write_items(&run, "start.tsv", wrong_at_start);
    run_write(&run, "done.json",
              arena_print(&arena,
                          "{\"status\": \"done\", \"summary\": {\"right\": %.17g, "
                          "\"start_right\": %.17g, \"items\": %d, \"signature\": \"exam\"}, "
                          "\"outputs\": {\"items.tsv\": \"%s\", \"start.tsv\": \"%s\"}}",
                          100. * (ITEMS - wrong) / ITEMS, 100. * (ITEMS - wrong_at_start) / ITEMS,
                          ITEMS, items, start));
    world_add_stage(world, r, s, "exam", run);
}

/* Makes a grid with two rows and three seeds. exam.right is 100, 90 and 80 percent for seeds 1, 2
 * and 3 of both rows. The control exam.start_right is 70 for each seed of Base. For Better, it is
 * 70, 60 and 50. */
static struct world *two_rows(const char *name)
{
    static const char *const names[] = {"Base", "Better"};
    struct world *world = world_new(name);
    for (int r = 0; r < 2; r++) {
        world_add_row(world, names[r], SEEDS);
        for (int s = 0; s < SEEDS; s++) add_exam(world, r, s, 8 * s, r ? 24 + 8 * s : 24);
    }
    return world;
}

TEST(a_margin_lies_between_two_measures)
{
    struct world *world = two_rows("margin_measure");
    const char *text = world_table(world, "{columns: [exam.right, margin(exam.right), "
                                          "exam.start_right], bold: false}");
    EXPECT_PARTS(text, "Right − start", "90.0 ± 10.0");
    expect_part(text, "+20.0 ± 10.0"); /* Base: 30, 20 and 10 by seed */
    expect_part(text, "+30.0 ± 0.0");  /* Better: 30 for each seed */
    expect_part(text, "70.0 ± 0.0\n");
}

static const char *claims_of(struct world *world, const char *yaml)
{
    return claims_print(world->runs, "{columns: [exam.right]}", yaml, &world->grid);
}

/* The mean margin of Better is 30, and Base's is 20. */
TEST(claims_are_of_it)
{
    struct world *world = two_rows("margin_measure_claims");
    const char *text = claims_of(
        world, "[{text: Taught, compare: [Better], metric: margin(exam.right), expect: greater},"
               " {text: More, compare: [Better, Base], metric: margin(exam.right), expect: "
               "greater}]");
    EXPECT_PARTS(text, "1. Taught  supported     ", "+30.0", "2. More    ", "+10.0",
                 "1. Right − start of Better against its control, expected greater");
}

/* Comparisons in a column of control values belong to the family only if the key
 * `significance.family` lists this column. */
TEST(a_control_is_no_member_of_the_family)
{
    struct world *world = two_rows("margin_measure_family");
    const char *text =
        world_table(world, "{columns: [exam.right, exam.start_right], baseline: Base, bold: false, "
                           "significance: {correction: holm}}");
    expect_no_part(text, "2 comparisons");
    text =
        world_table(world, "{columns: [exam.right, exam.start_right], baseline: Base, bold: false, "
                           "significance: {correction: holm, family: [exam.right, "
                           "exam.start_right]}}");
    expect_part(text, "Holm over 2 comparisons");
}

TEST(what_has_no_control_is_refused)
{
    struct world *world = two_rows("margin_measure_refused");
    EXPECT_DIE("margin(exam.other)", world_table(world, "{columns: [margin(exam.other)]}"));
    EXPECT_DIE("margin(exam.start_right)",
               world_table(world, "{columns: [margin(exam.start_right)]}"));
    EXPECT_DIE("did you mean \"margin(exam.right, start)\"",
               world_table(world, "{columns: ['margin(exam.right, bag)']}"));
}
