/* Arranges the rows of a grid as lines of a table. With `by`, rows that differ only in the
 * coordinate share a line. With two axes, the coordinates on DOWN are the labels of the lines and
 * set their order. A third axis divides each section. */
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

/* The axes of a list `by`. A single axis is ACROSS. */
enum axis { DOWN, ACROSS, APART, AXES };

/* A row at one of its points. */
struct placed {
    const struct grid_row *row;
    int index, place;
    const char *at[AXES]; /* coordinates on the axes of `by`; NULL: none */
    const char *heading;  /* name of the row in the heading of its section; NULL: none */
};

/* The coordinates of rows on DOWN or APART, in the order of lines. */
struct values {
    const char **text;
    int count;
};

/* A line in progress. */
struct made {
    int64_t rank; /* sort key of the lines */
    struct layout_line line;
    const char *base;    /* name of the line's row as written */
    const char *heading; /* as in struct placed */
    const char *apart;   /* the line's coordinate on APART, as in the heading; NULL: none */
    int order[AXES];     /* indices of the line's coordinates on DOWN and APART; -1: none. Without a
                        coordinate on DOWN, the line is above the others */
};

static const char *key_of(const struct layout *layout, enum axis axis)
{
    return axis == DOWN ? layout->down : axis == ACROSS ? layout->by : layout->apart;
}

static bool is_swept(const struct grid *grid, const char *key)
{
    for (int i = 0; i < grid->rows; i++)
        if (grid_row_coordinate(&grid->row[i], 0, key)) return true;
    return false;
}

/* Returns the coordinate of a row on an axis; NULL: none. In a table with two axes, a row without a
 * sweep has a coordinate on a swept axis only if its entry sets this option. */
static const char *axis_value(const struct placed *at, const char *key, const struct layout *layout,
                              const struct grid *grid, struct arena *arena)
{
    if (!key || !layout_row_runs(at->row)) return NULL;
    const struct grid_coordinate *coordinate = grid_row_coordinate(at->row, at->place, key);
    if (coordinate) return coordinate->value;
    if (layout->down && is_swept(grid, key) && !(at->row->entry && tree_find(at->row->entry, key)))
        return NULL;
    return layout_option(grid, at->row, key, arena);
}

/* Lists all points of all rows; without `by` only one per row. Returns their number. */
static int list_places(const struct grid *grid, const struct layout *layout, struct placed **placed,
                       struct arena *arena)
{
    int count = 0;
    *placed = NULL;
    for (int i = 0; i < grid->rows; i++)
        for (int place = 0; place <= (layout->by ? grid->row[i].more : 0); place++) {
            ARENA_MORE(arena, *placed, count);
            struct placed *at = &(*placed)[count++];
            *at = (struct placed){.row = &grid->row[i], .index = i, .place = place};
            for (enum axis axis = 0; axis < AXES; axis++)
                at->at[axis] = axis_value(at, key_of(layout, axis), layout, grid, arena);
        }
    return count;
}

static bool is_letter(char sign)
{
    return isalpha((unsigned char)sign) || (unsigned char)sign >= 0x80;
}

/* True if the texts are numbers, but in neither ascending nor descending order. This happens if the
 * first rows lack some of the coordinates; list_values then sorts them. */
static bool are_mixed_numbers(const char *const *text, int count)
{
    bool rises = false, falls = false;
    for (int i = 0; i < count; i++) {
        if (!number_valid(text[i])) return false;
        const double step = i ? number_read(text[i]) - number_read(text[i - 1]) : 0;
        rises |= step > 0;
        falls |= step < 0;
    }
    return rises && falls;
}

/* Returns the scalar in `by` that names an axis. */
static const struct tree *axis_of(const struct tree *by, enum axis axis)
{
    const struct tree *axes = by->kind == TREE_MAP ? tree_get(by, "option") : by;
    return axes && axes->kind == TREE_LIST ? axes->item[axis] : axes;
}

/* Appends the coordinates of rows on an axis to `text`, which already has the `headed` coordinates
 * with headings. Returns the number of all coordinates. Exits with an error if no row has the
 * coordinate of a heading. */
static int list_values(const char **text, int headed, const struct tree *by, enum axis axis,
                       const struct layout *layout, const struct placed *placed, int places)
{
    int count = headed;
    for (int i = 0; i < places; i++) {
        const char *value = placed[i].at[axis];
        if (value && layout_find_text(text, count, value) < 0) text[count++] = value;
    }
    for (int i = 0; i < headed; i++) {
        bool some = false;
        for (int k = 0; k < places; k++) some |= word_same(placed[k].at[axis], text[i]);
        if (!some)
            die_at(by->location, "by: no row has %s = \"%s\"", key_of(layout, axis), text[i]);
    }
    if (layout->down && !headed && are_mixed_numbers(text, count))
        qsort(text, (size_t)count, sizeof *text, number_compare);
    return count;
}

