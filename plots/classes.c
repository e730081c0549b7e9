/* A measure by class. classes: points for each row above every class (Xu et al. 2019, figure 4).
 * profile: a line for each row along classes that are sizes, such as numbers of operators (Hao et
 * al. 2019, figure 1). */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "plots/points.h"
#include "results/sheet/cell.h"
#include "results/sheet/number.h"

/* Adds the lines of all rows. Returns true if some bars are errors of one seed. */
static bool put_lines(struct plot *plot, const struct column *column)
{
    const struct places *classes = &plot->places;
    bool errors = false;
    for (int i = 0; i < plot->figure->rows; i++) {
        const int row = plot->figure->row[i];
        bool own = false;
        points_line(plot, LINE_SOLID, points_row_name(plot, row), false);
        for (int c = 0; c < classes->count; c++) {
            struct column at = *column;
            at.of.class = classes->name[c];
            const struct value_of_row value = points_value(
                plot, &plot->left, &at, row, classes->x ? classes->x[c] : c + 1, classes->name[c]);
            own |= !value.over && isfinite(value.deviation);
        }
        if (points_keep(plot))
            errors |= own;
        else
            points_lack(plot, points_row_name(plot, row), row, column);
    }
    return errors;
}

/* ---- classes ---- */

static const char unknown_words[] = "unknown_words";

/* Adds the captions "n, words: NOUN 4,132; VERB 2,011" of a row, and "14.5% of the words are
 * unknown to the train text." */
static void note_counted(struct plot *plot, const struct column *column, int row)
{
    const char *list = NULL;
    for (int c = 0; c < plot->places.count; c++) {
        struct column at = *column;
        at.of.class = plot->places.name[c];
        const int64_t n = value_counted(plot->reader, &at, row);
        if (n > 0)
            list = arena_append(plot->arena, list, "; ",
                                arena_print(plot->arena, "%s %s", at.of.class,
                                            number_count(plot->arena, (double)n)));
    }
    if (!list) return;
    canvas_caption(plot->canvas, "n, words: %s.", list);
    struct column unknown = *column;
    unknown.of = (struct dimensions){0};
    unknown.value = unknown_words;
    const double share = value_read(plot->reader, &unknown, row).mean;
    if (isfinite(share))
        canvas_caption(plot->canvas, "%s%% of the words are unknown to the train text.",
                       number_fixed(plot->arena, share, 1));
}

static void put_classes(struct plot *plot, const struct column *column, const char *label,
                        bool errors)
{
    const struct measure *measure = column->measure;
    points_note_side(plot, &plot->left, "Points", label);
    if (measure && offer_number(column->kind, "", unknown_words, plot->arena)) {
        const char *each = figure_words(column).points;
        if (each) canvas_caption(plot->canvas, "Each: %s.", each);
        note_counted(plot, column, plot->point[0].row);
    }
    if (errors)
        canvas_caption(plot->canvas, "Error bars: standard error by bootstrap over %s.",
                       measure->items ? measure->items : "items");
    points_note_balance(plot);
    points_note_seeds(plot);
    plot->seeds = NULL; /* already printed */
    points_before(plot);
    canvas_number(plot->canvas, "lineless", 1);
    canvas_number(plot->canvas, "letters", 11);
    plot->places.lies = fmax(15, 4 * plot->figure->rows);
}

/* ---- profile ---- */

/* Adds the reference line of all rows, class by class, if it is known and equal for all rows. */
static void put_against(struct plot *plot, const struct measure *other)
{
    const struct figure_side left = plot->left;
    const int lines = plot->lines, points = plot->points, classes = plot->places.count;
    bool known = true, same = true;
    for (int l = 0; l < lines && known; l++)
        known = points_other(plot, LINE_AGAINST, l, other->name, other->header) == classes;
    for (int i = points; i < plot->points; i++)
        same &= plot->point[i].mean == plot->point[points + (i - points) % classes].mean;
    plot->lines = known && same ? lines + 1 : lines;
    plot->points = known && same ? points + classes : points;
    if (!known || !same) plot->left = left;
    if (known && same)
        canvas_caption(plot->canvas, "Dotted: %s.", other->help ? other->help : other->name);
    else if (known)
        canvas_caption(plot->canvas, "%s, not drawn: rows have different ones.", other->header);
}

