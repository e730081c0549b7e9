/* Finds rows by name and place, writes names of places, and iterates over the stages of a grid. */
#include "experiments/grid/grid.h"

#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

struct grid grid_with_trials(const struct grid *grid, struct arena *arena)
{
    struct grid all = *grid;
    all.row = ARENA_ARRAY(arena, struct grid_row, grid->rows + grid->trials);
    for (int r = 0; r < grid->rows; r++) all.row[r] = grid->row[r];
    for (int t = 0; t < grid->trials; t++) all.row[all.rows++] = grid->trial[t];
    all.trials = 0;
    return all;
}

bool grid_next(const struct grid *grid, struct grid_cursor *at)
{
    for (; at->row < grid->rows; at->row++, at->seed = 0)
        for (; at->seed < grid->row[at->row].count; at->seed++, at->stage = 0)
            if (at->stage < grid->row[at->row].seed[at->seed].count) return true;
    return false;
}

const struct grid_stage *grid_stage_at(const struct grid *grid, const struct grid_cursor *at)
{
    return &grid->row[at->row].seed[at->seed].stage[at->stage];
}

const char *grid_stage_title(const struct grid_stage *stage, struct arena *arena)
{
    return stage->part ? arena_print(arena, "%s.%s", stage->kind, stage->part) : stage->kind;
}

const struct grid_coordinate *grid_row_coordinate(const struct grid_row *row, int place,
                                                  const char *key)
{
    const struct grid_coordinate *coordinate = row->coordinate + place * row->coordinates;
    for (int i = 0; i < row->coordinates; i++)
        if (!strcmp(coordinate[i].key, key)) return &coordinate[i];
    return NULL;
}

/* True if a name (or NULL) contains $key for a key of the axis. */
static bool has_axis(const char *name, const struct grid_row *row, int axis)
{
    for (int i = 0; name && i < row->coordinates; i++)
        if (row->coordinate[i].axis == axis && grid_name_has(name, row->coordinate[i].key))
            return true;
    return false;
}

const char *grid_row_rest(const struct grid_row *row, int place, const char *name,
                          const struct grid_coordinate *const *without, struct arena *arena)
{
    const struct grid_coordinate *coordinate = row->coordinate + place * row->coordinates;
    const char *whole =
        name ? grid_name_fill(arena, name, coordinate, row->coordinates, without) : NULL;
    for (int i = 0; i < row->coordinates; i++)
        if (!grid_name_omits(without, &coordinate[i]) && !coordinate[i].only &&
            !has_axis(name, row, coordinate[i].axis))
            whole = arena_append(arena, whole, ", ", coordinate[i].text);
    return whole;
}

/* Returns the rest of a text after a leading word and ", "; NULL if the text does not begin with
 * the word. */
static const char *text_after(const char *text, const char *word)
{
    const size_t length = strlen(word);
    if (!text || strncmp(text, word, length) != 0) return NULL;
    text += length;
    if (!*text) return text;
    return !strncmp(text, ", ", 2) && text[2] ? text + 2 : NULL;
}

/* True if a name is the row's name at a place, with any of the axes that names omit. */
static bool is_called_at(const struct grid_row *row, int place, const char *name,
                         struct arena *arena)
{
    const struct grid_coordinate *coordinate = row->coordinate + place * row->coordinates;
    const char *line = row->line, *rest = *name ? name : NULL;
    if (line)
        rest = text_after(rest, grid_name_fill(arena, line, coordinate, row->coordinates, NULL));
    for (int i = 0; i < row->coordinates; i++) {
        if (has_axis(line, row, coordinate[i].axis)) continue;
        const char *after = text_after(rest, coordinate[i].text);
        if (after || !coordinate[i].only) rest = after;
    }
    return rest && !*rest;
}

/* True if a name is the row's name at one of its places. */
static bool is_called(const struct grid_row *row, const char *name)
{
    SCOPED(arena_free) struct arena arena = {0};
    bool called = !strcmp(row->name, name), several = row->more;
    for (int i = 0; i < row->coordinates; i++) several |= row->coordinate[i].only;
    for (int place = 0; place <= row->more && several && !called; place++)
        called = is_called_at(row, place, name, &arena);
    return called;
}

bool grid_row_meant(const struct grid_row *row, const char *name)
{
    return is_called(row, name) || (row->line && !strcmp(row->line, name));
}

const char *grid_row_also(const struct grid_row *row, struct arena *arena)
{
    const char *list = NULL;
    for (int place = 1; place <= row->more; place++) {
        const struct grid_coordinate *coordinate = row->coordinate + place * row->coordinates;
        const char *differs = NULL;
        for (int i = 0; i < row->coordinates; i++)
            if (strcmp(coordinate[i].value, row->coordinate[i].value) != 0)
                differs = arena_append(arena, differs, ", ", coordinate[i].text);
        list = arena_append(arena, list, " and ", differs);
    }
    return list;
}

