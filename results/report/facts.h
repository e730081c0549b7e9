/* Values of keys, each once, with the members that have it: of an option the rows, of the
 * environment the stages, of a stage (its id and title) the points. */
#pragma once

#include "results/store/store.h"

struct fact {
    const char *key, *value;
    bool *has; /* [members] */
};

struct facts {
    int members, count;
    struct fact *fact;
    bool *any; /* [members] which of them have a fact at all */
};

struct facts facts_new(struct arena *arena, int members);
void facts_add(struct arena *arena, struct facts *facts, const char *key, const char *value,
               int member);
/* Adds the keys and values that a question about an id has. */
void facts_ask(struct arena *arena, struct store *store, struct facts *facts, const char *sql,
               const char *id, int member);
/* Whether all have it that have any. */
bool facts_of_all(const struct facts *facts, const struct fact *fact);
/* The values: "1, 2, 3"; NULL: none. */
const char *facts_list(struct arena *arena, const struct facts *facts);
