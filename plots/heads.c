/* A measure by layer, a line for each head of one row (Yang et al. 2018, figure 2). */
#include <math.h>

#include "plots/figure_kind.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"

enum { HEADS_MOST = 64 };

static struct column read(const struct tree *item, struct arena *arena)
{
    const struct column column = figure_read_by(item, DIMENSION_LAYER, arena);
    if (column.measure && !(column.measure->dimensions & 1u << DIMENSION_HEAD))
        die_at(item->place, "figures: \"%s\" has no values by head", column.name);
    if (dimensions_have(&column.of, DIMENSION_HEAD))
        die_at(item->place, "figures: head: every head is drawn; leave it out");
    return column;
}

static void check(const struct figure *figure, const struct summary_grid *grid, struct place place,
                  struct arena *arena)
{
    (void)arena;
    if (figure->rows > 1)
        die_at(place,
               "figures: heads of %d rows are too many lines; expected one row, as rows: [\"%s\"]",
               figure->rows, grid->row[figure->row[0]].name);
}

/* The line of a head; false: it has no value. */
static bool put_line(struct canvas *canvas, struct value_reader *reader, struct figure_side *side,
                     const struct column *column, int row, int layers, bool first)
{
    struct arena *arena = canvas->arena;
    const char *head = arena_print(arena, "Head %d", column->of.number[DIMENSION_HEAD]);
    struct value_of_row *value = ARENA_ARRAY(arena, struct value_of_row, layers);
    struct column *at = ARENA_ARRAY(arena, struct column, layers);
    bool any = false;
    for (int l = 0; l < layers; l++) {
        at[l] = figure_at_layer(column, l + 1, arena);
        value[l] = figure_value(side, reader, &at[l], row);
        any |= isfinite(value[l].mean);
    }
    if (!any) return false;
    if (!first) canvas_next_series(canvas);
    for (int l = 0; l < layers; l++)
        figure_put_point(
            canvas, side, reader, &at[l], row,
            &(struct figure_place){"layer", arena_print(arena, "%d", l + 1), l + 1, head},
            &value[l]);
    return true;
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    struct column column = figure->left;
    const struct measure *measure = column.measure;
    const char *label = figure_label(figure->y, figure_label_of(&column, figure, reader)),
               *layer = measure && measure->layers ? measure->layers : "Layer", *name[HEADS_MOST];
    const int row = figure->rows ? figure->row[0] : -1;
    struct figure_side side = {0};
    bool drawn = false;
    int64_t n = 0;
    int heads = 0;
    column.of.number[DIMENSION_HEAD] = 1;
    const int layers = row < 0 ? 0 : value_layers(reader, &column, row, &n);
    canvas_label(canvas, "label_x", figure_label(figure->x, layer));
    canvas_label(canvas, "label_y", label);
    for (int h = 1; h <= HEADS_MOST && layers; h++) {
        column.of.number[DIMENSION_HEAD] = h;
        if (!put_line(canvas, reader, &side, &column, row, layers, !heads)) break;
        name[heads++] = arena_print(arena, "Head %d", h);
    }
    drawn = heads > 0;
    if (drawn) {
        names_put_legend(canvas, "row", name, heads, NAMES_LETTERS);
        canvas_number(canvas, "series", heads);
        canvas_number(canvas, "drawn", heads);
        canvas_number(canvas, "untrained", 0);
        canvas_number(canvas, "layers", layers);
        canvas->template_name = "layers";
        figure_note_side(canvas, &side, "Points", label);
        if (n > 0)
            canvas_caption(canvas, "Each over n = %s positions, of \"%s\".",
                           number_count(arena, (double)n), reader->grid->row[row].name);
        figure_put_axis(canvas, &side, measure);
        figure_note_balance(canvas, measure);
        figure_note_seeds(canvas, figure, reader);
    }
    figure_note_missing(canvas, figure, reader, &drawn, &figure->left);
    return drawn;
}

const struct figure_kind figure_heads = {
    .name = "heads",
    .help = "a measure by layer, a line for each head of one row (Yang et al. 2018, figure 2)",
    .left = "localness.window",
    .read = read,
    .check = check,
    .fill = fill,
};
