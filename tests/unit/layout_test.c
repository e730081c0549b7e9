/* Tests results/table/layout: the sixteen tables of the four papers, and tables by axes. For each
 * table, tests/layouts has a small grid whose results are the numbers of the paper (NAME.yaml), and
 * the cells of the table (NAME.txt). A sweep applies to all rows. If a row lists `axes`, only these
 * axes apply to it. An axis that is not an option is an axis that the grid names. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"
#include "results/store/offer.h"
#include "results/table/summary.h"

enum { ROWS = 100, AXES = 4 };

struct world {
    struct store *store;
    struct grid grid;
    const struct tree *have, *values, *table;
};

/* Adds a finished stage in the format of the collector. Returns its id. */
static const char *add_stage(struct world *world, const char *kind, const char *row, int64_t seed)
{
    char *id = arena_alloc(&arena, DIGEST_TEXT);
    const char *text = arena_print(&arena, "%s %s %lld", kind, row, (long long)seed);
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
              "INSERT INTO value (stage, name, value, origin) "
              "VALUES ((SELECT number FROM stage WHERE id = ?), ?, ?, 1)",
              "ssd", id, name, value);
}

/* Adds the stages of a row: one for each kind in `have`, or for each part of a kind. The stages
 * have the values of the row. */
static void fill_row(struct world *world, struct grid_row *row)
{
    const struct tree *values = tree_get(world->values, row->name);
    if (!values) fail_msg("no values for the row %s", row->name);
    struct grid_stage *stage = ARENA_ARRAY(&arena, struct grid_stage, world->have->count);
    struct grid_seed *seed = ARENA_NEW(&arena, struct grid_seed);
    *seed = (struct grid_seed){.seed = 1, .stage = stage};
    for (int i = 0; i < world->have->count; i++) {
        const char *name = world->have->item[i]->text, *point = strchr(name, '.');
        const char *kind = arena_text_range(&arena, name, (size_t)(point - name));
        const struct offer *offer = offer_of(kind);
        const char *value = point + 1, *part = NULL, *of = row->name;
        if (offer && offer->traits & OFFER_PARTS) {
            part = arena_print(&arena, "%s@encoder.output", value);
            value = offer->measure[0].name;
            of = arena_print(&arena, "%s %s", row->name, part);
        }
        const char *id = add_stage(world, kind, of, 1);
        add_value(world, id, value, scalar_real(values->item[i], "values", 0, 1e12));
        if (strcmp(kind, "score") == 0)
            store_run(world->store,
                      "INSERT INTO word (stage, name, text) "
                      "VALUES ((SELECT number FROM stage WHERE id = ?), 'signature', 'sig')",
                      "s", id);
        bool known = false;
        for (int k = 0; k < seed->count; k++) known |= strcmp(stage[k].id, id) == 0;
        if (!known)
            stage[seed->count++] = (struct grid_stage){.kind = kind, .id = id, .part = part};
    }
    row->count = 1;
    row->seed = seed;
}

/* Writes the axes of a row as indices of the keys of `sweep`. Returns their number. */
static int axes_of(const struct tree *entry, const struct tree *sweep, int *axis)
{
    const struct tree *axes = tree_get(entry, "axes");
    int count = 0;
    if (!sweep || tree_get(entry, "quote")) return 0;
    for (int i = 0; i < sweep->count; i++) {
        bool has = !axes;
        for (int k = 0; axes && k < axes->count; k++)
            has |= !strcmp(axes->item[k]->text, sweep->key[i]->text);
        if (has) axis[count++] = i;
    }
    return count;
}

/* Makes the `at`-th point of a row, with the last axis changing fastest. Returns false if there is
 * no such point. */
static bool add_row(struct grid_row *row, const struct tree *entry, const struct tree *sweep,
                    int at)
{
    const char *name = tree_get(entry, "name")->text;
    int axis[AXES], points = 1;
    const int axes = axes_of(entry, sweep, axis);
    for (int i = 0; i < axes; i++) points *= sweep->item[axis[i]]->count;
    if (at >= points) return false;
    *row = (struct grid_row){.name = name, .entry = entry};
    if (tree_get(entry, "quote")) return true;
    row->options = tree_merge(&arena, NULL, entry);
    struct grid_coordinate *coordinate = ARENA_ARRAY(&arena, struct grid_coordinate, AXES);
    for (int i = 0; i < axes; i++) {
        const struct tree *values = sweep->item[axis[i]];
        const char *key = sweep->key[axis[i]]->text, *point = strrchr(key, '.');
        points /= values->count;
        coordinate[i] = (struct grid_coordinate){
            .key = key, .value = values->item[at / points % values->count]->text, .axis = axis[i]};
        coordinate[i].text =
            arena_print(&arena, "%s%s%s", point ? point + 1 : key,
                        point || !strcmp(key, "corpus") || !strcmp(key, "model") ? "=" : " ",
                        coordinate[i].value);
        row->name = arena_print(&arena, "%s, %s", row->name, coordinate[i].text);
        row->line = name;
    }
    row->coordinates = axes;
    row->coordinate = coordinate;
    return true;
}

