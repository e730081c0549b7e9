/* Tests how results name the library of matrix products that computed a stage. The environment.json
 * of older stages has no key "products"; OpenBLAS computed them. No reader of results may treat
 * them as computed by our own products. */
#include "tests/support/test.h"
#include "tests/support/grid_table.h"

#include "core/config/tree_read.h"
#include "results/query/query.h"
#include "tests/support/scored.h"
#include "tests/support/world.h"

#define LIBRARY "OpenBLAS 0.3.21 USE_OPENMP SkylakeX MAX_THREADS=64"

enum { OLD, AGAIN, OTHER_CORE, OWN, ROWS, LINES = 60 };

static const struct {
    const char *name, *environment;
} rows[ROWS] = {
    {"Old", "{\"device\": \"cpu\", \"blas\": \"" LIBRARY "\", \"blas_core\": \"SkylakeX\"}"},
    {"Again", "{\"device\": \"cpu\", \"products\": \"" LIBRARY "\"}"},
    {"Other core", "{\"device\": \"cpu\", \"blas\": \"OpenBLAS 0.3.21\", \"blas_core\": \"Zen\"}"},
    {"Own", "{\"device\": \"cpu\", \"products\": \"1\"}"},
};

static struct world *world;

BEFORE(all)
{
    const char *text = "";
    world = world_new("products");
    for (int i = 0; i < LINES; i++)
        text = arena_print(&arena, "%sa%d b%d c%d d%d e%d f%d\n", text, i, i, i, i, i, i);
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, rows[r].name, 1);
        const char *worse = scored_worse(text, r, 2 + r);
        struct run run = scored_new(world->runs, rows[r].name, "1234567890ab", text, 1, &worse);
        run_write(&run, "environment.json", rows[r].environment);
        world_add_stage(world, r, 0, "score", run);
    }
    runs_store = world_open(world, "{columns: [bleu], significance: {}}");
}

AFTER(all)
{
    store_close(runs_store);
}

TEST(the_table_pairs_equal_products_and_says_what_it_mixes)
{
    char *text =
        PRINTED(sheet_print(summary_table(runs_store, &world->grid, &arena), SHEET_TEXT, out));
    expect_part(text, "Not compared: "
                      "Other core (BLEU: other products: OpenBLAS 0.3.21 Zen, not " LIBRARY "); "
                      "Own (BLEU: other products: 1, not " LIBRARY ").");
    expect_part(text, "Rows differ in products: " LIBRARY " (Old, Again); "
                      "OpenBLAS 0.3.21 Zen (Other core); 1 (Own).");
}

static const char *note_of(const char *name)
{
    const char *claim = arena_print(&arena, "compare: [%s, Old], expect: greater", name),
               *note = grid_judge(&world->grid, runs_store, claim).note;
    return note ? note : "";
}

TEST(claims_compare_equal_products)
{
    assert_null(strstr(note_of("Again"), "products"));
    expect_part(note_of("Own"), "other products: 1, not " LIBRARY);
    expect_part(note_of("Other core"), "other products: OpenBLAS 0.3.21 Zen, not " LIBRARY);
}

static char *diff(int a, int b)
{
    const char *const none[2] = {0};
    const char *const id[] = {world->stage[a][0][0].id, world->stage[b][0][0].id};
    return PRINTED(query_diff(runs_store, id, none, false, out));
}

TEST(diff_shows_products_side_by_side)
{
    char *text = diff(OLD, OWN);
    expect_part(text, "products   " LIBRARY "  1\n");
    text = diff(OLD, AGAIN);
    assert_null(strstr(text, "products"));
}
