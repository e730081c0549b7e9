/* Substitutes values of named axes in options and names of rows. $name, or ${name} as a part of a
 * word, stands for the value of the axis in a row. Values of an axis may use other axes. $$ stands
 * for a dollar sign. An even number of other dollar signs in a row's name is text, as in $m=1$. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"

/* A use of a name in a text. */
struct name_use {
    const char *begin, *end; /* limits of the text "$name" or "${name}"; begin NULL: no use */
    const char *name;
    size_t length; /* length of the name; 0: the use is $$ */
};

static bool is_letter(char sign)
{
    return isalpha((unsigned char)sign) || sign == '_';
}

bool grid_name_valid(const char *word)
{
    size_t length = 0;
    while (is_letter(word[length]) || (length && isdigit((unsigned char)word[length]))) length++;
    return length && !word[length];
}

/* Returns the first use at or after `text`. A dollar before any other character is a plain
 * dollar. Dies at a ${ without a name and }, but not in the name of a row (no location), where it
 * may be plain text. */
static struct name_use use_find(const char *text, struct location location)
{
    for (const char *at = text; (at = strchr(at, '$')); at++) {
        const bool braces = at[1] == '{';
        struct name_use use = {.begin = at, .name = at + 1 + braces};
        if (at[1] == '$') return (struct name_use){at, at + 2, at, 0};
        while (is_letter(use.name[use.length]) ||
               (use.length && isdigit((unsigned char)use.name[use.length])))
            use.length++;
        use.end = use.name + use.length + braces;
        const bool open = braces && (!use.length || use.name[use.length] != '}');
        if (open && !location.file) continue;
        if (open)
            die_at(location, "\"%s\": expected the name of an axis and }, as in 1-${last}", text);
        if (use.length) return use;
    }
    return (struct name_use){0};
}

/* True if a use has this name. */
static bool is_of(const struct name_use *use, const char *key)
{
    return strlen(key) == use->length && !strncmp(key, use->name, use->length);
}

/* Returns the index of the key with the name of a use; dies if no named axis has the name. */
static int key_of(const struct name_use *use, struct location location,
                  const struct grid_axes *axes)
{
    enum { LONGEST = 100, SHOWN = 64 };
    char word[LONGEST];
    const char *known[SHOWN + 1];
    int count = 0;
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        if (!key->named) continue;
        if (is_of(use, key->key)) return k;
        if (count < SHOWN) known[count++] = key->key;
    }
    known[count] = NULL;
    snprintf(word, sizeof word, "%.*s", (int)use->length, use->name);
    if (!count)
        die_at(location,
               "$%s: the grid has no axis of that name; expected sweep: {%s: [..]}, or $$ "
               "for a dollar",
               word, word);
    word_refuse(location, "sweep", "there is no axis", word, known);
}

void grid_names_used(const struct tree *tree, const struct grid_axes *axes, bool *used)
{
    for (int i = 0; i < tree->count; i++) grid_names_used(tree->item[i], axes, used);
    if (tree->kind != TREE_SCALAR) return;
    struct name_use use;
    for (const char *at = tree->text; (use = use_find(at, tree->location)).begin; at = use.end) {
        const int k = use.length ? key_of(&use, tree->location, axes) : -1;
        if (k < 0 || used[k]) continue;
        used[k] = true; /* set before the values are visited, which ends a cycle */
        for (int i = 0; i < axes->axis[axes->key[k].axis].count; i++)
            grid_names_used(axes->key[k].value[i], axes, used);
    }
}

void grid_names_check(struct arena *arena, const struct grid_axes *axes)
{
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        bool *used = ARENA_ARRAY(arena, bool, axes->keys);
        for (int i = 0; i < axes->axis[key->axis].count; i++)
            grid_names_used(key->value[i], axes, used);
        if (used[k] && key->named)
            die_at(key->location, "%s: its values refer to $%s itself; expected no cycle", key->key,
                   key->key);
    }
}

