/* Rows of numbers stay mapped as long as the process lives: figures are a handful. */
#include "plots/positions.h"

#include <string.h>

#include "core/base/npy.h"
#include "core/config/word.h"
#include "probes/localness.h"
#include "results/store/kept_file.h"

static const struct {
    const char *name, *value, *label;
} columns[] = {
    {"localness.center", "center", "Center"},
    {"localness.offset", "offset", "Center - position"},
    {"localness.window", "window", "Window"},
};

struct column positions_read(const struct tree *item, struct arena *arena)
{
    const char **known = ARENA_ARRAY(arena, const char *, COUNT_OF(columns) + 1);
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        known[i] = columns[i].name;
        if (item->kind != TREE_SCALAR || strcmp(item->text, columns[i].name) != 0) continue;
        return (struct column){.name = columns[i].name,
                               .source = COLUMN_VALUE,
                               .kind = "localness",
                               .value = columns[i].value,
                               .header = columns[i].label,
                               .place = item->place};
    }
    if (item->kind != TREE_SCALAR)
        die_at(item->place, "figures: expected a name such as localness.center");
    word_refuse(item->place, "figures", "no value by position is called", item->text, known);
}

const char *positions_label(const struct column *column)
{
    return column->header;
}

double positions_value(const struct column *column, const float *number)
{
    if (!strcmp(column->value, "window")) return (double)number[LOCALNESS_WINDOW];
    if (!strcmp(column->value, "center")) return (double)number[LOCALNESS_CENTER];
    return (double)number[LOCALNESS_CENTER] - (double)number[LOCALNESS_POSITION];
}

/* A stage of somebody else may have left anything. */
static const char *check(const struct npy *npy, const char *path, struct arena *arena)
{
    if (npy->columns != LOCALNESS_COLUMNS)
        return arena_print(arena, "%s has %lld columns, expected %d", path, (long long)npy->columns,
                           LOCALNESS_COLUMNS);
    const int64_t bad = npy_bad_row(npy);
    if (bad >= 0)
        return arena_print(arena, "%s: row %lld has a number that is none", path,
                           (long long)bad + 1);
    for (int64_t r = 0; r < npy->rows; r++) {
        const float layer = npy->number[r * LOCALNESS_COLUMNS + LOCALNESS_LAYER];
        if (!(layer >= 1 && layer <= POSITIONS_LAYERS))
            return arena_print(arena, "%s: row %lld is of layer %g, expected 1 to %d", path,
                               (long long)r + 1, (double)layer, POSITIONS_LAYERS);
    }
    return NULL;
}

static void add(struct positions *to, const struct npy *npy, struct arena *arena)
{
    const float **number = ARENA_ARRAY(arena, const float *, (size_t)(to->count + npy->rows) + 1);
    if (to->count) memcpy(number, to->number, sizeof *number * (size_t)to->count);
    for (int64_t r = 0; r < npy->rows; r++) {
        const float *row = npy->number + r * LOCALNESS_COLUMNS;
        number[to->count++] = row;
        if ((int)row[LOCALNESS_LAYER] > to->layers) to->layers = (int)row[LOCALNESS_LAYER];
    }
    to->number = number;
    to->seeds++;
}

/* Of each row of the figure; false: none has any, or canvas->refused. */
static bool load(struct canvas *canvas, const struct figure *figure, struct value_reader *reader,
                 struct positions *positions)
{
    struct arena *arena = canvas->arena;
    bool any = false;
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        positions[i] = (struct positions){.row = row};
        for (int s = 0; s < reader->grid->row[row].count; s++) {
            const char *id = value_stage(reader, row, s, &figure->left), *problem = NULL;
            if (!id) continue;
            const char *path =
                kept_file(reader->store, figure->left.kind, id, "localness.npy", &problem, arena);
            const struct npy npy = path ? npy_open(path) : (struct npy){0};
            if (path) problem = check(&npy, path, arena);
            if (problem) {
                canvas->refused = problem;
                return false;
            }
            add(&positions[i], &npy, arena);
        }
        any |= positions[i].count > 0;
    }
    return any;
}

const float **positions_of_layer(const struct positions *positions, int layer, int64_t *count,
                                 struct arena *arena)
{
    const float **of = ARENA_ARRAY(arena, const float *, (size_t)positions->count + 1);
    *count = 0;
    for (int64_t i = 0; i < positions->count; i++)
        if ((int)positions->number[i][LOCALNESS_LAYER] == layer)
            of[(*count)++] = positions->number[i];
    return of;
}

/* The layers that any row has, ascending; returns how many. */
static int find_layers(const struct positions *positions, int rows, int layer[POSITIONS_LAYERS])
{
    bool has[POSITIONS_LAYERS + 1] = {false};
    int layers = 0;
    for (int i = 0; i < rows; i++)
        for (int64_t k = 0; k < positions[i].count; k++)
            has[(int)positions[i].number[k][LOCALNESS_LAYER]] = true;
    for (int l = 1; l <= POSITIONS_LAYERS; l++)
        if (has[l]) layer[layers++] = l;
    return layers;
}

struct positions_frames positions_frames(struct canvas *canvas, const struct figure *figure,
                                         struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    struct positions_frames frames = {.positions =
                                          ARENA_ARRAY(arena, struct positions, figure->rows + 1),
                                      .drawn = ARENA_ARRAY(arena, bool, figure->rows + 1),
                                      .name = ARENA_ARRAY(arena, const char *, figure->rows + 1)};
    frames.any = load(canvas, figure, reader, frames.positions);
    frames.layers = find_layers(frames.positions, figure->rows, frames.layer);
    frames.panel = ARENA_ARRAY(arena, const char *, frames.layers + 1);
    for (int l = 0; l < frames.layers; l++)
        frames.panel[l] = arena_print(arena, "Layer %d", frames.layer[l]);
    for (int i = 0; i < figure->rows; i++) {
        frames.drawn[i] = frames.positions[i].count > 0;
        if (frames.drawn[i])
            frames.name[frames.series++] = reader->grid->row[frames.positions[i].row].name;
    }
    return frames;
}

void positions_each(struct canvas *canvas, const struct positions_frames *frames, int rows,
                    void (*put)(void *context, const struct positions *of_row, int layer),
                    void *context)
{
    bool behind = false;
    for (int l = 0; l < frames->layers; l++)
        for (int i = 0; i < rows; i++) {
            if (!frames->drawn[i]) continue;
            if (behind) canvas_next_series(canvas);
            behind = true;
            put(context, &frames->positions[i], frames->layer[l]);
        }
}
