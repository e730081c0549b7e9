/* Attention weights of one sentence, a frame for each branch, a line of frames for each row
 * (Song et al. 2018, figure 5). Where rows have one frame each, those stand side by side. */
#include <math.h>
#include <string.h>

#include "plots/figure_kind.h"
#include "plots/map_data.h"
#include "plots/panels.h"
#include "results/sheet/number.h"

enum {
    PIECES_MOST = 60,
    MARGIN = 14,
    CELL = 13, /* pixels of a piece, at least: small letters stand there */
    CELL_MOST = 30,
    GAP = 18,
    NAME = 22,    /* of a frame, */
    HEADING = 22, /* of a row */
    WORD = 8      /* heights of a letter that a piece may be long */
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

/* A query that sees one key gives it all: this is 1 and says nothing of how dark others are. */
#define ALONE 0.9999F

/* What is laid out: maps, pieces as they fit, the page. */
struct map_page {
    struct map_data *map; /* [rows of the figure] */
    int cell, left, below;
    double y, *heading; /* [rows] */
    int panels, cuts;   /* cuts: texts that were looked at, whose numbers cut ones have */
    struct panel *panel;
    const char **name;
    float most;         /* the largest weight below that */
    bool layers;        /* rows show different layers, which stand behind their names */
    bool flows;         /* a frame is a row, and several stand in a line */
    const char **shown; /* [rows] their names */
};

/* The pieces of a map as texts `axis_1` and on, and how far they reach. */
static void put_pieces(struct canvas *canvas, struct map_page *page, int which, const char **full,
                       double *widest)
{
    const struct map_data *map = &page->map[which];
    for (int i = 0; i < map->pieces; i++) {
        const char *piece = names_cut(canvas, map->piece[i], WORD, ++page->cuts, full);
        canvas_tic(canvas, i ? NULL : arena_print(canvas->arena, "axis_%d", which + 1), piece,
                   1000);
        *widest = fmax(*widest, names_width(piece));
    }
}

static void put_weights(struct canvas *canvas, const struct map_data *map, int b, const char *row,
                        struct map_page *layout)
{
    const int n = map->pieces;
    struct arena *arena = canvas->arena;
    const char *column = arena_print(arena, "maps.weight layer %d head %s", map->layer,
                                     map->head ? arena_print(arena, "%d", map->head) : "mean");
    if (layout->panels) canvas_next_series(canvas);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const float weight = map->weight[(b * n + i) * n + j];
            canvas_row(canvas, (double[]){j + 1, i + 1, (double)weight}, 3);
            if (weight < ALONE) layout->most = fmaxf(layout->most, weight);
            canvas_record(canvas,
                          &(struct canvas_record){
                              row, map->branch[b],
                              arena_print(arena, "query %d: %s", i + 1, map->piece[i]),
                              arena_print(arena, "key %d: %s", j + 1, map->piece[j]), column, NULL,
                              (double)weight, (double)NAN, (double)NAN, (double)NAN});
        }
}

/* The frames of a row, as many side by side as the page has room for; y is where the last line of
 * frames ends. */
static void put_row(struct canvas *canvas, struct map_page *layout, int which, const char *row)
{
    const struct map_data *map = &layout->map[which];
    const double side = map->pieces * (double)layout->cell;
    const int room = (int)((PANELS_WIDE - MARGIN - layout->left + GAP) / (side + GAP));
    const int across = room < 1 ? 1 : room, before = layout->flows ? layout->panels : 0;
    layout->heading[which] = layout->y + HEADING / 2.0;
    if (!layout->flows) layout->y += HEADING;
    for (int b = 0; b < map->branches; b++) {
        const int at = (before + b) % across, p = layout->panels;
        if (at == 0) layout->y += NAME + side + layout->below;
        put_weights(canvas, map, b, row, layout);
        layout->panel[p] = (struct panel){layout->left + at * (side + GAP),
                                          layout->y - layout->below - side, side, side};
        layout->name[p] = layout->flows ? layout->shown[which] : map->branch[b];
        canvas_number(canvas, arena_print(canvas->arena, "row_%d", p + 1), which + 1);
        canvas_number(canvas, arena_print(canvas->arena, "first_%d", p + 1), at == 0);
        layout->panels++;
    }
}

/* Of each row its map in the first seed that has one; false: none has. */
static bool load(struct canvas *canvas, const struct figure *figure, struct value_reader *reader,
                 struct map_data *map, bool *drawn)
{
    const struct dimensions *of = &figure->left.of;
    const struct map_asked asked = {figure->sentence, of->number[DIMENSION_LAYER],
                                    of->number[DIMENSION_HEAD]};
    bool any = false;
    for (int i = 0; i < figure->rows && !canvas->refused; i++) {
        const int row = figure->row[i];
        const char *id = NULL;
        for (int s = 0; s < reader->grid->row[row].count && !id; s++)
            id = value_stage(reader, row, s, &figure->left);
        if (!id) continue;
        map[i] = map_data_read(reader->store, figure->left.kind, id, asked, canvas->arena);
        drawn[i] = any = true;
        if (map[i].problem)
            canvas->refused =
                arena_print(canvas->arena, "%s: %s", reader->grid->row[row].name, map[i].problem);
        else if (map[i].pieces > PIECES_MOST)
            canvas->refused =
                arena_print(canvas->arena, "sentence %d has %d pieces; a map has room for %d",
                            map[i].sentence, map[i].pieces, PIECES_MOST);
    }
    return any && !canvas->refused;
}

