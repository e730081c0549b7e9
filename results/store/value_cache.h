/* Reads values of a set of stages from the database, by name, and caches them.
 *
 * At the first lookup of a name, one statement reads its values for all stages of the set. Later
 * lookups of the name use the cache. So the number of statements depends on the number of names,
 * not on the number of stages. Results are in the arena, and do not change if the database changes
 * later. Lists and exports read rows of many stages in one statement, without the cache
 * (value_cache_rows).
 *
 *   struct value_cache *cache = value_cache_open(store, id, count, arena);
 *   double bleu = value_cache_value(cache, value_cache_stage(cache, id[0]).number, "bleu"); */
#pragma once

#include "results/store/dimension.h"
#include "results/store/store.h"

struct value_cache;

struct value_cache_stage {
    int64_t number; /* -1: the database does not have the stage */
    const char *status;
    double wall; /* total time of all attempts in seconds */
};

/* A line of metrics.jsonl, or an answer to a question below. */
struct value_cache_line {
    int64_t step, n;      /* step -1: no step; n 0: no n */
    double value;         /* NaN: the value is not finite, or is a text */
    struct dimensions of; /* set only by value_cache_lines with `of` NULL */
    const char *text;     /* an answer as text (numbers with all digits); NULL: a number that is not
                             finite */
    const char *key;      /* path of an option in a list, a.b$[0].c, or key of the answer; or
                             NULL */
};

/* Returns an empty cache for the stages with these ids (NULL: all stages). Ids may be repeated, and
 * stages may be missing in the database. */
struct value_cache *value_cache_open(struct store *store, const char *const *id, int count,
                                     struct arena *arena);
/* Returns how many stages of the set the database has. Sets *number to their numbers, ascending. */
int value_cache_count(const struct value_cache *cache, const int64_t **number);
/* Returns the stage of an id; number -1 if the id is not in the set. */
struct value_cache_stage value_cache_stage(const struct value_cache *cache, const char *id);

/* Return a value of the stage `number` as a whole: a number (NaN: none), or a text (NULL: none). */
double value_cache_value(struct value_cache *cache, int64_t number, const char *name);
const char *value_cache_word(struct value_cache *cache, int64_t number, const char *name);
/* Returns the value of a key of the stage's environment; NULL: none. */
const char *value_cache_environment(struct value_cache *cache, int64_t number, const char *key);
/* Returns the lines of the metric `name` with exactly these dimensions (NULL: all lines), [*count].
 * They are sorted by step. Lines with the same step are in the order in which they were written. */
const struct value_cache_line *value_cache_lines(struct value_cache *cache, int64_t number,
                                                 const char *name, const struct dimensions *of,
                                                 int *count);
/* Returns the value of the last of these lines; NaN if there is none. */
double value_cache_metric(struct value_cache *cache, int64_t number, const char *name,
                          const struct dimensions *of);

/* Sources of the value of a stage for a key. A key of `ls` or of a filter is looked up in this
 * order. */
enum value_cache_question {
    VALUE_CACHE_FIELD,  /* properties of all stages: id, kind, name, tag, step .. */
    VALUE_CACHE_AXIS,   /* a named axis of a grid: the coordinates of the stage's points */
    VALUE_CACHE_RESULT, /* a value of the stage as a whole, by its name or the name of a column of a
                           table */
    VALUE_CACHE_LAST,   /* the last line of a metric without layer, head, set and class */
    VALUE_CACHE_OPTION, /* options of the stage and its direct and indirect inputs; the name may be
                           the last words of the key */
    VALUE_CACHE_ENVIRONMENT,
    VALUE_CACHE_QUESTIONS,
    /* The following are not searched for a key. WORD: a text of the stage as a whole. INPUT:
     * ids of its inputs; the name is "". */
    VALUE_CACHE_WORD = VALUE_CACHE_QUESTIONS,
    VALUE_CACHE_INPUT,
    /* For these two, the name is "", and answers have keys. OWN_OPTIONS: all options of the stage
     * itself except seed and part. SUMMARY: values (text NULL) and texts of the stage as a
     * whole. */
    VALUE_CACHE_OWN_OPTIONS,
    VALUE_CACHE_SUMMARY
};
/* Returns the answers to a question, [*count]: for the stage `number`, or for all stages if
 * `number` is -1. */
const struct value_cache_line *value_cache_texts(struct value_cache *cache, int64_t number,
                                                 enum value_cache_question question,
                                                 const char *name, int *count);

/* Returns a statement with rows about the stages number[count], in this order. `at` is the index of
 * the stage in `number`.
 *   list   (at, ..): the columns of `ls`, formatted for people
 *   stages (at, ..): the columns of `ls --format csv`; names and tags are JSON lists. `telling` is
 *          the name of the value that describes the stage (offer.h)
 *   heads  (at, ..): the first fields of a line of `export`, then the message of a failed stage
 *   lines  (at, id, kind, name, seed, metric, step, layer, head, set, class, n, value): the lines
 *          of metrics.jsonl, by metric and step. `name` is the first name of the stage. `seed` is
 *          the seed of the stage and its inputs; null if they have several seeds
 *   facts  (at, part, key, value): values of each stage, by part and key; only the first four parts
 *   keys   (part, key): the different parts and keys of all facts, in the same order
 *   cells  (at, part, key, value): like facts, but all stages have all keys; the value is null if
 *          the stage does not have the key
 *   counted (key, value, stages): each value of environments and signatures, with the number of
 *          stages that have it: "2 of 3"
 *   words  (key): all keys that a filter may use, including the paths of options
 *   details (at, part, key, value, shown, flag): facts and the other parts, by part, key and stage.
 *          `shown` is the value as `show` prints it. `flag` is 1 for an option that has its
 *          default. In other parts, it is 1 for a key that a comparison of stages leaves out
 * `defaults` is NULL except for details. It is a JSON list with an entry for each stage: null or a
 * list of [key, value, beside, then]. The default of the option `key` is `value`, but `then` if the
 * stage sets the option `beside`. */
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
    VALUE_CACHE_CLASSES                   /* values by layer, head and class */
};
enum value_cache_rows {
    VALUE_CACHE_LIST,
    VALUE_CACHE_STAGES,
    VALUE_CACHE_HEADS,
    VALUE_CACHE_LINES,
    VALUE_CACHE_FACTS,
    VALUE_CACHE_KEYS,
    VALUE_CACHE_CELLS,
    VALUE_CACHE_COUNTED,
    VALUE_CACHE_WORDS,
    VALUE_CACHE_DETAILS
};
sqlite3_stmt *value_cache_rows(struct store *store, enum value_cache_rows rows,
                               const int64_t *number, int count, const char *defaults);
