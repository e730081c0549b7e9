/* A tree of maps, lists and scalars, each with its place: what the reader makes of YAML
 * (tree_read.h), and what is built by hand. Scalars stay text until somebody says what they must
 * be (scalar.h), so that 1e-4 is a number and yes is an error. */
#pragma once

#include "core/base/arena.h"
#include "core/config/place.h"

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    struct place place;
    const char *text;   /* scalar: its text */
    bool quoted;        /* scalar: written in quotes, so never a number, boolean or null */
    bool takes;         /* scalar: a `~` that was laid upon something (tree_merge) */
    int count;          /* list, map: entries */
    struct tree **item; /* [count] list entries or map values */
    struct tree **key;  /* [count] map keys (scalars); NULL for lists */
};

/* The value at a dotted path ("train.steps"), or NULL; only maps are entered. A key that itself
 * contains dots ("encoder.attention" in a grid's row) is the same as nested maps; whoever asks for
 * a part of such a key ("encoder") unfolds first: tree_merge(arena, NULL, tree). */
struct tree *tree_find(const struct tree *tree, const char *path);
/* Where such a value stands, or else the nearest one that it would stand in. */
struct place tree_place(const struct tree *tree, const char *path);
/* The value of exactly this key, or NULL; also NULL when `map` is NULL or no map. */
struct tree *tree_get(const struct tree *map, const char *key);
/* Puts `value` at a dotted path, making maps on the way; replaces what is there. A scalar or a
 * list on the way is an error at the place of `value`. */
void tree_put(struct arena *arena, struct tree *tree, const char *path, struct tree *value);
/* Lays `over` upon `under` (may be NULL): maps are merged key by key, everything else is replaced,
 * and a `~` that replaces something `takes` it away: in the end, for what is laid beneath may come
 * later, by tree_take_away. Where nothing was it stays, for whoever reads it to refuse.
 * Neither argument is changed, the result shares no node with them; dotted keys are unfolded into
 * nested maps, outside of lists. A key is dotted when it is words joined by dots ("a.b_c", but not
 * "w/o x." or "0.5"). Dies when one map gives a value twice ({a.b: 1, a: {b: 2}}). */
struct tree *tree_merge(struct arena *arena, const struct tree *under, const struct tree *over);
/* Removes from a map, and the maps within, every `~` that takes something away. */
void tree_take_away(struct tree *map);

/* The tree without what stands at a dotted path; itself when nothing does. Shares all other nodes.
 * The path's dots are those of nested maps: unfold first, as for tree_find. */
const struct tree *tree_without(struct arena *arena, const struct tree *tree, const char *path);
/* A map with another value of a key, which stands last where there was none. Shares all nodes. */
const struct tree *tree_with(struct arena *arena, const struct tree *tree, const char *key,
                             const struct tree *value);
/* Every scalar of the tree with its dotted path of map keys, to which lists add nothing; `path`: of
 * the tree itself, "" at the top. */
typedef void tree_visitor(void *context, const char *path, const struct tree *scalar);
void tree_visit(const struct tree *tree, const char *path, tree_visitor *visit, void *context);
/* Whether `tree` has everything that is in `part`: maps key by key, everything else equal, numbers
 * as numbers (0.10 is 1e-1). */
bool tree_covers(const struct tree *tree, const struct tree *part);

/* Canonical flow text of a tree on one line ({a: 1, b: [2, 3]}), keys in the order given. Read
 * again it is the same tree, up to quotes around what is not a number, boolean or null anyway. */
void tree_print(const struct tree *tree, FILE *out);
/* A scalar as it is, anything else as tree_print writes it: a value within a name or a table. */
const char *tree_text(struct arena *arena, const struct tree *tree);
/* A text in double quotes on one line, escaped as YAML does. */
void text_print_quoted(const char *text, FILE *out);

/* Trees by hand. Entries are added only by tree_add and never taken away. */
struct tree *tree_new(struct arena *arena, enum tree_kind kind, struct place place);
struct tree *tree_new_text(struct arena *arena, struct place place, const char *text);
void tree_add(struct arena *arena, struct tree *parent, struct tree *key, struct tree *value);
struct tree *tree_copy(struct arena *arena, const struct tree *tree);

/* A value that was left out: "key:", ~ or null, without quotes. */
bool tree_is_nothing(const struct tree *tree);
/* "a map", "a list", "a single value" or "nothing", for messages. */
const char *tree_kind_name(const struct tree *tree);
/* Dies at the key's place unless every key of the map is in the list (NULL-terminated); also when
 * it is not a map. */
void tree_only_keys(const struct tree *map, const char *what, const char *const *keys);
