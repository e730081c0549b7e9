/* Reads and draws figures. The keys of a figure are read like a section of options. The kind of the
 * figure determines which columns its axes accept. */
#include "plots/figures.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/number.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "plots/figure_points.h"
#include "experiments/grid/axis.h"
#include "results/table/controls.h"
#include "results/table/learned.h"

#define KIND(word, ...) {.name = #word, __VA_ARGS__},
static const struct figure_kind kinds[] = {
#include "plots/kinds.def"
};
#undef KIND
#define KIND(word, ...) "|" #word
static const char kind_words[] =
#include "plots/kinds.def"
    ;

static const struct option_custom column_custom = {"column or map", option_keep, NULL, NULL};

#define FIELD(member) offsetof(struct figure, member)
static const struct option options[] = {
    OPTION_CHOICE("kind", FIELD(number), NULL, &kind_words[1], OPTION_NO_ID, "kind of figure"),
    OPTION_TEXT("title", FIELD(title), "", OPTION_NO_ID,
                "title of the figure; default: the grid's title"),
    OPTION_TEXT(
        "axis", FIELD(axis), "", OPTION_NO_ID,
        "axis of the sweep on the horizontal axis (kinds lines, trajectory and heat), or layer, "
        "class (also for lines: share)"),
    OPTION_TEXT("down", FIELD(down), FIGURE_ROW, OPTION_NO_ID,
                "vertical axis of a heat map: an axis of the sweep, layer, class or row"),
    OPTION_TEXT("frame", FIELD(frame), "", OPTION_NO_ID,
                "a frame for each value of this axis of the sweep"),
    OPTION_TEXTS("x", FIELD(given_x), "[]", OPTION_NO_ID,
                 "label of the horizontal axis; log: logarithmic; or both, [log, LABEL]"),
    OPTION_TEXTS("y", FIELD(given_y), "[]", OPTION_NO_ID,
                 "label of the left axis; log: logarithmic; or both, [log, LABEL]"),
    OPTION_TEXT("y2", FIELD(y2), "", OPTION_NO_ID, "label of the right axis"),
    OPTION_REAL("from", FIELD(from), "0", 0, 0, OPTION_NO_ID,
                "lower end of the left axis, or of the scale of a heat map"),
    OPTION_REAL("to", FIELD(to), "0", 0, 0, OPTION_NO_ID,
                "upper end; from = to: fitted to the values"),
    OPTION_REAL("dotted", FIELD(dotted), "0", 0, 0, OPTION_NO_ID,
                "value of a dotted horizontal line between from and to, such as 50 of 0 to 100"),
    OPTION_CUSTOM("left", FIELD(given_left), NULL, &column_custom, OPTION_NO_ID,
                  "column of the table on the left axis, or metric of a curve"),
    OPTION_CUSTOM("right", FIELD(given_right), NULL, &column_custom, OPTION_NO_ID,
                  "column or metric on the right axis; none: nothing"),
    OPTION_TEXT(
        "baseline", FIELD(given_baseline), "", OPTION_NO_ID,
        "row that others are compared with (kind ngrams); default: the table's, or the first"),
    OPTION_INT("points", FIELD(points), "200", 1, 10000, OPTION_NO_ID,
               "number of random points of each row in each layer (kind scatter)"),
    OPTION_INT("seed", FIELD(seed), "1", 0, INT32_MAX, OPTION_NO_ID,
               "random seed of the points (kind scatter)"),
    OPTION_INT("sentence", FIELD(sentence), "0", 0, INT32_MAX, OPTION_NO_ID,
               "number of the sentence in the split (kind map); 0: the first of evaluate.maps"),
    OPTION_TEXTS("rows", FIELD(given_rows), "[]", OPTION_NO_ID,
                 "names of rows; empty: all that have a run"),
};
static const struct section section = {"figures", "one map per figure", options, COUNT_OF(options),
                                       sizeof(struct figure)};

/* True if a grid sets an axis to "none". */
static bool is_none(const struct tree *value)
{
    return value && value->kind == TREE_SCALAR && !strcmp(value->text, "none");
}

static struct column read_column(const struct tree *item, const struct figure_kind *kind,
                                 struct arena *arena)
{
    const struct figure_column *of = kind->known;
    if (!of->name) return figure_read_column(item, kind->by, arena);
    const char *name[FIGURE_KNOWN + 1],
        *text = scalar_text(item, "the column of a figure"),
        *what = arena_print(arena, "a %s figure has no column", kind->name);
    for (int i = 0; (name[i] = of[i].name); i++)
        if (!strcmp(of[i].name, text))
            return (struct column){.name = of[i].name,
                                   .header = of[i].header,
                                   .kind = of[i].kind,
                                   .value = of[i].value,
                                   .item = item};
    word_refuse(item->location, "figures", what, text, name);
}