/* Returns the option with the classes that the rows were trained on, "0-6"; NULL: none, or rows
 * differ. */
static const char *learned_of(struct plot *plot, const struct column *column)
{
    const struct offer *offer = offer_of(column->kind);
    const struct grid *grid = plot->reader->grid;
    const char *learned = NULL, *option = figure_words(column).learned;
    if (!option || !offer || !offer->section) return NULL;
    const char *key = arena_print(plot->arena, "%s.%s", offer->section, option);
    for (int l = 0; l < plot->lines; l++) {
        const int row = plot->point[plot->line[l].first].row;
        const char *text = layout_option(grid, &grid->row[row], key, plot->arena);
        if (text && learned && strcmp(learned, text) != 0) {
            canvas_caption(plot->canvas, "Rows were trained on %s and on %s; no end is marked.",
                           learned, text);
            return NULL;
        }
        if (text) learned = text;
    }
    return learned;
}

/* Marks the end of the classes FIRST-LAST of the training, between two classes. */
static void put_mark(struct plot *plot, const char *learned)
{
    const struct places *classes = &plot->places;
    const char *dash = learned ? strrchr(learned, '-') : NULL;
    double last;
    if (!learned || !classes->numeric || !real_parse(dash ? dash + 1 : learned, &last)) return;
    for (int i = 1; i < classes->count; i++) {
        if (classes->x[i - 1] > last || classes->x[i] <= last) continue;
        canvas_caption(plot->canvas, "Dashed: where the classes %s end, which were trained.",
                       learned);
        canvas_number(plot->canvas, "mark", (classes->x[i - 1] + classes->x[i]) / 2);
        plot->also = arena_print(plot->arena, "Trained on %s", learned);
        return;
    }
}

static void put_profile(struct plot *plot, const struct column *column, const char *label)
{
    const char *other = figure_words(column).against, *learned = learned_of(plot, column);
    const struct measure *against = other ? offer_measure(column->kind, other) : NULL;
    canvas_caption(plot->canvas, "Points: %s%s.", label,
                   plot->left.most > 1 ? ", means over seeds" : "");
    points_note_intervals(plot, "Bands", "bands");
    put_mark(plot, learned);
    points_note_signature(plot, &plot->left, label);
    if (against && against->traits & 1u << DIMENSION_CLASS) put_against(plot, against);
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    struct column column = figure->left;
    const bool profile = figure->kind->bands;
    plot->checked = column;
    plot->checked.of.every = true;
    column.of.every = false;
    plot->places.count = sample_classes(plot->reader, &column, &plot->places.name);
    if (profile) points_scale(plot);
    const char *sized = profile ? figure_words(&column).sized : NULL;
    const char *label = points_label(plot, sized ? sized : "", points_label_of(plot, &column));
    plot->axis = "class";
    const bool errors = put_lines(plot, &column);
    if (plot->lines && profile) put_profile(plot, &column, label);
    if (plot->lines && !profile) put_classes(plot, &column, label, errors);
}

const struct figure_kind figure_classes = {
    .name = "classes",
    .help = "measure by class, points for each row",
    .keys = FIGURE_LIMITS,
    .by = DIMENSION_CLASS,
    .fill = fill,
};
const struct figure_kind figure_profile = {
    .name = "profile",
    .template_name = "lines",
    .help = "measure along classes that are sizes, a line and a band for each row (Hao et al. "
            "2019, figure 1)",
    .keys = FIGURE_LIMITS,
    .intervals = true,
    .bands = true,
    .by = DIMENSION_CLASS,
    .fill = fill,
};
