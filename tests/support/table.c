/* The way of a table from a grid's words to its text, as `sanlab table` goes it. */
#include "tests/support/table.h"

#include <stdlib.h>

#include "core/config/tree_read.h"
#include "results/store/collect.h"

struct store *table_open(const char *runs, const char *yaml, struct summary_grid *grid,
                         struct arena *arena)
{
    summary_read(tree_parse(arena, "grid.yaml", yaml), grid, arena);
    struct store *store = store_open(runs);
    collect_runs(store);
    return store;
}

const char *table_print(const char *runs, const char *yaml, struct summary_grid *grid,
                        struct arena *arena)
{
    struct store *store = table_open(runs, yaml, grid, arena);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sheet_text(summary_table(store, grid, arena), out);
    fclose(out);
    store_close(store);
    const char *copy = arena_text(arena, text);
    free(text);
    return copy;
}
