/* Makes a table's text from the YAML of a grid, with the same calls as `sanlab table`. */
#include "tests/support/grid_table.h"

#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "tests/support/runs.h"

struct store *table_open(const char *runs, const char *yaml, struct grid *grid)
{
    struct tree *table = tree_parse(&arena, "grid.yaml", yaml);
    struct location location = table->location;
    if (!tree_get(table, "notes_below"))
        tree_add(&arena, table, tree_new_text(&arena, location, "notes_below"),
                 tree_new_text(&arena, location, "full"));
    layout_read(table, grid, &arena);
    return runs_collect(runs);
}

const char *table_print(const char *runs, const char *yaml, struct grid *grid)
{
    struct store *store = table_open(runs, yaml, grid);
    const char *text = sheet_string(summary_table(store, grid, &arena));
    store_close(store);
    return text;
}

const char *claims_print(const char *runs, const char *yaml, const char *claims, struct grid *grid)
{
    struct store *store = table_open(runs, yaml, grid);
    const struct claims read = claims_read(tree_parse(&arena, "grid.yaml", claims), grid, &arena);
    const char *text = sheet_string(claims_sheet(store, grid, &read, &arena));
    store_close(store);
    return text;
}

struct claims table_claims(const struct grid *grid, const char *yaml)
{
    return claims_read(tree_get(tree_parse(&arena, "grid.yaml", yaml), "claims"), grid, &arena);
}

struct claim_result table_judge(struct store *store, const struct grid *grid, const char *rest)
{
    const char *yaml = arena_print(&arena, "claims: [{text: t, %s}]\n", rest);
    const struct claims claims = table_claims(grid, yaml);
    struct sampler sampler = sampler_open(store, grid, &arena);
    return *claims_judge(&sampler, &(struct claims){1, claims.claim, 0});
}

const char *sheet_string(const struct sheet *sheet)
{
    return PRINTED(sheet_text(sheet, out));
}
