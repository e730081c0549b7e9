/* What the database has of a set of stages, read by name.
 *
 * A name is read once, for all stages of the set, in one statement; it is then looked up in memory.
 * So the number of statements depends on the names that are asked for, and not on the number of
 * stages. Everything lives in the arena, and is what the database had when the name was first asked
 * for. The sampler of tables, figures and claims reads here; lists and exports do not yet.
 *
 *     struct relation *relation = relation_open(store, id, count, arena);
 *     double bleu = relation_value(relation, relation_stage(relation, id[0]).number, "bleu");
 */
#ifndef RESULTS_STORE_RELATION_H
#define RESULTS_STORE_RELATION_H

#include "results/store/dimension.h"
#include "results/store/store.h"

struct relation;

struct relation_stage {
    int64_t number; /* -1: there is no such stage yet */
    const char *status;
    double wall; /* seconds of all attempts */
};

/* Line of metrics.jsonl. */
struct relation_line {
    int64_t step; /* -1: none */
    double value; /* NaN: it was not finite */
};

/* The stages of these ids, of which some may not be there yet, and some may be given twice. */
struct relation *relation_open(struct store *store, const char *const *id, int count,
                               struct arena *arena);
/* The stage of an id; of an id that is not in the set one that is not there yet. */
struct relation_stage relation_stage(const struct relation *relation, const char *id);

/* Of the stage `number` as a whole: a number (NaN: none), a text (NULL: none). */
double relation_value(struct relation *relation, int64_t number, const char *name);
const char *relation_word(struct relation *relation, int64_t number, const char *name);
/* What its environment has under a key (NULL: nothing). */
const char *relation_environment(struct relation *relation, int64_t number, const char *key);
/* Its lines that have these dimensions and no others, by step, those of one step as they were
 * written: [*count]. */
const struct relation_line *relation_lines(struct relation *relation, int64_t number,
                                           const char *name, const struct dimensions *of,
                                           int *count);

#endif
