/* Attention is composed: terms act on the energies or values, a branch is an allowed interval of
 * keys with its own softmax and dropout, a fusion makes one output of the branches
 * (Song et al. 2018, eqs. 12-13).
 *
 *   encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]
 *   decoder.attention: [{layers: all, terms: [localness, {relpos: 16}]}]
 *
 *   global         every key (in the decoder, as for every branch there, j <= i)
 *   forward        j <= i; backward: j >= i (Song et al. 2018, eq. 9)
 *   {window: m}    |i - j| <= m, cut at the ends of the sentence (Xu et al. 2019, eq. 3);
 *                  with dropout: false its weights meet no dropout, as in Xu's released code
 *
 * Layers that no entry names have one global branch and no terms. Terms are the files of
 * attention/term/ (term.h), fusions those of attention/fusion/; their lists are generated, so that
 * adding one is adding its file. Their options follow the name, as {gauss: {center: self}}; a
 * single value is their first option, as {relpos: 16}.
 *
 * Multi-head attention, packed rows (Vaswani et al. 2017, eq. 1 and section 3.2.2): energies
 * q_i k_j d^-1/2 per head, per branch softmax over its interval, dropout on the weights, values;
 * heads are columns of [T, D]; then the output projection. */
#pragma once

#include "core/config/option.h"
#include "core/layer/layer.h"

struct term_type; /* attention/term.h */
struct dense;     /* attention/dense.h */

enum attention_place {
    ATTENTION_ENCODER, /* encoder.attention: source rows among themselves */
    ATTENTION_DECODER, /* decoder.attention: target rows among themselves, causal by itself */
    ATTENTION_CROSS    /* decoder.cross: target rows look at source rows */
};

/* What the model decides for all its blocks. */
struct attention_size {
    int layers, width, heads;
    bool unbiased;         /* projections of queries, keys, values and output have no biases */
    const bool *recurrent; /* [layers] those without attention; NULL: none */
};

/* A term as chosen: its type and its own struct of options. */
struct term_choice {
    const struct term_type *type;
    void *options;
};

/* One block's composition. */
struct attention_spec {
    int branches; /* R */
    struct attention_reach branch[ATTENTION_BRANCHES];
    int terms;
    struct term_choice term[ATTENTION_TERMS];
    const struct fusion_type *fusion; /* NULL when R = 1 */
    void *fusion_options;             /* of the fusion's own struct */
    bool unbiased;                    /* as the model says */
};

/* One entry of encoder.attention, as written. */
struct attention_entry {
    struct place place;
    const char *layers; /* "1-2", "3", "1,4-6", "all", "lower(1/3)", "upper(1/2)" */
    struct attention_spec spec;
};

struct attention_list {
    int count;
    struct attention_entry *entry;
    int layers;                      /* after attention_resolve: depth of the stack, */
    struct attention_spec *of_layer; /* [layers] and the composition of each layer */
    const bool *recurrent;           /* [layers] those that have none; NULL: all have one */
};

/* The type of encoder.attention, decoder.attention and decoder.cross. */
extern const struct option_custom attention_custom;

/* Fills of_layer. Dies at an entry's place when its range leaves the stack, a layer is named twice,
 * it is a recurrent one, a branch has no keys at this place, or a term or fusion does not suit the
 * model's size. Canonical texts are written from the result, so that 1-2 and lower(1/3) of six
 * layers are one identity. */
void attention_resolve(struct attention_list *list, enum attention_place place,
                       const struct attention_size *size, struct arena *arena);

/* For --help: the grammar of an entry, and every term and fusion with its options. */
void attention_help(FILE *out);

/* All there are, up to NULL, in the order of their files' names; a term's index is its `kind`. */
extern const struct term_type *const attention_terms[];
extern const struct fusion_type *const attention_fusions[];

/* "global", "window(5)": of a branch. */
void attention_write_branch(struct attention_reach reach, FILE *out);

extern const struct attention_spec attention_plain; /* one global branch */

/* What a fusion gets: the branches' outputs of one block, and what they were made from. */
struct attention_block {
    const char *path; /* "encoder.1.attention" */
    const struct attention_spec *spec;
    int heads;
    double scale;           /* of the queries, d^-1/2 */
    struct value *input;    /* [T, D] what is projected to q, k and v */
    struct value *query;    /* [T, D] before scaling, with its bias */
    struct value *branches; /* [T, R*D], with what terms add to the values */
};

struct fusion_type {
    const char *name, *help;
    const struct section *section; /* its options, or NULL */
    /* Dies at the place of the entry when the branches do not suit it; may bring its options into
     * the one spelling that stands for their meaning. NULL: anything goes. */
    void (*check)(const struct attention_spec *spec, const struct attention_size *size,
                  struct place place);
    /* [T, D], through the output projection (attention_project). */
    struct value *(*build)(struct graph *graph, const struct attention_block *block);
    /* The same for the oracle: branches [n, R*D] to [n, D], through dense_project. */
    double *(*dense)(const struct dense *dense, const double *branches);
    /* PATH.gate holds weights of the second branch, in [0, 1]: [T, H], or [T, 1] for all heads. */
    bool gated;
    /* Texts of options that together meet every choice; tests walk them. Up to NULL; NULL: none. */
    const char *const *examples;
};

/* PATH.output: the projection [columns of x, D] that ends a block. */
struct value *attention_project(struct graph *graph, struct value *x,
                                const struct attention_block *block);

/* Self-attention of the rows of x [T, D] among themselves, to [T, D]. In a step list the keys and
 * values of earlier steps are in the external value PATH.cache [cache_rows, 2D]. */
struct value *attention_self(struct graph *graph, struct value *x, int heads, bool causal,
                             const struct attention_spec *spec, double dropout, const char *path);
/* Target rows x [T, D] look at source rows memory [S, D]; any rows of the same sentences: k rows a
 * sentence are k queries for its tokens. In a step list memory is NULL and the
 * projected keys and values are the external value PATH.keyvalue [S, 2D]. */
struct value *attention_cross(struct graph *graph, struct value *x, struct value *memory, int heads,
                              const struct attention_spec *spec, double dropout, const char *path);
