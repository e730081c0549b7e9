/* Reads the key `table`. The lines are arranged first. Then columns and groups are read, then the
 * keys that refer to lines and columns. Last, all columns are checked. */
#include <string.h>

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/table/layout_part.h"

/* Values of the map's keys. Trees are read after the lines are arranged; NULL: absent. */
struct table_map {
    struct layout layout;
    const struct tree *columns, *baseline, *by, *groups, *significance, *paper, *caption;
};

static void read_names(const struct tree *value, void *field, struct arena *arena)
{
    const char **names = field;
    *names = "";
    if (value && value->kind == TREE_SCALAR && !value->quoted && !strcmp(value->text, "false"))
        *names = NULL;
    else if (value)
        *names = scalar_text(value, "names");
}

#define FIELD(member) offsetof(struct table_map, member)
static const struct option_custom names_custom = {"text or false", read_names, NULL, NULL};
static const struct option options[] = {
    OPTION_TREE("columns", FIELD(columns), "[parameters, bleu, delta(bleu)]", "list of columns",
                "columns from left to right; see columns below"),
    OPTION_TREE(
        "baseline", FIELD(baseline), NULL, "row or list of rows",
        "rows for comparison: each line is compared with the last of them at or above it; a "
        "row's full name, \"gate, window 1\": the one cell with which all are compared; ~: "
        "none"),
    OPTION_TREE(
        "by", FIELD(by), NULL, "axis, list or map",
        "option or axis whose values are headings: rows that differ only in it share a line; "
        "two axes: [DOWN, ACROSS]; three: [DOWN, ACROSS, SECTIONS]; see by below"),
    OPTION_TREE(
        "groups", FIELD(groups), NULL, "map",
        "headings over columns, and the columns of mean(GROUP): {Surface: [probe.SeLen, ..]}; "
        "probing tasks have groups of their own"),
    OPTION_BOOL("transpose", FIELD(layout.transpose), "false", OPTION_NO_ID,
                "exchange of columns and rows"),
    OPTION_CUSTOM("names", FIELD(layout.names), "\"\"", &names_custom, OPTION_NO_ID,
                  "heading of the rows' names; false: no names"),
    OPTION_CHOICE(
        "bold", FIELD(layout.bold), "true", "false|true|best", OPTION_NO_ID,
        "bold for the best value of a column and those not significantly worse; best: for "
        "the best mean, not tested"),
    OPTION_TREE("significance", FIELD(significance), NULL, "map",
                "marks of values that differ from the baseline; see significance below"),
    OPTION_TREE("paper", FIELD(paper), NULL, "map", "printed values next to ours; see paper below"),
    OPTION_TREE("caption", FIELD(caption), NULL, "one sentence",
                "text of LaTeX's \\caption instead of the title; a list of texts is notes"),
    OPTION_TEXTS("notes", FIELD(layout.notes), "[]", OPTION_NO_ID, "lines below all other notes"),
    OPTION_CHOICE(
        "notes_below", FIELD(layout.notes_below), "short", "false|short|full", OPTION_NO_ID,
        "other lines below the table; short: signatures, seeds and tests, missing values, "
        "and a line per warning; full: also how each value was computed, as in a report"),
    OPTION_CHOICE("means", FIELD(layout.means), "above", "above|all", OPTION_NO_ID,
                  "probing tasks that take part in mean(GROUP): those above their best control "
                  "over all rows (one-sided t over seeds, p < 0.05), or all"),
};
static const struct section section = {"table",
                                       "columns and layout of a grid's table (key `table`)",
                                       options, COUNT_OF(options), sizeof(struct table_map)};

void layout_help(FILE *out)
{
    section_help(&section, OPTION_KEYS, out);
    column_help(out);
    layout_help_test(out);
}

