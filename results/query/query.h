/* Finds stages by filters, and prints them for people and for other programs: the output of `ls`,
 * `show`, `diff` and `export`. The caller's arena owns all results. The database must be up to date
 * (collector.h). Values are read by results/store/value_cache.h. */
#pragma once

#include "results/query/find_stage.h"
#include "results/sheet/sheet.h"
#include "results/store/value_cache.h"

/* A filter of `ls` is an expression (core/config/expression.h):
 *
 *   bleu > 30 and encoder.attention.window == 1
 *
 * A key means the first of the following that a stage has:
 *   1. a field: id, kind, status, folder, message, name, grid, tag, note, step, wall, attempts
 *   2. an axis that a grid names ("window"); any coordinate of the stage's points matches
 *   3. a value of its summary, by its name or by the name of a table's column ("accuracy",
 *      "probe.Tense@bag", "command.comet")
 *   4. the last value of a metric
 *   5. an option of the stage or of its inputs ("model.dropout", or its last words: "dropout"); in
 *      lists, any element matches
 *   6. a key of its environment
 *
 * For a stage that does not have the key, a comparison is false. */

/* Finds the stages for which a filter is true (NULL: all stages). Stages that have not started come
 * first, then the stages that started last. Returns their number. Exits with an error in these
 * cases:
 *   - the filter is malformed
 *   - no stage has one of its keys
 *   - the filter has a kind or status that does not exist
 *   - a comparison fits no value of its key: all values are numbers, and it has a word */
int query_stages(struct store *store, const char *text, struct found_stage **stage,
                 struct arena *arena);
/* Like query_stages, but finds the stages of these ids (NULL: all stages). */
int query_stages_of(struct store *store, const char *const *id, int ids, struct found_stage **stage,
                    struct arena *arena);
/* Returns rows of value_cache.h about these stages. */
sqlite3_stmt *query_rows(struct store *store, enum value_cache_rows rows,
                         const struct found_stage *stage, int count);

/* Returns the first `rows` rows of a statement as a sheet. Its `columns` columns are those of the
 * statement from `first` on, with their names. `more` empty columns are added. */
struct sheet *query_sheet(sqlite3_stmt *ask, int first, int columns, int rows, int more,
                          struct arena *arena);
/* Returns the sheet of `ls` for people: one line per stage, with a column for each of `keys`.
 * `keys` are keys as in filters, NULL-terminated (NULL: no keys). */
struct sheet *query_list(struct store *store, const struct found_stage *stage, int count,
                         const char *const *keys, struct arena *arena);

/* Prints stages for programs, with all digits. A value that is not finite is empty in CSV, and null
 * in JSON.
 *   list  one line or object per stage, with the value that describes it
 *   wide  one line or object per stage, with all its values by key. CSV has a column for each key
 *         of any of the stages: option.KEY, result.NAME, last.NAME (the last value of a metric),
 *         environment.KEY. JSON has {"options": {..}, "results": {..}, "last": {..}, ..}
 *   long  one line or object per value of a metric (value_cache.h, lines)
 * JSONL has one object per line, JSON is one array of objects. */
enum query_form { QUERY_LIST, QUERY_WIDE, QUERY_LONG };
enum export_format { EXPORT_CSV, EXPORT_JSONL, EXPORT_JSON };
void query_print(struct store *store, const struct found_stage *stage, int count,
                 enum query_form form, enum export_format format, FILE *out);
/* Prints all rows of the table `verdict` of a database for other programs, in their order. */
void query_print_verdicts(struct store *store, enum export_format format, FILE *out);

/* A row of details (value_cache.h). */
struct query_detail {
    int at, part;
    const char *key, *value, *shown; /* text to print is `shown`, or `value` if `shown` is NULL;
                                        both are NULL if a value is not finite */
    bool flag;
};
/* Reads the details of the stages number[count]. Returns their number. `defaults` are the defaults
 * of each stage's options, as JSON lists (value_cache.h, details); NULL: none. */
int query_details(struct store *store, const int64_t *number, int count,
                  const char *const *defaults, struct query_detail **detail, struct arena *arena);

/* `show`: prints one stage: notes, inputs and readers, options, results, last values of metrics,
 * environment. For a failed or stopped stage, also prints the end of its log. `defaults` has the
 * values of options that were not given (NULL: these options are not listed). */
void query_show(struct store *store, const char *id, const char *defaults, FILE *out);

/* Returns the value of an option in the syntax of a grid: [{layers: 1, branches: [global]}]. The
 * database has lists and maps as JSON. Other values are returned unchanged. */
const char *query_plain(const char *value, struct arena *arena);

/* `diff`: prints two stages in two columns: options, results, environment. Equal values are printed
 * only if `all` is true. If `defaults` are given, and only one stage has an option, its value is
 * compared with the default of the other stage. */
void query_diff(struct store *store, const char *const id[2], const char *const defaults[2],
                bool all, FILE *out);
