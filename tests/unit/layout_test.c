/* results/table/layout: the sixteen tables of the four papers, and one with printed values by
 * factor. tests/layouts has for each a small grid with the paper's numbers as its results
 * (NAME.yaml) and the table's cells (NAME.txt). */
#include "tests/support/test.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"
#include "results/table/summary.h"

struct world {
    struct arena arena;
    struct store *store;
    struct summary_grid grid;
    const struct tree *have, *values;
};

/* A stage that is done, as the collector would have written it. */
static const char *add_stage(struct world *world, const char *kind, const char *row, int64_t seed)
{
    char *id = arena_alloc(&world->arena, DIGEST_TEXT);
    const char *text = arena_print(&world->arena, "%s %s %lld", kind, row, (long long)seed);
    digest_bytes(text, strlen(text), id);
    store_run(world->store,
              "INSERT OR IGNORE INTO stage (id, kind, folder, canonical, status) "
              "VALUES (?1, ?2, ?1, ?3, 'done')",
              "sss", id, kind, text);
    return id;
}

static void add_value(struct world *world, const char *id, const char *name, double value)
{
    store_run(world->store,
              "INSERT INTO summary (stage, name, value) "
              "VALUES ((SELECT number FROM stage WHERE id = ?), ?, ?)",
              "ssd", id, name, value);
}

/* The stages of a row: one for each kind in `have`, with the row's values. */
static void fill_row(struct world *world, struct summary_row *row)
{
    const struct tree *values = tree_get(world->values, row->name);
    if (!values) fail_msg("no values for the row %s", row->name);
    struct summary_stage *stage =
        ARENA_ARRAY(&world->arena, struct summary_stage, world->have->count);
    struct summary_seed *seed = ARENA_NEW(&world->arena, struct summary_seed);
    *seed = (struct summary_seed){.seed = 1, .stage = stage};
    for (int i = 0; i < world->have->count; i++) {
        const char *name = world->have->item[i]->text, *point = strchr(name, '.');
        const char *kind = arena_text_range(&world->arena, name, (size_t)(point - name));
        const char *id = add_stage(world, kind, row->name, 1);
        add_value(world, id, point + 1, scalar_real(values->item[i], "values", 0, 1e12));
        if (strcmp(kind, "score") == 0)
            store_run(world->store,
                      "INSERT INTO summary (stage, name, text) "
                      "VALUES ((SELECT number FROM stage WHERE id = ?), 'signature', 'sig')",
                      "s", id);
        bool known = false;
        for (int k = 0; k < seed->count; k++) known |= strcmp(stage[k].id, id) == 0;
        if (!known) stage[seed->count++] = (struct summary_stage){.kind = kind, .id = id};
    }
    row->count = 1;
    row->seed = seed;
}

static void add_row(struct world *world, struct summary_row *row, const struct tree *entry,
                    const struct tree *sweep, int at)
{
    const char *name = tree_get(entry, "name")->text;
    *row = (struct summary_row){.name = name, .entry = entry};
    if (tree_get(entry, "quote")) return;
    row->options = tree_merge(&world->arena, NULL, entry);
    if (sweep) {
        const char *key = sweep->key[0]->text, *point = strrchr(key, '.');
        struct summary_factor *factor = ARENA_NEW(&world->arena, struct summary_factor);
        *factor = (struct summary_factor){.key = key, .value = sweep->item[0]->item[at]->text};
        row->name =
            arena_print(&world->arena, "%s, %s=%s", name, point ? point + 1 : key, factor->value);
        row->line = name;
        row->factors = 1;
        row->factor = factor;
    }
    fill_row(world, row);
}

static struct world *world_new(const char *path)
{
    struct world *world = calloc(1, sizeof *world);
    const struct tree *tree = tree_read(&world->arena, path), *rows = tree_get(tree, "rows"),
                      *sweep = tree_get(tree, "sweep");
    int each = sweep ? sweep->item[0]->count : 1;
    struct summary_row *row = ARENA_ARRAY(&world->arena, struct summary_row, rows->count * each);
    world->store = store_open(test_folder("layout"));
    world->have = tree_get(tree, "have");
    world->values = tree_get(tree, "values");
    world->grid = (struct summary_grid){.grid = "layout", .row = row};
    store_begin(world->store);
    for (int i = 0; i < rows->count; i++)
        for (int k = 0; k < (tree_get(rows->item[i], "quote") ? 1 : each); k++)
            add_row(world, &row[world->grid.rows++], rows->item[i], sweep, k);
    store_commit(world->store);
    summary_read(tree_get(tree, "table"), &world->grid, &world->arena);
    return world;
}

static void world_free(struct world *world)
{
    store_close(world->store);
    arena_free(&world->arena);
    free(world);
}

static void put(const struct sheet *sheet, int row, int column, FILE *out)
{
    int at = row * sheet->columns + column;
    const char *star = sheet->style[at] & SHEET_BOLD ? "*" : "";
    fprintf(out, "%s%s%s%s%s%s", column ? " | " : "", star, sheet_get(sheet, row, column), star,
            sheet->mark[at] ? "^" : "", sheet->mark[at] ? sheet->mark[at] : "");
}

/* A sheet without a form: what stands where. */
static const char *cells_of(const struct sheet *sheet, struct arena *arena)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < sheet->groups; i++)
        fprintf(out, "# %d-%d %s\n", sheet->group[i].first,
                sheet->group[i].first + sheet->group[i].count - 1, sheet->group[i].header);
    for (int k = 0; k < sheet->columns; k++)
        fprintf(out, "%s%s", k ? " | " : "", sheet->column[k].header);
    fputs("\n", out);
    for (int i = 0; i < sheet->rows; i++) {
        if (sheet->rule[i]) fputs("--\n", out);
        if (sheet->section[i]) fprintf(out, "== %s\n", sheet->section[i]);
        for (int k = 0; k < sheet->columns; k++) put(sheet, i, k, out);
        fputs("\n", out);
    }
    for (int i = 0; i < sheet->captions; i++) fprintf(out, "%s\n", sheet->caption[i]);
    fclose(out);
    const char *copy = arena_text(arena, text);
    free(text);
    return copy;
}

static const char *read_text(const char *path, struct arena *arena)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = arena_alloc(arena, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void is_as_in_the_paper(void **state)
{
    const char *name = *state;
    char path[200];
    snprintf(path, sizeof path, "tests/layouts/%s.yaml", name);
    struct world *world = world_new(path);
    const char *cells =
        cells_of(summary_table(world->store, &world->grid, &world->arena), &world->arena);
    if (getenv("LAYOUT_PRINT")) fputs(cells, stderr);
    snprintf(path, sizeof path, "tests/layouts/%s.txt", name);
    assert_string_equal(cells, read_text(path, &world->arena));
    world_free(world);
}

int main(void)
{
    static char names[][16] = {"xu2019-table1",   "xu2019-table2",   "xu2019-table3",
                               "xu2019-table4",   "yang2018-table1", "yang2018-table2",
                               "yang2018-table3", "yang2018-table4", "yang2018-table5",
                               "hao2019-table1",  "hao2019-table2",  "hao2019-table3",
                               "song2018-table1", "song2018-table2", "song2018-table3",
                               "song2018-table4", "paper-by-factor"};
    struct CMUnitTest tests[COUNT_OF(names)];
    for (size_t i = 0; i < COUNT_OF(names); i++)
        tests[i] = (struct CMUnitTest){names[i], is_as_in_the_paper, NULL, NULL, names[i]};
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
