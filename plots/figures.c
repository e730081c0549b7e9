/* A figure is read as an option row reads a map; what its axes may show, its kind decides. */
#include "plots/figures.h"

#include <string.h>

#include "core/config/scalar.h"
#include "core/config/word.h"
#include "plots/figure_kind.h"
#include "results/sheet/escape.h"
#include "results/store/offer.h"
#include "results/table/axis.h"
#include "results/table/layout.h"
#include "results/table/learned.h"

/* The kinds in the order of help: figure_NAME is in its file, plots/NAME.gp its template. */
#define KINDS(KIND)                                                                                \
    KIND(window)                                                                                   \
    KIND(bars)                                                                                     \
    KIND(layers)                                                                                   \
    KIND(heads)                                                                                    \
    KIND(shares)                                                                                   \
    KIND(lines)                                                                                    \
    KIND(classes) KIND(profile) KIND(curve) KIND(scatter) KIND(histogram) KIND(map) KIND(ngrams)

#define DECLARE(name) extern const struct figure_kind figure_##name;
KINDS(DECLARE)
#define ADDRESS(name) &figure_##name,
static const struct figure_kind *const kinds[] = {KINDS(ADDRESS)};
#define WORD(name) "|" #name
#define KIND_WORDS (&(KINDS(WORD))[1]) /* window|bars|.. */

/* One map of the list, as the grid has it. */
struct figure_options {
    int kind;
    const char *title, *x, *y, *y2, *axis, *baseline;
    const struct tree *left, *right; /* NULL: the kind's own */
    int points, seed, sentence;
    struct texts rows;
};

static const struct option_custom column_custom = {"column or map", option_keep, NULL, NULL};

#define FIELD(member) offsetof(struct figure_options, member)
static const struct option options[] = {
    ROW_CHOICE("kind", FIELD(kind), NULL, KIND_WORDS, OPTION_NO_ID,
               "what kind of figure; required"),
    ROW_TEXT("title", FIELD(title), "", OPTION_NO_ID,
             "stands beside the figure; the grid's title when absent"),
    ROW_TEXT("axis", FIELD(axis), "", OPTION_NO_ID,
             "of lines: which axis of the sweep they are drawn against"),
    ROW_TEXT("x", FIELD(x), "", OPTION_NO_ID, "label of the horizontal axis"),
    ROW_TEXT("y", FIELD(y), "", OPTION_NO_ID, "label of the left axis"),
    ROW_TEXT("y2", FIELD(y2), "", OPTION_NO_ID, "label of the right axis"),
    ROW_CUSTOM("left", FIELD(left), NULL, &column_custom, OPTION_NO_ID,
               "what the left axis shows: a column of the table, or of a curve a metric"),
    ROW_CUSTOM("right", FIELD(right), NULL, &column_custom, OPTION_NO_ID,
               "what the right axis shows; none: nothing"),
    ROW_TEXT("baseline", FIELD(baseline), "", OPTION_NO_ID,
             "of ngrams: the row that others are compared with; absent: the table's, or the first"),
    ROW_INT("points", FIELD(points), "200", 1, 10000, OPTION_NO_ID,
            "of scatter: how many random points of each row in each layer"),
    ROW_INT("seed", FIELD(seed), "1", 0, INT32_MAX, OPTION_NO_ID, "of scatter: which points"),
    ROW_INT("sentence", FIELD(sentence), "0", 0, INT32_MAX, OPTION_NO_ID,
            "of map: its number in the split; 0: the first one of evaluate.maps"),
    ROW_TEXTS("rows", FIELD(rows), "[]", OPTION_NO_ID,
              "names of rows; all that have a run when empty"),
};
static const struct section section = {"figures", "one map per figure", options, COUNT_OF(options),
                                       sizeof(struct figure_options)};

/* Whether a grid says of an axis that it shows nothing. */
static bool is_none(const struct tree *value)
{
    return value && value->kind == TREE_SCALAR && !strcmp(value->text, "none");
}

