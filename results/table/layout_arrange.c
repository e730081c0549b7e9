/* Arranges the rows of a grid as lines of a table: a pivot over the axes of `by`. The coordinate of
 * a point on ACROSS selects its cell in a line. With two axes, the coordinate on DOWN is the label
 * of the line, and points that agree on all other axes are a section. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/config/scalar.h"
#include "core/config/shipped.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "experiments/grid/axis.h"
#include "results/table/layout_part.h"
#include "results/table/tuned.h"

/* The axes of a list `by`. A single axis is ACROSS. Sections have the coordinates on all axes
 * except DOWN and ACROSS, so APART only has to exist. */
enum axis { DOWN, ACROSS, APART, AXES };

/* The value of `by`. */
struct by {
    const struct tree *axis[AXES]; /* NULL: none */
    const char *key[AXES];
    const struct tree *headings; /* map from coordinates to headings; NULL: none */
};

/* A row at one of its points. */
struct placed {
    const struct grid_row *row;
    int index, place;
    const char *at[AXES]; /* coordinates on the axes of `by`; NULL: none */
};

/* A line in progress. */
struct made {
    int64_t rank; /* sort key of the lines */
    struct layout_line line;
    const char *heading; /* heading of its section; NULL: the line has no coordinate on DOWN, and is
                            above the others */
    int down;            /* index of its coordinate on DOWN; -1: none */
};

/* ---- the axes, and the coordinates of points ---- */

static struct by read_by(const struct tree *by, const struct grid *grid, struct arena *arena)
{
    static const char *const keys[] = {"option", "headings", NULL};
    struct by read = {.headings = tree_get(by, "headings")};
    const struct tree *axes = by && by->kind == TREE_MAP ? tree_get(by, "option") : by;
    if (!by) return read;
    if (by->kind == TREE_MAP) tree_only_keys(by, "by", keys);
    const int count = axes && axes->kind == TREE_LIST ? axes->count : 1;
    if (!axes || !count || count > AXES)
        die_at(by->location, "by: expected an axis, two, [DOWN, ACROSS], or three, [DOWN, ACROSS, "
                             "SECTIONS]; with headings {option: corpus, headings: {..}}");
    if (read.headings && read.headings->kind != TREE_MAP)
        die_at(read.headings->location, "headings: expected a map from values to headings");
    for (int i = 0; i < count; i++) {
        const struct tree *axis = axes->kind == TREE_LIST ? axes->item[i] : axes;
        const char *key = axis_meant(grid, scalar_text(axis, "by"), arena);
        layout_check_option(axis->location, "by", key, false, grid, arena);
        tuned_check_axis(axis->location, grid, key);
        for (int k = 0; k < AXES; k++)
            if (word_same(read.key[k], key))
                die_at(axis->location, "by: expected different axes, not twice %s", key);
        read.axis[count > 1 ? i : ACROSS] = axis;
        read.key[count > 1 ? i : ACROSS] = key;
    }
    return read;
}

/* True if the sweep of a row has the axis. */
static bool is_swept(const struct grid *grid, const char *key)
{
    int i = 0;
    while (i < grid->rows && !grid_row_coordinate(&grid->row[i], 0, key)) i++;
    return i < grid->rows;
}

/* Returns the coordinate of a row on an axis; NULL: none. With two axes, a row outside of the sweep
 * has no coordinate on a swept axis, unless its entry sets this option. */
static const char *axis_value(const struct placed *at, const char *key, const struct by *by,
                              const struct grid *grid, struct arena *arena)
{
    if (!key || !layout_row_runs(at->row)) return NULL;
    const struct grid_coordinate *coordinate = grid_row_coordinate(at->row, at->place, key);
    if (coordinate) return coordinate->value;
    const bool written = at->row->entry && tree_find(at->row->entry, key);
    if (by->key[DOWN] && !written && is_swept(grid, key)) return NULL;
    return layout_option(grid, at->row, key, arena);
}

/* Lists all points of all rows; without `by` only one per row. Returns their number. */
static int list_places(const struct grid *grid, const struct by *by, struct placed **placed,
                       struct arena *arena)
{
    int count = 0;
    *placed = NULL;
    for (int i = 0; i < grid->rows; i++)
        for (int place = 0; place <= (by->key[ACROSS] ? grid->row[i].more : 0); place++) {
            ARENA_MORE(arena, *placed, count);
            struct placed *at = &(*placed)[count++];
            *at = (struct placed){.row = &grid->row[i], .index = i, .place = place};
            for (enum axis axis = 0; axis < AXES; axis++)
                at->at[axis] = axis_value(at, by->key[axis], by, grid, arena);
        }
    return count;
}

/* Appends the coordinates of points on an axis to `text`, in the order of the rows. Returns the
 * number of all. Exits with an error if no row has the axis. */