/* Reads the rows of a figure. list: the value of the key `rows`; NULL: all rows with a run */
static void read_rows(struct figure *figure, const struct tree *list, const struct grid *grid,
                      struct arena *arena)
{
    struct texts *given = &figure->given_rows;
    if (list && list->kind == TREE_LIST) {
        list = grid_names_join(grid, list, arena);
        *given = scalar_texts(list, "figures.rows", arena);
    }
    int *row = ARENA_ARRAY(arena, int, (given->count + 1) * grid->rows);
    for (int i = 0; i < given->count; i++) {
        int before = figure->rows;
        for (int r = 0; r < grid->rows; r++)
            if (grid_row_meant(&grid->row[r], given->text[i])) row[figure->rows++] = r;
        if (figure->rows == before) grid_name_require(grid, "figures.rows", list, i, arena);
    }
    for (int r = 0; r < grid->rows && !given->count; r++)
        if (grid->row[r].options) row[figure->rows++] = r;
    figure->row = row;
}

/* Exits with an error unless the key names an axis of the sweep, and at least one row of the figure
 * is on this axis. */
static void check_axis(const struct figure *figure, const struct tree *map, const char *key,
                       const char *axis, const struct grid *grid, struct arena *arena)
{
    const struct tree *given = tree_get(map, key);
    const char *const *known = axis_keys(grid, arena);
    bool drawn = false;
    if (!*known)
        die_at(given ? given->location : map->location,
               "figures.%s: expected an axis of a sweep; the grid has none", key);
    if (!given)
        die_at(map->location,
               "figures: a %s figure needs the axis that it is drawn against, as %s: %s",
               figure->kind->name, key, known[0]);
    if (!word_known(axis, known))
        word_refuse(given->location, arena_print(arena, "figures.%s", key), "there is no axis",
                    axis, known);
    for (int i = 0; i < figure->rows; i++)
        drawn |= grid_row_coordinate(&grid->row[figure->row[i]], 0, axis) != NULL;
    if (!drawn && !grid->words.varied)
        die_at(given->location, "figures.%s: none of the figure's rows is on the axis \"%s\"", key,
               axis);
}

/* Reads the frames, and checks the axes that the keys frame, axis and down name. */
static void read_axes(struct figure *figure, const struct tree *map, const struct grid *grid,
                      struct arena *arena)
{
    const struct figure_kind *kind = figure->kind;
    const struct tree *frame = tree_get(map, "frame");
    if (frame) {
        check_axis(figure, map, "frame", figure->frame, grid, arena);
        if (!strcmp(figure->frame, figure->axis) || !strcmp(figure->frame, figure->down))
            die_at(frame->location,
                   "figures.frame: \"%s\" is also an axis of the figure; expected another",
                   figure->frame);
        figure->at_frame = frame->location;
        frames_read(figure, grid, arena);
    }
    if (kind->traits & FIGURE_AXIS ||
        (kind->traits & FIGURE_CELLS && !figure_dimension(figure->axis)))
        check_axis(figure, map, "axis", figure->axis, grid, arena);
    if (kind->traits & FIGURE_CELLS && !figure_dimension(figure->down) &&
        strcmp(figure->down, FIGURE_ROW) != 0)
        check_axis(figure, map, "down", figure->down, grid, arena);
    for (int i = 0; i < figure->rows && figure->log_x && (kind->traits & FIGURE_AXIS); i++) {
        const struct grid_coordinate *on =
            grid_row_coordinate(&grid->row[figure->row[i]], 0, figure->axis);
        double value;
        if (on && (!axis_number(on, &value) || value <= 0))
            die_at(figure->at_x, "figures.x: log: expected numbers above 0; the axis \"%s\" has %s",
                   figure->axis, on->value);
    }
}

