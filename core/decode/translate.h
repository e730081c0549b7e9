/* Translation of a split or of lines with a saved model (papers.md 3.6). */
#ifndef CORE_DECODE_TRANSLATE_H
#define CORE_DECODE_TRANSLATE_H

#include "core/base/journal.h"
#include "core/model/options.h"
#include "core/text/corpus.h"

struct beam_options {
    int beam;              /* 1 is greedy */
    double length_penalty; /* alpha: scores are divided by ((5 + n) / 6)^alpha */
    int extra;             /* at most source tokens + extra steps */
    int batch_sentences;   /* rows at a time; does not change a result */
};
extern const struct section beam_section; /* "beam" */

struct translate_job {
    const struct corpus *corpus;
    const struct translator_options *model;
    const struct beam_options *beam;
    const char *train_folder; /* of the train stage */
    const char *checkpoint;   /* "best", "last", "average(5)", ... */
    void (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
};

/* One hypothesis per sentence of the split, in file order, as text for the metric. For
 * mean_of_best(N) there are N sets: *sets = N, hypothesis [sets][sentences]. */
const char ***translate_split(const struct translate_job *job, enum split_name split,
                              struct arena *arena, int *sets);
/* The same for lines of text. */
const char **translate_lines(const struct translate_job *job, const char *const *line, int count,
                             struct arena *arena);

#endif