static void note(struct canvas *canvas, const struct figure *figure,
                 const struct value_reader *reader, const struct map_page *layout,
                 const bool *drawn)
{
    struct arena *arena = canvas->arena;
    const struct map_data *map = NULL;
    for (int i = 0; i < figure->rows && !map; i++)
        if (drawn[i]) map = &layout->map[i];
    canvas_caption(canvas,
                   "Attention weights of sentence %d, %s, %s; one sentence (n = %d "
                   "pieces), nothing else is averaged.",
                   map->sentence,
                   layout->layers ? "of each row the last layer that has attention"
                                  : arena_print(arena, "encoder layer %d", map->layer),
                   map->head ? arena_print(arena, "head %d", map->head) : "mean over heads",
                   map->pieces);
    canvas_caption(canvas,
                   "Each line of a frame is a query, each column a key; white is 0, black "
                   "%s.",
                   number_short(arena, (double)layout->most));
    if (map->joined) canvas_caption(canvas, "· stands where the text has no blank.");
    for (int i = 0; i < figure->rows; i++)
        if (drawn[i] && reader->grid->row[figure->row[i]].count > 1) map = NULL;
    if (!map)
        canvas_caption(canvas, "Of several seeds the first one that is done.");
    else
        figure_note_seeds(canvas, figure, reader);
}

/* Whether frames of several rows stand side by side: each has one branch, and all the same
 * pieces. */
static bool may_flow(const struct map_page *layout, int rows, const bool *drawn)
{
    const struct map_data *first = NULL;
    int count = 0;
    for (int i = 0; i < rows; i++) {
        const struct map_data *map = &layout->map[i];
        if (!drawn[i]) continue;
        if (!first) first = map;
        if (map->branches != 1 || map->pieces != first->pieces) return false;
        for (int k = 0; k < map->pieces; k++)
            if (strcmp(map->piece[k], first->piece[k]) != 0) return false;
        count++;
    }
    return count > 1;
}

/* The name of a row, cut to its room: that of a frame, or of a line. */
static const char *shown_name(struct canvas *canvas, const char *name, struct map_page *layout,
                              int which, const char **full)
{
    const struct map_data *map = &layout->map[which];
    const double frame = map->pieces * (double)layout->cell / NAMES_LETTERS;
    if (layout->layers) name = arena_print(canvas->arena, "%s, layer %d", name, map->layer);
    return names_cut(canvas, name, layout->flows ? frame : 70, ++layout->cuts, full);
}

static void put_page(struct canvas *canvas, const struct figure *figure,
                     const struct value_reader *reader, struct map_page *layout, const bool *drawn)
{
    struct arena *arena = canvas->arena;
    const char *full = NULL;
    double widest = 0;
    int longest = 1, frames = 0, layer = 0;
    for (int i = 0; i < figure->rows; i++) {
        if (!drawn[i]) continue;
        layout->layers |= layer && layer != layout->map[i].layer;
        layer = layout->map[i].layer;
        put_pieces(canvas, layout, i, &full, &widest);
        if (layout->map[i].pieces > longest) longest = layout->map[i].pieces;
        frames += layout->map[i].branches;
    }
    const int words = (int)ceil(widest * NAMES_SMALL) + 10;
    layout->left = MARGIN + words;
    layout->below = words + 6;
    layout->cell = (PANELS_WIDE - layout->left - MARGIN - 3 * GAP) / 4 / longest;
    if (layout->cell < CELL) layout->cell = CELL;
    if (layout->cell > CELL_MOST) layout->cell = CELL_MOST;
    layout->panel = ARENA_ARRAY(arena, struct panel, frames);
    layout->name = ARENA_ARRAY(arena, const char *, frames);
    layout->heading = ARENA_ARRAY(arena, double, figure->rows + 1);
    layout->y = 4;
    layout->shown = ARENA_ARRAY(arena, const char *, figure->rows + 1);
    layout->flows = may_flow(layout, figure->rows, drawn);
    for (int i = 0; i < figure->rows; i++) {
        const char *name = reader->grid->row[figure->row[i]].name;
        layout->shown[i] = drawn[i] ? shown_name(canvas, name, layout, i, &full) : "";
        if (drawn[i]) put_row(canvas, layout, i, name);
    }
    canvas->width = PANELS_WIDE;
    canvas->height = (int)layout->y + 4;
    for (int i = 0; i < figure->rows; i++) {
        const bool above = drawn[i] && !layout->flows;
        canvas_number(canvas, arena_print(arena, "heading_%d", i + 1),
                      above ? 1 - layout->heading[i] / canvas->height : -1);
        canvas_text(canvas, arena_print(arena, "row_name_%d", i + 1), layout->shown[i]);
    }
    panels_put(canvas, layout->panel, layout->name, frames);
    for (int i = 0; i < figure->rows; i++)
        canvas_number(canvas, arena_print(arena, "pieces_%d", i + 1), layout->map[i].pieces);
    canvas_number(canvas, "rows", figure->rows);
    if (!(layout->most > 0)) layout->most = 1;
    canvas_number(canvas, "most", (double)layout->most);
    names_note(canvas, full);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct map_page layout = {.map = ARENA_ARRAY(canvas->arena, struct map_data, figure->rows + 1)};
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows + 1);
    if (load(canvas, figure, reader, layout.map, drawn)) {
        put_page(canvas, figure, reader, &layout, drawn);
        note(canvas, figure, reader, &layout, drawn);
    }
    figure_note_missing(canvas, figure, reader, drawn, &figure->left);
    return layout.panels > 0;
}

const struct figure_kind figure_map = {
    .name = "map",
    .help = "attention weights of one sentence, a frame for each branch (Song et al. 2018, figure "
            "5)",
    .left = "maps.weight",
    .sentence = true,
    .read = read,
    .fill = fill,
};
