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
#ifndef RESULTS_QUERY_FILTER_H
#define RESULTS_QUERY_FILTER_H

#include "results/store/store.h"

struct filter;

/* Dies with the place of what is wrong in it, when no stage at all has one of its keys, when there
 * is no such kind or status, or when a key's values are numbers and it compares them with a word.
 * NULL is the filter that takes every stage. */
struct filter *filter_read(struct store *store, const char *text, struct arena *arena);
bool filter_takes(struct filter *filter, int64_t stage); /* its number in the table `stage` */
/* What a stage has under a key, several values with blanks between; NULL: nothing. */
const char *filter_values(struct filter *filter, int64_t stage, const char *key,
                          struct arena *arena);
/* Dies when no stage at all has the key, with the nearest one. */
void filter_check_key(struct filter *filter, const char *key);

#endif
