/* Translation of a split or of lines with a saved model, by beam search (beam.h). */
#ifndef CORE_DECODE_TRANSLATE_H
#define CORE_DECODE_TRANSLATE_H

#include "core/decode/beam.h"
#include "core/text/corpus.h"

struct translate_job {
    const struct ops *ops;
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
/* The same for lines of text. A line that has only white space (Unicode) becomes an empty one. */
const char **translate_lines(const struct translate_job *job, const char *const *line, int count,
                             struct arena *arena);

/* The model that the job means, loaded, for whoever uses it otherwise; the caller gives its
 * parameters back (parameters_release). Dies when the checkpoint means several models. */
struct model *translate_open(const struct translate_job *job, struct arena *arena);

/* With a model at hand: text[i] for every sentence of the split (greedy validation). job may be
 * NULL; only its progress is used. */
void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct translate_job *job);
/* Memory that translate_with takes beside the model. */
size_t translate_bytes(struct model *model, const struct split *split,
                       const struct beam_options *options);

#endif
