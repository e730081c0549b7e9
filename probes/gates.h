/* Mean gates of a trained encoder (Xu et al. 2019, figures 2 and 3). A mean gate is the mean over
 * all source tokens of a split or of a tagged text. <eos> is included, because it attends like any
 * other token. <eos> has no part of speech, so means by part of speech exclude <eos>.
 *
 * In the fusion `gate`, a gate is the weight of the second branch. In the fusion `squeeze`, each
 * branch has one weight for each element of its output. The gate of the branch at a token is the
 * mean of these weights.
 *
 * gates_measure keeps the output encoder.L.attention.gate of every gated layer.
 * gates_measure_branches keeps encoder.L.attention.heads of every `squeeze`: the outputs of the
 * branches, from which it computes the weights. The list of nodes for inference has only the nodes
 * that these outputs need.
 *
 * With checkpoint: mean_of_best(N), the gates of each of the N best checkpoints are measured
 * separately (frozen.h). A metric row with a set has the gates of one checkpoint. A metric row
 * without a set has the gates of all N checkpoints together. */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/tagged.h"
#include "core/model/frozen.h"

enum gates_by { GATES_BY_LAYER = 1, GATES_BY_HEAD = 2, GATES_BY_POS = 4 };

/* Source of the tags of a text that has no tags itself. */
struct gates_tags {
    const char *file; /* file with one line of tags for each sentence; NULL: none */
    /* Rules (rewrite.h) from words to tags; "*": any other word. NULL: none. */
    const char *words;
    struct texts command; /* command that reads tokens and prints tags; may be empty */
};

/* Options of the section evaluate.gates. */
struct gates_options {
    int split; /* enum split_name */
    const char *checkpoint;
    unsigned by;             /* bits of enum gates_by: the groups whose means are also written */
    bool start;              /* also measure gates with the initial parameters */
    const char *text;        /* CoNLL-U file instead of the split; "": none */
    struct gates_tags tags;  /* tags of the split's words */
    struct tag_reading read; /* how tags are converted */
    const char *rules;       /* rules that rewrite tokens of the text (rewrite.h); "": none */
    bool lowercase;          /* convert the text to lower case */
};
extern const struct section gates_section;

/* gates_at: true if layer `layer` (from 0) has a gate of the second branch. gates_any: true if any
 * layer has such gates. */
bool gates_at(const struct encoder_options *encoder, int layer);
bool gates_any(const struct encoder_options *encoder);
/* Returns the largest number of branches among the fusions that have a weight for each branch; 0 if
 * there are no such fusions. */
int gates_branches(const struct encoder_options *encoder);

/* Count, sum and sum of squares of values, for mean and sample standard deviation. */
struct moments {
    int64_t n;
    double sum, squares;
};
double moments_mean(const struct moments *moments);
double moments_deviation(const struct moments *moments); /* 0 for a single value */
struct moments moments_join(struct moments a, struct moments b);

struct gates {
    int sets;             /* number of models (checkpoints), which are measured one by one */
    int layers;           /* number of gated layers */
    const int *layer;     /* [layers] numbers of the gated layers, from 1 */
    const int *heads;     /* [layers] gates per token: one per head, or 1 for all heads */
    int width;            /* gates per layer in `cell`: the largest of `heads` */
    struct moments *cell; /* [sets][layers][width] */
    /* Without tagged text, `text`, `word` and `sentence` are NULL. */
    const struct tagged_text *text;
    /* [sets][layers][words] gate of each word: the mean over its pieces and over heads; 0 for a
     * word without pieces */
    double *word;
    /* [sets][layers][sentences] sum of the gates of the sentence's tokens, <eos> included; each is
     * the mean over heads */
    double *sentence;
};

/* The values of one set and one layer (index into gates->layer), in the arrays of struct gates. */
struct gates_sums {
    struct moments *cell;    /* [width] */
    double *word, *sentence; /* NULL without tagged text */
};
struct gates_sums gates_sums(const struct gates *gates, int set, int layer);

/* Measures the gates of all sets on the tagged text or, if `text` is NULL, on the split. The text
 * must have a sentence. The result is in the arena. Dies if the encoder has no gates. */
struct gates gates_measure(struct frozen *frozen, const struct split *split,
                           const struct tagged_text *text, struct arena *arena);

/* Measures the weights of all branches in the same way. Returns an array [gates_branches] with a
 * struct gates for each branch. Its layers are the layers that have this branch. In such a layer,
 * each token has one weight of the branch. */
const struct gates *gates_measure_branches(struct frozen *frozen, const struct split *split,
                                           const struct tagged_text *text, struct arena *arena);

/* Returns the moments of the gates of one set, one layer (index into gates->layer) and one head. An
 * argument of -1 stands for all sets, all layers or all heads. */
struct moments gates_over(const struct gates *gates, int set, int layer, int head);