static void read_columns(const struct tree *list, const struct grid *grid, struct layout *layout,
                         struct arena *arena)
{
    static const char *const fallback[] = {"parameters", COLUMN_MAIN, "delta(" COLUMN_MAIN ")"};
    const bool one = list && list->kind == TREE_SCALAR;
    if (list && !one && (list->kind != TREE_LIST || list->count == 0))
        die_at(list->location, "columns: expected a list like [parameters, bleu, delta(bleu)]");
    layout->columns = one ? 1 : list ? list->count : layout->lines > 1 ? 3 : 2;
    layout->column = ARENA_ARRAY(arena, struct column, layout->columns);
    for (int i = 0; i < layout->columns; i++)
        if (list)
            layout->column[i] =
                column_read(layout_axis_column(one ? list : list->item[i], grid, arena), arena);
        else
            column_find(fallback[i], &layout->column[i], NULL, arena);
}

static struct column *find_group(const struct layout *layout, const char *name)
{
    for (int i = 0; i < layout->groups; i++)
        if (strcmp(layout->group[i].word, name) == 0) return &layout->group[i];
    return NULL;
}

/* Adds the groups of grid->words that the table does not redefine. Only their means have
 * headings. */
static void add_own_groups(const struct grid_words *words, struct layout *layout,
                           struct arena *arena)
{
    const int own = layout->groups;
    for (int i = 0; i < words->members; i++) {
        struct column *group = find_group(layout, words->member[i].group), member;
        if (group && group < layout->group + own) continue;
        CHECK(column_find(words->member[i].column, &member, NULL, arena), "no column %s",
              words->member[i].column);
        if (!group) {
            group = &layout->group[layout->groups++];
            *group = (struct column){.function = COLUMN_GROUP, .word = words->member[i].group};
        }
        struct column *members = (struct column *)group->argument;
        ARENA_ADD(arena, members, group->arguments, member);
        group->argument = members;
    }
}

static void read_groups(const struct tree *groups, const struct grid_words *words,
                        struct layout *layout, struct arena *arena)
{
    if (groups && groups->kind != TREE_MAP)
        die_at(groups->location, "groups: expected {Surface: [probe.SeLen, probe.WC]}");
    const int named = groups ? groups->count : 0;
    layout->group = ARENA_ARRAY(arena, struct column, named + words->members + 1);
    for (int i = 0; i < named; i++) {
        const struct tree *list = groups->item[i];
        const char *name = groups->key[i]->text;
        if (list->kind != TREE_LIST || !list->count)
            die_at(list->location, "groups: %s: expected a list of columns", name);
        struct column *member = ARENA_ARRAY(arena, struct column, list->count);
        for (int k = 0; k < list->count; k++) {
            member[k] = column_read(list->item[k], arena);
            column_refuse_every(&member[k], list->item[k],
                                arena_print(arena,
                                            "groups: %s: class: all makes a column for each class; "
                                            "expected the name of one class",
                                            name));
        }
        layout->group[layout->groups++] = (struct column){.function = COLUMN_GROUP,
                                                          .word = name,
                                                          .arguments = list->count,
                                                          .argument = member,
                                                          .item = list};
    }
    add_own_groups(words, layout, arena);
}

static _Noreturn void refuse_group(const struct column *column, const char *group,
                                   const struct layout *layout, struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, const char *, layout->groups + 1);
    for (int i = 0; i < layout->groups; i++) names[i] = layout->group[i].word;
    if (!layout->groups)
        die_at(column_location(column), "mean(%s): table.groups is missing: {%s: [COLUMN, ..]}",
               group, group);
    word_refuse(column_location(column), "mean", "there is no group", group, names);
}

/* Exits with an error if a column of a group cannot have the control. */
static void check_controls(const struct column *column, const char *control, const char *name,
                           const struct column *group)
{
    for (int i = 0; i < group->arguments; i++) {
        const struct column *member = &group->argument[i];
        const struct offer *offer = member->kind ? offer_of(member->kind) : NULL;
        const bool part = member->function == COLUMN_VALUE && member->part;
        if (!part || !offer->views || !word_known(control, offer->views + 1))
            die_at(column_location(column), "%s: \"%s\" of the group %s has no control %s",
                   column->name, member->name, name, control);
    }
}

/* Gives a mean the columns of its group. The mean is `of`, its first argument, the first argument
 * of this argument, and so on. */
