/* A tree of maps, lists and scalars with their locations. It is read from YAML (tree_read.h) or
 * built by other code. Scalars are texts until scalar.h converts them. So 1e-4 is a number, and
 * `yes` is an error for an option that is true or false. */
#pragma once

#include "core/base/arena.h"
#include "core/config/location.h"

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    struct location location;
    const char *text;   /* text of a scalar */
    bool quoted;        /* scalar in quotes: never a number, boolean or null */
    bool takes;         /* scalar `~` that removes a value (tree_merge) */
    int count;          /* number of entries of a list or map */
    struct tree **item; /* [count] list entries or map values */
    struct tree **key;  /* [count] map keys (scalars); NULL for lists */
};

/* Returns the value at a dotted path ("train.steps") through maps; NULL if there is none. A key
 * that contains dots ("encoder.attention" in a grid's row) is equivalent to nested maps. To find a
 * prefix of such a key ("encoder"), unfold the tree first: tree_merge(arena, NULL, tree). */
struct tree *tree_find(const struct tree *tree, const char *path);
/* Returns the location of the value at the path. If the value is missing, returns the location of
 * its innermost existing parent. */
struct location tree_location(const struct tree *tree, const char *path);
/* Returns the value of exactly this key, in which dots have no meaning; NULL if absent, or if `map`
 * is NULL or not a map. */
struct tree *tree_get(const struct tree *map, const char *key);
/* Puts `value` at a dotted path; creates missing maps and replaces an existing value. Dies at the
 * location of `value` if the path leads through a scalar or a list. */
void tree_put(struct arena *arena, struct tree *tree, const char *path, struct tree *value);
/* Returns `over` merged over `under` (may be NULL). Maps are merged key by key. Other values of
 * `over` replace the values of `under`. A `~` removes a value: if it replaces a value, it is marked
 * with `takes`, and tree_take_away removes it after the last merge. It is not removed earlier,
 * because the result may be merged over another tree. A `~` that replaces nothing is not marked,
 * and the reader of the option refuses it. The arguments are not changed, and the result shares no
 * value with them. Dotted keys outside of lists are unfolded into nested maps. A key is dotted if
 * it consists of words joined by dots ("a.b_c", but not "w/o x." or "0.5"). Dies if a map sets a
 * value twice ({a.b: 1, a: {b: 2}}). */
struct tree *tree_merge(struct arena *arena, const struct tree *under, const struct tree *over);
/* Removes every `~` that is marked with `takes` from a map and its nested maps. */
void tree_take_away(struct tree *map);

/* Returns a copy of the tree without the value at a dotted path; the tree itself if there is no
 * value. The copy shares all other nodes with the tree. Unfold dotted keys first, as for
 * tree_find. */
const struct tree *tree_without(struct arena *arena, const struct tree *tree, const char *path);
/* Returns a copy of a map in which `key` has this value. A new key becomes the last key. The copy
 * shares all other nodes with the map. */
const struct tree *tree_with(struct arena *arena, const struct tree *tree, const char *key,
                             const struct tree *value);
/* Calls the visitor for every scalar with its dotted path of map keys. Lists add nothing to the
 * path. `path` is the path of the tree itself, "" at the top. */
typedef void tree_visitor(void *context, const char *path, const struct tree *scalar);
void tree_visit(const struct tree *tree, const char *path, tree_visitor *visit, void *context);
/* True if two trees are equal: the same keys, texts and quotes in the same order. Either tree may
 * be NULL. */
bool tree_same(const struct tree *one, const struct tree *other);

/* Prints a tree in YAML's flow style on one line ({a: 1, b: [2, 3]}). The order of keys is kept.
 * Reading the text gives the same tree, except for quotes around texts that are not numbers,
 * booleans or null. */
void tree_print(const struct tree *tree, FILE *out);
/* Returns the text of a scalar. For a map or list, returns the text of tree_print. Names and tables
 * use this text. */
const char *tree_text(struct arena *arena, const struct tree *tree);
/* Prints a text in double quotes on one line, with YAML's escapes. */
void text_print_quoted(const char *text, FILE *out);

/* Creates an empty node. tree_add adds its entries. */
struct tree *tree_new(struct arena *arena, enum tree_kind kind, struct location location);
struct tree *tree_new_text(struct arena *arena, struct location location, const char *text);
void tree_add(struct arena *arena, struct tree *parent, struct tree *key, struct tree *value);
struct tree *tree_copy(struct arena *arena, const struct tree *tree);

/* True for an omitted value: "key:", ~ or null, without quotes. */
bool tree_is_nothing(const struct tree *tree);
/* Returns "a map", "a list", "a single value" or "nothing", for messages. */
const char *tree_kind_name(const struct tree *tree);
/* Dies at the key's location if a key of the map is not in the list (NULL-terminated), or if `map`
 * is not a map. */
void tree_only_keys(const struct tree *map, const char *what, const char *const *keys);