/* Reads the values of the keys x or y: a label and the word "log". Returns the label. */
static const char *read_label(const char *key, const struct texts *given, struct location *at,
                              bool *log)
{
    static const char *const words[] = {"log", NULL};
    const char *label = "";
    char near[WORD_NEAR];
    for (int i = 0; i < given->count; i++) {
        *log |= !strcmp(given->text[i], "log");
        if (strcmp(given->text[i], "log") != 0) label = given->text[i];
        *at = given->location[i];
    }
    const bool slip = given->count == 1 && strlen(label) <= 4 && !strncasecmp(label, "log", 3);
    if (slip || given->count > 1 + *log || given->count > 2) { /* a slip: logg, Log; not Loss */
        const int wrong = given->count > 1 && word_nearest(given->text[1], words);
        die_at(given->location[wrong], "%s: expected [log, LABEL], got \"%s\"%s", key,
               given->text[wrong], word_near(near, given->text[wrong], words));
    }
    return label;
}

/* Adds the columns for an item on the left axis. If the item is a kind with parts, adds a column
 * for each part. */
static void add_items(struct tree *items, const struct tree *item, const struct grid *grid,
                      struct arena *arena)
{
    const char *const *part = grid->words.part;
    const struct offer *offer = item->kind == TREE_SCALAR ? offer_of(item->text) : NULL;
    if (!offer || !(offer->traits & OFFER_PARTS)) {
        tree_add(arena, items, NULL, (struct tree *)item);
        return;
    }
    const size_t kind = strlen(offer->kind);
    const int before = items->count;
    for (; part && *part; part++) {
        if (strncmp(*part, offer->kind, kind) != 0 || (*part)[kind] != '.') continue;
        const char *title = arena_text_range(arena, *part, strcspn(*part, "@"));
        bool known = false;
        for (int i = before; i < items->count && !known; i++)
            known = !strcmp(items->item[i]->text, title);
        if (!known) tree_add(arena, items, NULL, tree_new_text(arena, item->location, title));
    }
    if (items->count == before)
        die_at(item->location, "figures: no row has a stage of %s; expected %s", offer->kind,
               offer->section);
}

/* Finds the group, or the part and the view, of a column. Exits with an error if the grid lacks the
 * group or part. Does not add the view to the header, because all series have the same view; a
 * caption shows it. */
static void check_part(struct column *column, const struct figure *figure, const struct grid *grid,
                       struct arena *arena)
{
    layout_find_group(column, grid->layout, arena);
    if (!column->part && !column_has(column, COLUMN_GROUP)) return;
    layout_check_column(column, grid, arena);
    const char *header = column->header;
    if (!(figure->kind->traits & FIGURE_VIEWS) && !figure_is_along(figure, DIMENSION_LAYER))
        layout_find_view(column, grid, arena);
    column->header = header;
}

/* Adds captions about tasks that a mean leaves out, and about the path of probes. */
static void note_columns(struct canvas *canvas, const struct figure *figure, struct sampler *reader)
{
    const char *label = NULL;
    for (int i = 0; i <= figure->columns; i++) {
        const struct column *column = i < figure->columns ? &figure->column[i] : &figure->right;
        const char *means = column->name ? controls_note(reader, column) : NULL;
        if (means) canvas_caption(canvas, "%s.", means);
        if (!label) label = column->label;
    }
    if (label) canvas_caption(canvas, "Where no path is named: %s.", strchr(label, '@') + 1);
}

/* Reads the column of the left axis. If the kind draws several columns, reads a list, or a kind of
 * stage. */
static void read_left(struct figure *figure, const struct tree *map, const struct grid *grid,
                      struct arena *arena)
{
    const struct figure_kind *kind = figure->kind;
    const struct tree *value = figure->given_left;
    struct tree *items = tree_new(arena, TREE_LIST, map->location);
    if (!value && kind->left) value = tree_new_text(arena, map->location, kind->left);
    if (!value || is_none(value))
        die_at(map->location, "figures: a %s figure needs left, the column or metric that it shows",
               kind->name);
    if (!(kind->traits & FIGURE_SEVERAL))
        tree_add(arena, items, NULL, (struct tree *)value);
    else if (value->kind != TREE_LIST)
        add_items(items, value, grid, arena);
    else
        for (int i = 0; i < value->count; i++) add_items(items, value->item[i], grid, arena);
    if (!items->count) die_at(value->location, "figures.left: expected at least one column");
    struct column *column = ARENA_ARRAY(arena, struct column, items->count);
    for (int i = 0; i < items->count; i++) {
        column[i] = read_column(items->item[i], kind, arena);
        check_part(&column[i], figure, grid, arena);
        if (!kind->known->name && kind->by != DIMENSIONS)
            figure_check_by(&column[i], kind->by, arena);
        if (i && (column_offered(&column[i]) != column_offered(column) ||
                  (column[i].value && column->value && strcmp(column[i].value, column->value))))
            die_at(items->item[i]->location, "figures.left: %s is not of the same kind as %s",
                   column[i].name, column->name);
    }
    figure->left = *column;
    figure->columns = items->count;
    figure->column = column;
}

