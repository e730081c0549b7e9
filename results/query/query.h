/* Lists of stages, for people and for other programs: what `ls`, `show`, `diff` and `export` print.
 * Everything lies in the caller's arena. The database must have been brought up to date
 * (collect.h). Values are read by results/store/relation.h. */
#ifndef RESULTS_QUERY_QUERY_H
#define RESULTS_QUERY_QUERY_H

#include "results/sheet/sheet.h"
#include "results/store/relation.h"

struct query_stage {
    int64_t number; /* in the table `stage` */
    const char *id, *kind, *folder, *status;
    struct query_words {
        int count;
        const char **word; /* [count] sorted */
    } names, tags;
    const char *key;          /* name of its telling value ("bleu", "dev_loss"), or NULL */
    double value;             /* of it */
    int64_t value_step;       /* the step of the metric row that it is of; -1: it is of none */
    double started, finished; /* seconds since 1970; NaN when not yet */
    double wall;              /* seconds of all attempts */
    int64_t attempts, step;   /* step: the last one that a metric has, or -1 */
    const char *message;      /* of a failure, or NULL */
    const char *part;         /* of a stage whose kind has parts, or NULL */
};

/* The list of JSON in a column of relation_rows. */
struct query_words query_words(sqlite3_stmt *ask, int column, struct arena *arena);
/* The stages that a filter (filter.h) takes, or with NULL all; newest first. */
int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena);

/* `ls` for people: one line per stage, with a column for each of the keys that they ask for (`keys`
 * in the words of a filter, ended by NULL; NULL: none). */
struct sheet *query_list(struct store *store, const struct query_stage *stage, int count,
                         const char *const *keys, struct arena *arena);

/* Stages for programs: every value whole. A value that is not finite is empty in CSV, null in JSON.
 *   list  one line or object per stage, with its telling value
 *   wide  one line or object per stage, then all that it has by key. In CSV a column for each key
 *         that any of the stages has: option.KEY, result.NAME, last.NAME (the last value of a
 *         metric), environment.KEY; in JSON {"options": {..}, "results": {..}, "last": {..}, ..}
 *   long  one line or object per value of a metric (relation.h, lines)
 * JSON is one object per line; a list is one array of them. */
enum query_form { QUERY_LIST, QUERY_WIDE, QUERY_LONG };
enum export_format { EXPORT_CSV, EXPORT_JSONL };
void query_print(struct store *store, const struct query_stage *stage, int count,
                 enum query_form form, enum export_format format, FILE *out);

/* Event files for TensorBoard: FOLDER/NAME-ID/events.out.tfevents.sanlab, one for each stage that
 * has metrics by step; NAME is what escape_folder (escape.h) makes of the stage's name. A journal
 * has no times: an event's is taken from the stage's start and its share of the steps. Returns how
 * many files were written. */
int query_tensorboard(struct store *store, const struct query_stage *stage, int count,
                      const char *folder);
/* CRC-32C (Castagnoli), as records of TensorBoard have it behind a mask. */
uint32_t query_crc(const void *bytes, size_t count);

/* What options are that nobody gave ("train.epochs" "10"), sorted by key; the planner knows. Where
 * the option `beside` was given it is `then` instead ("train.steps", "0"); NULL: it never is. */
struct query_default {
    const char *key, *value, *beside, *then;
};
struct query_defaults {
    int count;
    const struct query_default *option; /* [count] */
};

/* What a stage has under a key. */
struct query_pair {
    const char *key, *value; /* NULL: not finite */
    double number;           /* NaN: it is a text */
    int64_t step;            /* of a last value; 0: none */
    bool is_default;         /* an option that was not given */
};
struct query_pairs {
    int count;
    struct query_pair *pair; /* [count] sorted by key */
};
/* All parts of what a stage (its number) has (relation.h), with the defaults (NULL: none) of options
 * that were not given. */
void query_facts(struct store *store, int64_t stage, const struct query_defaults *defaults,
                 struct query_pairs part[RELATION_PARTS], struct arena *arena);
const struct query_pair *query_find(const struct query_pairs *pairs, const char *key); /* or NULL */
/* The rows (key, value) that another question about a stage has. */
struct query_pairs query_pairs(struct store *store, const char *sql, int64_t stage,
                               struct arena *arena);
/* Such a question: the texts that it reads, by what they are to it, "tags", and their SHA-256. */
#define QUERY_FILES                                                                                \
    "WITH RECURSIVE line (text, rest) AS (SELECT '', canonical FROM stage WHERE number = ? "       \
    "UNION ALL SELECT substr(rest, 1, instr(rest, char(10)) - 1), "                                \
    "substr(rest, instr(rest, char(10)) + 1) FROM line WHERE instr(rest, char(10))) "              \
    "SELECT substr(text, 7, length(text) - 71) AS key, substr(text, -64) FROM line "               \
    "WHERE text LIKE 'file: %' ORDER BY key"

/* `show`: one stage whole: options, inputs and readers, summary, the last values of a stage that is
 * not done, learning curve, last values of the other metrics, notes, events, environment, and of a
 * failed one the message and the end of its log. Options that were not given are listed with
 * `defaults` (NULL: not). */
void query_show(struct store *store, const char *id, const struct query_defaults *defaults,
                FILE *out);
/* value [count] in at most `width` characters of eight heights; what is not finite is a blank. */
const char *query_blocks(struct arena *arena, const double *value, int count, int width);

/* `diff`: two stages side by side: options, results, environment; what is equal only with `all`.
 * Where only one was given an option, the other has the default, when there are `defaults`. */
void query_diff(struct store *store, const char *const id[2],
                const struct query_defaults *const defaults[2], bool all, FILE *out);

#endif