/* What an axis shows: what the grid says, or `own`; a name of NULL: nothing. */
static struct column read_side(const struct tree *value, const char *own,
                               const struct figure_kind *kind, const struct tree *map,
                               struct arena *arena)
{
    const struct tree word = {.kind = TREE_SCALAR, .place = map->place, .text = own};
    if (is_none(value) || (!value && !own)) return (struct column){0};
    return kind->read(value ? value : &word, arena);
}

NORETURN static void refuse_row(const struct summary_grid *grid, const char *name,
                                struct place place, struct arena *arena)
{
    const char **known = ARENA_ARRAY(arena, const char *, grid->rows + 1);
    for (int r = 0; r < grid->rows; r++) known[r] = grid->row[r].name;
    word_refuse(place, "figures.rows", "there is no row", name, known);
}

static void read_rows(const struct figure_options *given, const struct summary_grid *grid,
                      struct figure *figure, struct arena *arena)
{
    int *row = ARENA_ARRAY(arena, int, (given->rows.count + 1) * grid->rows);
    for (int i = 0; i < given->rows.count; i++) {
        int before = figure->rows;
        for (int r = 0; r < grid->rows; r++)
            if (summary_row_meant(&grid->row[r], given->rows.text[i])) row[figure->rows++] = r;
        if (figure->rows == before && !grid->words.varied)
            refuse_row(grid, given->rows.text[i], given->rows.place[i], arena);
    }
    for (int r = 0; r < grid->rows && !given->rows.count; r++)
        if (grid->row[r].options) row[figure->rows++] = r;
    figure->row = row;
}

static void check_axis(const struct figure *figure, const struct tree *map,
                       const struct summary_grid *grid, struct arena *arena)
{
    const struct tree *given = tree_get(map, "axis");
    const char *const *known = axis_keys(grid, arena);
    bool drawn = false;
    if (!figure->kind->axis && !given) return;
    if (!figure->kind->axis)
        die_at(given->place, "figures: a %s figure has no axis", figure->kind->name);
    if (!*known)
        die_at(map->place,
               "figures: a %s figure is drawn against an axis of a sweep; the grid has "
               "none",
               figure->kind->name);
    if (!given)
        die_at(map->place, "figures: a %s figure needs axis: what it is drawn against, as axis: %s",
               figure->kind->name, known[0]);
    if (!word_known(figure->axis, known))
        word_refuse(given->place, "figures.axis", "there is no axis", figure->axis, known);
    for (int i = 0; i < figure->rows; i++)
        drawn |= summary_row_factor(&grid->row[figure->row[i]], 0, figure->axis) != NULL;
    if (!drawn && !grid->words.varied)
        die_at(given->place, "figures.axis: none of the figure's rows is on the axis \"%s\"",
               figure->axis);
}

/* The words of the grid that a word on the left stands for: of a kind with parts, each part. */
static void add_items(struct tree *items, const struct tree *item, const struct summary_grid *grid,
                      struct arena *arena)
{
    const char *const *part = grid->words.part;
    const struct offer *offer = item->kind == TREE_SCALAR ? offer_of(item->text) : NULL;
    if (!offer || !offer->parts) {
        tree_add(arena, items, NULL, (struct tree *)item);
        return;
    }
    const char *last = "";
    const size_t kind = strlen(offer->kind);
    const int before = items->count;
    for (; part && *part; part++) {
        if (strncmp(*part, offer->kind, kind) != 0 || (*part)[kind] != '.') continue;
        const char *title = arena_text_range(arena, *part, strcspn(*part, "@"));
        bool known = !strcmp(title, last);
        for (int i = before; i < items->count && !known; i++)
            known = !strcmp(items->item[i]->text, title);
        if (!known) tree_add(arena, items, NULL, tree_new_text(arena, item->place, title));
        last = title;
    }
    if (items->count == before)
        die_at(item->place, "figures: no row has a stage of %s; expected %s", offer->kind,
               offer->section);
}

