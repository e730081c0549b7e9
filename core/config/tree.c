/* Builds, searches, changes, merges and prints trees. */
#include "core/config/tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/config/foreign.h"
#include "core/config/word.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

struct tree *tree_new(struct arena *arena, enum tree_kind kind, struct location location)
{
    struct tree *tree = ARENA_NEW(arena, struct tree);
    tree->kind = kind;
    tree->location = location;
    return tree;
}

struct tree *tree_new_text(struct arena *arena, struct location location, const char *text)
{
    struct tree *tree = tree_new(arena, TREE_SCALAR, location);
    tree->text = arena_text(arena, text);
    return tree;
}

void tree_add(struct arena *arena, struct tree *parent, struct tree *key, struct tree *value)
{
    CHECK(parent->kind == (key ? TREE_MAP : TREE_LIST), "a map needs a key, a list has none");
    ARENA_MORE(arena, parent->item, parent->count);
    parent->item[parent->count] = value;
    if (key) {
        ARENA_MORE(arena, parent->key, parent->count);
        parent->key[parent->count] = key;
    }
    parent->count++;
}

bool tree_is_nothing(const struct tree *tree)
{
    return tree->kind == TREE_SCALAR && !tree->quoted &&
           (!*tree->text || strcmp(tree->text, "~") == 0 || strcmp(tree->text, "null") == 0);
}

const char *tree_kind_name(const struct tree *tree)
{
    if (tree->kind == TREE_MAP) return "a map";
    if (tree->kind == TREE_LIST) return "a list";
    return tree_is_nothing(tree) ? "nothing" : "a single value";
}

NORETURN static void refuse_key(const struct tree *key, const char *what, const char *const *keys)
{
    const char *ours = foreign_meant(key->text), *colon = strchr(key->text, ':');
    if (ours)
        die_at(key->location, "%s: unknown key \"%s\"; in sanlab it is %s", what, key->text, ours);
    if (colon && colon[1])
        die_at(key->location,
               "%s: unknown key \"%s\"; expected a blank after the colon: \"%.*s: %s\"", what,
               key->text, (int)(colon - key->text), key->text, colon + 1);
    word_refuse(key->location, what, "unknown key", key->text, keys);
}

void tree_only_keys(const struct tree *map, const char *what, const char *const *keys)
{
    if (map->kind != TREE_MAP)
        die_at(map->location, "%s: expected a map, got %s", what, tree_kind_name(map));
    for (int i = 0; i < map->count; i++) {
        if (!word_known(map->key[i]->text, keys)) refuse_key(map->key[i], what, keys);
    }
}

struct tree *tree_copy(struct arena *arena, const struct tree *tree)
{
    struct tree *copy = tree_new(arena, tree->kind, tree->location);
    copy->text = tree->text;
    copy->quoted = tree->quoted;
    copy->takes = tree->takes;
    for (int i = 0; i < tree->count; i++)
        tree_add(arena, copy, tree->key ? tree->key[i] : NULL, tree_copy(arena, tree->item[i]));
    return copy;
}

/* Returns the index of the entry whose key is the first `length` bytes of `key`; -1 if there is
 * none. */
static int entry_of(const struct tree *map, const char *key, size_t length)
{
    for (int i = 0; i < map->count; i++) {
        const char *text = map->key[i]->text;
        if (strncmp(text, key, length) == 0 && !text[length]) return i;
    }
    return -1;
}

struct tree *tree_get(const struct tree *map, const char *key)
{
    if (!map || map->kind != TREE_MAP) return NULL;
    int entry = entry_of(map, key, strlen(key));
    return entry < 0 ? NULL : map->item[entry];
}

struct tree *tree_find(const struct tree *tree, const char *path)
{
    if (tree->kind != TREE_MAP) return NULL;
    for (int i = 0; i < tree->count; i++) {
        const char *key = tree->key[i]->text;
        size_t length = strlen(key);
        if (strncmp(path, key, length) != 0) continue;
        if (!path[length]) return tree->item[i];
        struct tree *found = NULL;
        if (path[length] == '.') found = tree_find(tree->item[i], path + length + 1);
        if (found) return found;
    }
    return NULL;
}

struct location tree_location(const struct tree *tree, const char *path)
{
    const struct tree *value = tree_find(tree, path);
    SCOPED(heap_free) char *around = heap_print("%s", path);
    for (char *dot; !value && (dot = strrchr(around, '.'));) {
        *dot = 0;
        value = tree_find(tree, around);
    }
    return value ? value->location : tree->location;
}

/* ---- dotted keys become nested maps ---- */

static void unfold_into(struct arena *arena, struct tree *map, const struct tree *from);

/* True if a key is a path: words joined by dots. Other keys ("w/o relpos.", "window 0.5") are
 * names. */
