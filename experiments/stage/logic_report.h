/* Reports the results of classifiers of statement pairs, for the kinds that test these classifiers.
 * Accuracy is reported by number of operators, over short and long pairs, and by relation. The
 * majority baseline, the items and a table of confusions are also reported. */
#pragma once

#include "core/corpus/labeled.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_work.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* The tested pairs: pairs of the test split with at least LOGIC_TESTED operators. */
struct logic_tested {
    const struct labeled *data;
    int count;
    int32_t *pair;
};
struct logic_tested logic_tested_pairs(const struct labeled *data, struct arena *arena);
const struct labeled_pair *logic_tested_at(const struct logic_tested *tested, int i);

/* Returns one number for each tested pair: 100 if told[i] is the relation of pair i, else 0. Also
 * counts the predictions in confusion[bin][relation][predicted], unless `confusion` is NULL. */
const double *logic_report_right(struct stage_work *work, const struct logic_tested *tested,
                                 const int32_t *told, int (*confusion)[RELATIONS][RELATIONS]);

/* The following functions write values to the journal. A value over all, all short or all long
 * pairs is also a value of the whole stage. The exception is a value of one of several sets (`set`,
 * from 1; 0: no set). number[i] belongs to tested pair i: 100 if its relation is predicted
 * correctly, else 0, or the mean of these numbers over several sets. */

/* Writes the means of `number`: PREFIXaccuracy over all pairs and by number of operators,
 * PREFIXshort over short pairs and PREFIXlong over long pairs. */
void logic_report_accuracy(struct stage_work *work, const struct logic_tested *tested,
                           const double *number, const char *prefix, int set);
/* Writes the file of items (results/store/items.h). Each pair is an item, with its `number`. Its
 * class is its number of operators. */
void logic_report_items(struct stage_work *work, const struct logic_tested *tested,
                        const double *number, const char *file);
/* Writes the accuracy, then `relation` (the mean of `number` for each relation) and the majority
 * baseline. Writes confusion.tsv from confusion[bin][relation][predicted], the sums over all sets.
 * A bin is a number of operators. */
void logic_report(struct stage_work *work, const struct logic_tested *tested, const double *number,
                  int (*confusion)[RELATIONS][RELATIONS]);

extern const char *const logic_short_bins[], *const logic_long_bins[];
/* Measures that these kinds offer. */
#define LOGIC_ACCURACY .decimals = 1, .best = COLUMN_MOST, .counted = "pairs", .items = "pairs"
#define LOGIC_TESTED_BY(dimensions)                                                                \
    .traits = (dimensions) | RIGHT_OR_WRONG, .observations = observations_items, LOGIC_ACCURACY
#define LOGIC_MEASURES                                                                             \
    VALUE("accuracy", "Logic",                                                                     \
          "accuracy on test pairs of 1 to 12 operators; its classes are the numbers of operators", \
          LOGIC_TESTED_BY(BY_SET | BY_CLASS)),                                                     \
        VALUE("short", "1-6", "accuracy over all test pairs of 1 to 6 operators",                  \
              .classes = logic_short_bins, LOGIC_TESTED_BY(BY_SET)),                               \
        VALUE("long", "7-12",                                                                      \
              "accuracy over all test pairs of 7 to 12 operators (with bins 0-6, longer than any " \
              "training pair)",                                                                    \
              .classes = logic_long_bins, LOGIC_TESTED_BY(BY_SET)),                                \
        VALUE("majority", "Majority",                                                              \
              "of each number of operators the most frequent relation of the test", .decimals = 1, \
              .traits = BY_CLASS),                                                                 \
        VALUE("relation", "By relation", "accuracy by relation, which are its classes",            \
              .traits = BY_CLASS, LOGIC_ACCURACY)
