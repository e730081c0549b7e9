/* Reads the arguments of the command line that change a grid: a.b=c, a.b=1,2,3, a.b=range(1,7),
 * ~a.b. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

/* ---- several values in one text ---- */

struct tree *grid_arguments(struct arena *arena, struct location location, const char *text)
{
    const char *at = strchr(text, '('), *end = at ? at + strlen(at) - 1 : NULL;
    if (!at || *end != ')') return NULL;
    struct tree *list = tree_new(arena, TREE_LIST, location);
    do {
        at += 1 + strspn(at + 1, " ");
        const size_t length = strcspn(at, ",");
        const char *next = at + length < end ? at + length : end, *last = next;
        while (last > at && last[-1] == ' ') last--;
        const char *word = arena_text_range(arena, at, (size_t)(last - at));
        tree_add(arena, list, NULL, tree_new_text(arena, location, word));
        at = next;
    } while (at < end);
    return list;
}

static bool is_whole(double value)
{
    return fabs(value - rint(value)) <= 1e-9 * fabs(value);
}

struct tree *grid_range(struct arena *arena, struct location location, const char *text)
{
    enum { FIRST, END, STEP, ARGUMENTS };
    double argument[ARGUMENTS] = {0, 0, 1};
    if (strncmp(text, "range(", 6) != 0) return NULL;
    const struct tree *given = grid_arguments(arena, location, text);
    if (!given) return NULL;
    if (given->count > ARGUMENTS) die_at(location, "%s: expected range(first,end,step)", text);
    for (int i = 0; i < given->count; i++)
        if (!real_parse(given->item[i]->text, &argument[i]))
            die_at(location, "\"%s\": expected a number, as in range(1,7) or range(0,0.5,0.1)",
                   given->item[i]->text);
    if (given->count == 1) argument[END] = argument[FIRST], argument[FIRST] = 0;
    /* Scales the arguments to integers, because sums of decimals are inexact: 0.1 + 0.2 is not 0.3
     * in double. */
    double scale = 1;
    while (scale < 1e12 &&
           (!is_whole(argument[FIRST] * scale) || !is_whole(argument[STEP] * scale)))
        scale *= 10;
    double first = rint(argument[FIRST] * scale), step = rint(argument[STEP] * scale);
    double steps = ceil((argument[END] * scale - first) / step - 1e-9);
    if (step == 0 || !(steps >= 1))
        die_at(location, "%s is empty; its end is excluded: range(1,4) is 1, 2, 3", text);
    if (steps > GRID_ROWS) die_at(location, "%s has more than %d values", text, GRID_ROWS);
    struct tree *list = tree_new(arena, TREE_LIST, location);
    for (int i = 0; i < (int)steps; i++) {
        char number[REAL_TEXT];
        real_print((first + i * step) / scale, number);
        tree_add(arena, list, NULL, tree_new_text(arena, location, number));
    }
    return list;
}

struct tree *grid_split(struct arena *arena, struct location location, const char *text)
{
    struct tree *list = tree_new(arena, TREE_LIST, location);
    int depth = 0;
    char quote = 0;
    const char *start = text;
    for (const char *at = text;; at++) {
        if (*at && quote) {
            if (*at == '\\' && quote == '"' && at[1])
                at++;
            else if (*at == quote)
                quote = 0;
            continue;
        }
        bool begins = at == start || strchr("[{(,: ", at[-1]);
        if (begins && (*at == '"' || *at == '\'')) quote = *at;
        if (*at && strchr("[{(", *at)) depth++;
        if (*at && strchr("]})", *at)) depth--;
        if (*at && (*at != ',' || depth > 0)) continue;
        const char *piece = arena_text_range(arena, start, (size_t)(at - start));
        tree_add(arena, list, NULL, tree_new_text(arena, location, piece));
        if (!*at) return list->count > 1 ? list : NULL;
        start = at + 1;
    }
}

/* ---- words ---- */

/* Returns a value, parsed as in a file. */
static const struct tree *typed_value(struct arena *arena, struct location location,
                                      const char *path, const char *text)
{
    struct tree *map = tree_new(arena, TREE_MAP, location);
    if (!*text) die_at(location, "a value is empty; an empty text is written '%s=\"\"'", path);
    if (!strcmp(text, "~") && !strcmp(path, "table.baseline")) /* no baseline */
        return tree_new_text(arena, location, text);
    tree_override(arena, map, arena_print(arena, "%s=%s", path, text));
    return tree_find(map, path);
}

static struct grid_typed_word word_read(struct arena *arena, const char *text)
{
    struct grid_typed_word word = {
        .location = {.file = arena_print(arena, "command line: %s", text)}};
    if (*text == '~') {
        word.path = sections_path(arena, text + 1);
        if (!*word.path || strchr(word.path, '='))
            die_at(word.location, "expected ~key, as in ~model.dropout");
        return word;
    }
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        die_at(word.location, "expected key=value, as in train.epochs=3, or ~key");
    word.path = sections_path(arena, arena_text_range(arena, text, (size_t)(equals - text)));
    struct tree *pieces = grid_range(arena, word.location, equals + 1);
    const bool seeds = !strcmp(word.path, "seeds"); /* parsed by seeds_read */
    if (!pieces && !seeds && strcmp(word.path, "table.caption") != 0) {
        pieces = grid_split(arena, word.location, equals + 1);
        for (int i = 0; pieces && i < pieces->count; i++)
            pieces->item[i] =
                (struct tree *)typed_value(arena, word.location, word.path, pieces->item[i]->text);
    }
    word.several = pieces && !seeds;
    word.value = pieces ? pieces : typed_value(arena, word.location, word.path, equals + 1);
    return word;
}