static bool is_path(const char *key)
{
    for (;; key++) {
        size_t word = strspn(key, LETTERS DIGITS "_-");
        if (!word || strchr(DIGITS "-", *key)) return false;
        key += word;
        if (*key != '.') return !*key;
    }
}

static size_t part_length(const char *path)
{
    return strchr(path, '.') && is_path(path) ? strcspn(path, ".") : strlen(path);
}

/* Puts a value into nested maps by its dotted key. Two entries of one source map may have common
 * maps on their paths, but must not set the same value. */
static void unfold_entry(struct arena *arena, struct tree *map, const struct tree *key,
                         const char *path, const struct tree *value)
{
    size_t length = part_length(path);
    bool last = !path[length];
    int entry = entry_of(map, path, length);
    if (entry < 0) {
        struct tree *name = tree_new(arena, TREE_SCALAR, key->location);
        name->text = arena_text_range(arena, path, length);
        name->quoted = key->quoted;
        bool is_leaf = last && value->kind != TREE_MAP;
        struct tree *made = is_leaf
                                ? tree_copy(arena, value)
                                : tree_new(arena, TREE_MAP, last ? value->location : key->location);
        tree_add(arena, map, name, made);
        if (is_leaf) return;
        entry = map->count - 1;
    } else if (map->item[entry]->kind != TREE_MAP || (last && value->kind != TREE_MAP)) {
        const struct location first = map->key[entry]->location;
        if (first.line <= 0)
            die_at(key->location, "\"%s\" is given twice, first in %s; expected it once", key->text,
                   first.file);
        die_at(key->location, "\"%s\" is given twice, first in line %d; expected it once",
               key->text, first.line);
    }
    if (last)
        unfold_into(arena, map->item[entry], value);
    else
        unfold_entry(arena, map->item[entry], key, path + length + 1, value);
}

static void unfold_into(struct arena *arena, struct tree *map, const struct tree *from)
{
    for (int i = 0; i < from->count; i++)
        unfold_entry(arena, map, from->key[i], from->key[i]->text, from->item[i]);
}

static bool is_folded(const struct tree *map)
{
    for (int i = 0; i < map->count; i++) {
        const char *key = map->key[i]->text;
        if (part_length(key) < strlen(key)) return true;
    }
    return false;
}

static struct tree *unfold(struct arena *arena, const struct tree *map)
{
    struct tree *unfolded = tree_new(arena, TREE_MAP, map->location);
    unfold_into(arena, unfolded, map);
    return unfolded;
}

void tree_put(struct arena *arena, struct tree *tree, const char *path, struct tree *value)
{
    const char *at = path;
    for (;;) {
        if (tree->kind != TREE_MAP) {
            int above = at == path ? 0 : (int)(at - path - 1);
            const int line = tree->location.line;
            die_at(value->location, "\"%.*s\" is %s (%s%s%.0d), so \"%s\" cannot be set", above,
                   path, tree_kind_name(tree), tree->location.file, line ? ":" : "", line, path);
        }
        if (is_folded(tree)) *tree = *unfold(arena, tree);
        size_t length = part_length(at);
        bool last = !at[length];
        struct tree *key = tree_new(arena, TREE_SCALAR, value->location);
        key->text = arena_text_range(arena, at, length);
        int entry = entry_of(tree, at, length);
        if (entry < 0) {
            entry = tree->count;
            tree_add(arena, tree, key, last ? value : tree_new(arena, TREE_MAP, value->location));
        } else if (last) {
            tree->key[entry] = key;
            tree->item[entry] = value;
        }
        if (last) return;
        tree = tree->item[entry];
        at += length + 1;
    }
}

/* Merges `over` into `under`. Dotted keys of both are already unfolded, so that a path has only one
 * spelling. */
static void lay_over(struct arena *arena, struct tree *under, const struct tree *over)
{
    for (int i = 0; i < over->count; i++) {
        struct tree *key = over->key[i], *value = over->item[i];
        int entry = entry_of(under, key->text, strlen(key->text));
        if (entry < 0) {
            tree_add(arena, under, key, value);
        } else if (under->item[entry]->kind == TREE_MAP && value->kind == TREE_MAP) {
            lay_over(arena, under->item[entry], value);
        } else {
            value->takes = tree_is_nothing(value);
            under->key[entry] = key;
            under->item[entry] = value;
        }
    }
}

struct tree *tree_merge(struct arena *arena, const struct tree *under, const struct tree *over)
{
    if (over->kind != TREE_MAP) return tree_copy(arena, over);
    struct tree *top = unfold(arena, over);
    if (!under || under->kind != TREE_MAP) return top;
    struct tree *merged = unfold(arena, under);
    lay_over(arena, merged, top);
    merged->location = over->location;
    return merged;
}

