/* A measure by layer (Xu et al. 2019, figure 3), from lines of metrics or from the parts of a kind
 * that are views by layer; a line for each row, or for each task of one row. heads: a line for each
 * head of one row (Yang et al. 2018, figure 2). */
#include <math.h>
#include <string.h>

#include "plots/points.h"
#include "results/sheet/cell.h"
#include "results/sheet/number.h"

#define END "output" /* tic after the last layer's */

enum { MOST = 64 }; /* maximum number of layers and heads */

/* Returns a column at a layer: lines of metrics of the layer or, for a kind with views by layer
 * (offer.h), the part of the layer's view. */
static struct column at_layer(const struct column *column, int layer, struct arena *arena)
{
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    struct column at = *column;
    if (offer && offer->views)
        at.part = arena_print(arena, "%s@%.*s.%d", column->part, (int)strcspn(*offer->views, "."),
                              *offer->views, layer);
    else
        at.of.number[DIMENSION_LAYER] = layer;
    return at;
}

/* Checks that a row has the views of the columns, such as the part "probe.Tense@encoder.3". */
static void check(const struct figure *figure, const struct grid *grid, struct place place,
                  struct arena *arena)
{
    const bool heads = !figure->kind->views;
    const struct column *left = &figure->left;
    if (heads && left->measure && !(left->measure->traits & 1u << DIMENSION_HEAD))
        die_at(left->place, "figures: \"%s\" has no values by head", left->name);
    if (heads && dimensions_have(&left->of, DIMENSION_HEAD))
        die_at(left->place, "figures: head: every head is drawn; leave it out");
    if (heads && figure->rows > 1)
        die_at(place,
               "figures: heads of %d rows are too many lines; expected one row, as rows: [\"%s\"]",
               figure->rows, grid->row[figure->row[0]].name);
    for (int c = 0; c < figure->columns && !heads; c++) {
        const struct column *column = &figure->column[c];
        const char *const *part = grid->words.part;
        if (!column->part || !part || grid->words.varied) continue;
        const struct column at = at_layer(column, 1, arena);
        const char *first = arena_print(arena, "%s.%s", column->kind, at.part);
        const size_t length = strlen(first) - 1; /* without the number */
        while (*part && (strncmp(*part, first, length) != 0 || !(*part)[length] ||
                         (*part)[length + strspn(*part + length, "0123456789")]))
            part++;
        if (!*part)
            die_at(place, "figures: no row has %s or another layer; expected %s.path: layers",
                   first, offer_of(column->kind)->section);
    }
}

/* Returns the highest layer of a row; 0: the row has no value in any layer. */
static int count_layers(struct plot *plot, const struct column *column, int row, int64_t *n)
{
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    int highest = 0;
    bool valued = false;
    if (!offer || !offer->views) return value_layers(plot->reader, column, row, n);
    for (int l = 1; l <= MOST; l++) {
        const struct column at = at_layer(column, l, plot->arena);
        if (!value_has_part(plot->reader, row, column->kind, at.part)) continue;
        highest = l;
        valued = valued || isfinite(value_read(plot->reader, &at, row).mean);
    }
    return valued ? highest : 0;
}

/* Finds the column of the output, after the last layer. False: the row has no short-cut, so that
 * its last layer is the output. */
static bool find_end(const struct plot *plot, const struct column *column, int row,
                     struct column *at)
{
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    const struct grid *grid = plot->reader->grid;
    if (!offer || !offer->views) return false;
    const char *on = layout_option(grid, &grid->row[row], "encoder.shortcut", plot->arena);
    *at = *column;
    at->part = arena_print(plot->arena, "%s@%s", column->part, *offer->views);
    return on && !strcmp(on, "true") && value_has_part(plot->reader, row, column->kind, at->part);
}

/* Adds a point. If a part has no value there, adds "layer 3 (failed)" to *lacks. */
static void put_point(struct plot *plot, const struct column *at, int row, int x, const char *place,
                      const char *name, const char **lacks)
{
    const struct value_of_row value = points_value(plot, &plot->left, at, row, x, place);
    if (at->part && !isfinite(value.mean))
        *lacks = arena_append(
            plot->arena, *lacks, ", ",
            arena_print(plot->arena, "%s (%s)", name, value_why(plot->reader, row, at)));
}

/* Adds the line of a column of a row; the end follows the layers of all lines. False: no value. */
static bool put_line(struct plot *plot, const struct points_wanted *wanted, int layers, int most)
{
    struct column end;
    const bool ends = find_end(plot, wanted->column, wanted->row, &end);
    const char *lacks = NULL;
    points_line(plot, LINE_SOLID, wanted->name, false);
    for (int l = 1; l <= layers; l++) {
        const struct column at = at_layer(wanted->column, l, plot->arena);
        const char *place = arena_print(plot->arena, "%d", l);
        put_point(plot, &at, wanted->row, l, place, arena_print(plot->arena, "layer %s", place),
                  &lacks);
    }
    if (ends) put_point(plot, &end, wanted->row, most + 1, END, END, &lacks);
    if (!points_keep(plot)) return false;
    if (lacks)
        name_list_add(&plot->lacks, arena_print(plot->arena, "%s at %s", wanted->name, lacks));
    return true;
}