/* Reads the column of the right axis. Does not use the default column if the left axis already has
 * it. */
static void read_right(struct figure *figure, const struct tree *map, const struct grid *grid,
                       struct arena *arena)
{
    const struct figure_kind *kind = figure->kind;
    const struct tree *value = figure->given_right;
    if (is_none(value) || (!value && (!kind->right || !strcmp(kind->right, figure->left.name))))
        return;
    if (!(kind->traits & FIGURE_PAIR))
        die_at(value->location, "figures: a %s figure has no right axis", kind->name);
    if (!value) value = tree_new_text(arena, map->location, kind->right);
    figure->right = read_column(value, kind, arena);
    check_part(&figure->right, figure, grid, arena);
}

static int read_baseline(const struct figure *figure, const struct tree *map,
                         const struct grid *grid, struct arena *arena)
{
    if (!*figure->given_baseline) return -1;
    for (int r = 0; r < grid->rows; r++)
        if (!strcmp(grid->row[r].name, figure->given_baseline)) return r;
    grid_name_require(grid, "figures.baseline", tree_get(map, "baseline"), 0, arena);
    return -1;
}

/* True if a kind of figure has a key, or accepts "x:log" or "y:log". */
static bool accepts(const struct figure_kind *kind, const char *key)
{
    return kind->keys && strstr(kind->keys, key);
}

/* Returns the kind that the grid names or, for lines along a dimension, the kind with this axis. An
 * axis of the grid may have the same name. */
static const struct figure_kind *find_kind(const struct figure *figure, const struct grid *grid,
                                           struct arena *arena)
{
    const struct figure_kind *named = &kinds[figure->number];
    if (named->fill != lines_fill || word_known(figure->axis, axis_keys(grid, arena))) return named;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (kinds[i].traits & FIGURE_LINES && !strcmp(kinds[i].axis, figure->axis))
            return &kinds[i];
    return named;
}

/* Exits with an error if the grid gives a key that neither the kind nor its name accepts. */
static void refuse_keys(const struct tree *map, const struct figure_kind *kind,
                        const struct figure_kind *named)
{
    static const char *const keys[] = {"points", "seed",   "axis",     "sentence", "from",
                                       "to",     "dotted", "baseline", "down",     "frame"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        const struct tree *given = tree_get(map, keys[i]);
        if (given && !accepts(kind, keys[i]) && !accepts(named, keys[i]))
            die_at(given->location, "figures: a %s figure has no %s", kind->name, keys[i]);
    }
}

/* Reads the labels and limits of the axes. Exits with an error if the kind does not allow a
 * logarithmic axis, or if limits are invalid. */
static void read_labels(struct figure *figure, const struct tree *map)
{
    const struct figure_kind *kind = figure->kind;
    figure->x = read_label("figures.x", &figure->given_x, &figure->at_x, &figure->log_x);
    figure->y = read_label("figures.y", &figure->given_y, &figure->at_y, &figure->log_y);
    if (figure->log_x && !accepts(kind, "x:log"))
        die_at(figure->at_x, "figures.x: the horizontal axis of a %s figure cannot be logarithmic",
               kind->name);
    if (figure->log_y && !accepts(kind, "y:log"))
        die_at(figure->at_y, "figures.y: the left axis of a %s figure cannot be logarithmic",
               kind->name);
    if (figure->from > figure->to || (tree_get(map, "dotted") && figure->from == figure->to))
        die_at(tree_location(map, tree_get(map, "from") ? "from" : "to"),
               "figures: expected limits of the left axis such as {from: 0, to: 100}");
    if (figure->log_y && figure->from < figure->to && figure->from <= 0)
        die_at(tree_get(map, "from") ? tree_get(map, "from")->location : figure->at_y,
               "figures.from: a logarithmic axis begins above 0");
}

