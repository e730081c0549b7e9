/* How much a trained encoder listens to its second branch: the gates of a gated fusion (Xu et al.
 * 2019, figures 2 and 3), over all real positions of a split, <eos> included, for
 * attention sees it like any other.
 *
 * An infer list of the model keeps encoder.L.attention.gate of every gated layer; nothing else is
 * computed. With mean_of_best(N) each of the N checkpoints is measured, the very ones that are
 * scored for that choice (frozen.h). */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/tagged.h"
#include "core/model/frozen.h"

enum gates_by { GATES_BY_LAYER = 1, GATES_BY_HEAD = 2, GATES_BY_POS = 4 };

/* Where the tags of a text are, that has none itself. */
struct gates_tags {
    const char *file;  /* a line of them for each sentence; NULL: none */
    const char *words; /* rules (rewrite.h) from words to tags; "*" is every other word; or NULL */
    struct texts command; /* of which tokens are the input and they the output; or none */
};

/* evaluate.gates */
struct gates_options {
    int split; /* enum split_name */
    const char *checkpoint;
    unsigned by;             /* enum gates_by: which means are written beside the one over all */
    bool start;              /* also of the parameters that the training began with */
    const char *text;        /* CoNLL-U, in the place of the split; "": none */
    struct gates_tags tags;  /* of the split's words */
    struct tag_reading read; /* what tags mean */
    const char *rules;       /* by which tokens of the text are rewritten (rewrite.h); "": none */
    bool lowercase;          /* of the text */
};
extern const struct section gates_section;

/* Whether this layer (from 0) has gates; whether any has. */
bool gates_at(const struct encoder_options *encoder, int layer);
bool gates_any(const struct encoder_options *encoder);

/* Values that were counted, and what mean and sample standard deviation need of them. */
struct moments {
    int64_t n;
    double sum, squares;
};
double moments_mean(const struct moments *moments);
double moments_deviation(const struct moments *moments); /* 0 for a single value */
struct moments moments_join(struct moments a, struct moments b);

struct gates {
    int sets; /* models measured one by one */
    int layers;
    const int *layer;     /* [layers] the gated ones, from 1 */
    const int *heads;     /* [layers] gates per position: H, or 1 for all heads */
    int width;            /* room for heads in `cell` */
    struct moments *cell; /* [sets][layers][width] */
    /* Of tagged text, else NULL: means over pieces and heads. */
    const struct tagged_text *text;
    double *word;     /* [sets][layers][words]; of a word without pieces 0 */
    double *sentence; /* [sets][layers][sentences] sums over all positions, means over heads */
};

/* What is added up of a set and a layer (index into gates->layer). */
struct gates_sums {
    struct moments *cell;    /* [width] */
    double *word, *sentence; /* of tagged text */
};
struct gates_sums gates_sums(const struct gates *gates, int set, int layer);

/* Of all sets, in the arena: over the tagged text, or with NULL over the split, which has a
 * sentence. Dies when the encoder has no gates. */
struct gates gates_measure(struct frozen *frozen, const struct split *split,
                           const struct tagged_text *text, struct arena *arena);

/* Over a range of sets, layers (indices into gates->layer) and heads; -1: all of them. */
struct moments gates_over(const struct gates *gates, int set, int layer, int head);
