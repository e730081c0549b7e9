/* Questions about stages: what `ls` lists and what `show` shows. Everything lies in the caller's
 * arena. The database must have been brought up to date (collect.h). */
#ifndef RESULTS_QUERY_QUERY_H
#define RESULTS_QUERY_QUERY_H

#include "results/sheet/sheet.h"
#include "results/store/store.h"

/* The rows (key, value) that a stage (its number) has. */
#define QUERY_OPTIONS "SELECT key, value FROM option WHERE stage = ? ORDER BY key"
#define QUERY_ENVIRONMENT "SELECT key, value FROM environment WHERE stage = ? ORDER BY key"
/* The texts that it reads, by what they are to it: "tags", and their SHA-256. */
#define QUERY_FILES                                                                                \
    "WITH RECURSIVE line (text, rest) AS (SELECT '', canonical FROM stage WHERE number = ? "       \
    "UNION ALL SELECT substr(rest, 1, instr(rest, char(10)) - 1), "                                \
    "substr(rest, instr(rest, char(10)) + 1) FROM line WHERE instr(rest, char(10))) "              \
    "SELECT substr(text, 7, length(text) - 71) AS key, substr(text, -64) FROM line "               \
    "WHERE text LIKE 'file: %' ORDER BY key"

struct query_stage {
    int64_t number; /* in the table `stage` */
    const char *id, *kind, *folder, *status;
    int names, tags;
    const char **name, **tag; /* [names], [tags], sorted */
    const char *key;          /* name of its telling value ("bleu", "dev_loss"), or NULL */
    double value;             /* of it */
    int64_t value_step;       /* the step of the metric row that it is of; -1: it is of none */
    double started, finished; /* seconds since 1970; NaN when not yet */
    double wall;              /* seconds of all attempts */
    int64_t attempts, step;   /* step: the last one that a metric has, or -1 */
    const char *message;      /* of a failure, or NULL */
    const char *part;         /* of a stage whose kind has parts, or NULL */
};

/* The stages that a filter (filter.h) takes, or with NULL all; newest first. */
int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena);

/* `ls`: one line per stage. For people, with a column for each of the keys that they ask for
 * (`keys` in the words of a filter, ended by NULL; NULL: none). */
struct sheet *query_list(struct store *store, const struct query_stage *stage, int count,
                         const char *const *keys, struct arena *arena);
/* For programs, every value whole and raw. */
enum query_format { QUERY_CSV, QUERY_JSON };
void query_print(const struct query_stage *stage, int count, enum query_format format, FILE *out);
/* In CSV what both `ls` and `export` begin with: id, kind, folder, status, names, tags. */
void query_put_texts(const struct query_stage *stage, FILE *out);

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
    bool is_default;         /* an option that was not given */
};
/* The rows (key, value) that a question about a stage (its number) has; returns how many. */
int query_pairs(struct store *store, const char *sql, int64_t stage, struct query_pair **pair,
                struct arena *arena);
/* Its options, and the defaults (NULL: none) of those that were not given, sorted by key. */
int query_options(struct store *store, int64_t stage, const struct query_defaults *defaults,
                  struct query_pair **pair, struct arena *arena);

/* `show`: one stage whole: options, inputs and readers, summary, the last values of a stage that is
 * not done, learning curve, last values of the other metrics, notes, events, environment, and of a
 * failed one the message and the end of its log. Options that were not given are listed with
 * `defaults` (NULL: not). */
void query_show(struct store *store, const char *id, const struct query_defaults *defaults,
                FILE *out);

/* `diff`: two stages side by side: options, results, environment; what is equal only with `all`.
 * Where only one was given an option, the other has the default, when there are `defaults`. */
void query_diff(struct store *store, const char *const id[2],
                const struct query_defaults *const defaults[2], bool all, FILE *out);

#endif
