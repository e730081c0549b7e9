/* Lists of stages, for people and for other programs: what `ls`, `show`, `diff` and `export` print.
 * Everything lies in the caller's arena. The database must have been brought up to date
 * (collect.h). Values are read by results/store/relation.h. */
#pragma once

#include "results/query/find_stage.h"
#include "results/sheet/sheet.h"
#include "results/store/relation.h"

/* Filters of `ls`: which stages are meant, in the words of core/config/expression.h.
 *
 *   bleu > 30 and encoder.attention.window == 1
 *
 * The first of these that a stage has is what KEY means: a field (id, kind, status, folder,
 * message, name, grid, tag, note, step, wall, attempts), an axis that a grid names itself and on
 * which a point of the stage lies ("window": any of its values may be meant), a value of its
 * summary, by its name or as a table's column calls it ("accuracy", "probe.Tense@bag",
 * "command.comet"), the last value of a metric, an option of it or of the stages that it reads
 * ("model.dropout", or its last words: "dropout"; lists of an option are looked through, any
 * element may be meant), a word of its environment. A stage without KEY is never meant by a
 * comparison with it. */

/* The stages that a filter takes, or with NULL all; newest first. Dies with the place of what is
 * wrong in the filter, when no stage at all has one of its keys, when there is no such kind or
 * status, or when a key's values are numbers and it compares them with a word. */
int query_stages(struct store *store, const char *text, struct found_stage **stage,
                 struct arena *arena);
/* Rows of relation.h about these stages. */
sqlite3_stmt *query_rows(struct store *store, enum relation_rows rows,
                         const struct found_stage *stage, int count);

/* The rows of a statement as a sheet, under the names of its columns from `first` on. One letter
 * per column: l text, o the same, left out (one at most) where no row has it, r to the right, n a
 * number of five digits. There are at most `rows` rows, and `more` columns that stay empty. */
struct sheet *query_sheet(sqlite3_stmt *ask, int first, const char *letters, int rows, int more,
                          struct arena *arena);
/* `ls` for people: one line per stage, with a column for each of the keys that they ask for (`keys`
 * in the words of a filter, ended by NULL; NULL: none). */
struct sheet *query_list(struct store *store, const struct found_stage *stage, int count,
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
void query_print(struct store *store, const struct found_stage *stage, int count,
                 enum query_form form, enum export_format format, FILE *out);
/* All rows of the table `verdict` of a database for other programs, in their order. */
void query_print_verdicts(struct store *store, enum export_format format, FILE *out);

/* Event files for TensorBoard: FOLDER/NAME-ID/events.out.tfevents.sanlab, one for each stage that
 * has metrics by step; NAME is what digest_name (digest.h) makes of the stage's name. A journal
 * has no times: an event's is taken from the stage's start and its share of the steps. Returns how
 * many files were written. */
int query_tensorboard(struct store *store, const struct found_stage *stage, int count,
                      const char *folder);
/* CRC-32C (Castagnoli), as records of TensorBoard have it behind a mask. */
uint32_t query_crc(const void *bytes, size_t count);

/* A row of details (relation.h). */
struct query_detail {
    int at, part;
    const char *key, *value, *shown; /* NULL: not finite */
    bool flag;
};
/* Those of the stages number[count]; returns how many. The defaults of each are what options are
 * that nobody gave, as a list of JSON (relation.h, details); NULL: none. */
int query_details(struct store *store, const int64_t *number, int count,
                  const char *const *defaults, struct query_detail **detail, struct arena *arena);

/* `show`: one stage whole: options, inputs and readers, summary, the last values of a stage that is
 * not done, learning curve, last values of the other metrics, notes, events, environment, and of a
 * failed one the message and the end of its log. Options that were not given are listed with
 * `defaults` (NULL: not). */
void query_show(struct store *store, const char *id, const char *defaults, FILE *out);
/* value [count] in at most `width` characters of eight heights; what is not finite is a blank. */
const char *query_blocks(struct arena *arena, const double *value, int count, int width);

/* Lists and maps of options, which stand in the database as JSON, as a grid has them: [{layers: 1,
 * branches: [global]}]. So defaults are written, too. Other values are as they are. */
const char *query_plain(const char *value, struct arena *arena);

/* `diff`: two stages side by side: options, results, environment; what is equal only with `all`.
 * Where only one was given an option, the other has the default, when there are `defaults`. */
void query_diff(struct store *store, const char *const id[2], const char *const defaults[2],
                bool all, FILE *out);
