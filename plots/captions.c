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
    return arena_print(plot->arena, ", n = %s %s", points_range(plot, least, most),
                       measure->counted);
}

/* Adds the captions "Points: BLEU, mean of the 5 best checkpoints; bars: ..", and the signature. */
static void note_side(struct plot *plot, const struct figure_side *side, const char *what,
                      const char *n)
{
    const char *mean = "";
    if (!side->drawn) return;
    if (side->over)
        mean = arena_print(
            plot->arena, ", mean of %s%d %s",
            side->least == side->most ? "the " : arena_print(plot->arena, "%d to ", side->least),
            side->most, side->over);
    canvas_caption(plot->canvas, "%s: %s%s%s%s%s.", what, side->label, n, mean,
                   side->bars ? "; bars: " : "", side->bars ? side->bars : "");
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
    if (words.points && plot->axis)
        plot->left.label = arena_print(plot->arena, "%s%s", words.points,
                                       dimensions_text(&plot->figure->left.of, plot->arena));
    note_side(plot, &plot->left, plot->what ? plot->what : "Points", counted(plot));
    note_side(plot, &plot->right, "Right axis", "");
    if (kind->note) canvas_caption(plot->canvas, "%s", kind->note);
    if (words.balance && kind->by != DIMENSIONS)
        canvas_caption(plot->canvas, "Dotted: %s.", words.balance);
    note_seeds(plot);
}

/* True if an axis with a line at this value has at least half of its height for the data. */
static bool leaves_room(const struct figure_side *side, double line)
{
    const double span = side->high - side->low;
    return line >= side->low - span && line <= side->high + span;
}

void points_against(struct plot *plot)
{
    const struct column *left = column_first(&plot->figure->left);
    const bool classes = plot->figure->kind->by == DIMENSION_CLASS;
    const char *against = figure_words(left).against;
    const struct measure *other = against ? offer_measure(left->kind, against) : NULL;
    double *line = ARENA_ARRAY(plot->arena, double, plot->tics.count + 1);
    bool same = classes || plot->figure->columns == 1;
    int known = 0;
    if (!other || (classes ? !(other->traits & BY_CLASS) : !left->part) ||
        column_has(&plot->figure->left, COLUMN_MARGIN))
        return;
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        double *first = &line[classes ? i % plot->tics.count : 0];
        if (!classes && point != points_last(plot, point->series)) continue;
        const double value = points_metric(plot, point, other->name).mean;
        if (!isfinite(value)) continue;
        if (known++ < (classes ? plot->tics.count : 1)) *first = value;
        same &= value == *first;
    }
    if (!known || (classes && known < plot->points)) return;
    plot->left.level = same && !classes && leaves_room(&plot->left, *line);
    plot->left.at = *line;
    const char *help = other->help ? other->help : other->name;
    if (same && classes) points_other(plot, SERIES_AGAINST, 0, other->name, other->header);
    if (!same)
        canvas_caption(plot->canvas, "%s, not drawn: the lines have different values.",
                       other->header);
    else if (classes)
        canvas_caption(plot->canvas, "Dotted: %s.", help);
    else
        canvas_caption(plot->canvas, "%s: %s, %s.",
                       plot->left.level ? "Dotted" : "Not in the frame", help,
                       number_fixed(plot->arena, *line, other->decimals));
}

void points_lack(struct plot *plot, const char *name, int row, const struct column *column)
{
    name_list_add(&plot->lacks,
                  arena_print(plot->arena, "%s (%s)", name, value_why(plot->reader, row, column)));
}