static void read_one(struct figure *figure, const struct tree *map, const struct grid *grid,
                     struct arena *arena)
{
    section_read(&section, map, figure, arena);
    if (!*figure->title) figure->title = grid->title ? grid->title : grid->name;
    figure->axis = axis_meant(grid, figure->axis, arena);
    figure->down = axis_meant(grid, figure->down, arena);
    figure->frame = axis_meant(grid, figure->frame, arena);
    const struct figure_kind *kind = figure->kind = find_kind(figure, grid, arena);
    refuse_keys(map, kind, &kinds[figure->number]);
    read_labels(figure, map);
    read_left(figure, map, grid, arena);
    read_right(figure, map, grid, arena);
    read_rows(figure, tree_get(map, "rows"), grid, arena);
    figure->baseline = read_baseline(figure, map, grid, arena);
    figure->at_left = figure->given_left ? figure->given_left->location : map->location;
    read_axes(figure, map, grid, arena);
    if (figure->columns > 1 && !frames_alone(figure, grid))
        die_at(
            figure->at_left,
            "figures: %d values of %d rows are %d lines; expected one row, as rows: [\"%s\"], one "
            "value, as left: %s",
            figure->columns, figure->rows, figure->columns * figure->rows,
            grid->row[figure->row[0]].name, figure->left.name);
    if (figure->log_y && column_has(&figure->left, COLUMN_MARGIN))
        die_at(figure->at_y, "figures.y: log: \"%s\" may be below 0", figure->left.name);
    if (kind->check) kind->check(figure, grid, arena);
}

struct figure_list figure_read(const struct tree *list, const struct grid *grid,
                               struct arena *arena)
{
    if (!list) return (struct figure_list){0};
    if (list->kind != TREE_LIST)
        die_at(list->location, "figures: expected a list such as [{kind: curve}]");
    struct figure *figure = ARENA_ARRAY(arena, struct figure, list->count + 1);
    for (int i = 0; i < list->count; i++) {
        if (list->item[i]->kind != TREE_MAP)
            die_at(list->item[i]->location, "figures: expected a map such as {kind: curve}");
        read_one(&figure[i], list->item[i], grid, arena);
    }
    return (struct figure_list){list->count, figure};
}

void figure_help(FILE *out)
{
    section_help(&section, OPTION_PATHS, out);
    fputs("kinds of figures:\n", out);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        fprintf(out, "  %-9s %s; left: %s, right: %s\n", kinds[i].name, kinds[i].help,
                kinds[i].left ? kinds[i].left : "required",
                kinds[i].right ? kinds[i].right : "none");
}

/* Writes the parts that figures of all kinds have. */
static void finish(struct plot *plot)
{
    if (plot->figure->log_x) points_log_x(plot);
    if (accepts(plot->figure->kind, "dotted")) points_axis(plot);
    points_put(plot);
    if (plot->tics.count) points_tics(plot);
    points_note(plot);
}

struct figure_drawing figure_draw(struct store *store, const struct grid *grid,
                                  const struct figure *figure, enum gnuplot_format format,
                                  struct arena *arena)
{
    struct sampler reader = sampler_open(store, grid, arena);
    struct canvas *canvas = canvas_open(
        arena, figure->kind->template_name ? figure->kind->template_name : figure->kind->name);
    struct plot plot = {.canvas = canvas,
                        .figure = figure,
                        .reader = &reader,
                        .arena = arena,
                        .frames = figure->frames,
                        .frame_name = figure->frame_name,
                        .axis = figure->kind->axis ? figure->kind->axis
                                : *figure->axis    ? figure->axis
                                                   : NULL,
                        .lacks = {.arena = arena}};
    figure->kind->fill(&plot);
    if (plot.series_count) finish(&plot);
    if (!plot.series_count && plot.checked.name) sample_check_names(&reader, &plot.checked);
    points_record(&plot);
    if (plot.lacks.count) canvas_caption(canvas, "Not drawn: %s.", name_list_text(&plot.lacks));
    if (!plot.series_count) {
        canvas->template_name = "empty";
        points_label(&plot, "", "");
        canvas_text(canvas, "empty", "No values yet");
        canvas_text(canvas, NULL, figure->title);
    }
    note_columns(canvas, figure, &reader);
    bool failed;
    const char *learned = learned_caption(&reader, &failed); /* warns about seeds that have not
                                                                learned */
    if (failed) canvas_caption(canvas, "%s. What is drawn is of all seeds.", learned);
    const struct gnuplot_file *file = canvas_close(canvas, format);
    struct gnuplot_result result = {.failure = canvas->refused};
    if (!canvas->refused)
        result = gnuplot_run(&(struct gnuplot_job){CANVAS_FILES, file, format, 0, false}, arena);
    return (struct figure_drawing){.failure = result.failure,
                                   .image = result.image,
                                   .bytes = result.bytes,
                                   .captions = canvas->captions,
                                   .caption = canvas->caption,
                                   .files = CANVAS_FILES,
                                   .file = file};
}
