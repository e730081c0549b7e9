/* Writes the captions of a figure, and the labels of its axes. */
#include <math.h>
#include <string.h>

#include "plots/figure_points.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"

const char *points_label_of(const struct plot *plot, const struct column *column)
{
    const struct offer *offer = column->kind ? offer_of(column->kind) : NULL;
    const struct measure *measure = column_offered(column);
    const struct column *margin = column_has(column, COLUMN_MARGIN);
    const struct figure_words words = figure_words(column);
    const char *text = column->header, **split;
    int splits = 0;
    if (words.axis) {
        text = margin ? arena_print(plot->arena, "%s − %s%s", measure->header, margin->word,
                                    words.high == 100 ? " (points)" : "")
                      : arena_print(plot->arena, "%s%s", words.axis,
                                    dimensions_text(&column->of, plot->arena));
        if (column_has(column, COLUMN_GROUP) && plot->figure->columns <= 1)
            text = arena_print(plot->arena, "%s: %s", column->header, text);
        else if (column->part && plot->figure->columns <= 1)
            text = arena_print(plot->arena, "%s: %s", column->label ? column->label : column->part,
                               text);
    }
    if (offer && offer->caption && strstr(offer->caption, "{split}"))
        splits = figure_options(plot->reader->grid, plot->figure->row, plot->figure->rows,
                                arena_print(plot->arena, "%s.split", offer->section), &split,
                                plot->arena);
    if (!splits) return text;
    return arena_print(plot->arena, "%s on %s", text,
                       arena_join(plot->arena, split, splits, " and "));
}

void points_note_side(struct plot *plot, const struct figure_side *side, const char *what,
                      const char *label)
{
    if (!side->drawn) return;
    if (!side->over)
        canvas_caption(plot->canvas, "%s: %s.", what, label);
    else
        canvas_caption(
            plot->canvas, "%s: %s, mean of %s%d %s, with their sample standard deviation.", what,
            label,
            side->least == side->most ? "the " : arena_print(plot->arena, "%d to ", side->least),
            side->most, side->over);
    points_note_signature(plot, side, label);
}

void points_note_signature(struct plot *plot, const struct figure_side *side, const char *label)
{
    if (side->mixed)
        canvas_caption(plot->canvas,
                       "%s: the rows have different signatures and cannot be compared.", label);
    else if (side->signature)
        canvas_caption(plot->canvas, "%s: %s", label, side->signature);
}

void points_note_intervals(struct plot *plot, const char *what, const char *lower)
{
    bool any = false;
    for (int i = 0; i < plot->points; i++) any |= isfinite(plot->point[i].low);
    if (any)
        canvas_caption(plot->canvas,
                       "%s: 95%% t interval of the mean over seeds, where there are %d or more.",
                       what, VALUE_INTERVAL);
    else if (plot->left.most > 1)
        canvas_caption(plot->canvas, "No %s: an interval of the mean needs %d seeds.", lower,
                       VALUE_INTERVAL);
}

void points_note_balance(struct plot *plot)
{
    const struct figure_words words = figure_words(&plot->figure->left);
    if (words.balance) canvas_caption(plot->canvas, "Dotted: %s.", words.balance);
}

const char *points_range(const struct plot *plot, double least, double most)
{
    const char *to = number_count(plot->arena, most);
    return least < most ? arena_print(plot->arena, "%s to %s", number_count(plot->arena, least), to)
                        : to;
}

/* Adds the caption "n = 60 items a point." for the drawn series, if the numbers are known. */
static void note_counted(struct plot *plot)
{
    int64_t least = 0, most = 0;
    const struct measure *measure = column_offered(&plot->figure->left);
    for (int l = 0; l < plot->series_count; l++) {
        const struct point *last = points_last(plot, l);
        struct column whole = *last->column;
        whole.of = (struct dimensions){0};
        const int64_t n = value_counted(plot->reader, &whole, last->row);
        if (n <= 0) continue;
        least = !least || n < least ? n : least;
        most = n > most ? n : most;
    }
    if (most && measure && measure->counted)
        canvas_caption(plot->canvas, "n = %s %s a point.",
                       points_range(plot, (double)least, (double)most), measure->counted);
}

