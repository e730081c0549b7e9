/* Lists of stages, for people and for other programs: the output of `ls`, `show`, `diff` and
 * `export`. The caller's arena owns all results. The database must be up to date (collector.h).
 * Values are read by results/store/value_cache.h. */
#pragma once

#include "results/query/find_stage.h"
#include "results/sheet/sheet.h"
#include "results/store/value_cache.h"

/* Filters of `ls`, expressions of core/config/expression.h:
 *
 *   bleu > 30 and encoder.attention.window == 1
 *
 * KEY means the first of the following that a stage has:
 *   1. a field: id, kind, status, folder, message, name, grid, tag, note, step, wall, attempts
 *   2. an axis that a grid names ("window"); any coordinate of the stage's points matches
 *   3. a value of its summary, by its name or by the name of a table's column ("accuracy",
 *      "probe.Tense@bag", "command.comet")
 *   4. the last value of a metric
 *   5. an option of the stage or of its inputs ("model.dropout", or its last words: "dropout"); in
 *      lists, any element matches
 *   6. a key of its environment
 *
 * A comparison is false for a stage without KEY. */

/* Finds the stages that a filter takes (NULL: all), newest first. Exits with an error at its
 * location in these cases:
 *   - the filter is malformed
 *   - no stage has one of its keys
 *   - a kind or status does not exist
 *   - the filter compares a key whose values are numbers with a word */
int query_stages(struct store *store, const char *text, struct found_stage **stage,
                 struct arena *arena);
/* Returns rows of value_cache.h about these stages. */
sqlite3_stmt *query_rows(struct store *store, enum value_cache_rows rows,
                         const struct found_stage *stage, int count);

/* Returns the rows of a statement as a sheet. Its columns are the statement's from `first` on, with
 * their names. There are at most `rows` rows, and `more` empty columns are added. `letters` has one
 * letter per column:
 *   l   text
 *   o   text whose column is omitted if no row has it (one column at most)
 *   r   text aligned right
 *   n   a number of five digits */
struct sheet *query_sheet(sqlite3_stmt *ask, int first, const char *letters, int rows, int more,
                          struct arena *arena);
/* Returns the sheet of `ls` for people: one line per stage, and a column for each of `keys` (of
 * filters, NULL-terminated; NULL: none). */
struct sheet *query_list(struct store *store, const struct found_stage *stage, int count,
                         const char *const *keys, struct arena *arena);

/* Prints stages for programs, with all digits. A value that is not finite is empty in CSV, null in
 * JSON.
 *   list  one line or object per stage, with the value that describes it
 *   wide  one line or object per stage, then all its values by key. CSV has a column for each key
 *         of any of the stages: option.KEY, result.NAME, last.NAME (the last value of a metric),
 *         environment.KEY. JSON has {"options": {..}, "results": {..}, "last": {..}, ..}
 *   long  one line or object per value of a metric (value_cache.h, lines)
 * JSON is one object per line; a list is one array of them. */
enum query_form { QUERY_LIST, QUERY_WIDE, QUERY_LONG };
enum export_format { EXPORT_CSV, EXPORT_JSONL };
void query_print(struct store *store, const struct found_stage *stage, int count,
                 enum query_form form, enum export_format format, FILE *out);
/* Prints all rows of the table `verdict` of a database for other programs, in their order. */
void query_print_verdicts(struct store *store, enum export_format format, FILE *out);

/* Writes event files for TensorBoard: FOLDER/NAME-ID/events.out.tfevents.sanlab, one for each stage
 * with metrics by step. NAME is digest_name (digest.h) of the stage's name. A journal has no times,
 * so an event has the stage's start plus its share of the steps times `wall`. Returns the number of
 * files. */
int query_tensorboard(struct store *store, const struct found_stage *stage, int count,
                      const char *folder);
/* Returns the CRC-32C (Castagnoli), which TensorBoard's records contain in masked form. */
uint32_t query_crc(const void *bytes, size_t count);

/* A row of details (value_cache.h). */
struct query_detail {
    int at, part;
    const char *key, *value, *shown; /* NULL: not finite */
    bool flag;
};
/* Reads the details of the stages number[count]. Returns their number. `defaults` are the defaults
 * of each stage's options, as JSON lists (value_cache.h, details); NULL: none. */
int query_details(struct store *store, const int64_t *number, int count,
                  const char *const *defaults, struct query_detail **detail, struct arena *arena);

/* `show`: prints one stage: options, inputs and readers, summary, learning curve, last values of
 * the other metrics, notes, events, environment. An unfinished stage also has its last values. A
 * failed stage also has the message and the end of its log. Options that were not given are listed
 * with `defaults` (NULL: not listed). */
void query_show(struct store *store, const char *id, const char *defaults, FILE *out);
/* Returns a sparkline of value[count], at most `width` characters of eight heights; blanks for
 * values that are not finite. */
const char *query_blocks(struct arena *arena, const double *value, int count, int width);

/* Returns lists and maps of options, which the database has as JSON, in the syntax of a grid:
 * [{layers: 1, branches: [global]}]. Defaults have the same syntax. Other values are unchanged. */
const char *query_plain(const char *value, struct arena *arena);

/* `diff`: prints two stages in two columns: options, results, environment. Equal values are printed
 * only with `all`. If `defaults` are given, an option that only one stage has is compared with the
 * default of the other. */
void query_diff(struct store *store, const char *const id[2], const char *const defaults[2],
                bool all, FILE *out);
