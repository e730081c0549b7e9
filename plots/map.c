/* Draws the attention weights of a sentence (Song et al. 2018, figure 5). There is a frame for each
 * branch, and a line of frames for each row. */
#include <math.h>
#include <string.h>

#include "plots/figure_points.h"
#include "probes/maps_file.h"

enum { WORD = 8 }; /* maximum width of a piece, in multiples of the font size */

struct map {
    int row;
    struct maps_file file;
};

void map_check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    const struct column *left = &figure->left;
    (void)grid;
    (void)arena;
    if (!left->kind || strcmp(left->kind, "maps") != 0 || strcmp(left->value, "weight") != 0 ||
        dimensions_have(&left->of, DIMENSION_SET) || dimensions_have(&left->of, DIMENSION_CLASS))
        die_at(column_location(left),
               "figures: a map shows maps.weight, or {column: maps.weight, layer: 6, head: 1}");
}

/* Reads the map of each row, from the first seed that is done. Returns the maps, [*count]. */
static struct map *load(struct plot *plot, int *count)
{
    const struct figure *figure = plot->figure;
    struct map *map = NULL;
    for (int i = 0; i < figure->rows && !plot->canvas->refused; i++) {
        const int row = figure->row[i];
        struct map one = {.row = row};
        const char *id = NULL, *problem = NULL, *none = NULL;
        for (int s = 0; s < plot->reader->grid->row[row].count && !id; s++)
            id = value_stage(plot->reader, row, s, &figure->left);
        if (!id) points_lack(plot, points_row_name(plot, row), row, &figure->left);
        if (!id) continue;
        const char *maps = points_file(plot, id, "maps.npy", &problem),
                   *pieces = points_file(plot, id, "pieces.tsv", &problem),
                   *branches = points_file(plot, id, "branches.tsv", &none);
        one.file.sentence = figure->sentence;
        one.file.layer = figure->left.of.number[DIMENSION_LAYER];
        one.file.head = figure->left.of.number[DIMENSION_HEAD];
        if (!problem) problem = maps_file_read(&one.file, maps, pieces, branches, plot->arena);
        points_refuse(plot, row, problem);
        ARENA_ADD(plot->arena, map, *count, one);
    }
    return map;
}

/* If a query sees only one key, the weight of this key is 1. The scale of gray ends at the largest
 * weight below ALONE. Otherwise, other weights would be too pale. */
#define ALONE 0.9999F

/* Adds the weights of branch b as points. Returns the largest weight below ALONE. */
static double put_branch(struct plot *plot, const struct map *map, int b)
{
    const char *head = map->file.head ? arena_print(plot->arena, "%d", map->file.head) : "mean";
    double largest = 0;
    points_series(plot, SERIES_SOLID, NULL, true);
    const char *name =
        arena_print(plot->arena, "maps.weight layer %d head %s", map->file.layer, head);
    struct point point = points_plain(plot, map->row, name);
    point.group = map->file.branch[b];
    for (int i = 0; i < map->file.pieces; i++)
        for (int j = 0; j < map->file.pieces; j++) {
            const float weight = map->file.weight[b][i][j];
            if (weight < ALONE) largest = fmax(largest, (double)weight);
            point.axis = arena_print(plot->arena, "query %d: %s", i + 1, map->file.piece[i]);
            point.place = arena_print(plot->arena, "key %d: %s", j + 1, map->file.piece[j]);
            points_at(plot, point, j + 1, (double)weight);
        }
    return largest;
}

/* Writes the frames of a map: names, pieces and weights. */
static void put_frames(struct plot *plot, const struct map *map, int number)
{
    struct canvas *canvas = plot->canvas;
    struct arena *arena = plot->arena;
    const char *name =
        arena_print(arena, "%s, layer %d", points_row_name(plot, map->row), map->file.layer);
    canvas_names(canvas, arena_print(arena, "row_name_%d", number), &name, NULL, 1, CANVAS_NAME);
    canvas_names(canvas, arena_print(arena, "axis_%d", number), map->file.piece, NULL,
                 map->file.pieces, WORD);
    canvas_number(canvas, arena_print(arena, "pieces_%d", number), map->file.pieces);
    for (int b = 0; b < MAPS_BRANCHES; b++) {
        if (!map->file.branch[b]) continue;
        const double largest = put_branch(plot, map, b);
        canvas_number(canvas, arena_print(arena, "largest_%d", plot->series_count), largest);
        canvas_number(canvas, arena_print(arena, "row_%d", plot->series_count), number);
        canvas_text(canvas, arena_print(arena, "frame_%d", plot->series_count),
                    map->file.branch[b]);
    }
}

void map_fill(struct plot *plot)
{
    int maps = 0;
    const struct map *map = load(plot, &maps);
    if (!maps || plot->canvas->refused) return;
    for (int m = 0; m < maps; m++) put_frames(plot, &map[m], m + 1);
    points_label(plot, "Key", "Query");
    const char *head = arena_print(plot->arena, "head %d", map->file.head);
    canvas_caption(
        plot->canvas,
        "Attention weights of sentence %d, %s; one sentence (n = %d pieces), nothing else "
        "is averaged.",
        map->file.sentence, map->file.head ? head : "mean over heads", map->file.pieces);
}