/* True if an axis with a line at this value has at least half of its height for the data. */
static bool leaves_room(const struct figure_side *side, double line)
{
    const double span = side->high - side->low;
    return line >= side->low - span && line <= side->high + span;
}

/* Draws the reference values by class as a line if they are equal for all rows. Otherwise adds only
 * a caption. Adds nothing if a point has no reference value. */
static void note_by_class(struct plot *plot, const struct measure *other, const char *what)
{
    const int classes = plot->tics.count;
    double *first = ARENA_ARRAY(plot->arena, double, classes);
    bool same = true;
    for (int i = 0; i < plot->points; i++) {
        const double mean = points_metric(plot, &plot->point[i], other->name).mean;
        if (!isfinite(mean)) return;
        if (i < classes) first[i] = mean;
        same &= mean == first[i % classes];
    }
    if (same) {
        points_other(plot, SERIES_AGAINST, 0, other->name, other->header);
        canvas_caption(plot->canvas, "Dotted: %s.", what);
    } else {
        canvas_caption(plot->canvas, "%s, not drawn: the rows have different values.",
                       other->header);
    }
}

/* Adds a dotted line or only a caption for the reference values of all series. A dotted line needs
 * one column, equal values and enough room (leaves_room). */
static void note_level(struct plot *plot, const struct measure *other, const char *what)
{
    const bool one = plot->figure->columns == 1;
    const char *text = NULL, *last = NULL;
    double line = (double)NAN;
    bool same = true;
    for (int l = 0; l < plot->series_count; l++) {
        const struct point *at = points_last(plot, l);
        const double mean = points_metric(plot, at, other->name).mean;
        if (!isfinite(mean)) continue;
        same &= !isfinite(line) || mean == line;
        line = mean;
        last = number_fixed(plot->arena, mean, other->decimals);
        text = arena_append(plot->arena, text, ", ",
                            arena_print(plot->arena, "%s %s", plot->series[l].name, last));
    }
    if (!text) return;
    plot->left.level = one && same && leaves_room(&plot->left, line);
    plot->left.at = line;
    if (plot->left.level)
        canvas_caption(plot->canvas, "Dotted: %s, %s.", what, last);
    else if (one && same)
        canvas_caption(plot->canvas, "Not in the frame: %s, %s.", what, last);
    else
        canvas_caption(plot->canvas, "%s, not drawn: %s.", other->header, text);
}

void points_note_against(struct plot *plot)
{
    const struct column *left = column_first(&plot->figure->left);
    const bool classes = plot->figure->kind->by == DIMENSION_CLASS,
               margin = column_has(&plot->figure->left, COLUMN_MARGIN);
    const char *against = figure_words(left).against;
    const struct measure *other = against ? offer_measure(left->kind, against) : NULL;
    if (!classes && left->part) note_counted(plot);
    if (!other || (classes ? !(other->traits & BY_CLASS) : !left->part || margin)) return;
    (classes ? note_by_class : note_level)(plot, other, other->help ? other->help : other->name);
}

void points_note_seeds(struct plot *plot)
{
    const char *list = NULL;
    int most = 0;
    for (int i = 0; i < plot->figure->rows && plot->seeds; i++) {
        const struct grid_row *row = &plot->reader->grid->row[plot->figure->row[i]];
        if (row->count <= most) continue;
        most = row->count;
        list = NULL;
        for (int s = 0; s < most; s++)
            list = arena_append(plot->arena, list, ", ",
                                arena_print(plot->arena, "%lld", (long long)row->seed[s].seed));
    }
    if (most == 1) canvas_caption(plot->canvas, "One seed (%s).", list);
    if (most > 1) canvas_caption(plot->canvas, "%s the seeds %s.", plot->seeds, list);
    plot->seeds = NULL;
}

void points_lack(struct plot *plot, const char *name, int row, const struct column *column)
{
    name_list_add(&plot->lacks,
                  arena_print(plot->arena, "%s (%s)", name, value_why(plot->reader, row, column)));
}
