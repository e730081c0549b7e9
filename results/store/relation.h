/* What the database has of a set of stages, read by name.
 *
 * A name is read once, for all stages of the set, in one statement; it is then looked up in memory.
 * So the number of statements depends on the names that are asked for, and not on the number of
 * stages. Everything lives in the arena, and is what the database had when the name was first asked
 * for. Lists and exports read rows of many stages in one statement, of which they keep nothing.
 *
 *     struct relation *relation = relation_open(store, id, count, arena);
 *     double bleu = relation_value(relation, relation_stage(relation, id[0]).number, "bleu");
 */
#pragma once

#include "results/store/dimension.h"
#include "results/store/store.h"

struct relation;

struct relation_stage {
    int64_t number; /* -1: there is no such stage yet */
    const char *status;
    double wall; /* seconds of all attempts */
};

/* A line of metrics.jsonl, or an answer to a question below. */
struct relation_line {
    int64_t step, n;      /* step -1, n 0: none */
    double value;         /* NaN: it was not finite, or it is a text */
    struct dimensions of; /* of relation_lines without dimensions */
    const char *text;     /* of an answer: a number has all its digits; NULL: it was not finite */
    const char *key;      /* of an option, with a path in a list: a.b$[0].c; or NULL */
};

/* The stages of these ids, of which some may not be there yet, and some may be given twice; with
 * NULL all that there are. */
struct relation *relation_open(struct store *store, const char *const *id, int count,
                               struct arena *arena);
/* The numbers of its stages that are there, ascending; returns how many. */
int relation_count(const struct relation *relation, const int64_t **number);
/* The stage of an id; of an id that is not in the set one that is not there yet. */
struct relation_stage relation_stage(const struct relation *relation, const char *id);

/* Of the stage `number` as a whole: a number (NaN: none), a text (NULL: none). */
double relation_value(struct relation *relation, int64_t number, const char *name);
const char *relation_word(struct relation *relation, int64_t number, const char *name);
/* What its environment has under a key (NULL: nothing). */
const char *relation_environment(struct relation *relation, int64_t number, const char *key);
/* Its lines that have these dimensions and no others (NULL: any), by step, and those of one step
 * as they were written: [*count]. */
const struct relation_line *relation_lines(struct relation *relation, int64_t number,
                                           const char *name, const struct dimensions *of,
                                           int *count);

/* What a stage has under a key of a list or a filter, in the order in which a key is looked up. */
enum relation_question {
    RELATION_FIELD,  /* of every stage: id, kind, name, tag, step .. */
    RELATION_AXIS,   /* an axis that a grid names itself, on which a point of the stage lies */
    RELATION_RESULT, /* of the stage as a whole, by its name or that of a table's column */
    RELATION_LAST,   /* the last line of a metric without layer, head, set and class */
    RELATION_OPTION, /* of the stage or one that it reads; the name is the last word of a key */
    RELATION_ENVIRONMENT,
    RELATION_QUESTIONS,
    /* What is not looked up for a key: a text of the stage as a whole; the option of that name that
     * the stage itself was given; the ids of what it reads, and of what reads it; where it was
     * copied from; its own tags. */
    RELATION_WORD = RELATION_QUESTIONS,
    RELATION_OWN_OPTION,
    RELATION_INPUT, /* these four with the name "" */
    RELATION_READER,
    RELATION_COPIED,
    RELATION_TAG,
    /* With the name "", each with its key: the options that it was given but for seed and part;
     * values (of which the text is NULL) and texts of the stage as a whole, by their names. */
    RELATION_OWN_OPTIONS,
    RELATION_SUMMARY
};
/* The answers of the stage `number`: [*count]. With a number of -1 the answers of all stages. */
const struct relation_line *relation_texts(struct relation *relation, int64_t number,
                                           enum relation_question question, const char *name,
                                           int *count);

/* The names of values that stages of a kind have that are done, in all of the database: as a whole,
 * or journaled by steps. Sorted, NULL-terminated. */
const char *const *relation_value_names(struct store *store, const char *kind, bool journaled,
                                        struct arena *arena);

/* Rows of the stages number[count], in their order; `at` counts the stages from 0.
 *   list   (at, ..): what `ls` prints, for people
 *   stages (at, ..): what `ls --format csv` prints; names and tags are lists of JSON. `telling` is
 *          the name of the value by which one knows such a stage.
 *   heads  (at, ..): what a line of `export` begins with, then the message of a failure
 *   lines  (at, id, kind, name, seed, metric, step, layer, head, set, class, n, value) of
 *          metrics.jsonl, by metric and step. The name is the stage's first; the seed is that of
 *          the training that the stage is, or reads; null if it reads several seeds
 *   facts  (at, part, key, value): what each has by key, part by part, keys ascending; the parts
 *          are the first four
 *   keys   (part, key) of all facts, each once, in the same order
 *   cells  the same as facts, with every key for every stage; null: a stage does not have it
 *   behind (id): of all that they read, themselves or through others
 *   words  (key): everything that is a key of a filter, with the paths of options
 *   details (at, part, key, value, shown, flag): facts and the other parts, part by part, key by
 *          key, then stage by stage. `shown` is the value for people. The flag is 1 of an option
 *          that has its default, and in other parts of what a comparison of stages leaves out.
 * `defaults` is of details, else NULL: a list of JSON, for each stage null or a list of [key,
 * value, beside, then]; where the option `beside` was given the default is `then`. */
enum relation_part {
    RELATION_OPTIONS,
    RELATION_RESULTS,
    RELATION_LATEST,
    RELATION_ENVIRONMENTS,
    RELATION_PARTS,
    RELATION_HEAD = RELATION_PARTS, /* id, folder, names, .. */
    RELATION_STAGE,                 /* kind, names, status */
    RELATION_INPUTS,                /* kind and id of a stage that it reads */
    RELATION_READS,                 /* folder and status of it */
    RELATION_FILES,                 /* a text that it reads, by what it is, and its SHA-256 */
    RELATION_READERS,               /* folder and status of a stage that reads it */
    RELATION_CLASSES                /* last values by layer, head and class */
};
enum relation_rows {
    RELATION_LIST,
    RELATION_STAGES,
    RELATION_HEADS,
    RELATION_LINES,
    RELATION_FACTS,
    RELATION_KEYS,
    RELATION_CELLS,
    RELATION_BEHIND,
    RELATION_WORDS,
    RELATION_DETAILS
};
sqlite3_stmt *relation_rows(struct store *store, enum relation_rows rows, const int64_t *number,
                            int count, const char *defaults);
