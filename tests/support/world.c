/* Rows, seeds and stages of a grid lie in arrays of a fixed size, so that tests can change them. */
#include "tests/support/world.h"

#include "core/config/tree_read.h"

#include "results/store/collect.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

struct world *world_new(const char *name)
{
    struct world *world = arena_alloc(&arena, sizeof *world);
    world->runs = test_folder(name);
    world->grid = (struct grid){.name = "demo", .row = world->row};
    return world;
}

int world_add_row(struct world *world, const char *name, int seeds)
{
    const int r = world->grid.rows++;
    assert_true(r < WORLD_ROWS && seeds <= WORLD_SEEDS);
    world->row[r] = (struct grid_row){.name = name, .count = seeds, .seed = world->seed[r]};
    for (int s = 0; s < seeds; s++)
        world->seed[r][s] = (struct grid_seed){.seed = s + 1, .stage = world->stage[r][s]};
    return r;
}

struct grid_stage *world_add_stage(struct world *world, int r, int s, const char *kind,
                                   struct run run)
{
    const int k = world->seed[r][s].count++;
    assert_true(k < WORLD_STAGES);
    world->run[r][s][k] = run;
    world->stage[r][s][k] = (struct grid_stage){.kind = kind, .id = world->run[r][s][k].id};
    return &world->stage[r][s][k];
}

struct store *world_collect(const struct world *world)
{
    return runs_collect(world->runs);
}

struct store *world_open(struct world *world, const char *yaml)
{
    return table_open(world->runs, yaml, &world->grid);
}

const char *world_table(struct world *world, const char *yaml)
{
    return table_print(world->runs, yaml, &world->grid);
}