void tree_take_away(struct tree *map)
{
    int left = 0;
    for (int i = 0; i < map->count; i++) {
        if (map->item[i]->takes) continue;
        map->key[left] = map->key[i];
        map->item[left++] = map->item[i];
        if (map->item[i]->kind == TREE_MAP) tree_take_away(map->item[i]);
    }
    map->count = left;
}

/* ---- parts ---- */

const struct tree *tree_with(struct arena *arena, const struct tree *tree, const char *key,
                             const struct tree *value)
{
    struct tree *with = tree_new(arena, TREE_MAP, tree->location);
    const int entry = entry_of(tree, key, strlen(key));
    for (int i = 0; i < tree->count; i++)
        tree_add(arena, with, tree->key[i], i == entry ? (struct tree *)value : tree->item[i]);
    if (entry < 0)
        tree_add(arena, with, tree_new_text(arena, value->location, key), (struct tree *)value);
    return with;
}

const struct tree *tree_without(struct arena *arena, const struct tree *tree, const char *path)
{
    size_t length = part_length(path);
    int entry = tree->kind == TREE_MAP ? entry_of(tree, path, length) : -1;
    if (entry < 0) return tree;
    struct tree *rest = tree_new(arena, TREE_MAP, tree->location);
    for (int i = 0; i < tree->count; i++) {
        const struct tree *item = tree->item[i];
        if (i == entry && !path[length]) continue;
        if (i == entry) item = tree_without(arena, item, path + length + 1);
        tree_add(arena, rest, tree->key[i], (struct tree *)item);
    }
    return rest;
}

void tree_visit(const struct tree *tree, const char *path, tree_visitor *visit, void *context)
{
    if (tree->kind == TREE_SCALAR) visit(context, path, tree);
    for (int i = 0; i < tree->count; i++) {
        char below[512];
        snprintf(below, sizeof below, "%s%s%s", path, *path && tree->key ? "." : "",
                 tree->key ? tree->key[i]->text : "");
        tree_visit(tree->item[i], below, visit, context);
    }
}

bool tree_same(const struct tree *one, const struct tree *other)
{
    if (!one || !other) return one == other;
    bool same = one->kind == other->kind && one->count == other->count &&
                one->quoted == other->quoted && (!one->text || !strcmp(one->text, other->text));
    for (int i = 0; same && i < one->count; i++)
        same = (!one->key || tree_same(one->key[i], other->key[i])) &&
               tree_same(one->item[i], other->item[i]);
    return same;
}

/* ---- printing ---- */

/* True if an unquoted text needs no quotes in flow style. May return false for a text that needs no
 * quotes. Quotes never change the meaning of a text that is not a number, boolean or null. */
static bool is_plain(const char *text)
{
    size_t length = strlen(text);
    if (!length || text[0] == ' ' || text[length - 1] == ' ') return false;
    size_t signs =
        strspn(text, "-."); /* "-.5" is a number; "- 5" begins a list, and "..." ends a document */
    if (signs && !strspn(text + signs, LETTERS DIGITS)) return false;
    return strspn(text, LETTERS DIGITS " _+-./()=") == length;
}

void text_print_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        bool next_line = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0; /* U+0080..9F */
        bool separator = at[0] == 0xe2 && at[1] == 0x80 && (at[2] & 0xfe) == 0xa8;
        if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at == '\n' || *at == '\t') {
            fputs(*at == '\n' ? "\\n" : "\\t", out);
        } else if (*at < ' ' || *at == 127) {
            fprintf(out, "\\x%02X", *at);
        } else if (next_line) {
            fprintf(out, "\\x%02X", *++at);
        } else if (separator) {
            fprintf(out, "\\u20%02X", 0x28 + (at[2] & 1)); /* U+2028, U+2029 */
            at += 2;
        } else {
            fputc(*at, out);
        }
    }
    fputc('"', out);
}

void tree_print(const struct tree *tree, FILE *out)
{
    if (tree->kind == TREE_SCALAR) {
        if (tree_is_nothing(tree))
            fputc('~', out);
        else if (!tree->quoted && is_plain(tree->text))
            fputs(tree->text, out);
        else
            text_print_quoted(tree->text, out);
        return;
    }
    fputc(tree->kind == TREE_MAP ? '{' : '[', out);
    for (int i = 0; i < tree->count; i++) {
        if (i) fputs(", ", out);
        if (tree->key) {
            tree_print(tree->key[i], out);
            fputs(": ", out);
        }
        tree_print(tree->item[i], out);
    }
    fputc(tree->kind == TREE_MAP ? '}' : ']', out);
}

const char *tree_text(struct arena *arena, const struct tree *tree)
{
    if (tree->kind == TREE_SCALAR) return tree->text;
    ARENA_STREAM(text);
    tree_print(tree, text.out);
    return arena_stream_close(arena, &text);
}