bool grid_row_agrees(const struct grid_row *row, int place, const struct grid_row *like, int other,
                     const struct grid_coordinate *without)
{
    const struct grid_coordinate *coordinate = row->coordinate + place * row->coordinates, *its;
    for (int i = 0; i < row->coordinates; i++) {
        its = grid_row_coordinate(like, other, coordinate[i].key);
        const bool omitted = without && without->axis == coordinate[i].axis;
        if (!its || (!omitted && strcmp(its->value, coordinate[i].value) != 0)) return false;
    }
    return true;
}

static bool some_place_beside(const struct grid_row *row, const struct grid_row *like)
{
    for (int place = 0; place <= row->more; place++)
        for (int other = 0; other <= like->more; other++)
            if (grid_row_agrees(row, place, like, other, NULL)) return true;
    return false;
}

const struct grid *grid_whole(const struct grid *grid)
{
    return grid->words.whole ? grid->words.whole : grid;
}

static bool has_meant(const struct grid *grid, const char *name)
{
    bool meant = false;
    for (int i = 0; i < grid->rows && !meant; i++) meant = grid_row_meant(&grid->row[i], name);
    return meant;
}

bool grid_name_meant(const struct grid *grid, const char *name)
{
    return has_meant(grid, name) || has_meant(grid_whole(grid), name);
}

const struct tree *grid_names_join(const struct grid *grid, const struct tree *list,
                                   struct arena *arena)
{
    struct tree *joined = tree_new(arena, TREE_LIST, list->location);
    for (int i = 0, end; i < list->count; i = end) {
        struct tree *item = list->item[i];
        const char *text = item->text;
        bool names = text && grid_name_meant(grid, text); /* each alone: then they are not joined */
        end = i + 1;
        for (int k = end; text && k < list->count && list->item[k]->text; k++) {
            names &= grid_name_meant(grid, list->item[k]->text);
            text = arena_print(arena, "%s, %s", text, list->item[k]->text);
            if (names || !grid_name_meant(grid, text)) continue;
            item = tree_new_text(arena, item->location, text);
            end = k + 1;
        }
        tree_add(arena, joined, NULL, item);
    }
    return joined;
}

static int commas(const char *text)
{
    int count = 0;
    while ((text = strchr(text, ','))) count++, text++;
    return count;
}

/* Returns the text of item `at` of a list. Commas may have split a name. So if the text is near no
 * known name, returns a joined text that is. One with as many commas as the name comes first. */
static const char *name_split(const struct tree *list, int at, const char *const *known,
                              struct arena *arena)
{
    for (int first = at; first >= 0 && !word_nearest(list->item[at]->text, known); first--) {
        const char *text = NULL, *some = NULL;
        for (int i = first; i < list->count && list->item[i]->text; i++) {
            text = arena_append(arena, text, ", ", list->item[i]->text);
            const char *near = i > first && i >= at ? word_nearest(text, known) : NULL;
            if (near && commas(near) == commas(text)) return text;
            if (near && !some) some = text;
        }
        if (some) return some;
    }
    return list->item[at]->text;
}

void grid_name_require(const struct grid *grid, const char *what, const struct tree *name, int at,
                       struct arena *arena)
{
    while (name->kind == TREE_LIST && at + 1 < name->count &&
           grid_name_meant(grid, name->item[at]->text))
        at++; /* a name as written, which commas have cut off from its values */
    const struct tree *called = name->kind == TREE_LIST ? name->item[at] : name;
    const char *text = called->text ? called->text : tree_text(arena, called);
    const struct grid *whole = grid->words.whole;
    if (whole &&
        (grid_row_called(whole, text) >= 0 || (has_meant(whole, text) && !has_meant(grid, text))))
        return;
    grid = grid_whole(grid);
    struct names known = {.arena = arena};
    for (int r = 0; r < grid->rows; r++) names_add(&known, grid->row[r].name);
    for (int r = 0; r < grid->rows; r++) { /* names as written, which sweeps share */
        const char *line = grid->row[r].line;
        if (line && strcmp(line, text) != 0 && !(r && word_same(line, grid->row[r - 1].line)))
            names_add(&known, line);
    }
    const char *const *names = names_end(&known);
    if (called != name && called->text) text = name_split(name, at, names, arena);
    word_refuse(called->location, what, "there is no row", text, names);
}

int grid_row_called(const struct grid *grid, const char *name)
{
    for (int i = 0; i < grid->rows; i++)
        if (is_called(&grid->row[i], name)) return i;
    return -1;
}

int grid_row_beside(const struct grid *grid, const char *name, int like)
{
    const int called = grid_row_called(grid, name);
    if (called >= 0) return called;
    for (int i = 0; i < grid->rows; i++)
        if (grid_row_meant(&grid->row[i], name) &&
            some_place_beside(&grid->row[i], &grid->row[like]))
            return i;
    return -1;
}
