/* Rows become lines: with `by`, rows that differ only in the factor stand side by side. Of two axes
 * the other one says what lines are called and how they are ordered. */
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/config/scalar.h"
#include "core/config/shipped.h"
#include "results/sheet/cell.h"
#include "results/table/hypotheses_file.h"
#include "results/table/layout_part.h"

static const struct tree *entry_key(const struct summary_row *row, const char *key)
{
    return row->entry ? tree_get(row->entry, key) : NULL;
}

static const char *row_label(const struct summary_row *row)
{
    const struct tree *label = entry_key(row, "label");
    return label ? scalar_text(label, "label") : NULL;
}

/* "heads=4" of an option, "window 3" of an axis of the grid's own. */
static const char *factor_text(const char *key, const char *value, const struct summary_grid *grid,
                               struct arena *arena)
{
    const bool option = layout_is_option(grid, key);
    return arena_print(arena, "%s%s%s", column_last_word(key), option ? "=" : " ", value);
}

/* What a row was called before sweeps made several of it; NULL: they made it of nothing. */
static const char *base_name(const struct summary_row *row)
{
    const char *label = row_label(row);
    return label ? label : row->factors ? row->line : row->name;
}

/* The line that a row belongs to: its name without the factor that `by` takes out of it, and
 * without those that change in step with that one. `down`: its value of that axis, which alone is
 * left of its factors; NULL: it has none. */
static const char *line_name(const struct summary_row *row, int place, const struct layout *layout,
                             const char *down, const struct summary_grid *grid, struct arena *arena)
{
    const char *name = base_name(row);
    if (!layout->by) return row->name;
    if (down) return cell_append(name, ", ", factor_text(layout->down, down, grid, arena), arena);
    const struct summary_factor *by = summary_row_factor(row, place, layout->by);
    name = summary_row_rest(row, place, name, by, arena);
    return name ? name : "";
}

/* What the table shows for it: the name, or a row's own label with what sweeps have made of it. */
static const char *line_label(const struct summary_row *row, const char *name,
                              const struct layout *layout, struct arena *arena)
{
    const char *label = row_label(row);
    return label && !layout->by ? summary_row_rest(row, 0, label, NULL, arena) : name;
}

/* Where something about a row is said to be wrong. */
static struct place row_place(const struct summary_row *row)
{
    return row->entry ? row->entry->place : (struct place){"the grid", 0, 0};
}

/* In a table of two axes, a quoted line without a value for each of those across. */
static bool quote_spans(const struct layout *layout, const struct tree *quote)
{
    for (int i = 0; quote && i < quote->count; i++)
        if (quote->item[i]->kind == TREE_MAP) return false;
    return layout->down && quote;
}

static struct layout_line *line_add(struct layout *layout, const struct summary_row *row,
                                    const char *name, struct arena *arena)
{
    struct layout_line *line = &layout->line[layout->lines++];
    const struct tree *section = entry_key(row, "section"), *rule = entry_key(row, "rule");
    *line = (struct layout_line){.name = name,
                                 .own = row->name,
                                 .label = line_label(row, name, layout, arena),
                                 .entry = row->entry,
                                 .section = section ? scalar_text(section, "section") : NULL,
                                 .rule = rule && scalar_bool(rule, "rule"),
                                 .quote = entry_key(row, "quote"),
                                 .spans = quote_spans(layout, entry_key(row, "quote")),
                                 .row = ARENA_ARRAY(arena, int, layout->factors),
                                 .place = ARENA_ARRAY(arena, int, layout->factors),
                                 .hyp = ARENA_ARRAY(arena, struct layout_file, layout->factors)};
    for (int i = 0; i < layout->factors; i++) line->row[i] = -1;
    return line;
}

static struct layout_file read_file(const struct tree *file, const char *what, struct arena *arena)
{
    const char *text = shipped_beside(arena, file->place.file, scalar_text(file, what));
    const char *path = file_named(arena, text);
    int lines;
    const char *problem = hypotheses_file_problem(path, &lines, arena);
    if (problem) warn_at(file->place, "%s: %s", what, problem);
    return (struct layout_file){path, file->place};
}

static void read_hyp(const struct summary_row *row, const struct layout *layout,
                     struct layout_line *line, struct arena *arena)
{
    const struct tree *hyp = entry_key(row, "hyp"), *ref = entry_key(row, "ref");
    if (!hyp) return;
    if (layout->by && hyp->kind != TREE_MAP)
        die_at(hyp->place, "hyp: expected a file for each %s, {%s: FILE}", layout->by,
               layout->heading[0]);
    if (hyp->kind != TREE_MAP) line->hyp[0] = read_file(hyp, "hyp", arena);
    for (int i = 0; i < hyp->count; i++)
        line->hyp[layout_read_factor(hyp->key[i], layout, arena)] =
            read_file(hyp->item[i], "hyp", arena);
    if (ref) line->ref = read_file(ref, "ref", arena);
}

/* The line of that name, or NULL. Rows of one line are mostly neighbors: looked for backwards. */
static struct layout_line *line_find(struct layout *layout, const char *name)
{
    for (int i = layout->lines - 1; i >= 0; i--)
        if (strcmp(layout->line[i].name, name) == 0) return &layout->line[i];
    return NULL;
}

