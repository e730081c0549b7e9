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

static struct column read(const struct tree *item, struct arena *arena)
{
    const struct tree *name = item->kind == TREE_MAP ? tree_get(item, "column") : item;
    if (!name || name->kind != TREE_SCALAR || strcmp(name->text, "maps.weight") != 0)
        die_at((name ? name : item)->location,
               "figures: a map shows maps.weight, or {column: maps.weight, layer: 6, head: 1}");
    const struct column column = column_read(item, arena);
    if (dimensions_have(&column.of, DIMENSION_SET) || dimensions_have(&column.of, DIMENSION_CLASS))
        die_at(item->location,
               "figures: a map shows a layer and a head; expected no set and no class");
    return column;
}

/* Reads the map of a stage. Returns NULL, or the reason in one line why it cannot be read. */
static const char *read_map(struct plot *plot, const char *id, struct maps_file *map)
{
    const char *problem = NULL, *none = NULL;
    const char *maps = points_file(plot, id, "maps.npy", &problem),
               *pieces = points_file(plot, id, "pieces.tsv", &problem),
               *branches = points_file(plot, id, "branches.tsv", &none);
    return problem ? problem : maps_file_read(map, maps, pieces, branches, plot->arena);
}

/* Reads the map of each row, from the first seed whose stage is done. Returns the number of
 * maps. */
static int load(struct plot *plot, struct map *map)
{
    const struct figure *figure = plot->figure;
    int maps = 0;
    for (int i = 0; i < figure->rows && !plot->canvas->refused; i++) {
        const int row = figure->row[i];
        const char *id = NULL;
        for (int s = 0; s < plot->reader->grid->row[row].count && !id; s++)
            id = value_stage(plot->reader, row, s, &figure->left);
        if (!id) points_lack(plot, points_row_name(plot, row), row, &figure->left);
        if (!id) continue;
        map[maps].row = row;
        map[maps].file.sentence = figure->sentence;
        map[maps].file.layer = figure->left.of.number[DIMENSION_LAYER];
        map[maps].file.head = figure->left.of.number[DIMENSION_HEAD];
        points_refuse(plot, row, read_map(plot, id, &map[maps++].file));
    }
    return plot->canvas->refused ? 0 : maps;
}

/* If a query sees only one key, the weight of this key is 1. The scale of gray ends at the largest
 * weight below ALONE. Otherwise, other weights would be too pale. */
#define ALONE 0.9999F

/* Adds the weights of branch b as points. Returns the largest weight below ALONE. */
static double put_branch(struct plot *plot, const struct map *map, int b)
{
    double largest = 0;
    const char *head = map->file.head ? arena_print(plot->arena, "%d", map->file.head) : "mean";
    points_series(plot, SERIES_SOLID, NULL, true);
    struct point point = points_plain(
        plot, map->row,
        arena_print(plot->arena, "maps.weight layer %d head %s", map->file.layer, head));
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

/* Writes the largest weight on the scale of each frame. Frames of the same branch have the same
 * scale. */
static void put_scales(struct plot *plot, const char *const *branch, const double *largest)
{
    for (int f = 0; f < plot->series_count; f++) {
        double most = 0;
        for (int i = 0; i < plot->series_count; i++)
            if (!strcmp(branch[i], branch[f])) most = fmax(most, largest[i]);
        canvas_number(plot->canvas, arena_print(plot->arena, "largest_%d", f + 1),
                      most > 0 ? most : 1);
    }
}

/* Writes the frames of all maps: names, pieces, weights and scales. */
static void put_frames(struct plot *plot, const struct map *map, int maps, bool layers)
{
    struct canvas *canvas = plot->canvas;
    struct arena *arena = plot->arena;
    double *largest = ARENA_ARRAY(arena, double, maps *MAPS_BRANCHES + 1);
    const char **branch = ARENA_ARRAY(arena, const char *, maps *MAPS_BRANCHES + 1);
    for (int m = 0; m < maps; m++) {
        const char *name = points_row_name(plot, map[m].row);
        if (layers) name = arena_print(arena, "%s, layer %d", name, map[m].file.layer);
        canvas_names(canvas, arena_print(arena, "row_name_%d", m + 1), &name, NULL, 1, CANVAS_NAME);
        canvas_names(canvas, arena_print(arena, "axis_%d", m + 1), map[m].file.piece, NULL,
                     map[m].file.pieces, WORD);
        canvas_number(canvas, arena_print(arena, "pieces_%d", m + 1), map[m].file.pieces);
        for (int b = 0; b < MAPS_BRANCHES; b++) {
            if (!map[m].file.branch[b]) continue;
            branch[plot->series_count] = map[m].file.branch[b];
            const double most = put_branch(plot, &map[m], b);
            largest[plot->series_count - 1] = most;
            canvas_number(canvas, arena_print(arena, "row_%d", plot->series_count), m + 1);
            canvas_text(canvas, arena_print(arena, "frame_%d", plot->series_count),
                        map[m].file.branch[b]);
        }
    }
    put_scales(plot, branch, largest);
    points_label(plot, "Key", "Query");
}

static void fill(struct plot *plot)
{
    struct map *map = ARENA_ARRAY(plot->arena, struct map, plot->figure->rows + 1);
    const int maps = load(plot, map);
    bool layers = false, several = false, joined = false;
    if (!maps) return;
    for (int m = 0; m < maps; m++) layers |= map[m].file.layer != map->file.layer;
    for (int m = 0; m < maps; m++) several |= plot->reader->grid->row[map[m].row].count > 1;
    for (int i = 0; i < map->file.pieces; i++) joined |= strstr(map->file.piece[i], "·") != NULL;
    put_frames(plot, map, maps, layers);
    const char *head = arena_print(plot->arena, "head %d", map->file.head),
               *layer = arena_print(plot->arena, "encoder layer %d", map->file.layer);
    canvas_caption(
        plot->canvas,
        "Attention weights of sentence %d, %s, %s; one sentence (n = %d pieces), nothing "
        "else is averaged.",
        map->file.sentence, layers ? "last layer with attention of each row" : layer,
        map->file.head ? head : "mean over heads", map->file.pieces);
    canvas_caption(
        plot->canvas,
        "Each line of a frame is a query, each column a key; white is 0, black the largest "
        "weight of the branch, or more.");
    if (joined) canvas_caption(plot->canvas, "· marks a place where the text has no blank.");
    if (several) canvas_caption(plot->canvas, "With several seeds: the first seed that is done.");
    if (several) plot->seeds = NULL;
}

const struct figure_kind figure_map = {
    .name = "map",
    .help = "attention weights of one sentence, a frame for each branch (Song et al. 2018, figure "
            "5)",
    .left = "maps.weight",
    .keys = "sentence",
    .single = true,
    .read = read,
    .fill = fill,
};
