/* A grid built by hand. Rows, seeds and stages are in arrays of a fixed size, so that tests can
 * change them. */
#include "tests/support/world.h"

#include "core/config/tree_read.h"

#include "results/compare/explain.h"
#include "tests/support/grid_table.h"
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

struct claims world_claims(struct world *world, const char *yaml)
{
    return claims_read(tree_get(tree_parse(&arena, "grid.yaml", yaml), "claims"), &world->grid,
                       &arena);
}

struct claim_result grid_judge(const struct grid *grid, struct store *store, const char *rest)
{
    const char *yaml = arena_print(&arena, "claims: [{text: t, %s}]\n", rest);
    const struct claims claims =
        claims_read(tree_get(tree_parse(&arena, "grid.yaml", yaml), "claims"), grid, &arena);
    struct sampler sampler = sampler_open(store, grid, &arena);
    const struct claim_result result =
        *claims_judge(&sampler, &(struct claims){1, claims.claim, 0});
    return result;
}

struct claim_result world_judge(struct world *world, struct store *store, const char *rest,
                                int seeds)
{
    struct grid_row row[WORLD_ROWS];
    struct grid some = world->grid;
    memcpy(row, world->row, sizeof row);
    for (int i = 0; i < WORLD_ROWS && seeds; i++) row[i].count = seeds;
    some.row = row;
    return grid_judge(&some, store, rest);
}

const char *world_table(struct world *world, const char *yaml)
{
    return table_print(world->runs, yaml, &world->grid);
}

const char *world_explain(struct world *world, const char *yaml, const char *row,
                          const char *column)
{
    struct store *store = world_open(world, yaml);
    const char *text = PRINTED(explain_cell(store, &world->grid, row, column, "sanlab run", out));
    store_close(store);
    return text;
}
