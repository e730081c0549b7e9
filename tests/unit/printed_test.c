/* Tests results/table: values from a paper, in columns of layers and classes, and rows that quote a
 * paper. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "results/table/layout.h"
#include "tests/support/world.h"

/* Makes two rows with one seed. Each has gates of two layers and of two classes. */
static struct world *two_rows(const char *name)
{
    static const char *const row_name[] = {"Base", "Gate"};
    struct world *world = world_new(name);
    world->grid.title = "T";
    for (int r = 0; r < 2; r++) {
        world_add_row(world, row_name[r], 1);
        const char *text = arena_print(&arena, "gates %d", r);
        const struct run run = run_new(world->runs, "gates", text, "{}", NULL, "demo");
        run_append(&run, "metrics.jsonl",
                   arena_print(&arena,
                               "{\"name\":\"gate\",\"value\":0.%d1,\"layer\":1}\n"
                               "{\"name\":\"gate\",\"value\":0.%d2,\"layer\":2}\n"
                               "{\"name\":\"gate\",\"value\":0.%d3,\"class\":\"NOUN\"}\n"
                               "{\"name\":\"gate\",\"value\":0.%d4,\"class\":\"VERB\"}\n",
                               r + 1, r + 1, r + 1, r + 1));
        run_done(&run, "done", "{\"gate\": 0.5}");
        world_add_stage(world, r, 0, "gates", run);
    }
    return world;
}

TEST(printed_under_layers_and_classes)
{
    struct world *world = two_rows("printed");
    const char *table = world_table(
        world,
        "{columns: [{column: gates.gate, layer: 1, header: One, decimals: 2},\n"
        "  {column: gates.gate, layer: 2, header: Two, decimals: 2},\n"
        "  {column: gates.gate, class: all, header: Class, decimals: 2}],\n"
        "paper: {metric: theirs, gates.gate layer 1: {Base: 0.61},\n"
        "  gates.gate layer 2: {Gate: 0.72}, \"gates.gate: VERB\": {Base: 0.64, Gate: 0.74}}}");
    expect_part(table, "  One, paper  Two, paper  Class: VERB, paper\n");
    expect_part(table,
                "\nBase  0.11  0.12         0.13         0.14        0.61           -              "
                "  0.64\n");
    expect_part(table,
                "\nGate  0.21  0.22         0.23         0.24           -        0.72              "
                "  0.74\n");
}

/* Differences are relative to the first row with runs, even if it is the last row. */
TEST(the_last_row_alone_is_run)
{
    struct world *world = world_new("printed_last");
    for (int r = 0; r < 2; r++) {
        world_add_row(world, r ? "second" : "first", 0);
        world->row[r].entry =
            tree_parse(&arena, "grid.yaml", "{name: x, quote: {metric: theirs, gates.gate: 0.5}}");
    }
    world_add_row(world, "ours", 1);
    layout_read(tree_parse(&arena, "grid.yaml", "{columns: [gates.gate]}"), &world->grid, &arena);
    const struct layout *layout = world->grid.layout;
    assert_int_equal(layout->baselines, 1);
    assert_int_equal(layout->baseline[0].line, 2);
}
