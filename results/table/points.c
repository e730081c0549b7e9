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

/* Distinct keys, in the order in which they were first found. */
struct point_keys {
    int count;
    const char **key;
    struct hash_table *index;
};

static int keys_find(struct point_keys *keys, const char *key, struct arena *arena)
{
    int64_t *at = hash_table_at(keys->index, key, strlen(key), keys->count);
    if (*at == keys->count) {
        ARENA_ADD(arena, keys->key, keys->count, key);
    }
    return (int)*at;
}

/* A number or a text; NaN and NULL: absent. */
struct point_value {
    double value;
    const char *text;
};

struct points {
    const struct grid *grid;
    struct arena *arena;
    struct sampler sampler;
    struct point_keys axes, results;
    struct row_options options; /* only those that differ are printed */
};

static void read_axes(struct points *points)
{
    for (int r = 0; r < points->grid->rows; r++) {
        const struct grid_row *row = &points->grid->row[r];
        for (int i = 0; i < row->coordinates && row->count; i++)
            if (row->coordinate[i].named)
                keys_find(&points->axes, row->coordinate[i].key, points->arena);
    }
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

/* Returns NAME for NAME.3, the value of the third row in a stage of all rows; NULL for other names.
 * */
static const char *of_all_rows(struct points *points, const char *kind, int64_t stage,
                               const char *name)
{
    const struct offer *offer = offer_of(kind);
    const char *point = strrchr(name, '.');
    if (!offer || !point || !point[1] || point[1 + strspn(point + 1, "0123456789")]) return NULL;
    const char *base = arena_text_range(points->arena, name, (size_t)(point - name));
    const bool known =
        offer_measure(kind, base) || (offer->traits & OFFER_MACHINE && !strcmp("spread", base));
    return known && isnan(value_cache_value(points->sampler.cache, stage, base)) ? base : NULL;
}

static struct point_value row_number(struct points *points, const struct grid_stage *stage,
                                     const char *name, const struct grid_cursor *at)
{
    const struct column column = {
        .name = name, .kind = stage->kind, .part = stage->part, .value = name};
    return (struct point_value){.value =
                                    sample_row(&points->sampler, &column, at->row).value[at->seed]};
}

/* True if the name is a signature of the kind. Signatures are the only texts that are results. */
static bool is_signature(const char *kind, const char *name)
{
    const struct measure *measure = offer_measures(offer_of(kind));
    bool found = !strcmp(name, offer_signature(NULL));
    for (; measure->name; measure++) found |= !strcmp(name, offer_signature(measure));
    return found;
}

static bool is_result(const struct value_cache_stage *stage, const char *kind, const char *name,
                      const char *text)
{
    const struct measure *measure = offer_measure(kind, name);
    if (text && !is_signature(kind, name)) return false;
    return sample_stage_done(stage) ||
           (offer_is_size(measure) && !strcmp(stage->status, STATUS_DIVERGED));
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
        if (!is_result(known, stage->kind, one[i].key, one[i].text)) continue;
        const char *base = of_all_rows(points, stage->kind, known->number, one[i].key);
        const char *name = column_name(stage, base ? base : one[i].key, points->arena);
        const int column = keys_find(&points->results, name, points->arena);
        if (cell && (base || (stage->side && !one[i].text)))
            cell[column] = row_number(points, stage, base ? base : one[i].key, at);
        else if (cell)
            cell[column] = (struct point_value){one[i].value, one[i].text};
    }
}

/* ---- lines ---- */

/* The data of a row and seed. They are printed in one line for each point of the row. */
struct point_line {
    const struct grid_row *row;
    const char *const *option; /* [options] */
    int64_t seed;
    const char *status;
    double wall;
    const struct point_value *result; /* [results] */
};