/* Exits with an error if no row has one of the axes. */
static void check_axes(const struct tree *by, const struct layout *layout,
                       const struct placed *placed, int places, const struct grid *grid,
                       struct arena *arena)
{
    for (enum axis axis = 0; axis < AXES; axis++) {
        const char *key = key_of(layout, axis);
        int i = 0;
        while (i < places && !placed[i].at[axis]) i++;
        if (!key || i < places) continue;
        axis_check(grid, axis_of(by, axis)->location, "by", key, arena);
        die_at(axis_of(by, axis)->location, "by: no row has %s", key);
    }
}

/* Reads an axis of the grid, or an option. */
static const char *read_axis(const struct tree *scalar, const struct grid *grid,
                             struct arena *arena)
{
    const char *key = axis_meant(grid, scalar_text(scalar, "by"), arena);
    layout_check_option(scalar->location, "by", key, false, grid, arena);
    tuned_check_axis(scalar->location, grid, key);
    return key;
}

/* Reads layout->by and layout->down. Returns the map of headings; NULL: none. */
static const struct tree *read_by(const struct tree *by, const struct grid *grid,
                                  struct layout *layout, struct arena *arena)
{
    static const char *const keys[] = {"option", "headings", NULL};
    if (by->kind == TREE_MAP) tree_only_keys(by, "by", keys);
    const struct tree *headings = tree_get(by, "headings"),
                      *axes = by->kind == TREE_MAP ? tree_get(by, "option") : by;
    if (!axes) die_at(by->location, "by: expected {option: corpus, headings: {..}}");
    if (headings && headings->kind != TREE_MAP)
        die_at(headings->location, "headings: expected a map from values to headings");
    const int count = axes->kind == TREE_LIST ? axes->count : 1;
    if (axes->kind == TREE_LIST && count != 2 && count != AXES)
        die_at(axes->location, "by: expected an axis, two, [DOWN, ACROSS], or three, [DOWN, "
                               "ACROSS, SECTIONS]");
    const char *key[AXES] = {NULL};
    for (int i = 0; i < count; i++) {
        const struct tree *axis = axis_of(by, i);
        const char *known = read_axis(axis, grid, arena);
        if (word_known(known, key))
            die_at(axis->location, "by: expected different axes, not twice %s", known);
        key[i] = known;
    }
    layout->by = key[count > 1 ? ACROSS : 0];
    layout->down = count > 1 ? key[DOWN] : NULL;
    layout->apart = key[APART];
    return headings;
}

/* True if headings must name the axis, as "window 3" does, because some coordinate is not a word.
 * A word has two letters in a row. The listed words may be coordinates on any axis. */
static bool needs_name(const char *const *text, int count)
{
    static const char *const any[] = {"all", "none", "true", "false", NULL};
    for (int i = 0; i < count; i++) {
        const char *at = text[i];
        while (*at && !(is_letter(at[0]) && is_letter(at[1]))) at++;
        if (!*at || word_known(text[i], any)) return true;
    }
    return false;
}

/* Fills the coordinates of the layout: first those with headings, then the others in the order of
 * the rows. */
static void read_coordinates(const struct tree *by, const struct tree *headings,
                             struct layout *layout, const struct placed *placed, int places,
                             struct arena *arena)
{
    static const char *no_coordinate[1];
    const int headed = headings ? headings->count : 0;
    layout->coordinates = 1;
    layout->coordinate = layout->heading = no_coordinate;
    if (!by) return;
    layout->coordinate = ARENA_ARRAY(arena, const char *, places + headed);
    layout->heading = ARENA_ARRAY(arena, const char *, places + headed);
    for (int i = 0; i < headed; i++) {
        layout->coordinate[i] = headings->key[i]->text;
        layout->heading[i] = scalar_text(headings->item[i], "a heading");
    }
    layout->coordinates =
        list_values(layout->coordinate, headed, by, ACROSS, layout, placed, places);
    for (int i = headed; i < layout->coordinates; i++) layout->heading[i] = layout->coordinate[i];
    layout->named = needs_name(layout->coordinate, layout->coordinates);
}

/* Returns the name of a row in the grid's file, before the sweeps; NULL: the row had no name. */
static const char *written_name(const struct grid_row *row)
{
    const char *label = layout_text(row->entry, "label");
    return label ? label : row->coordinates ? row->line : row->name;
}

/* True if the name of a row in the heading of its section has its coordinate on APART. */
static bool has_apart(const char *written, const struct layout *layout)
{
    return written && layout->apart && grid_name_has(written, layout->apart);
}