/* Two rows whose values would stand in one cell. */
_Noreturn static void refuse_cell(const struct tree *by, const struct layout *layout,
                                  const struct layout_line *line, int factor,
                                  const struct summary_grid *grid, const struct summary_row *row)
{
    const struct summary_row *other = &grid->row[line->row[factor]];
    for (int i = 0; layout->down && i < row->factors; i++) {
        const struct summary_factor *left = &row->factor[i],
                                    *its = summary_row_factor(other, 0, left->key);
        if (!its || !strcmp(left->value, its->value)) continue;
        die_at(
            by->place,
            "by: the rows \"%s\" and \"%s\" would stand in one cell: the axis %s is left over; "
            "leave out all of its values but one, as in exclude: [{%s: %s}], or arrange the table "
            "by it",
            other->name, row->name, left->key, left->key, left->value);
    }
    die_at(row_place(row), "by: the rows \"%s\" and \"%s\" are both \"%s\" with %s = %s",
           other->name, row->name, line->name, layout->by, layout->factor[factor]);
}

static void put_row(const struct tree *by, const struct summary_grid *grid, struct layout_place at,
                    const char *value, struct layout *layout, struct layout_line *line)
{
    const bool one = value || !layout->by;
    const int first = value ? layout_find_text(layout->factor, layout->factors, value) : 0;
    for (int f = first; f < (one ? first + 1 : layout->factors); f++) {
        if (line->row[f] >= 0 && line->row[f] != at.row)
            refuse_cell(by, layout, line, f, grid, &grid->row[at.row]);
        line->row[f] = at.row;
        line->place[f] = at.place;
    }
    line->spans = !one;
}

/* A line and where it belongs among the others. */
struct ranked {
    int rank, at;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    return one->rank != other->rank ? one->rank - other->rank : one->at - other->at;
}

static void sort_lines(struct layout *layout, struct ranked *ranked, struct arena *arena)
{
    struct layout_line *sorted = ARENA_ARRAY(arena, struct layout_line, layout->lines);
    qsort(ranked, (size_t)layout->lines, sizeof *ranked, compare_ranked);
    for (int i = 0; i < layout->lines; i++) sorted[i] = layout->line[ranked[i].at];
    layout->line = sorted;
}

/* Of one axis: lines without it stand above, unless the grid has put its rows into sections. */
static void raise_spanning(struct layout *layout, struct arena *arena)
{
    struct ranked *ranked = ARENA_ARRAY(arena, struct ranked, layout->lines);
    bool begun = false, sections = false;
    for (int i = 0; i < layout->lines; i++) {
        const struct layout_line *line = &layout->line[i];
        sections |= line->section != NULL;
        for (int f = 0; f < layout->factors; f++) begun |= line->row[f] >= 0 && !line->spans;
        ranked[i] = (struct ranked){begun && !line->spans, i};
    }
    if (!sections) sort_lines(layout, ranked, arena);
}

/* Of two axes: `down` has for each line the index of its value; -1: none, and so it stands above.
 * `name`: what the row of a line was called before the sweeps. */
static void make_sections(struct layout *layout, const int *down, const char *const *name,
                          struct arena *arena)
{
    struct ranked *ranked = ARENA_ARRAY(arena, struct ranked, layout->lines);
    const char **section_name = ARENA_ARRAY(arena, const char *, layout->lines);
    int above = 0, sections = 0;
    for (int i = 0; i < layout->lines; i++) {
        int section = down[i] < 0 ? 0 : layout_find_text(section_name, sections, name[i]);
        if (section < 0) section_name[section = sections++] = name[i];
        ranked[i] = (struct ranked){down[i] < 0 ? -1 : section * layout->lines + down[i], i};
        above += down[i] < 0;
    }
    for (int i = 0; i < layout->lines; i++) {
        struct layout_line *line = &layout->line[i];
        if (down[i] < 0) continue;
        const char *own = line->section;
        line->section = sections > 1 || above ? cell_append(own, ", ", name[i], arena) : own;
    }
    sort_lines(layout, ranked, arena);
    if (above && above < layout->lines) layout->line[above].rule = true;
}

/* A heading stands once above its lines, and a row's rule above the first of those that sweeps have
 * made of it. */
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

void layout_arrange(const struct tree *by, const struct summary_grid *grid, struct layout *layout,
                    struct arena *arena)
{
    static const char *no_factor[1];
    const char **down = NULL;
    int downs = 0;
    layout->factors = 0;
    layout->lines = 0;
    const int places = layout_places(grid);
    layout->line = ARENA_ARRAY(arena, struct layout_line, places);
    if (by) {
        downs = layout_read_axes(by, grid, layout, &down, arena);
    } else {
        layout->factors = 1;
        layout->factor = layout->heading = no_factor;
    }
    int *at_down = ARENA_ARRAY(arena, int, places);
    const char **base = ARENA_ARRAY(arena, const char *, places);
    struct layout_place at = {0};
    while (layout_next_place(grid, layout, &at)) {
        const struct summary_row *row = &grid->row[at.row];
        const char *value =
            layout->by ? layout_axis_value(row, at.place, layout->by, layout, grid, arena) : NULL;
        const char *lower =
            layout->down ? layout_axis_value(row, at.place, layout->down, layout, grid, arena)
                         : NULL;
        const char *name = line_name(row, at.place, layout, lower, grid, arena);
        struct layout_line *line = layout->by ? line_find(layout, name) : NULL;
        if (!line) {
            line = line_add(layout, row, name, arena);
            const int last = layout->lines - 1;
            at_down[last] = lower ? layout_find_text(down, downs, lower) : -1;
            base[last] = base_name(row) ? base_name(row) : "";
            if (lower) line->label = lower;
        } else if (strcmp(line->own ? line->own : "", row->name) != 0) {
            line->own = NULL;
        }
        read_hyp(row, layout, line, arena);
        if (layout_row_runs(row)) put_row(by, grid, at, value, layout, line);
    }
    if (layout->down)
        make_sections(layout, at_down, base, arena);
    else if (layout->by)
        raise_spanning(layout, arena);
    say_once(layout);
}
