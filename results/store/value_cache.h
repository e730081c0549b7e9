/* Values of a set of stages in the database, read by name.
 *
 * A name is read once, for all stages of the set, in one statement. Later lookups are in memory. So
 * the number of statements depends on the number of names, not of stages. Results are in the arena
 * and keep the state of the database at the first lookup of their name. Lists and exports read rows
 * of many stages in one statement, without a cache.
 *
 *   struct value_cache *cache = value_cache_open(store, id, count, arena);
 *   double bleu = value_cache_value(cache, value_cache_stage(cache, id[0]).number, "bleu"); */
#pragma once

#include "results/store/dimension.h"
#include "results/store/store.h"

struct value_cache;

struct value_cache_stage {
    int64_t number; /* -1: no such stage yet */
    const char *status;
    double wall; /* seconds of all attempts */
};

/* A line of metrics.jsonl, or an answer to a question below. */
struct value_cache_line {
    int64_t step, n;      /* step -1, n 0: none */
    double value;         /* NaN: not finite, or a text */
    struct dimensions of; /* only for value_cache_lines without dimensions */
    const char *text;     /* text of an answer: a number has all its digits; NULL: not finite */
    const char *key;      /* path of an option in a list, a.b$[0].c; or NULL */
};

/* Returns the cache of the values of the stages of these ids, which may be missing or repeated;
 * NULL: all stages. */
struct value_cache *value_cache_open(struct store *store, const char *const *id, int count,
                                     struct arena *arena);
/* Returns the number of existing stages of the cache, and their numbers in ascending order. */
int value_cache_count(const struct value_cache *cache, const int64_t **number);
/* Returns the stage of an id; number -1 if the id is not in the set. */
struct value_cache_stage value_cache_stage(const struct value_cache *cache, const char *id);

/* A value of the stage `number` as a whole: a number (NaN: none), a text (NULL: none). */
double value_cache_value(struct value_cache *cache, int64_t number, const char *name);
const char *value_cache_word(struct value_cache *cache, int64_t number, const char *name);
/* Returns the value of a key of the stage's environment; NULL: none. */
const char *value_cache_environment(struct value_cache *cache, int64_t number, const char *key);
/* Returns the stage's lines with exactly these dimensions (NULL: any), [*count]. They are sorted by
 * step, lines of one step in the order of writing. */
const struct value_cache_line *value_cache_lines(struct value_cache *cache, int64_t number,
                                                 const char *name, const struct dimensions *of,
                                                 int *count);
/* Returns the value of the stage's last line with exactly these dimensions; NaN: none. */
double value_cache_metric(struct value_cache *cache, int64_t number, const char *name,
                          const struct dimensions *of);

/* Kinds of values of a stage under a key of a list or a filter, in the order of lookup. */
enum value_cache_question {
    VALUE_CACHE_FIELD,  /* of every stage: id, kind, name, tag, step .. */
    VALUE_CACHE_AXIS,   /* an axis that a grid names, with the coordinates of the stage's points */
    VALUE_CACHE_RESULT, /* of the stage as a whole, by its name or the name of a table's column */
    VALUE_CACHE_LAST,   /* the last line of a metric without layer, head, set and class */
    VALUE_CACHE_OPTION, /* of the stage or one of its inputs; the name is the last word of a key */
    VALUE_CACHE_ENVIRONMENT,
    VALUE_CACHE_QUESTIONS,
    /* Questions that are not looked up for a key: a text of the stage as a whole; an option given
     * to the stage itself. Also the ids of its inputs and of its readers, its source if it was
     * copied, and its own tags. */
    VALUE_CACHE_WORD = VALUE_CACHE_QUESTIONS,
    VALUE_CACHE_OWN_OPTION,
    VALUE_CACHE_INPUT, /* this and the next three have the name "" */
    VALUE_CACHE_READER,
    VALUE_CACHE_COPIED,
    VALUE_CACHE_TAG,
    /* The name is "", and each answer has its key. OWN_OPTIONS: the stage's options except seed and
     * part. SUMMARY: values (text NULL) and texts of the stage as a whole. */
    VALUE_CACHE_OWN_OPTIONS,
    VALUE_CACHE_SUMMARY
};
/* Returns the answers of the stage `number`, or of all stages for -1: [*count]. */
const struct value_cache_line *value_cache_texts(struct value_cache *cache, int64_t number,
                                                 enum value_cache_question question,
                                                 const char *name, int *count);

/* Returns the names of values of all done stages of a kind in the database. The values are of the
 * stage as a whole, or journaled by steps. Sorted, NULL-terminated. */
const char *const *value_cache_value_names(struct store *store, const char *kind, bool journaled,
                                           struct arena *arena);

/* Returns rows of the stages number[count], in their order; `at` is the index of the stage, from 0.
 *   list   (at, ..): the columns of `ls`, for people
 *   stages (at, ..): the columns of `ls --format csv`; names and tags are JSON lists. `telling` is
 *          the name of the value that describes the stage.
 *   heads  (at, ..): the first fields of a line of `export`, then the message of a failure
 *   lines  (at, id, kind, name, seed, metric, step, layer, head, set, class, n, value) of
 *          metrics.jsonl, by metric and step. The name is the stage's first; the seed is that of
 *          the training that the stage is or reads, null if it reads several seeds
 *   facts  (at, part, key, value): values of each stage, part by part, keys ascending; only the
 *          first four parts
 *   keys   (part, key) of all facts, each once, in the same order
 *   cells  like facts, with every key for every stage; null: the stage does not have the key
 *   all_inputs (id): all direct and indirect inputs
 *   words  (key): all keys of a filter, with the paths of options
 *   details (at, part, key, value, shown, flag): facts and the other parts, part by part, key by
 *          key, then stage by stage. `shown` is the value for people. The flag is 1 for an option
 *          with its default, and in other parts for a key that a comparison of stages leaves out.
 * `defaults` is only for details, else NULL: a JSON list with, for each stage, null or a list of
 * [key, value, beside, then]. If the option `beside` was given, the default is `then`. */
enum value_cache_part {
    VALUE_CACHE_OPTIONS,
    VALUE_CACHE_RESULTS,
    VALUE_CACHE_LATEST,
    VALUE_CACHE_ENVIRONMENTS,
    VALUE_CACHE_PARTS,
    VALUE_CACHE_HEAD = VALUE_CACHE_PARTS, /* id, folder, names, .. */
    VALUE_CACHE_STAGE,                    /* kind, names, status */
    VALUE_CACHE_INPUTS,                   /* kind and id of an input */
    VALUE_CACHE_READS,                    /* folder and status of an input */
    VALUE_CACHE_FILES,                    /* an input text by its purpose, and its SHA-256 */
    VALUE_CACHE_READERS,                  /* folder and status of a reader */
    VALUE_CACHE_CLASSES                   /* last values by layer, head and class */
};
enum value_cache_rows {
    VALUE_CACHE_LIST,
    VALUE_CACHE_STAGES,
    VALUE_CACHE_HEADS,
    VALUE_CACHE_LINES,
    VALUE_CACHE_FACTS,
    VALUE_CACHE_KEYS,
    VALUE_CACHE_CELLS,
    VALUE_CACHE_ALL_INPUTS,
    VALUE_CACHE_WORDS,
    VALUE_CACHE_DETAILS
};
sqlite3_stmt *value_cache_rows(struct store *store, enum value_cache_rows rows,
                               const int64_t *number, int count, const char *defaults);
