/* Attention weights of one sentence, a frame for each branch, a line of frames for each row
 * (Song et al. 2018, figure 5). maps.npy has the weights, pieces.tsv the words of the axes,
 * branches.tsv the names of branches (experiments/stage/kind_maps.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/text/tokenize.h"
#include "plots/points.h"
#include "results/sheet/number.h"
#include "results/store/kept_file.h"

enum { SENTENCE, LAYER, BRANCH, HEAD, QUERY, KEY, WEIGHT, COLUMNS };
enum {
    BRANCHES = 64,
    MOST = 512,  /* pieces of a sentence */
    PIECES = 60, /* a page has room for so many */
    WORD = 8     /* heights of a letter that a piece may be long */
};

/* Of one sentence in one layer; head 0: the mean over heads. */
struct map {
    int row, sentence, layer, head, pieces;
    const char *piece[PIECES];
    const char *branch[BRANCHES];    /* their names; NULL: there is no such branch */
    float (*weight)[PIECES][PIECES]; /* [BRANCHES] of query i for key j */
};

static struct column read(const struct tree *item, struct arena *arena)
{
    const struct tree *name = item->kind == TREE_MAP ? tree_get(item, "column") : item;
    if (!name || name->kind != TREE_SCALAR || strcmp(name->text, "maps.weight") != 0)
        die_at((name ? name : item)->place,
               "figures: a map shows maps.weight, or {column: maps.weight, layer: 6, head: 1}");
    const struct column column = column_read(item, arena);
    if (dimensions_have(&column.of, DIMENSION_SET) || dimensions_have(&column.of, DIMENSION_CLASS))
        die_at(item->place, "figures: a map is of a layer and a head");
    return column;
}

/* Sentence, layer and head: those that are asked for, or the first sentence, the last layer and the
 * mean over heads, or the first head where there is no mean. */
static void choose(const struct figure *figure, const struct npy *npy, struct map *map)
{
    const int *asked = figure->left.of.number;
    bool mean = false;
    map->sentence = figure->sentence ? figure->sentence : (int)npy->number[SENTENCE];
    map->layer = asked[DIMENSION_LAYER];
    for (const float *at = npy->number; at < npy->number + npy->rows * COLUMNS; at += COLUMNS) {
        if (!asked[DIMENSION_LAYER] && (int)at[LAYER] > map->layer) map->layer = (int)at[LAYER];
        mean |= (int)at[HEAD] == 0;
    }
    map->head = asked[DIMENSION_HEAD] || mean ? asked[DIMENSION_HEAD] : (int)npy->number[HEAD];
}

static void read_weights(struct plot *plot, const struct npy *npy, struct map *map)
{
    map->weight = arena_alloc(plot->arena, BRANCHES * sizeof *map->weight);
    for (const float *at = npy->number; at < npy->number + npy->rows * COLUMNS; at += COLUMNS) {
        const int branch = (int)at[BRANCH], query = (int)at[QUERY], key = (int)at[KEY];
        if ((int)at[SENTENCE] != map->sentence || (int)at[LAYER] != map->layer ||
            (int)at[HEAD] != map->head)
            continue;
        map->pieces = (int)fmax(map->pieces, fmax(query, key));
        map->branch[branch - 1] = arena_print(plot->arena, "branch %d", branch);
        if (map->pieces <= PIECES) map->weight[branch - 1][query - 1][key - 1] = at[WEIGHT];
    }
}

/* Names of a file of lines "FIRST\tNUMBER\tNAME" after the first one: of `first` those of the
 * numbers that have a name already. Returns why it cannot be read, or NULL. */
static const char *read_names(struct plot *plot, const char *id, const char *file, int first,
                              int most, const char **name)
{
    const char *problem = NULL,
               *path = kept_file(plot->reader->sampler.store, plot->figure->left.kind, id, file,
                                 &problem, plot->arena);
    size_t bytes;
    int lines = 0;
    if (!path) return problem;
    char *text = file_read(plot->arena, path, 0, &bytes), *second, *third;
    const char **line = file_cut_lines(plot->arena, text, bytes, &lines);
    for (int i = 1; i < lines; i++) {
        if (strtol(line[i], &second, 10) != first || *second != '\t') continue;
        const long of = strtol(second + 1, &third, 10);
        if (*third == '\t' && of >= 1 && of <= most && name[of - 1]) name[of - 1] = third + 1;
    }
    return NULL;
}

/* A joiner (tokenize.h) as a sign that fonts have. */
static const char *with_dots(struct plot *plot, const char *piece)
{
    for (const char *at; (at = strstr(piece, TOKENIZE_JOINER));)
        piece = arena_print(plot->arena, "%.*s·%s", (int)(at - piece), piece,
                            at + strlen(TOKENIZE_JOINER));
    return piece;
}

/* Returns why there is none, or NULL. */
static const char *read_map(struct plot *plot, const struct npy *npy, const char *id,
                            struct map *map)
{
    choose(plot->figure, npy, map);
    read_weights(plot, npy, map);
    if (!map->pieces)
        return arena_print(
            plot->arena,
            "no weights of sentence %d, layer %d, %s; evaluate.maps says which are kept",
            map->sentence, map->layer,
            map->head ? arena_print(plot->arena, "head %d", map->head) : "mean over heads");
    if (map->pieces > PIECES)
        return arena_print(plot->arena, "sentence %d has %d pieces; a map has room for %d",
                           map->sentence, map->pieces, PIECES);
    for (int i = 0; i < map->pieces; i++) map->piece[i] = "?";
    const char *problem =
        read_names(plot, id, "pieces.tsv", map->sentence, map->pieces, map->piece);
    for (int i = 0; i < map->pieces; i++) map->piece[i] = with_dots(plot, map->piece[i]);
    /* A stage of an older program has no names of branches. */
    read_names(plot, id, "branches.tsv", map->layer, BRANCHES, map->branch);
    return problem;
}

