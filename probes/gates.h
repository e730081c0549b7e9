/* Mean gates of a trained encoder (Xu et al. 2019, figures 2 and 3). A gate is the weight of the
 * second branch in a gated fusion; the mean is over all real positions of a split. <eos> is
 * included, because it attends like any other position. It has no part of speech, so means by part
 * of speech exclude it.
 *
 * An infer list of the model keeps encoder.L.attention.gate of every gated layer and computes
 * nothing else. mean_of_best(N) chooses the N checkpoints that are scored for this choice
 * (frozen.h). Rows with a set are of one checkpoint, rows without a set of all together. */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/tagged.h"
#include "core/model/frozen.h"

enum gates_by { GATES_BY_LAYER = 1, GATES_BY_HEAD = 2, GATES_BY_POS = 4 };

/* Source of the tags of a text that has no tags itself. */
struct gates_tags {
    const char *file;  /* one line of tags for each sentence; NULL: none */
    const char *words; /* rules (rewrite.h) from words to tags; "*" is every other word; or NULL */
    struct texts command; /* command that reads tokens and prints tags; may be empty */
};

/* evaluate.gates */
struct gates_options {
    int split; /* enum split_name */
    const char *checkpoint;
    unsigned by;             /* enum gates_by: means that are written next to the overall mean */
    bool start;              /* also measure the initial parameters of the training */
    const char *text;        /* CoNLL-U file instead of the split; "": none */
    struct gates_tags tags;  /* tags of the split's words */
    struct tag_reading read; /* interpretation of tags */
    const char *rules;       /* rules that rewrite tokens of the text (rewrite.h); "": none */
    bool lowercase;          /* the text is lower-cased */
};
extern const struct section gates_section;

/* gates_at: true if layer `layer` (from 0) has gates. gates_any: true if any layer has gates. */
bool gates_at(const struct encoder_options *encoder, int layer);
bool gates_any(const struct encoder_options *encoder);

/* Count, sum and sum of squares of values, for mean and sample standard deviation. */
struct moments {
    int64_t n;
    double sum, squares;
};
double moments_mean(const struct moments *moments);
double moments_deviation(const struct moments *moments); /* 0 for a single value */
struct moments moments_join(struct moments a, struct moments b);

struct gates {
    int sets; /* models, measured one by one */
    int layers;
    const int *layer;     /* [layers] the gated layers, from 1 */
    const int *heads;     /* [layers] gates per position: H, or 1 for all heads */
    int width;            /* heads per layer in `cell` */
    struct moments *cell; /* [sets][layers][width] */
    /* For tagged text, else NULL. Values are means over pieces and heads. */
    const struct tagged_text *text;
    double *word;     /* [sets][layers][words]; 0 for a word without pieces */
    double *sentence; /* [sets][layers][sentences] sums over all positions, means over heads */
};

/* Sums of one set and one layer (index into gates->layer). */
struct gates_sums {
    struct moments *cell;    /* [width] */
    double *word, *sentence; /* NULL without tagged text */
};
struct gates_sums gates_sums(const struct gates *gates, int set, int layer);

/* Measures all sets over the tagged text; if `text` is NULL, over the split, which must not be
 * empty. The result is in the arena. Dies if the encoder has no gates. */
struct gates gates_measure(struct frozen *frozen, const struct split *split,
                           const struct tagged_text *text, struct arena *arena);

/* Returns the moments over one set, layer (index into gates->layer) and head; -1: over all of
 * them. */
struct moments gates_over(const struct gates *gates, int set, int layer, int head);
