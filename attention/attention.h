/* Attention blocks. A block is composed of terms, branches and a fusion. Terms act on the energies
 * or values. A branch is an allowed interval of keys with its own softmax and dropout. A fusion
 * combines the branches into one output (Song et al. 2018, eqs. 12-13).
 *
 *   encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]
 *   decoder.attention: [{layers: all, terms: [localness, {relpos: 16}]}]
 *
 *   global         every key (in the decoder, all branches have j <= i)
 *   forward        j <= i; backward: j >= i (Song et al. 2018, eq. 9)
 *   {window: m}    |i - j| <= m, cut at the ends of the sentence (Xu et al. 2019, eq. 3);
 *                  dropout: false disables dropout of its weights, as in Xu's released code
 *
 * Layers without an entry have one global branch and no terms. Terms are the files of
 * attention/term/ (term.h), fusions those of attention/fusion/; their lists are generated from the
 * files. Options follow the name, as in {gauss: {center: self}}; a single value is the first
 * option, as in {relpos: 16}.
 *
 * Multi-head attention of packed rows (Vaswani et al. 2017, eq. 1 and section 3.2.2). The energies
 * are q_i k_j d^-1/2 per head. Each branch has a softmax over its interval, and dropout on the
 * weights. Heads are columns of [T, D]. The output projection comes last. */
#pragma once

#include "core/config/option.h"
#include "core/layer/layer.h"

struct term_type; /* attention/term.h */
struct dense;     /* attention/dense.h */

enum attention_place {
    ATTENTION_ENCODER, /* encoder.attention: self-attention of source rows */
    ATTENTION_DECODER, /* decoder.attention: self-attention of target rows, always causal */
    ATTENTION_CROSS    /* decoder.cross: target rows attend to source rows */
};

/* Properties of the model that all its blocks share. */
struct attention_size {
    int layers, width, heads;
    bool unbiased;         /* no biases in the projections of queries, keys, values and output */
    const bool *recurrent; /* [layers] true for layers without attention; NULL: none */
};

/* A term with its options (the struct of its type). */
struct term_choice {
    const struct term_type *type;
    void *options;
};

/* Composition of one block. */
struct attention_spec {
    int branches; /* R */
    struct attention_reach branch[ATTENTION_BRANCHES];
    int terms;
    struct term_choice term[ATTENTION_TERMS];
    const struct fusion_type *fusion; /* NULL when R = 1 */
    void *fusion_options;             /* the struct of the fusion's type */
    bool unbiased;                    /* copied from attention_size */
};

/* An entry of encoder.attention, as written. */
struct attention_entry {
    struct location location;
    const char *layers; /* "1-2", "3", "1,4-6", "all", "lower(1/3)", "upper(1/2)" */
    struct attention_spec spec;
};

struct attention_list {
    int count;
    struct attention_entry *entry;
    int layers;                      /* set by attention_resolve: depth of the stack */
    struct attention_spec *of_layer; /* [layers] composition of each layer */
    const bool *recurrent;           /* [layers] true for layers without attention; NULL: none */
};

/* Option type of encoder.attention, decoder.attention and decoder.cross. */
extern const struct option_custom attention_custom;

/* Fills of_layer. Ids are computed from of_layer, so 1-2 and lower(1/3) of six layers have the same
 * id. Dies at an entry's location in these cases:
 *   - its range exceeds the stack
 *   - a layer has two entries
 *   - a layer is recurrent
 *   - a branch has no keys in this kind of attention
 *   - a term or fusion is incompatible with the model's size */
void attention_resolve(struct attention_list *list, enum attention_place place,
                       const struct attention_size *size, struct arena *arena);

/* Prints the grammar of an entry, and every term and fusion with its options, for --help. */
void attention_help(FILE *out);

/* All terms and fusions, NULL-terminated, in the order of file names. The index of a term is its
 * `kind`. */
extern const struct term_type *const attention_terms[];
extern const struct fusion_type *const attention_fusions[];

/* Writes a branch: "global", "window(5)". */
void attention_write_branch(struct attention_reach reach, FILE *out);

extern const struct attention_spec attention_plain; /* one global branch */

/* Input of a fusion: the outputs of a block's branches, and the values from which the branches were
 * computed. */
struct attention_block {
    const char *path; /* "encoder.1.attention" */
    const struct attention_spec *spec;
    int heads;
    double scale;           /* factor of the queries, d^-1/2 */
    struct value *input;    /* [T, D] input of the projections to q, k and v */
    struct value *query;    /* [T, D] before scaling, with its bias */
    struct value *branches; /* [T, R*D], including the terms' part of the values */
};

struct fusion_type {
    const char *name, *help;
    const struct section *section; /* options; NULL: none */
    /* Dies at the location of the entry if the branches are incompatible with the fusion. May
     * normalize the options, so that each meaning has one spelling. NULL: no conditions. */
    void (*check)(const struct attention_spec *spec, const struct attention_size *size,
                  struct location location);
    /* Returns [T, D], after the output projection (attention_project). */
    struct value *(*build)(struct graph *graph, const struct attention_block *block);
    /* The fusion for the oracle: [n, D] from branches [n, R*D], with dense_project. */
    double *(*dense)(const struct dense *dense, const double *branches);
    /* PATH.gate contains the weights of the second branch, in [0, 1]: [T, H], or [T, 1] for all
     * heads. */
    bool gated;
    /* Writes the mean weight of each branch at T positions, over the D elements of a position, to
     * weight [R][T]. branches: [T, R*D]; path: of the block. NULL: the fusion has no weight of each
     * branch. */
    void (*weigh)(const struct parameters *parameters, const struct attention_spec *spec,
                  const char *path, const real *branches, int T, int D, real *weight);
    /* Option texts that together cover every choice, for tests; NULL-terminated. NULL: none. */
    const char *const *examples;
};

/* Returns PATH.output: the output projection [columns of x, D] of a block. */
struct value *attention_project(struct graph *graph, struct value *x,
                                const struct attention_block *block);

/* Returns the self-attention [T, D] of the rows of x [T, D]. In a step list the keys and values of
 * earlier steps are in the external value PATH.cache [cache_rows, 2D]. */
struct value *attention_self(struct graph *graph, struct value *x, int heads, bool causal,
                             const struct attention_spec *spec, double dropout, const char *path);
/* Returns the attention of target rows x [T, D] to source rows memory [S, D]. x may have any number
 * of rows per sentence: k rows are k queries to the tokens of their sentence. In a step list memory
 * is NULL, and the projected keys and values are the external value PATH.keyvalue [S, 2D]. */
struct value *attention_cross(struct graph *graph, struct value *x, struct value *memory, int heads,
                              const struct attention_spec *spec, double dropout, const char *path);