/* Dies where the grid lacks the part of a column, or the view that the column means. A caption
 * names that view: in the names of lines it would be the same for all. */
static void check_part(struct column *column, const struct figure_kind *kind,
                       const struct summary_grid *grid, struct arena *arena)
{
    if (!column->part) return;
    layout_check_column(column, grid, arena);
    const char *header = column->header;
    if (!kind->views) layout_find_view(column, grid, arena);
    column->header = header;
}

/* "Where no path is named: encoder.output." */
static void note_view(struct canvas *canvas, const struct figure *figure)
{
    for (int i = 0; i <= figure->columns; i++) {
        const struct column *column = i < figure->columns ? &figure->column[i] : &figure->right;
        if (!column->part || !strcmp(column->label, column->part)) continue;
        canvas_caption(canvas, "Where no path is named: %s.", strchr(column->label, '@') + 1);
        return;
    }
}

/* What a kind that draws several columns of a row has on the left. */
static void read_several(const struct tree *value, struct figure *figure,
                         const struct summary_grid *grid, struct arena *arena)
{
    struct tree *items = tree_new(arena, TREE_LIST, value->place);
    if (value->kind != TREE_LIST) add_items(items, value, grid, arena);
    for (int i = 0; value->kind == TREE_LIST && i < value->count; i++)
        add_items(items, value->item[i], grid, arena);
    if (!items->count) die_at(value->place, "figures.left: expected one column at least");
    struct column *column = ARENA_ARRAY(arena, struct column, items->count);
    for (int i = 0; i < items->count; i++) {
        column[i] = figure->kind->read(items->item[i], arena);
        check_part(&column[i], figure->kind, grid, arena);
        if (column[i].kind &&
            (strcmp(column[i].kind, column->kind) || strcmp(column[i].value, column->value)))
            die_at(items->item[i]->place, "figures.left: %s is not of the same kind as %s",
                   column[i].name, column->name);
    }
    figure->left = *column;
    figure->columns = items->count;
    figure->column = column;
}

static int read_baseline(const struct figure_options *given, const struct tree *map,
                         const struct summary_grid *grid, struct arena *arena)
{
    for (int r = 0; r < grid->rows; r++)
        if (!strcmp(grid->row[r].name, given->baseline)) return r;
    if (!grid->words.varied)
        refuse_row(grid, given->baseline, tree_get(map, "baseline")->place, arena);
    return -1;
}

static void refuse_key(const struct tree *map, const char *key, const struct figure_kind *kind,
                       bool has)
{
    const struct tree *given = tree_get(map, key);
    if (given && !has) die_at(given->place, "figures: a %s figure has no %s", kind->name, key);
}

static struct figure read_one(const struct tree *map, const struct summary_grid *grid,
                              struct arena *arena)
{
    struct figure_options given;
    section_read(&section, map, &given, arena);
    const struct figure_kind *kind = kinds[given.kind];
    struct figure figure = {.kind = kind,
                            .title = escape_plain(arena, *given.title  ? given.title
                                                         : grid->title ? grid->title
                                                                       : grid->grid),
                            .x = given.x,
                            .y = given.y,
                            .y2 = given.y2,
                            .axis = axis_meant(grid, given.axis, arena),
                            .points = given.points,
                            .seed = (unsigned)given.seed,
                            .sentence = given.sentence};
    refuse_key(map, "points", kind, kind->draws);
    refuse_key(map, "seed", kind, kind->draws);
    refuse_key(map, "sentence", kind, kind->sentence);
    refuse_key(map, "baseline", kind, kind->baseline);
    if (kind->several && given.left && !is_none(given.left))
        read_several(given.left, &figure, grid, arena);
    else
        figure.left = read_side(given.left, kind->left, kind, map, arena);
    if (!figure.left.name)
        die_at(map->place, "figures: a %s figure needs left: what it shows", kind->name);
    if (given.right && !kind->pair && !is_none(given.right))
        die_at(given.right->place, "figures: a %s figure has no right axis", kind->name);
    const bool twice = kind->right && !strcmp(kind->right, figure.left.name);
    if (kind->pair)
        figure.right = read_side(given.right, twice ? NULL : kind->right, kind, map, arena);
    check_part(&figure.right, kind, grid, arena);
    if (!figure.columns) {
        check_part(&figure.left, kind, grid, arena);
        struct column *left = ARENA_NEW(arena, struct column);
        *left = figure.left;
        figure.columns = 1;
        figure.column = left;
    }
    read_rows(&given, grid, &figure, arena);
    figure.baseline = *given.baseline ? read_baseline(&given, map, grid, arena) : -1;
    if (kind->check) kind->check(&figure, grid, given.left ? given.left->place : map->place, arena);
    check_axis(&figure, map, grid, arena);
    return figure;
}

