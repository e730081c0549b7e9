/* Exports points in two passes over the stages: the first collects the columns, the second prints
 * the lines. */
#include "results/table/points.h"

#include <math.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "results/sheet/cell.h"
#include "results/sheet/escape.h"
#include "results/store/status.h"
#include "results/table/row_options.h"

/* The groups of the fields of a line, after the first fields. */
enum group { AXES, OPTIONS, RESULTS, GROUPS };
static const struct {
    const char *prefix, *object; /* prefix of a column in CSV; key of an object in JSON */
} groups[GROUPS] = {{"axis.", "axes"}, {"option.", "options"}, {"", "results"}};

struct point_key {
    enum group group;
    const char *name; /* column in CSV, with the prefix */
};

/* A number or a text; NaN and NULL: absent. */
struct point_value {
    double value;
    const char *text;
};

struct points {
    const struct grid *grid;
    struct arena *arena;
    struct sampler sampler;
    int keys;
    struct point_key *key; /* in the order in which they were first found */
    struct hash_table *index;
    struct row_options options; /* only those that differ are printed */
};

static int find_key(struct points *points, enum group group, const char *key)
{
    const char *name = arena_print(points->arena, "%s%s", groups[group].prefix, key);
    int64_t *at = hash_table_at(points->index, name, strlen(name), points->keys);
    if (*at == points->keys)
        ARENA_ADD(points->arena, points->key, points->keys, (struct point_key){group, name});
    return (int)*at;
}

static void find_keys(struct points *points)
{
    for (int r = 0; r < points->grid->rows; r++) {
        const struct grid_row *row = &points->grid->row[r];
        for (int i = 0; i < row->coordinates && row->count; i++)
            if (row->coordinate[i].named) find_key(points, AXES, row->coordinate[i].key);
    }
    for (int i = 0; i < points->options.count; i++)
        if (points->options.differs[i]) find_key(points, OPTIONS, points->options.key[i]);
}

/* ---- results ---- */

/* Returns the name of a value as a column of a table. */
static const char *column_name(const struct grid_stage *stage, const char *name,
                               struct arena *arena)
{
    const struct offer *offer = offer_of(stage->kind);
    const struct measure *measure = offer_measure(stage->kind, name);
    if (measure && measure->column) return measure->column;
    const char *title = grid_stage_title(stage, arena);
    if (stage->part && offer && offer->traits & OFFER_PARTS &&
        !strcmp(offer->measure[0].name, name))
        return title;
    return arena_print(arena, "%s.%s", title, name);
}

/* Returns NAME for NAME.3, the speed of the third row in a stage of all rows; NULL for other
 * names. */
static const char *of_all_rows(struct points *points, const char *kind, const char *name)
{
    const struct offer *offer = offer_of(kind);
    const char *point = strrchr(name, '.');
    const bool number = point && point[1] && !point[1 + strspn(point + 1, "0123456789")];
    return offer && offer->traits & OFFER_MACHINE && number
               ? arena_text_range(points->arena, name, (size_t)(point - name))
               : NULL;
}

static struct point_value row_number(struct points *points, const struct grid_stage *stage,
                                     const char *name, const struct grid_cursor *at)
{
    const struct column column = {
        .name = name, .kind = stage->kind, .part = stage->part, .value = name};
    return (struct point_value){.value =
                                    sample_row(&points->sampler, &column, at->row).value[at->seed]};
}

/* True for numbers and signatures of stages that are done, and sizes of those that diverged. */
static bool is_result(const struct value_cache_stage *stage, const char *kind,
                      const struct value_cache_line *line)
{
    const char *signature = line->text ? strstr(line->key, "signature") : NULL;
    if (line->text && (!signature || strcmp(signature, "signature") != 0)) return false;
    return sample_stage_done(stage) || (offer_is_size(offer_measure(kind, line->key)) &&
                                        !strcmp(stage->status, STATUS_DIVERGED));
}

/* Writes the values of a point's stage to its cells. If `cell` is NULL, only the columns are
 * collected. */
static void read_stage(struct points *points, const struct grid_cursor *at,
                       struct point_value *cell)
{
    const struct grid_stage *stage = grid_stage_at(points->grid, at);
    const struct value_cache_stage *known = sample_stage_at(&points->sampler, at);
    if (known->number < 0) return;
    int count;
    const struct value_cache_line *one =
        value_cache_texts(points->sampler.cache, known->number, VALUE_CACHE_SUMMARY, "", &count);
    for (int i = 0; i < count; i++) {
        if (!is_result(known, stage->kind, &one[i])) continue;
        const char *base = of_all_rows(points, stage->kind, one[i].key);
        const char *name = column_name(stage, base ? base : one[i].key, points->arena);
        const int column = find_key(points, RESULTS, name);
        if (cell && (base || (stage->side && !one[i].text)))
            cell[column] = row_number(points, stage, base ? base : one[i].key, at);
        else if (cell)
            cell[column] = (struct point_value){one[i].value, one[i].text};
    }
}

