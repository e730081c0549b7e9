/* Strict YAML: a file or a text becomes a tree of maps, lists and scalars, each with its place.
 *
 * What is refused, in one line with file:line:column: duplicate keys (both lines are named), tags,
 * several documents, aliases beyond a budget, depth over 64, files over 1 MiB, invalid UTF-8, NUL,
 * UTF-16, merge keys. A byte order mark and CRLF are accepted. Scalars stay text until an option
 * row says what they must be (option.h), so that 1e-4 is a number and yes is an error. */
#ifndef CORE_CONFIG_TREE_H
#define CORE_CONFIG_TREE_H

#include "core/base/arena.h"

struct place {
    const char *file; /* a path, or "command line" */
    int line, column; /* from 1; 0 when there is no line */
};

/* "file:line:col: message", as die. */
NORETURN void die_at(struct place place, const char *format, ...) PRINTF(2, 3);

enum tree_kind {
    TREE_SCALAR,
    TREE_LIST,
    TREE_MAP
};

struct tree {
    enum tree_kind kind;
    struct place place;
    const char *text;   /* scalar: its text */
    bool quoted;        /* scalar: written in quotes, so never a number, boolean or null */
    int count;          /* list, map: entries */
    struct tree **item; /* [count] list entries or map values */
    struct tree **key;  /* [count] map keys (scalars); NULL for lists */
};

/* Both die on anything that is not strict. An empty file is an empty map. */
struct tree *tree_read(struct arena *arena, const char *path);
struct tree *tree_parse(struct arena *arena, const char *name, const char *text);

/* The value at a dotted path ("train.steps"), or NULL; only maps are entered. A key that itself
 * contains dots ("encoder.attention" in a grid's row) is the same as nested maps. */
struct tree *tree_find(const struct tree *tree, const char *path);
/* Puts `value` at a dotted path, making maps on the way; replaces what is there. A scalar on the
 * way is an error at the place of `value`. */
void tree_put(struct arena *arena, struct tree *tree, const char *path, struct tree *value);
/* Lays `over` upon `under`: maps are merged key by key, everything else is replaced. Neither
 * argument is changed; dotted keys are unfolded into nested maps. */
struct tree *tree_merge(struct arena *arena, const struct tree *under, const struct tree *over);
/* "a.b=c" from the command line: c is parsed by the same reader. Dies with the place
 * "command line: a.b=c". */
void tree_override(struct arena *arena, struct tree *tree, const char *assignment);

/* Canonical flow text of a tree on one line ({a: 1, b: [2, 3]}), keys in the order given. */
void tree_print(const struct tree *tree, FILE *out);

#endif
