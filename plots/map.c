/* Draws the attention weights of a sentence (Song et al. 2018, figure 5). There is a frame for each
 * branch, and a line of frames for each row. */
#include <math.h>
#include <string.h>

#include "plots/figure_points.h"
#include "probes/maps_file.h"

enum { WORD = 8 }; /* maximum width of a piece, in multiples of the font size */

struct map {
    int row;
    const char *name;
    struct maps_file file;
};

static void check(const struct figure *figure, const struct grid *grid, struct location location,
                  struct arena *arena)
{
    const struct column *left = &figure->left;
    (void)grid;
    (void)location;
    (void)arena;
    if (!left->kind || strcmp(left->kind, "maps") != 0 || strcmp(left->value, "weight") != 0 ||
        dimensions_have(&left->of, DIMENSION_SET) || dimensions_have(&left->of, DIMENSION_CLASS))
        die_at(left->location,
               "figures: a map shows maps.weight, or {column: maps.weight, layer: 6, head: 1}");
}

/* Reads the map of a stage. Returns NULL, or the reason in one line why it cannot be read. */
static const char *read_map(struct plot *plot, const char *id, struct maps_file *map)
{
    const struct dimensions *of = &plot->figure->left.of;
    const char *problem = NULL, *none = NULL;
    const char *maps = points_file(plot, id, "maps.npy", &problem),
               *pieces = points_file(plot, id, "pieces.tsv", &problem),
               *branches = points_file(plot, id, "branches.tsv", &none);
    map->sentence = plot->figure->sentence;
    map->layer = of->number[DIMENSION_LAYER];
    map->head = of->number[DIMENSION_HEAD];
    return problem ? problem : maps_file_read(map, maps, pieces, branches, plot->arena);
}

/* Reads the map of each row, frame by frame, from the first seed whose stage is done. Returns the
 * maps, [*count]. */
static struct map *load(struct plot *plot, int *count)
{
    struct map *map = NULL;
    struct frame_row *list;
    const int rows = frames_list(plot->figure, plot->reader->grid, &list, plot->arena);
    for (int i = 0; i < rows && !plot->canvas->refused; i++) {
        struct map one = {.row = list[i].row, .name = list[i].name};
        const char *id = NULL;
        for (int s = 0; s < plot->reader->grid->row[one.row].count && !id; s++)
            id = value_stage(plot->reader, one.row, s, &plot->figure->left);
        if (id) {
            points_refuse(plot, one.row, read_map(plot, id, &one.file));
            ARENA_ADD(plot->arena, map, *count, one);
        } else {
            points_lack(plot, one.name, one.row, &plot->figure->left);
        }
    }
    return map;
}

/* If a query sees only one key, the weight of this key is 1. The scale of gray ends at the largest
 * weight below ALONE. Otherwise, other weights would be too pale. */
#define ALONE ((double)0.9999F)

/* Adds the weights of branch b as points. */
static void put_branch(struct plot *plot, const struct map *map, int b)
{
    const char *head = map->file.head ? arena_print(plot->arena, "%d", map->file.head) : "mean";
    points_series(plot, SERIES_SOLID, NULL, true);
    struct point point = points_plain(
        plot, map->row,
        arena_print(plot->arena, "maps.weight layer %d head %s", map->file.layer, head));
    point.group = map->file.branch[b];
    point.pane = b;
    for (int i = 0; i < map->file.pieces; i++)
        for (int j = 0; j < map->file.pieces; j++) {
            point.axis = arena_print(plot->arena, "query %d: %s", i + 1, map->file.piece[i]);
            point.place = arena_print(plot->arena, "key %d: %s", j + 1, map->file.piece[j]);
            points_at(plot, point, j + 1, (double)map->file.weight[b][i][j]);
        }
}

/* Writes the largest weight on the scale of each frame. Frames of the same branch have the same
 * scale. With the key `frame`, these are the branches with the same index. */
static void put_scales(struct plot *plot)
{
    for (int f = 0; f < plot->series_count; f++) {
        const struct point *own = &plot->point[plot->series[f].first];
        double most = 0;
        for (int i = 0; i < plot->points; i++) {
            const struct point *point = &plot->point[i];
            const bool same =
                plot->figure->frames ? point->pane == own->pane : !strcmp(point->group, own->group);
            if (same && point->mean < ALONE) most = fmax(most, point->mean);
        }
        canvas_number(plot->canvas, arena_print(plot->arena, "largest_%d", f + 1),
                      most > 0 ? most : 1);
    }
}

/* Writes the frames of a map: names, pieces and weights. */
static void put_frames(struct plot *plot, const struct map *map, int number, bool layers)
{
    struct canvas *canvas = plot->canvas;
    struct arena *arena = plot->arena;
    const char *name = map->name;
    if (layers) name = arena_print(arena, "%s, layer %d", name, map->file.layer);
    canvas_names(canvas, arena_print(arena, "row_name_%d", number), &name, NULL, 1, CANVAS_NAME);
    canvas_names(canvas, arena_print(arena, "axis_%d", number), map->file.piece, NULL,
                 map->file.pieces, WORD);
    canvas_number(canvas, arena_print(arena, "pieces_%d", number), map->file.pieces);
    for (int b = 0; b < MAPS_BRANCHES; b++) {
        if (!map->file.branch[b]) continue;
        put_branch(plot, map, b);
        canvas_number(canvas, arena_print(arena, "row_%d", plot->series_count), number);
        canvas_text(canvas, arena_print(arena, "frame_%d", plot->series_count),
                    map->file.branch[b]);
    }
}

static void fill(struct plot *plot)
{
    bool layers = false, several = false, joined = false;
    int maps = 0;
    const struct map *map = load(plot, &maps);
    if (!maps || plot->canvas->refused) return;
    for (int m = 0; m < maps; m++) {
        layers |= map[m].file.layer != map->file.layer;
        several |= plot->reader->grid->row[map[m].row].count > 1;
    }
    for (int i = 0; i < map->file.pieces; i++) joined |= strstr(map->file.piece[i], "·") != NULL;
    for (int m = 0; m < maps; m++) put_frames(plot, &map[m], m + 1, layers);
    put_scales(plot);
    plot->frames = 0;
    points_label(plot, "Key", "Query");
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
    .by = DIMENSIONS,
    .check = check,
    .fill = fill,
};