struct figure_list figure_read(const struct tree *list, const struct summary_grid *grid,
                               struct arena *arena)
{
    if (!list) return (struct figure_list){0};
    if (list->kind != TREE_LIST)
        die_at(list->place, "figures: expected a list such as [{kind: curve}]");
    struct figure *figure = ARENA_ARRAY(arena, struct figure, list->count + 1);
    for (int i = 0; i < list->count; i++) {
        if (list->item[i]->kind != TREE_MAP)
            die_at(list->item[i]->place, "figures: expected a map such as {kind: curve}");
        figure[i] = read_one(list->item[i], grid, arena);
    }
    return (struct figure_list){list->count, figure};
}

void figure_help(FILE *out)
{
    section_help(&section, OPTION_PATHS, out);
    fputs("kinds of figures:\n", out);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        fprintf(out, "  %-7s %s (left: %s, right: %s)\n", kinds[i]->name, kinds[i]->help,
                kinds[i]->left ? kinds[i]->left : "required",
                kinds[i]->right ? kinds[i]->right : "none");
}

static void fill_empty(struct canvas *canvas, const struct figure *figure)
{
    canvas_label(canvas, "label_x", figure->x);
    canvas_label(canvas, "label_y", figure->y);
    canvas_text(canvas, "name", "No values yet");
    canvas_text(canvas, NULL, figure->title);
}

/* Means over seeds of which some did not learn are never drawn silently. */
static void note_learned(struct canvas *canvas, struct sampler *sampler)
{
    bool failed;
    const char *learned = learned_caption(sampler, &failed);
    if (failed) canvas_caption(canvas, "%s. What is drawn is of all seeds.", learned);
}

struct figure_drawing figure_draw(struct store *store, const struct summary_grid *grid,
                                  const struct figure *figure, enum gnuplot_format format,
                                  struct arena *arena)
{
    struct value_reader reader = value_reader_open(store, grid, arena);
    struct canvas canvas = canvas_open(arena, figure->kind->name);
    if (!figure->kind->fill(&canvas, figure, &reader) && !canvas.refused) {
        canvas.template_name = "empty";
        fill_empty(&canvas, figure);
    }
    note_view(&canvas, figure);
    note_learned(&canvas, &reader.sampler);
    struct gnuplot_file *file = ARENA_ARRAY(arena, struct gnuplot_file, CANVAS_FILES);
    canvas_close(&canvas, format, file);
    struct gnuplot_result result = {.failure = canvas.refused};
    if (!canvas.refused)
        result = gnuplot_run(&(struct gnuplot_job){CANVAS_FILES, file, format, 0, false}, arena);
    return (struct figure_drawing){.failure = result.failure,
                                   .image = result.image,
                                   .bytes = result.bytes,
                                   .wide = canvas.width > CANVAS_WIDTH,
                                   .captions = canvas.captions,
                                   .caption = canvas.caption,
                                   .files = CANVAS_FILES,
                                   .file = file};
}