static int list_values(const char **text, int count, const struct by *by, enum axis axis,
                       const struct placed *placed, int places, const struct grid *grid,
                       struct arena *arena)
{
    bool some = false;
    for (int i = 0; i < places; i++) {
        const char *value = placed[i].at[axis];
        some |= value != NULL;
        if (value && layout_find_text(text, count, value) < 0) text[count++] = value;
    }
    if (by->key[axis] && !some) {
        axis_check(grid, by->axis[axis]->location, "by", by->key[axis], arena);
        die_at(by->axis[axis]->location, "by: no row has %s", by->key[axis]);
    }
    return count;
}

/* True if a heading must name the axis, as "window 3" does. The words may be coordinates on any
 * axis. */
static bool needs_name(const char *coordinate)
{
    static const char *const any[] = {"all", "none", "true", "false", NULL};
    return isdigit((unsigned char)*coordinate) || word_known(coordinate, any);
}

/* Fills the coordinates of the layout: first those with headings, then the others in the order of
 * the rows. */
static void read_coordinates(const struct by *by, struct layout *layout,
                             const struct placed *placed, int places, const struct grid *grid,
                             struct arena *arena)
{
    const int headed = by->headings ? by->headings->count : 0;
    const char **text = ARENA_ARRAY(arena, const char *, places + headed + 1),
               **heading = ARENA_ARRAY(arena, const char *, places + headed + 1);
    for (int i = 0; i < headed; i++) {
        text[i] = by->headings->key[i]->text;
        heading[i] = scalar_text(by->headings->item[i], "a heading");
        int k = 0;
        while (k < places && !word_same(placed[k].at[ACROSS], text[i])) k++;
        if (k == places)
            die_at(by->headings->key[i]->location, "by: no row has %s = \"%s\"", by->key[ACROSS],
                   text[i]);
    }
    const int count = list_values(text, headed, by, ACROSS, placed, places, grid, arena);
    for (int i = headed; i < count; i++) heading[i] = text[i];
    for (int i = 0; i < count; i++) layout->named |= needs_name(text[i]);
    layout->coordinate = text;
    layout->heading = heading;
    layout->coordinates = count ? count : 1;
}

/* ---- lines ---- */

/* Returns the name of a point's line: that of its row without its coordinate on ACROSS. If
 * `section` is true, returns the heading of its section, which also omits the coordinate on
 * DOWN. */
static const char *name_of(const struct placed *at, const struct by *by, bool section,
                           struct arena *arena)
{
    const struct grid_row *row = at->row;
    const char *label = layout_text(row->entry, "label");
    const struct grid_coordinate *without[AXES] = {NULL};
    int count = 0;
    if (!by->key[ACROSS] && !label) return row->name;
    for (enum axis axis = section ? DOWN : ACROSS; axis <= ACROSS; axis++) {
        const char *key = by->key[axis];
        const struct grid_coordinate *one = key ? grid_row_coordinate(row, at->place, key) : NULL;
        if (one) without[count++] = one;
    }
    const char *name = grid_row_rest(row, at->place,
                                     label              ? label
                                     : row->coordinates ? row->line
                                                        : row->name,
                                     without, arena);
    return name ? name : "";
}

static struct layout_line line_new(const struct layout *layout, const struct placed *at,
                                   const char *name, const char *label, struct arena *arena)
{
    const struct tree *entry = at->row->entry, *rule = tree_get(entry, "rule");
    struct layout_line line = {.name = name,
                               .own = at->row->name,
                               .label = label,
                               .entry = entry,
                               .section = layout_text(entry, "section"),
                               .rule = rule && scalar_bool(rule, "rule"),
                               .quote = tree_get(entry, "quote"),
                               .row = ARENA_ARRAY(arena, int, layout->coordinates),
                               .place = ARENA_ARRAY(arena, int, layout->coordinates),
                               .hyp = ARENA_ARRAY(arena, struct layout_file, layout->coordinates)};
    for (int i = 0; i < layout->coordinates; i++) line.row[i] = -1;
    return line;
}

static struct layout_file read_file(const struct tree *file, const char *what, struct arena *arena)
{
    const char *text = shipped_beside(arena, file->location.file, scalar_text(file, what));
    const char *path = file_named(arena, text);
    const char *problem = layout_file_problem(path, arena);
    if (problem) warn_at(file->location, "%s: %s", what, problem);
    return (struct layout_file){path, file->location};
}

static void read_hyp(const struct grid_row *row, const struct layout *layout,
                     struct layout_line *line, struct arena *arena)
{
    const struct tree *hyp = tree_get(row->entry, "hyp"), *ref = tree_get(row->entry, "ref");
    if (!hyp) return;
    if (layout->by && hyp->kind != TREE_MAP)
        die_at(hyp->location, "hyp: expected a file for each %s, {%s: FILE}", layout->by,
               layout->heading[0]);
    if (hyp->kind != TREE_MAP) line->hyp[0] = read_file(hyp, "hyp", arena);
    for (int i = 0; i < hyp->count && !layout->plain; i++)
        line->hyp[layout_read_coordinate(hyp->key[i], layout, arena)] =
            read_file(hyp->item[i], "hyp", arena);
    if (ref) line->ref = read_file(ref, "ref", arena);
}