/* Sets the names in headings. Rows with one name as written, and with the same coordinate on APART,
 * have one heading. $window becomes the value that they all have, or "…". */
static void name_headings(struct placed *placed, int places, struct arena *arena)
{
    const struct placed **first = ARENA_ARRAY(arena, const struct placed *, places);
    const struct grid_coordinate ***differs =
        ARENA_ARRAY(arena, const struct grid_coordinate **, places);
    int headings = 0, *of = ARENA_ARRAY(arena, int, places);
    for (int i = 0, h; i < places; i++) {
        const struct placed *at = &placed[i];
        const char *name = written_name(at->row);
        for (h = headings - 1; h >= 0; h--)
            if (word_same(written_name(first[h]->row), name) &&
                word_same(first[h]->at[APART], at->at[APART]))
                break;
        if (h < 0) {
            first[h = headings++] = at;
            differs[h] =
                ARENA_ARRAY(arena, const struct grid_coordinate *, at->row->coordinates + 1);
        }
        grid_row_differs(first[h]->row, first[h]->place, at->row, at->place, differs[h]);
        of[i] = h;
    }
    for (int i = 0; i < places; i++) {
        const struct grid_row *row = placed[i].row;
        const char *name = written_name(row);
        if (name)
            placed[i].heading =
                grid_name_fill(arena, name, row->coordinate + placed[i].place * row->coordinates,
                               row->coordinates, differs[of[i]]);
    }
}

/* Returns the name of a row's line. It is the row's name without its coordinate on `by`, and
 * without coordinates on axes that change together with `by`. If the row has a coordinate on DOWN,
 * the name is that of its heading, followed by the coordinates on DOWN and APART. */
static const char *line_name(const struct placed *at, const struct layout *layout,
                             const struct grid *grid, struct arena *arena)
{
    const struct grid_row *row = at->row;
    if (!layout->by) return row->name;
    const struct grid_coordinate *by = grid_row_coordinate(row, at->place, layout->by);
    const char *written = written_name(row),
               *name = at->at[DOWN]
                           ? at->heading
                           : grid_row_rest(row, at->place, written,
                                           (const struct grid_coordinate *[]){by, NULL}, arena);
    for (enum axis axis = DOWN; at->at[DOWN] && axis < AXES; axis++) {
        if (axis == ACROSS || !at->at[axis]) continue;
        if (axis == APART && has_apart(written, layout)) continue;
        /* heads=4 for an option, window 3 for an axis of the grid */
        const char *key = key_of(layout, axis), *between = layout_is_option(grid, key) ? "=" : " ";
        name = arena_append(
            arena, name, ", ",
            arena_print(arena, "%s%s%s", column_last_word(key), between, at->at[axis]));
    }
    return name ? name : "";
}