struct grid_typed_word *grid_typed_find(const struct grid_typed *typed, const char *path)
{
    for (int i = 0; i < typed->count; i++)
        if (!strcmp(typed->word[i].path, path)) return &typed->word[i];
    return NULL;
}

/* Returns the part of the argument's path after "table."; NULL if the path is no key of the
 * table. */
static const char *key_of_table(const struct grid_typed_word *word)
{
    return grid_word_of_table(word->path) ? word->path + strlen("table.") : NULL;
}

/* Returns a map (NULL: empty) in which `path` has the value of the argument. If the argument
 * removes the path, the map is without it. Other keys are not normalized, because names in a table
 * may contain dots. */
static const struct tree *map_with(struct arena *arena, const struct tree *map, const char *path,
                                   const struct grid_typed_word *word)
{
    const size_t length = strcspn(path, ".");
    const char *key = arena_text_range(arena, path, length);
    const struct tree *value = word->value, *old = tree_get(map, key);
    if (!map || map->kind != TREE_MAP) map = tree_new(arena, TREE_MAP, word->location);
    if (path[length]) value = map_with(arena, old, path + length + 1, word);
    return value ? tree_with(arena, map, key, value) : tree_without(arena, map, key);
}

const struct tree *grid_typed_table(struct arena *arena, const struct grid_typed *typed,
                                    const struct tree *table)
{
    for (int i = 0; i < typed->count; i++) {
        struct grid_typed_word *word = &typed->word[i];
        const char *path = key_of_table(word);
        if (!path) continue;
        if (!word->value && !(table && tree_find(table, path)))
            die_at(word->location, "the grid's table has no %s", path);
        word->used = true;
        table = map_with(arena, table, path, word);
    }
    return table;
}

bool grid_typed_varies(const struct grid_typed *typed)
{
    for (int i = 0; i < typed->count; i++) {
        const struct grid_typed_word *word = &typed->word[i];
        if (word->used && strcmp(word->path, "seeds") != 0 && !key_of_table(word)) return true;
    }
    return false;
}

const char *grid_options_called(struct arena *arena, const char *word)
{
    const char *list = NULL;
    for (const char *const *name = settings_names(arena); *name; name++) {
        const char *dot = strrchr(*name, '.');
        if (dot && !strcmp(dot + 1, word)) list = arena_append(arena, list, ", ", *name);
    }
    return list;
}

/* Dies unless the path is a named axis of the grid, or its first word is a section, "seeds" or
 * "table". */
static void check_path(struct arena *arena, const struct grid_typed_word *word,
                       const char *const *axes)
{
    struct names after = {.arena = arena};
    if (key_of_table(word)) return;
    if (!strcmp(word->path, "table"))
        die_at(word->location, "expected a key of the table, as in table.bold=false");
    names_add(&after, "seeds");
    names_add(&after, "table");
    for (; *axes; axes++)
        if (!strcmp(*axes, word->path))
            return;
        else if (!strchr(word->path, '.')) /* a path with a dot is no named axis */
            names_add(&after, *axes);
    const char *const *known =
        sections_of(arena, SECTION_POINT | SECTION_SHORT, NULL, names_end(&after));
    const char *called = grid_options_called(arena, word->path);
    if (called && !word_known(word->path, known))
        die_at(word->location, "options: \"%s\" is a key of a section; expected %s", word->path,
               called);
    struct tree *map = tree_new(arena, TREE_MAP, word->location);
    tree_put(arena, map, word->path, tree_new_text(arena, word->location, ""));
    tree_only_keys(map, "options", known);
}

struct grid_typed grid_typed_read(struct arena *arena, const struct grid_file *file,
                                  const char *const *text, int count)
{
    struct grid_typed typed = {.word = ARENA_ARRAY(arena, struct grid_typed_word, count),
                               .axes = grid_axis_names(arena, file)};
    for (int i = 0; i < count; i++) {
        struct grid_typed_word word = word_read(arena, text[i]);
        check_path(arena, &word, typed.axes.text);
        const struct grid_typed_word *same = grid_typed_find(&typed, word.path);
        if (same)
            die_at(word.location, "%s is given twice, also as %s; expected it once", word.path,
                   same->location.file + strlen("command line: "));
        typed.word[typed.count++] = word;
    }
    return typed;
}

const struct tree *grid_typed_options(struct arena *arena, const struct grid_typed *typed)
{
    struct tree *options = tree_new(arena, TREE_MAP, (struct location){"command line", 0, 0});
    for (int i = 0; i < typed->count; i++) {
        struct grid_typed_word *word = &typed->word[i];
        if (!word->value || word->used) continue;
        tree_add(arena, options, tree_new_text(arena, word->location, word->path),
                 (struct tree *)word->value);
    }
    return grid_normalize(arena, options);
}

void grid_typed_check(const struct grid_typed *typed)
{
    for (int i = 0; i < typed->count; i++) {
        const struct grid_typed_word *word = &typed->word[i];
        if (!word->value && !word->used)
            die_at(word->location, "no row sets \"%s\"; expected an option that the grid sets",
                   word->path);
    }
}
