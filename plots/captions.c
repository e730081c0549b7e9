/* Writes the captions of a figure, and the labels of its axes. */
#include <math.h>
#include <string.h>

#include "plots/figure_points.h"
#include "results/sheet/number_format.h"

const char *points_label_of(const struct plot *plot, const struct column *column)
{
    const struct offer *offer = column->kind ? offer_of(column->kind) : NULL;
    const struct column *margin = column_has(column, COLUMN_MARGIN);
    const struct figure_words words = figure_words(column);
    const char *text = column->header, **split;
    const bool one = plot->figure->columns <= 1;
    int splits = 0;
    if (words.axis) {
        text = margin ? arena_print(plot->arena, "%s − %s%s", column_offered(column)->header,
                                    margin->word, words.high == 100 ? " (points)" : "")
                      : arena_print(plot->arena, "%s%s", words.axis,
                                    dimensions_text(&column->of, plot->arena));
        const char *of = column_has(column, COLUMN_GROUP) ? column->header
                         : column->label                  ? column->label
                                                          : column->part;
        if (of && one) text = arena_print(plot->arena, "%s: %s", of, text);
    }
    if (offer && offer->caption && strstr(offer->caption, "{split}"))
        splits = figure_options(plot->reader->grid, plot->figure->row, plot->figure->rows,
                                arena_print(plot->arena, "%s.split", offer->section), &split,
                                plot->arena);
    if (!splits) return text;
    return arena_print(plot->arena, "%s on %s", text,
                       arena_join(plot->arena, split, splits, " and "));
}

const char *points_range(const struct plot *plot, double least, double most)
{
    const char *to = number_count(plot->arena, most);
    return least < most ? arena_print(plot->arena, "%s to %s", number_count(plot->arena, least), to)
                        : to;
}

/* Returns ", n = 40 to 60 words", the numbers of items of the points; "" if they are not known. */
static const char *counted(const struct plot *plot)
{
    const struct measure *measure = column_offered(&plot->figure->left);
    double least = INFINITY, most = 0;
    for (int i = 0; i < plot->points && measure && measure->counted; i++) {
        const struct point *point = &plot->point[i];
        if (point->series < 0 || !point->column || !isfinite(point->mean)) continue;
        const int64_t n = value_counted(plot->reader, point->column, point->row);
        if (n > 0) least = fmin(least, (double)n);
        most = fmax(most, (double)n);
    }
    if (!(most > 0)) return "";
    const bool classes = plot->figure->kind->by == DIMENSION_CLASS;
    return arena_print(plot->arena, ", n = %s %s%s", points_range(plot, least, most),
                       classes ? "by class" : measure->counted,
                       plot->figure->kind->traits & FIGURE_VIEWS ? " per layer" : "");
}

/* Adds the captions "Points: BLEU, mean of the 5 best checkpoints; bars: ..", and the signature. */
static void note_side(struct plot *plot, const struct figure_side *side, const char *what,
                      const char *label, const char *n)
{
    const char *mean = "";
    if (!side->drawn) return;
    if (side->over)
        mean = arena_print(
            plot->arena, ", mean of %s%d %s",
            side->least == side->most ? "the " : arena_print(plot->arena, "%d to ", side->least),
            side->most, side->over);
    const char *bars = strcmp(what, "Bars") ? "; bars: " : "; error bars: ";
    canvas_caption(plot->canvas, "%s: %s%s%s%s%s.", what, label, n, mean, side->bars ? bars : "",
                   side->bars ? side->bars : "");
    if (side->mixed)
        canvas_caption(plot->canvas,
                       "%s: the rows have different signatures and cannot be compared.",
                       side->label);
    else if (side->signature)
        canvas_caption(plot->canvas, "%s: %s", side->label, side->signature);
}

static void note_seeds(struct plot *plot)
{
    const char *list = NULL;
    int most = 0;
    for (int i = 0; i < plot->figure->rows; i++) {
        const struct grid_row *row = &plot->reader->grid->row[plot->figure->row[i]];
        if (row->count <= most) continue;
        most = row->count;
        list = NULL;
        for (int s = 0; s < most; s++)
            list = arena_append(plot->arena, list, ", ",
                                arena_print(plot->arena, "%lld", (long long)row->seed[s].seed));
    }
    if (most) canvas_caption(plot->canvas, most == 1 ? "One seed (%s)." : "Seeds: %s.", list);
}

void points_note(struct plot *plot)
{
    const struct figure_kind *kind = plot->figure->kind;
    const struct figure_words words = figure_words(&plot->figure->left);
    const char *label = plot->left.label,
               *of = dimensions_text(&plot->figure->left.of, plot->arena);
    if (words.points && plot->axis && (kind->traits & FIGURE_VIEWS || kind->by != DIMENSION_LAYER))
        label = arena_print(plot->arena, "%s%s%s", words.points, *of ? "," : "", of);
    note_side(plot, &plot->left, plot->what ? plot->what : "Points", label, counted(plot));
    note_side(plot, &plot->right, "Right axis", plot->right.label, "");
    if (kind->note) canvas_caption(plot->canvas, "%s", kind->note);
    if (words.balance && kind->by != DIMENSIONS)
        canvas_caption(plot->canvas, "Dotted: %s.", words.balance);
    note_seeds(plot);
}

void points_lack(struct plot *plot, const char *name, int row, const struct column *column)
{
    name_list_add(&plot->lacks,
                  arena_print(plot->arena, "%s (%s)", name, value_why(plot->reader, row, column)));
}