static void put_row(const struct placed *at, const struct grid *grid, const struct layout *layout,
                    struct layout_line *line)
{
    const char *across = at->at[ACROSS];
    const bool one = across || !layout->by;
    const int first =
        across ? layout_find_text(layout->coordinate, layout->coordinates, across) : 0;
    for (int f = first; f < (one ? first + 1 : layout->coordinates); f++) {
        if (line->row[f] >= 0 && line->row[f] != at->index)
            die_at(at->row->entry ? at->row->entry->location : (struct location){"the grid", 0, 0},
                   "by: the rows \"%s\" and \"%s\" are both \"%s\" with %s = %s",
                   grid->row[line->row[f]].name, at->row->name, line->name, layout->by,
                   layout->coordinate[f]);
        line->row[f] = at->index;
        line->place[f] = at->place;
    }
    line->spans = !one;
}

/* Orders the lines. With one axis, lines without a coordinate are first, unless the grid has
 * sections. With two axes, sections are in the order of their first rows, below the lines without a
 * coordinate on DOWN. A section has a heading unless it is the whole table. */
static void order_lines(struct layout *layout, struct made *made, int downs, struct arena *arena)
{
    const char **heading = ARENA_ARRAY(arena, const char *, layout->lines);
    int above = 0, headings = 0;
    bool begun = false, sections = false;
    for (int i = 0; i < layout->lines; i++) {
        struct made *one = &made[i];
        sections |= one->line.section != NULL;
        for (int f = 0; f < layout->coordinates; f++)
            begun |= one->line.row[f] >= 0 && !one->line.spans;
        int64_t group = !layout->down && begun && !one->line.spans;
        if (one->heading) {
            int at = layout_find_text(heading, headings, one->heading);
            if (at < 0) heading[at = headings++] = one->heading;
            group = at + 1;
        }
        above += !one->heading;
        one->rank = (group * (downs + 1) + one->down + 1) * layout->lines + i;
    }
    for (int i = 0; i < layout->lines; i++)
        if (made[i].heading && (headings > 1 || above))
            made[i].line.section = arena_append(arena, made[i].line.section, ", ", made[i].heading);
    if (layout->by && (layout->down || !sections))
        qsort(made, (size_t)layout->lines, sizeof *made, compare_int64s);
    for (int i = 0; i < layout->lines; i++) layout->line[i] = made[i].line;
    if (layout->down && above && above < layout->lines) layout->line[above].rule = true;
}

/* Keeps the heading of a section only at its first line, and the rule of an entry only at the first
 * line of the entry. */
static void say_once(struct layout *layout)
{
    const char *section = NULL;
    for (int i = 0; i < layout->lines; i++) {
        struct layout_line *line = &layout->line[i];
        if (i && line->entry && line->entry == line[-1].entry) line->rule = false;
        if (!line->section) continue;
        if (section && !strcmp(line->section, section))
            line->section = NULL;
        else
            section = line->section;
    }
}

void layout_arrange(const struct tree *tree, const struct grid *grid, struct layout *layout,
                    struct arena *arena)
{
    struct placed *placed;
    const struct by by = read_by(tree, grid, arena);
    const int places = list_places(grid, &by, &placed, arena);
    const char **down = ARENA_ARRAY(arena, const char *, places + 1);
    const int downs = list_values(down, 0, &by, DOWN, placed, places, grid, arena);
    list_values(ARENA_ARRAY(arena, const char *, places + 1), 0, &by, APART, placed, places, grid,
                arena);
    read_coordinates(&by, layout, placed, places, grid, arena);
    layout->by = by.key[ACROSS];
    layout->down = by.key[DOWN];
    struct made *made = ARENA_ARRAY(arena, struct made, places);
    layout->line = ARENA_ARRAY(arena, struct layout_line, places);
    layout->lines = 0;
    for (const struct placed *at = placed; at < placed + places; at++) {
        const char *label = name_of(at, &by, false, arena),
                   *name = layout->by ? label : at->row->name, *value = at->at[DOWN];
        int i = layout->by ? layout->lines - 1 : -1; /* rows of a line are mostly adjacent */
        while (i >= 0 && strcmp(made[i].line.name, name) != 0) i--;
        if (i < 0)
            made[i = layout->lines++] = (struct made){
                .line = line_new(layout, at, name, value ? value : label, arena),
                .heading = value ? name_of(at, &by, true, arena) : NULL,
                .down = value ? layout_find_text(down, downs, value) : -1,
            };
        else if (!word_same(made[i].line.own, at->row->name))
            made[i].line.own = NULL;
        read_hyp(at->row, layout, &made[i].line, arena);
        if (layout_row_runs(at->row)) put_row(at, grid, layout, &made[i].line);
    }
    order_lines(layout, made, downs, arena);
    say_once(layout);
}