static void put_group(struct column *of, const struct column *group, struct arena *arena)
{
    if (of->function == COLUMN_GROUP) {
        of->argument = group->argument;
        of->arguments = group->arguments;
        return;
    }
    struct column *argument = ARENA_NEW(arena, struct column);
    *argument = *of->argument;
    put_group(argument, group, arena);
    of->argument = argument;
    if (of->function == COLUMN_MARGIN) column_take_control(of, arena);
}

void layout_find_group(struct column *column, const struct layout *layout, struct arena *arena)
{
    const struct column *mean = column_has(column, COLUMN_GROUP),
                        *margin = column_has(column, COLUMN_MARGIN);
    if (!mean) return;
    struct column *group = find_group(layout, mean->word);
    if (!group) refuse_group(column, mean->word, layout, arena);
    for (int k = 0; k < group->arguments; k++) {
        const struct column *member = &group->argument[k];
        if (!column_is_measured(member) || column_has(member, COLUMN_GROUP) ||
            member->function == COLUMN_DELTA)
            die_at(column_location(member), "mean(%s): expected columns of values, got \"%s\"",
                   mean->word, member->name);
    }
    if (margin) check_controls(column, margin->word, mean->word, group);
    put_group(column, group, arena);
    if (column_is_p(column) && column->function != COLUMN_P && !column_observations(column))
        die_at(column_location(column),
               "%s: the columns of %s have no per-item values to resample; expected a column such "
               "as centered(bleu)",
               column->name, mean->word);
}

/* Finds the group of every mean(GROUP) among the columns. Its columns have a heading, too. */
static void read_means(struct layout *layout, struct arena *arena)
{
    for (int i = 0; i < layout->columns; i++) {
        layout_find_group(&layout->column[i], layout, arena);
        const struct column *mean = column_has(&layout->column[i], COLUMN_GROUP);
        if (mean) find_group(layout, mean->word)->item = layout->column[i].item;
    }
}

/* Reads `caption`. Older grids have a list of texts there, which becomes the first notes. */
static void read_captions(const struct tree *caption, struct layout *layout, struct arena *arena)
{
    if (!caption || tree_is_nothing(caption)) return;
    if (caption->kind == TREE_SCALAR) {
        layout->caption = scalar_text(caption, "caption");
        return;
    }
    const struct texts above = scalar_texts(caption, "caption", arena), below = layout->notes;
    layout->notes.count += above.count;
    layout->notes.text = ARENA_ARRAY(arena, const char *, layout->notes.count);
    for (int i = 0; i < layout->notes.count; i++)
        layout->notes.text[i] = i < above.count ? above.text[i] : below.text[i - above.count];
}

/* Warns of the differences of a table that has no baseline. */
static void check_differences(const struct layout *layout)
{
    for (int i = 0; i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (column->function == COLUMN_DELTA || column_is_p(column))
            warn_at(column_location(column),
                    "%s: the table has no baseline, so this column is empty", column->name);
    }
}

const struct layout *layout_read(const struct tree *table, struct grid *grid, struct arena *arena)
{
    struct table_map *map = ARENA_NEW(arena, struct table_map);
    struct layout *layout = &map->layout;
    section_read_part(&section, table, map, arena);
    read_captions(map->caption, layout, arena);
    layout->plain = grid->words.plain;
    layout_arrange(layout->plain ? NULL : map->by, grid, layout, arena);
    if (layout->down && layout->names && !*layout->names)
        layout->names = column_last_word(layout->transpose ? layout->by : layout->down);
    read_columns(map->columns, grid, layout, arena);
    const bool differ = !map->baseline || !tree_is_nothing(map->baseline);
    if (!map->columns && !differ && layout->columns > 2) layout->columns--; /* no difference */
    if (!differ) check_differences(layout);
    read_groups(map->groups, &grid->words, layout, arena);
    read_means(layout, arena);
    layout_read_baseline(map->baseline, layout, grid, arena);
    layout_read_test(map->significance, layout, grid, arena);
    layout_read_paper(map->paper, layout, grid, arena);
    layout_read_quotes(layout, arena);
    layout_check_words(layout, grid, arena);
    return grid->layout = layout;
}