/* Writes the tics of the layers and of the outputs, and the caption of the outputs. */
static void put_places(struct plot *plot, bool ends, int most)
{
    const char **name = ARENA_ARRAY(plot->arena, const char *, most + 2);
    for (int l = 0; l < most; l++) name[l] = arena_print(plot->arena, "%d", l + 1);
    if (ends) name[most++] = END;
    plot->places = (struct places){most, name, NULL, true, 0};
    if (ends)
        canvas_caption(plot->canvas, END ": the sum of the short-cut; without a short-cut the last "
                                         "layer is the output.");
}

/* Adds "Points: .., n = 40 per layer; error bars: standard deviation of single gates, cut at ..";
 * for heads "Each over n = 40 positions, of ..". */
static void note_points(struct plot *plot, const char *label, int64_t n)
{
    const struct measure *measure = plot->figure->left.measure;
    struct arena *arena = plot->arena;
    const char *count = "", *cut = "";
    const bool views = plot->figure->kind->views;
    const bool one = views && points_number(plot, &plot->figure->left, "_sd");
    if (!one) points_note_side(plot, &plot->left, "Points", label);
    if (!views && n > 0)
        canvas_caption(plot->canvas, "Each over n = %s positions, of \"%s\".",
                       number_count(arena, (double)n), points_row_name(plot, plot->point->row));
    if (!one) return;
    if (n > 0) count = arena_print(arena, ", n = %s per layer", number_count(arena, (double)n));
    const struct figure_words words = figure_words(&plot->figure->left);
    if (words.low < words.high)
        cut = arena_print(arena, ", cut at %s and %s", number_short(arena, words.low),
                          number_short(arena, words.high));
    canvas_caption(plot->canvas, "Points: %s%s%s; error bars: standard deviation of single %s%s.",
                   words.points ? words.points : label,
                   words.points ? dimensions_text(&plot->figure->left.of, arena) : "", count,
                   measure->counted ? measure->counted : "values", cut);
}

/* Returns the candidate lines: of rows and columns, or of each head of the only row. */
static int wanted_of(struct plot *plot, struct points_wanted **wanted)
{
    int64_t n;
    int heads = 0;
    if (plot->figure->kind->views) return points_wanted(plot, wanted);
    *wanted = ARENA_ARRAY(plot->arena, struct points_wanted, MOST + 1);
    for (int h = 1; h <= MOST && plot->figure->rows; h++) {
        struct column *column = ARENA_NEW(plot->arena, struct column);
        *column = plot->figure->left;
        column->of.number[DIMENSION_HEAD] = h;
        if (!count_layers(plot, column, plot->figure->row[0], &n)) break;
        (*wanted)[heads++] = (struct points_wanted){plot->figure->row[0], column,
                                                    arena_print(plot->arena, "Head %d", h)};
    }
    return heads;
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct column *column = &figure->left;
    const bool views = figure->kind->views; /* else lines are heads */
    const char *which = figure_words(column).layers;
    const char *label = points_label(plot, which ? which : "Layer", points_label_of(plot, column));
    struct points_wanted *wanted;
    const int count = wanted_of(plot, &wanted);
    int *layers = ARENA_ARRAY(plot->arena, int, count + 1), most = 0;
    int64_t n = 0;
    bool ends = false;
    plot->axis = "layer";
    if (views) plot->checked = at_layer(column, 1, plot->arena);
    for (int i = 0; i < count; i++) {
        struct column at;
        layers[i] = count_layers(plot, wanted[i].column, wanted[i].row, &n);
        if (layers[i] > most) most = layers[i];
        ends |= layers[i] && find_end(plot, wanted[i].column, wanted[i].row, &at);
    }
    for (int i = 0; i < count; i++)
        if (!layers[i] || !put_line(plot, &wanted[i], views ? layers[i] : most, most))
            points_lack(plot, wanted[i].name, wanted[i].row, wanted[i].column);
    if (!plot->lines && !views && figure->rows)
        points_lack(plot, points_row_name(plot, *figure->row), *figure->row, column);
    if (!plot->lines) return;
    note_points(plot, label, n);
    put_places(plot, ends, most);
    if (column->part) points_note_counted(plot);
    if (column->part) points_note_against(plot);
    if (views) points_before(plot);
    points_note_balance(plot);
}

const struct figure_kind figure_layers = {
    .name = "layers",
    .template_name = "lines",
    .help = "measure by layer, a line for each row (Xu et al. 2019, figure 3), or for each task of "
            "a row",
    .left = "gates.gate",
    .keys = FIGURE_LIMITS,
    .several = true,
    .views = true,
    .check = check,
    .fill = fill,
};
const struct figure_kind figure_heads = {
    .name = "heads",
    .template_name = "lines",
    .help = "measure by layer, a line for each head of one row (Yang et al. 2018, figure 2)",
    .left = "localness.window",
    .keys = FIGURE_LIMITS,
    .check = check,
    .fill = fill,
};