/* The maps of the rows, each in the first seed that has one; returns how many. */
static int load(struct plot *plot, struct map *map)
{
    static const struct numbers_column column[COLUMNS] = {
        {1, 1e9}, {1, 64}, {1, BRANCHES}, {0, 1024}, {1, MOST}, {1, MOST}, {0, 1.001}};
    const struct figure *figure = plot->figure;
    int maps = 0;
    for (int i = 0; i < figure->rows && !plot->canvas->refused; i++) {
        const char *problem = NULL, *id = NULL, *name = points_row_name(plot, figure->row[i]);
        struct npy npy;
        for (int s = 0; s < plot->reader->grid->row[figure->row[i]].count && !id; s++)
            if (numbers_open(plot, figure->row[i], s, "maps.npy", column, COLUMNS, &npy, &id))
                problem = read_map(plot, &npy, id, &map[maps]);
        if (problem) plot->canvas->refused = arena_print(plot->arena, "%s: %s", name, problem);
        if (!id) points_lack(plot, name, figure->row[i], &figure->left);
        map[maps].row = figure->row[i];
        maps += id != NULL;
    }
    return plot->canvas->refused ? 0 : maps;
}

/* A query that sees one key gives it all: this is 1 and says nothing of how dark others are. */
#define ALONE 0.9999F

/* The weights of a branch as points; returns the largest one below ALONE. */
static float put_branch(struct plot *plot, const struct map *map, int b)
{
    const char *head = map->head ? arena_print(plot->arena, "%d", map->head) : "mean";
    struct point point = points_plain(
        plot, map->row, arena_print(plot->arena, "maps.weight layer %d head %s", map->layer, head));
    float most = 0;
    point.line = points_line(plot, LINE_SOLID, NULL, true);
    point.group = map->branch[b];
    for (int i = 0; i < map->pieces; i++)
        for (int j = 0; j < map->pieces; j++) {
            const float weight = map->weight[b][i][j];
            if (weight < ALONE) most = fmaxf(most, weight);
            point.axis = arena_print(plot->arena, "query %d: %s", i + 1, map->piece[i]);
            point.place = arena_print(plot->arena, "key %d: %s", j + 1, map->piece[j]);
            point.x = j + 1;
            point.mean = (double)weight;
            points_add(plot, &plot->left, point);
        }
    return most;
}

/* Texts and numbers of the frames; returns the largest weight that is not alone, or 1. */
static double put_frames(struct plot *plot, const struct map *map, int maps, bool layers)
{
    struct canvas *canvas = plot->canvas;
    struct arena *arena = plot->arena;
    int frames = 0;
    float most = 0;
    for (int m = 0; m < maps; m++) {
        const char *name = points_row_name(plot, map[m].row);
        if (layers) name = arena_print(arena, "%s, layer %d", name, map[m].layer);
        canvas_names(canvas, arena_print(arena, "row_name_%d", m + 1), &name, NULL, 1, CANVAS_NAME);
        canvas_names(canvas, arena_print(arena, "axis_%d", m + 1), map[m].piece, NULL,
                     map[m].pieces, WORD);
        canvas_number(canvas, arena_print(arena, "pieces_%d", m + 1), map[m].pieces);
        for (int b = 0; b < BRANCHES; b++) {
            if (!map[m].branch[b]) continue;
            canvas_number(canvas, arena_print(arena, "row_%d", ++frames), m + 1);
            canvas_text(canvas, arena_print(arena, "frame_%d", frames), map[m].branch[b]);
            most = fmaxf(most, put_branch(plot, &map[m], b));
        }
    }
    points_put(plot, NULL);
    canvas_number(canvas, "frames", frames);
    canvas_number(canvas, "rows", maps);
    canvas_number(canvas, "largest", most > 0 ? (double)most : 1);
    return most > 0 ? (double)most : 1;
}

static void fill(struct plot *plot)
{
    struct canvas *canvas = plot->canvas;
    struct map *map = ARENA_ARRAY(plot->arena, struct map, plot->figure->rows + 1);
    const int maps = load(plot, map);
    bool layers = false, several = false, joined = false;
    if (!maps) return;
    for (int m = 0; m < maps; m++) {
        layers |= map[m].layer != map->layer;
        several |= plot->reader->grid->row[map[m].row].count > 1;
    }
    for (int i = 0; i < map->pieces; i++) joined |= strstr(map->piece[i], "·") != NULL;
    const double most = put_frames(plot, map, maps, layers);
    canvas_caption(canvas,
                   "Attention weights of sentence %d, %s, %s; one sentence (n = %d "
                   "pieces), nothing else is averaged.",
                   map->sentence,
                   layers ? "of each row the last layer that has attention"
                          : arena_print(plot->arena, "encoder layer %d", map->layer),
                   map->head ? arena_print(plot->arena, "head %d", map->head) : "mean over heads",
                   map->pieces);
    canvas_caption(canvas,
                   "Each line of a frame is a query, each column a key; white is 0, black %s.",
                   number_short(plot->arena, most));
    if (joined) canvas_caption(canvas, "· stands where the text has no blank.");
    if (several)
        canvas_caption(canvas, "Of several seeds the first one that is done.");
    else
        points_note_seeds(plot, "Means over");
}

const struct figure_kind figure_map = {
    .name = "map",
    .template_name = "map",
    .help = "attention weights of one sentence, a frame for each branch (Song et al. 2018, figure "
            "5)",
    .left = "maps.weight",
    .sentence = true,
    .single = true,
    .read = read,
    .fill = fill,
};