/* Returns the value for which a use stands, after substitution of the names in this value. */
static struct tree *value_of(struct arena *arena, const struct name_use *use,
                             struct location location, const struct grid_axes *axes, const int *at)
{
    const struct grid_key *key = &axes->key[key_of(use, location, axes)];
    if (at[key->axis] < 0)
        die_at(location, "$%s: a row with sweep: false has no axes; expected a value", key->key);
    return grid_names_fill(arena, key->value[at[key->axis]], axes, at);
}

/* Returns a scalar after substitution. If a use is the whole text, returns its value, which may be
 * a list or a map. Otherwise all values must be scalars, and the result is a text. */
static struct tree *fill_scalar(struct arena *arena, const struct tree *scalar,
                                const struct grid_axes *axes, const int *at)
{
    struct name_use use = use_find(scalar->text, scalar->location);
    if (!use.begin) return tree_copy(arena, scalar);
    if (use.length && use.begin == scalar->text && !*use.end)
        return value_of(arena, &use, scalar->location, axes, at);
    const char *text = "", *from = scalar->text;
    for (; use.begin; use = use_find(from, scalar->location)) {
        const struct tree *value =
            use.length ? value_of(arena, &use, scalar->location, axes, at) : NULL;
        if (value && value->kind != TREE_SCALAR)
            die_at(scalar->location, "\"%s\": $%.*s is %s here; expected a single word",
                   scalar->text, (int)use.length, use.name, tree_kind_name(value));
        text = arena_print(arena, "%s%.*s%s", text, (int)(use.begin - from), from,
                           value ? value->text : "$");
        from = use.end;
    }
    return tree_new_text(arena, scalar->location, arena_print(arena, "%s%s", text, from));
}

struct tree *grid_names_fill(struct arena *arena, const struct tree *tree,
                             const struct grid_axes *axes, const int *at)
{
    if (tree->kind == TREE_SCALAR) return fill_scalar(arena, tree, axes, at);
    struct tree *filled = tree_new(arena, tree->kind, tree->location);
    for (int i = 0; i < tree->count; i++)
        tree_add(arena, filled, tree->key ? tree->key[i] : NULL,
                 grid_names_fill(arena, tree->item[i], axes, at));
    return filled;
}

/* ---- names of rows ---- */

bool grid_name_has(const char *name, const char *key)
{
    struct name_use use;
    for (; (use = use_find(name, (struct location){0})).begin; name = use.end)
        if (is_of(&use, key)) return true;
    return false;
}

void grid_name_check(const struct tree *name, const struct grid_axes *axes, const bool *has)
{
    static const struct location nowhere = {0};
    int dollars = 0;
    struct name_use use, wrong = {0};
    for (const char *at = name->text; (at = strchr(at, '$')); at++) dollars++;
    for (const char *at = name->text; (use = use_find(at, nowhere)).begin; at = use.end) {
        int k = 0;
        while (k < axes->keys && !(has[k] && is_of(&use, axes->key[k].key))) k++;
        dollars -= k < axes->keys;
        if (k == axes->keys && use.length && !wrong.begin) wrong = use;
    }
    if (dollars % 2 == 0) return;
    use_find(name->text, name->location); /* dies at an open brace */
    if (!wrong.begin) return;
    const char *key = axes->key[key_of(&wrong, name->location, axes)].key;
    die_at(name->location, "\"%s\": the row does not use $%s; expected an axis of the row",
           name->text, key);
}

bool grid_name_omits(const struct grid_coordinate *const *without,
                     const struct grid_coordinate *coordinate)
{
    while (without && *without && (*without)->axis != coordinate->axis) without++;
    return without && *without;
}

const char *grid_name_fill(struct arena *arena, const char *name,
                           const struct grid_coordinate *coordinate, int coordinates,
                           const struct grid_coordinate *const *without)
{
    const char *text = "";
    for (struct name_use use; (use = use_find(name, (struct location){0})).begin; name = use.end) {
        const char *word = arena_text_range(arena, use.begin, (size_t)(use.end - use.begin));
        for (int i = 0; i < coordinates; i++)
            if (is_of(&use, coordinate[i].key))
                word = grid_name_omits(without, &coordinate[i]) ? "…" : coordinate[i].value;
        text = arena_print(arena, "%s%.*s%s", text, (int)(use.begin - name), name, word);
    }
    return arena_print(arena, "%s%s", text, name);
}