/* ---- lines ---- */

/* Prints a line. `cell` has a value for each key. */
static void put_line(const struct points *points, const struct grid_row *row, int64_t seed,
                     const char *status, double wall, const struct point_value *cell, bool csv,
                     FILE *out)
{
    json_t *line =
        csv ? NULL
            : json_pack("{s:s, s:s, s:I, s:s, s:o}", "grid", points->grid->name, "row", row->name,
                        "seed", (json_int_t)seed, "status", status, "wall", cell_json(wall));
    for (int i = 0; line && i < GROUPS; i++)
        json_object_set_new(line, groups[i].object, json_object());
    if (csv) {
        escape_field(points->grid->name, out);
        cell_text(row->name, out);
        fprintf(out, ",%lld", (long long)seed);
        cell_text(status, out);
        cell_real(wall, out);
    }
    for (int i = 0; i < points->keys; i++) {
        const struct point_key *key = &points->key[i];
        if (line)
            json_object_set_new(json_object_get(line, groups[key->group].object),
                                key->name + strlen(groups[key->group].prefix),
                                cell[i].text ? json_string(cell[i].text)
                                             : cell_json(cell[i].value));
        else if (cell[i].text)
            cell_text(cell[i].text, out);
        else
            cell_real(cell[i].value, out);
    }
    if (line)
        cell_put_json(line, out);
    else
        fputc('\n', out);
}

/* Prints the lines of a row and seed: one for each point of the row. */
static void put_points(struct points *points, int row, int seed, bool csv, FILE *out)
{
    const struct grid_row *from = &points->grid->row[row];
    const char *status = STATUS_DONE;
    double wall = 0;
    struct point_value *cell = ARENA_ARRAY(points->arena, struct point_value, points->keys + 1);
    for (int i = 0; i < points->keys; i++) cell[i].value = (double)NAN;
    for (int k = from->seed[seed].count - 1; k >= 0; k--) {
        const struct grid_cursor at = {row, seed, k};
        const struct value_cache_stage *stage = sample_stage_at(&points->sampler, &at);
        read_stage(points, &at, cell);
        if (!sample_stage_done(stage)) status = stage->status;
        wall += stage->wall;
    }
    if (from->waits) status = sample_waits(&points->sampler, row, seed);
    if (strcmp(status, STATUS_DONE) != 0) wall = (double)NAN;
    for (int i = 0; i < points->options.count; i++)
        if (points->options.differs[i])
            cell[find_key(points, OPTIONS, points->options.key[i])].text =
                points->options.value[row][i];
    for (int place = 0; place <= from->more; place++) {
        for (int i = 0; i < points->keys && points->key[i].group == AXES; i++) {
            const char *key = points->key[i].name + strlen(groups[AXES].prefix);
            const struct grid_coordinate *coordinate = grid_row_coordinate(from, place, key);
            cell[i].text = coordinate ? coordinate->value : NULL;
        }
        put_line(points, from, from->seed[seed].seed, status, wall, cell, csv, out);
    }
}

/* True if a seed has the same stages as the row's first seed, as with vectors without a seed. */
static bool is_copy(const struct grid_row *row, int seed)
{
    const struct grid_seed *first = &row->seed[0], *other = &row->seed[seed];
    if (!seed || row->waits || !other->count || other->count != first->count) return false;
    for (int i = 0; i < other->count; i++)
        if (strcmp(first->stage[i].id, other->stage[i].id) != 0) return false;
    return true;
}

void points_print(struct store *store, const struct grid *grid, enum export_format format,
                  FILE *out)
{
    struct arena arena = {0};
    struct points points = {.grid = grid,
                            .arena = &arena,
                            .sampler = sampler_open(store, grid, &arena),
                            .index = hash_table_new(&arena, 0)};
    const bool csv = format == EXPORT_CSV;
    points.options = row_options(&points.sampler);
    find_keys(&points);
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++)
        read_stage(&points, &at, NULL);
    if (csv) {
        fputs("grid,row,seed,status,wall", out);
        for (int i = 0; i < points.keys; i++) cell_text(points.key[i].name, out);
        fputc('\n', out);
    }
    for (int row = 0; row < grid->rows; row++)
        for (int seed = 0; seed < grid->row[row].count; seed++)
            if (!is_copy(&grid->row[row], seed)) put_points(&points, row, seed, csv, out);
    arena_free(&arena);
}