static struct layout_line line_new(const struct layout *layout, const struct grid_row *row,
                                   const char *name, struct arena *arena)
{
    const struct tree *rule = tree_get(row->entry, "rule");
    const char *label = layout->by ? NULL : layout_text(row->entry, "label");
    if (label) label = grid_row_rest(row, 0, label, NULL, arena); /* as changed by sweeps */
    struct layout_line line = {.name = name,
                               .own = row->name,
                               .label = label ? label : name,
                               .entry = row->entry,
                               .section = layout_text(row->entry, "section"),
                               .rule = rule && scalar_bool(rule, "rule"),
                               .quote = tree_get(row->entry, "quote"),
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
    int lines;
    const char *problem = layout_file_problem(path, &lines, arena);
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

/* Exits with an error because two rows would be in one cell. */
_Noreturn static void refuse_cell(const struct tree *by, const struct layout *layout,
                                  const struct layout_line *line, int coordinate,
                                  const struct grid *grid, const struct grid_row *row)
{
    const struct grid_row *other = &grid->row[line->row[coordinate]];
    for (int i = 0; layout->down && i < row->coordinates; i++) {
        const struct grid_coordinate *left = &row->coordinate[i],
                                     *its = grid_row_coordinate(other, 0, left->key);
        if (!its || !strcmp(left->value, its->value)) continue;
        die_at(
            by->location,
            "by: the rows \"%s\" and \"%s\" would be in one cell, because they differ in the axis "
            "%s; exclude all of its values but one, as in exclude: [{%s: %s}]%s",
            other->name, row->name, left->key, left->key, left->value,
            layout->apart ? "" : ", or add it to by");
    }
    die_at(row->entry ? row->entry->location : (struct location){"the grid", 0, 0},
           "by: the rows \"%s\" and \"%s\" are both \"%s\" with %s = %s", other->name, row->name,
           line->name, layout->by, layout->coordinate[coordinate]);
}

static void put_row(const struct tree *by, const struct grid *grid, const struct placed *at,
                    const struct layout *layout, struct layout_line *line)
{
    const char *across = at->at[ACROSS];
    const bool one = across || !layout->by;
    const int first =
        across ? layout_find_text(layout->coordinate, layout->coordinates, across) : 0;
    for (int f = first; f < (one ? first + 1 : layout->coordinates); f++) {
        if (line->row[f] >= 0 && line->row[f] != at->index)
            refuse_cell(by, layout, line, f, grid, at->row);
        line->row[f] = at->index;
        line->place[f] = at->place;
    }
    line->spans = !one;
}

/* Orders the lines. With one axis, lines without a coordinate are first, unless the grid has
 * sections. With two axes, the lines of each swept row of the file are a section. With three axes,
 * those that also agree on APART are. */
static void order_lines(struct layout *layout, struct made *made, struct arena *arena)
{
    const char **base = ARENA_ARRAY(arena, const char *, layout->lines);
    int above = 0, bases = 0;
    bool begun = false, sections = false;
    for (int i = 0; i < layout->lines; i++) {
        struct made *one = &made[i];
        sections |= one->line.section != NULL;
        for (int f = 0; f < layout->coordinates; f++)
            begun |= one->line.row[f] >= 0 && !one->line.spans;
        int64_t rank = layout->down ? -1 : begun && !one->line.spans;
        above += one->order[DOWN] < 0;
        if (one->order[DOWN] >= 0) {
            int section = layout_find_text(base, bases, one->base);
            if (section < 0) base[section = bases++] = one->base;
            rank = ((int64_t)section * layout->lines + one->order[APART] + 1) * layout->lines +
                   one->order[DOWN];
        }
        one->rank = rank * layout->lines + i;
    }
    for (int i = 0; i < layout->lines; i++) {
        const char **section = &made[i].line.section;
        if (made[i].order[DOWN] < 0) continue;
        const bool named = bases > 1 || above, apart = !(named && has_apart(made[i].base, layout));
        if (named) *section = arena_append(arena, *section, ", ", made[i].heading);
        if (made[i].apart && apart) *section = arena_append(arena, *section, ", ", made[i].apart);
    }
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

/* Sets the order of a line, and its heading on APART. */
static void order_line(struct made *made, const struct placed *at, const struct layout *layout,
                       const struct values *values, struct arena *arena)
{
    for (enum axis axis = 0; axis < AXES; axis++)
        made->order[axis] =
            at->at[axis] && values[axis].text
                ? layout_find_text(values[axis].text, values[axis].count, at->at[axis])
                : -1;
    if (made->order[APART] < 0) return;
    made->apart = at->at[APART];
    if (needs_name(values[APART].text, values[APART].count))
        made->apart = arena_print(arena, "%s %s", column_last_word(layout->apart), at->at[APART]);
}

void layout_arrange(const struct tree *by, const struct grid *grid, struct layout *layout,
                    struct arena *arena)
{
    struct placed *placed;
    const struct tree *headings = by ? read_by(by, grid, layout, arena) : NULL;
    const int places = list_places(grid, layout, &placed, arena);
    name_headings(placed, places, arena);
    check_axes(by, layout, placed, places, grid, arena);
    read_coordinates(by, headings, layout, placed, places, arena);
    struct values values[AXES] = {{NULL, 0}};
    for (enum axis axis = 0; axis < AXES; axis++) {
        if (axis == ACROSS || !key_of(layout, axis)) continue;
        values[axis].text = ARENA_ARRAY(arena, const char *, places);
        values[axis].count = list_values(values[axis].text, 0, by, axis, layout, placed, places);
    }
    struct made *made = ARENA_ARRAY(arena, struct made, places);
    layout->line = ARENA_ARRAY(arena, struct layout_line, places);
    layout->lines = 0;
    for (const struct placed *at = placed; at < placed + places; at++) {
        const char *name = line_name(at, layout, grid, arena), *base = written_name(at->row);
        int i = layout->by ? layout->lines - 1 : -1; /* rows of a line are mostly adjacent */
        while (i >= 0 && strcmp(made[i].line.name, name) != 0) i--;
        if (i < 0) {
            made[i = layout->lines++] =
                (struct made){.line = line_new(layout, at->row, name, arena),
                              .base = base ? base : "",
                              .heading = at->heading ? at->heading : ""};
            order_line(&made[i], at, layout, values, arena);
            if (at->at[DOWN]) made[i].line.label = at->at[DOWN];
        } else if (!word_same(made[i].line.own, at->row->name)) {
            made[i].line.own = NULL;
        }
        read_hyp(at->row, layout, &made[i].line, arena);
        if (layout_row_runs(at->row)) put_row(by, grid, at, layout, &made[i].line);
    }
    order_lines(layout, made, arena);
    say_once(layout);
}