static struct point_line read_point(struct points *points, int row, int seed)
{
    const struct grid_row *from = &points->grid->row[row];
    struct point_value *cell =
        ARENA_ARRAY(points->arena, struct point_value, points->results.count + 1);
    struct point_line point = {
        from, points->options.value[row], from->seed[seed].seed, STATUS_DONE, 0, cell};
    for (int i = 0; i < points->results.count; i++) cell[i].value = (double)NAN;
    for (int k = from->seed[seed].count - 1; k >= 0; k--) {
        const struct grid_cursor at = {row, seed, k};
        const struct value_cache_stage *stage = sample_stage_at(&points->sampler, &at);
        read_stage(points, &at, cell);
        if (!sample_stage_done(stage)) point.status = stage->status;
        point.wall += stage->wall;
    }
    if (from->waits) point.status = sample_waits(&points->sampler, row, seed);
    if (strcmp(point.status, STATUS_DONE) != 0) point.wall = (double)NAN;
    return point;
}

static const char *axis_value(const struct point_line *point, int place, const char *key)
{
    const struct grid_coordinate *coordinate = grid_row_coordinate(point->row, place, key);
    return coordinate ? coordinate->value : NULL;
}

static void put_csv(struct points *points, const struct point_line *point, int place, FILE *out)
{
    escape_field(points->grid->name, out);
    cell_text(point->row->name, out);
    fprintf(out, ",%lld", (long long)point->seed);
    cell_text(point->status, out);
    cell_real(point->wall, out);
    for (int i = 0; i < points->axes.count; i++)
        cell_text(axis_value(point, place, points->axes.key[i]), out);
    for (int i = 0; i < points->options.count; i++)
        if (points->options.differs[i]) cell_text(point->option[i], out);
    for (int i = 0; i < points->results.count; i++)
        if (point->result[i].text)
            cell_text(point->result[i].text, out);
        else
            cell_real(point->result[i].value, out);
    fputc('\n', out);
}

static json_t *text_json(const char *text)
{
    return text ? json_string(text) : json_null();
}

static void put_json(struct points *points, const struct point_line *point, int place, FILE *out)
{
    json_t *axes = json_object(), *options = json_object(), *results = json_object();
    for (int i = 0; i < points->axes.count; i++)
        json_object_set_new(axes, points->axes.key[i],
                            text_json(axis_value(point, place, points->axes.key[i])));
    for (int i = 0; i < points->options.count; i++)
        if (points->options.differs[i])
            json_object_set_new(options, points->options.key[i], text_json(point->option[i]));
    for (int i = 0; i < points->results.count; i++)
        json_object_set_new(results, points->results.key[i],
                            point->result[i].text ? json_string(point->result[i].text)
                                                  : cell_json(point->result[i].value));
    cell_put_json(json_pack("{s:s, s:s, s:I, s:s, s:o, s:o, s:o, s:o}", "grid", points->grid->name,
                            "row", point->row->name, "seed", (json_int_t)point->seed, "status",
                            point->status, "wall", cell_json(point->wall), "axes", axes, "options",
                            options, "results", results),
                  out);
}

static void put_header(const struct points *points, struct arena *arena, FILE *out)
{
    fputs("grid,row,seed,status,wall", out);
    for (int i = 0; i < points->axes.count; i++)
        cell_text(arena_print(arena, "axis.%s", points->axes.key[i]), out);
    for (int i = 0; i < points->options.count; i++)
        if (points->options.differs[i])
            cell_text(arena_print(arena, "option.%s", points->options.key[i]), out);
    for (int i = 0; i < points->results.count; i++) cell_text(points->results.key[i], out);
    fputc('\n', out);
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
                            .axes.index = hash_table_new(&arena, 0),
                            .results.index = hash_table_new(&arena, 0)};
    read_axes(&points);
    points.options = row_options(&points.sampler);
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++)
        read_stage(&points, &at, NULL);
    if (format == EXPORT_CSV) put_header(&points, &arena, out);
    for (int row = 0; row < grid->rows; row++)
        for (int seed = 0; seed < grid->row[row].count; seed++) {
            if (is_copy(&grid->row[row], seed)) continue;
            const struct point_line point = read_point(&points, row, seed);
            for (int place = 0; place <= grid->row[row].more; place++)
                (format == EXPORT_CSV ? put_csv : put_json)(&points, &point, place, out);
        }
    arena_free(&arena);
}