/* Adds the rows of a grid. With `gaps: true`, points without values are omitted. */
static void add_rows(struct world *world, const struct tree *tree, struct grid_row *row)
{
    const struct tree *rows = tree_get(tree, "rows");
    for (int i = 0; i < rows->count; i++)
        for (int k = 0;; k++) {
            struct grid_row *next = &row[world->grid.rows];
            if (!add_row(next, rows->item[i], tree_get(tree, "sweep"), k)) break;
            if (tree_get(tree, "gaps") && !tree_get(world->values, next->name)) continue;
            if (next->options) fill_row(world, next);
            world->grid.rows++;
        }
}

static struct world *world_new(const char *path)
{
    struct world *world = calloc(1, sizeof *world);
    const struct tree *tree = tree_read(&arena, path);
    struct grid_row *row = ARENA_ARRAY(&arena, struct grid_row, ROWS);
    world->store = store_open(test_folder("layout"));
    world->have = tree_get(tree, "have");
    world->values = tree_get(tree, "values");
    world->grid = (struct grid){.name = "layout", .row = row};
    store_try_begin(world->store);
    add_rows(world, tree, row);
    store_commit(world->store);
    world->table = tree_get(tree, "table");
    return world;
}

static void world_free(struct world *world)
{
    store_close(world->store);
    free(world);
}

static void put(const struct sheet *sheet, int row, int column, FILE *out)
{
    int at = row * sheet->columns + column;
    const char *star = sheet->cell[at].style & SHEET_BOLD ? "*" : "";
    fprintf(out, "%s%s%s%s%s%s", column ? " | " : "", star, sheet_get(sheet, row, column), star,
            sheet->cell[at].mark ? "^" : "", sheet->cell[at].mark ? sheet->cell[at].mark : "");
}

/* Returns the cells of a sheet as plain text, with * around bold text and ^ before marks. */
static const char *cells_of(const struct sheet *sheet)
{
    struct arena_stream text;
    arena_stream_open(&text);
    FILE *out = text.out;
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
    return arena_stream_close(&arena, &text);
}

static const char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = arena_alloc(&arena, 1 << 16);
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
    layout_read(world->table, &world->grid, &arena);
    const struct sheet *sheet = summary_table(world->store, &world->grid, &arena);
    const char *cells = cells_of(sheet), *latex = getenv("LAYOUT_LATEX");
    if (latex) { /* a folder, for tests/cli/latex.sh */
        snprintf(path, sizeof path, "%s/%s.tex", latex, name);
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        sheet_print(sheet, SHEET_LATEX, out);
        fclose(out);
    }
    if (getenv("LAYOUT_PRINT")) fputs(cells, stderr);
    snprintf(path, sizeof path, "tests/layouts/%s.txt", name);
    assert_string_equal(cells, read_text(path));
    world_free(world);
}

/* Rows of a section agree on every axis except the two of `by`. So a third axis in `by` has no
 * influence. */
TEST(other_axes_are_sections)
{
    struct world *world = world_new("tests/layouts/three-axes.yaml");
    layout_read(tree_parse(&arena, "grid.yaml", "{by: [window, fusion], columns: [$layers, bleu]}"),
                &world->grid, &arena);
    assert_string_equal(cells_of(summary_table(world->store, &world->grid, &arena)),
                        read_text("tests/layouts/three-axes.txt"));
    world_free(world);
}

TEST(what_fits_no_axes_is_refused)
{
    static const struct said cases[] = {
        {"by: [window, window]", "grid.yaml:1:14: by: expected different axes, not twice window"},
        {"by: [window, fusion, layers, window]",
         "grid.yaml:1:5: by: expected an axis, two, [DOWN, ACROSS], or three, [DOWN, ACROSS, "
         "SECTIONS]"},
        {"by: [window, fusion, windw]",
         "grid.yaml:1:22: by: no row has the axis \"windw\"; nearest is \"window\""},
        {"columns: [bleu, $windw]",
         "grid.yaml:1:17: $windw: no row has the axis \"windw\"; nearest is \"window\""},
        {"by: {option: [window, fusion], headings: {none: None}}",
         "by: no row has fusion = \"none\""},
        {"by: {option: [window, gate]}", "grid.yaml:1:23: by: no row has the axis \"gate\""},
        {"{by: fusion, columns: [bleu], paper: {metric: printed, bleu: {Transformer: {sum: 1}}}}",
         "bleu: \"Transformer\" has one value for every fusion; expected a number"},
    };
    struct world *world = world_new("tests/layouts/three-axes.yaml");
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, layout_read(tree_parse(&arena, "grid.yaml", cases[i].text),
                                              &world->grid, &arena));
    world_free(world);
}

int main(void)
{
    static char names[][16] = {"xu2019-table1",   "xu2019-table2",   "xu2019-table3",
                               "xu2019-table4",   "yang2018-table1", "yang2018-table2",
                               "yang2018-table3", "yang2018-table4", "yang2018-table5",
                               "hao2019-table1",  "hao2019-table2",  "hao2019-table3",
                               "song2018-table1", "song2018-table2", "song2018-table3",
                               "song2018-table4", "paper-by-factor", "axis",
                               "two-axes",        "two-axes-delta",  "two-axes-gaps",
                               "two-axes-cell",   "three-axes"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        test_add(0, is_as_in_the_paper, names[i], "%s", names[i]);
    return tests_run();
}
