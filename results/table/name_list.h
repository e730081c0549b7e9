/* Names in a caption, "A, B, C", of more than a dozen the first; or by what is said of them. */
#pragma once

#include "core/base/arena.h"

enum { NAME_LIST_SAID = 12 };

struct name_list {
    struct arena *arena;
    const char *name[NAME_LIST_SAID]; /* the first of them */
    int count;
    bool commas; /* in one of these: semicolons stand between all of them */
};
void name_list_add(struct name_list *list, const char *name);
const char *name_list_text(const struct name_list *list); /* NULL: of none */

struct name_groups {
    struct arena *arena;
    int count;
    struct name_group {
        const char *text;       /* what is said */
        struct name_list names; /* each once */
        const char *last;       /* the name that was added last */
    } * group;                  /* [count] in the order in which they were first said */
};
/* Returns the index of the group. */
int name_groups_add(struct name_groups *groups, const char *text, const char *name);
/* "WHAT: TEXT" of the only group, "WHAT of NAMES: TEXT" of one of several. */
const char *name_groups_about(const struct name_groups *groups, int index, const char *what);
/* "NAMES: TEXT; NAMES: TEXT"; NULL: there are no groups. */
const char *name_groups_said(const struct name_groups *groups);
/* "TEXT (NAMES)" of each group, in one list. */
const char *name_groups_text(const struct name_groups *groups);
