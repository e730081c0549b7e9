/* Rows become lines: with `by`, rows that differ only in the factor stand side by side. */
#include <string.h>

#include "core/base/file.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/table/layout_part.h"

static const struct tree *entry_key(const struct summary_row *row, const char *key)
{
    return row->entry ? tree_get(row->entry, key) : NULL;
}

static bool row_runs(const struct summary_row *row)
{
    return !entry_key(row, "quote") && !entry_key(row, "hyp");
}

static const char *row_label(const struct summary_row *row)
{
    const struct tree *label = entry_key(row, "label");
    return label ? scalar_text(label, "label") : NULL;
}

/* The line that a row belongs to: its name without the factor that `by` takes out of it, and
 * without those that change in step with that one. */
static const char *line_name(const struct summary_row *row, const char *by, struct arena *arena)
{
    const char *label = row_label(row), *name = label ? label : row->line;
    int axis = -1;
    if (!by || (!name && !row->factors)) return row->name;
    for (int i = 0; i < row->factors; i++)
        if (strcmp(row->factor[i].key, by) == 0) axis = row->factor[i].axis;
    for (int i = 0; i < row->factors; i++) {
        const struct summary_factor *factor = &row->factor[i];
        if (factor->axis == axis) continue;
        name = arena_print(arena, "%s%s%s=%s", name ? name : "", name ? ", " : "",
                           column_last_word(factor->key), factor->value);
    }
    return name ? name : "";
}

/* Where something about a row is said to be wrong. */
static struct place row_place(const struct summary_row *row)
{
    return row->entry ? row->entry->place : (struct place){"the grid", 0, 0};
}

static struct layout_line *line_add(struct layout *layout, const struct summary_row *row,
                                    const char *name, struct arena *arena)
{
    struct layout_line *line = &layout->line[layout->lines++];
    const struct tree *section = entry_key(row, "section"), *rule = entry_key(row, "rule");
    *line = (struct layout_line){.name = name,
                                 .label = row_label(row) ? row_label(row) : name,
                                 .section = section ? scalar_text(section, "section") : NULL,
                                 .rule = rule && scalar_bool(rule, "rule"),
                                 .quote = entry_key(row, "quote"),
                                 .row = ARENA_ARRAY(arena, int, layout->factors),
                                 .hyp = ARENA_ARRAY(arena, struct layout_file, layout->factors)};
    for (int i = 0; i < layout->factors; i++) line->row[i] = -1;
    return line;
}

static int find_factor(const struct layout *layout, const char *text)
{
    for (int i = 0; i < layout->factors; i++)
        if (layout->factor[i] &&
            (!strcmp(layout->factor[i], text) || !strcmp(layout->heading[i], text)))
            return i;
    return -1;
}

int layout_read_factor(const struct tree *scalar, const struct layout *layout, struct arena *arena)
{
    const char *text = scalar_text(scalar, "a value of the factor");
    int factor = find_factor(layout, text);
    if (factor >= 0) return factor;
    if (!layout->by) die_at(scalar->place, "\"%s\": the table has no factor (table.by)", text);
    const char **words = ARENA_ARRAY(arena, const char *, layout->factors + 1);
    for (int i = 0; i < layout->factors; i++) words[i] = layout->heading[i];
    word_refuse(scalar->place, layout->by, "there is no value", text, words);
}

static struct layout_file read_file(const struct tree *file, const char *what, struct arena *arena)
{
    const char *text = scalar_text(file, what), *slash = strrchr(file->place.file, '/');
    if (*text != '/' && slash)
        text =
            arena_print(arena, "%.*s/%s", (int)(slash - file->place.file), file->place.file, text);
    return (struct layout_file){file_named(arena, text), file->place};
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

/* The factor's values in the order of the headings, then of the rows. */
static void read_factors(const struct tree *by, const struct summary_grid *grid,
                         struct layout *layout, struct arena *arena)
{
    static const char *const keys[] = {"option", "headings", NULL};
    const struct tree *headings = NULL, *key = by;
    if (by->kind == TREE_MAP) {
        tree_only_keys(by, "by", keys);
        headings = tree_get(by, "headings");
        key = tree_get(by, "option");
        if (!key) die_at(by->place, "by: expected {option: corpus, headings: {..}}");
        if (headings && headings->kind != TREE_MAP)
            die_at(headings->place, "headings: expected a map from values to headings");
    }
    layout->by = scalar_text(key, "by");
    layout_check_option(key->place, "by", layout->by, false, grid, arena);
    int most = grid->rows + (headings ? headings->count : 0);
    layout->factor = ARENA_ARRAY(arena, const char *, most);
    layout->heading = ARENA_ARRAY(arena, const char *, most);
    for (int i = 0; headings && i < headings->count; i++) {
        layout->factor[layout->factors] = headings->key[i]->text;
        layout->heading[layout->factors++] = scalar_text(headings->item[i], "a heading");
    }
    bool *seen = ARENA_ARRAY(arena, bool, most);
    for (int i = 0; i < grid->rows; i++) {
        const struct summary_row *row = &grid->row[i];
        const char *value = row_runs(row) ? layout_option(grid, row, layout->by, arena) : NULL;
        if (!value && row_runs(row))
            die_at(key->place, "by: the row \"%s\" does not say %s", row->name, layout->by);
        if (!value) continue;
        int at = find_factor(layout, value);
        if (at < 0) {
            at = layout->factors++;
            layout->factor[at] = layout->heading[at] = value;
        }
        seen[at] = true;
    }
    for (int i = 0; i < layout->factors; i++)
        if (!seen[i])
            die_at(by->place, "by: no row has %s = \"%s\"", layout->by, layout->factor[i]);
}

/* The line of that name, or NULL. Rows of one line are mostly neighbors: looked for backwards. */
static struct layout_line *line_find(struct layout *layout, const char *name)
{
    for (int i = layout->lines - 1; i >= 0; i--)
        if (strcmp(layout->line[i].name, name) == 0) return &layout->line[i];
    return NULL;
}

void layout_arrange(const struct tree *by, const struct summary_grid *grid, struct layout *layout,
                    struct arena *arena)
{
    static const char *no_factor[1];
    layout->factors = 0;
    layout->lines = 0;
    layout->line = ARENA_ARRAY(arena, struct layout_line, grid->rows);
    if (by) {
        read_factors(by, grid, layout, arena);
    } else {
        layout->factors = 1;
        layout->factor = layout->heading = no_factor;
    }
    for (int i = 0; i < grid->rows; i++) {
        const struct summary_row *row = &grid->row[i];
        const char *name = line_name(row, layout->by, arena);
        struct layout_line *line = layout->by ? line_find(layout, name) : NULL;
        if (!line) line = line_add(layout, row, name, arena);
        read_hyp(row, layout, line, arena);
        if (!row_runs(row)) continue;
        int factor =
            layout->by ? find_factor(layout, layout_option(grid, row, layout->by, arena)) : 0;
        if (line->row[factor] >= 0)
            die_at(row_place(row),
                   "by: the rows \"%s\" and \"%s\" are both \"%s\" with %s = "
                   "%s",
                   grid->row[line->row[factor]].name, row->name, name, layout->by,
                   layout->factor[factor]);
        line->row[factor] = i;
    }
}
