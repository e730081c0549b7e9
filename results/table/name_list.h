/* Formats lists of names for captions, "A, B, C". Groups names that have the same text. A list has
 * at most 12 names, then the number of the remaining names. */
#pragma once

#include "core/base/arena.h"

enum { NAME_LIST_SAID = 12 };

struct name_list {
    struct arena *arena;
    const char *name[NAME_LIST_SAID]; /* the first names */
    int count;
    bool commas; /* a name has a comma, so the separator is a semicolon */
};
void name_list_add(struct name_list *list, const char *name);
const char *name_list_text(const struct name_list *list); /* NULL: no names */

struct name_groups {
    struct arena *arena;
    int count;
    struct name_group {
        const char *text;       /* the text of the group */
        struct name_list names; /* names of the group, each once */
        const char *last;       /* the name added last */
    } * group;                  /* [count] in the order of first use */
};
/* Adds a name to the group of a text. Returns the index of the group. */
int name_groups_add(struct name_groups *groups, const char *text, const char *name);
/* Returns "WHAT: TEXT" if there is one group, else "WHAT of NAMES: TEXT" for the group `index`. */
const char *name_groups_about(const struct name_groups *groups, int index, const char *what);
/* Returns "NAMES: TEXT; NAMES: TEXT"; NULL: no groups. */
const char *name_groups_said(const struct name_groups *groups);
/* Returns the list "TEXT (NAMES), TEXT (NAMES)"; NULL: no groups. */
const char *name_groups_text(const struct name_groups *groups);
