/* Attention blocks. A block is composed of terms, branches and a fusion. A term changes the
 * energies (the input of the softmax), changes the values, cuts keys, or maps queries and keys. A
 * branch is an interval of keys that a query may attend to, with its own softmax and dropout. A
 * fusion combines the branches into one output (Song et al. 2018, eqs. 12-13).
 *
 *   encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]
 *   decoder.attention: [{layers: all, terms: [localness, {relpos: 16}]}]
 *
 * A branch allows these keys j for a query at position i. In the decoder, every branch also has
 * j <= i.
 *
 *   global         every key
 *   forward        j <= i (Song et al. 2018, eq. 9)
 *   backward       j >= i (Song et al. 2018, eq. 9)
 *   {window: m}    |i - j| <= m, cut at the ends of the sentence (Xu et al. 2019, eq. 3);
 *                  dropout: false disables dropout of the attention weights of the branch, as in
 *                  Xu's released code
 *
 * Layers without an entry have one global branch and no terms. Each file of attention/term/ defines
 * a term (term.h), and each file of attention/fusion/ defines a fusion. The build generates the
 * lists of terms and fusions from the file names. The options of a term or fusion follow its name,
 * as in {gauss: {center: self}}. A single value sets the first option, as in {relpos: 16}.
 *
 * A block computes multi-head attention (Vaswani et al. 2017, eq. 1 and section 3.2.2). In each
 * head, the energy of query i and key j is q_i k_j d^-1/2, where d = D / H is the width of a head.
 * Each branch applies a softmax to the energies of its interval, and dropout to the resulting
 * weights. In a matrix [T, D], each head has d neighboring columns. The output projection comes
 * last. */
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

/* Properties of the model that all attention blocks share. */
struct attention_size {
    int layers, width, heads;
    bool unbiased;         /* no biases in the projections of queries, keys, values and output */
    const bool *recurrent; /* [layers] true for layers without attention; NULL: none */
};

/* A term and its options. `options` is the struct that the section of `type` describes. */
struct term_choice {
    const struct term_type *type;
    void *options;
};

/* Composition of one block. */
struct attention_spec {
    int branches; /* number of branches, R */
    struct attention_reach branch[ATTENTION_BRANCHES];
    int terms;
    struct term_choice term[ATTENTION_TERMS];
    const struct fusion_type *fusion; /* NULL when R = 1 */
    void *fusion_options;             /* the struct that the section of `fusion` describes */
    bool unbiased;                    /* copied from attention_size */
};

/* An entry of the option encoder.attention, decoder.attention or decoder.cross. */
struct attention_entry {
    struct location location;
    const char *layers; /* such as "1-2", "3", "1,4-6", "all", "lower(1/3)", "upper(1/2)" */
    struct attention_spec spec;
};

/* The option's entries. attention_resolve sets layers, of_layer and recurrent. */
struct attention_list {
    int count;
    struct attention_entry *entry;
    int layers;                      /* number of layers of the stack */
    struct attention_spec *of_layer; /* [layers] composition of each layer */
    const bool *recurrent;           /* [layers] true for layers without attention; NULL: none */
};

/* Option type of encoder.attention, decoder.attention and decoder.cross. */
extern const struct option_custom attention_custom;

/* Fills of_layer. Ids are computed from of_layer. In a stack of six layers, 1-2 and lower(1/3)
 * therefore give the same id. Dies at an entry's location in these cases:
 *   - its range is invalid, selects no layer or exceeds the stack
 *   - another entry has the same layer
 *   - its range has a recurrent layer
 *   - `place` does not allow a branch: backward in the decoder, any branch but global in
 *     decoder.cross
 *   - a term or fusion is incompatible with the model's size */
void attention_resolve(struct attention_list *list, enum attention_place place,
                       const struct attention_size *size, struct arena *arena);

/* Prints the grammar of an entry, and every term and fusion with its options, for --help. */
void attention_help(FILE *out);

/* All terms and fusions, NULL-terminated, in the order of file names. The index of a term is its
 * `kind` (struct attention_term). */
extern const struct term_type *const attention_terms[];
extern const struct fusion_type *const attention_fusions[];

/* Writes the text of a branch, such as "global" or "window(5)". */
void attention_write_branch(struct attention_reach reach, FILE *out);

extern const struct attention_spec attention_plain; /* one global branch */

/* Input of a fusion: the outputs of a block's branches, and the values from which the branches were
 * computed. */
struct attention_block {
    const char *path; /* path of the block, such as "encoder.1.attention" */
    const struct attention_spec *spec;
    int heads;
    double scale;           /* factor of the queries, d^-1/2 */
    struct value *input;    /* [T, D] input of the projections to q, k and v */
    struct value *query;    /* [T, D] queries with bias, before scaling */
    struct value *branches; /* [T, R*D], including what terms add to values */
};

struct fusion_type {
    const char *name, *help;
    const struct section *section; /* options; NULL: none */
    /* Dies at the location of the entry if the fusion cannot have these branches or sizes. May
     * normalize the options, so that each meaning has one spelling. NULL: no conditions. */
    void (*check)(const struct attention_spec *spec, const struct attention_size *size,
                  struct location location);
    /* Adds the nodes of the fusion. Returns the output of the block, [T, D], after the output
     * projection (attention_project). */
    struct value *(*build)(struct graph *graph, const struct attention_block *block);
    /* Computes the same for the oracle (dense.h): returns [n, D] for branches [n, R*D], after
     * dense_project. */
    double *(*dense)(const struct dense *dense, const double *branches);
    /* True if the value PATH.gate has the weights of the second branch, in [0, 1]. It is [T, H], or
     * [T, 1] if all heads have the same weight. */
    bool gated;
    /* Writes the weight of each branch at T positions to weight [R][T]: the mean over the D
     * elements of the position. `branches` is [T, R*D], and `path` is the path of the block. NULL:
     * the fusion does not have one weight for each branch. */
    void (*weigh)(const struct parameters *parameters, const struct attention_spec *spec,
                  const char *path, const real *branches, int T, int D, real *weight);
    /* For tests: texts of options that together have every value of every choice; NULL-terminated.
     * NULL: the fusion has no options. */
    const char *const *examples;
};

/* Returns the output projection of x, [T, D]. The matrix is PATH.output.weight,
 * [columns of x, D]. */
struct value *attention_project(struct graph *graph, struct value *x,
                                const struct attention_block *block);

/* Returns the self-attention [T, D] of the rows of x [T, D]. In a step list (beam search), the keys
 * and values of this and earlier steps are in the external value PATH.cache [cache_rows, 2D]. If a
 * term maps keys, their maps are in PATH.mapped_cache [cache_rows, D]. */
struct value *attention_self(struct graph *graph, struct value *x, int heads, bool causal,
                             const struct attention_spec *spec, double dropout, const char *path);
/* Returns the attention of target rows x [T, D] to source rows memory [S, D]. A sentence may have
 * any number of rows in x. Each row is a query to the source tokens of its sentence. In a step
 * list, memory is NULL, and the projected keys and values are the external value PATH.keyvalue
 * [S, 2D]. */
struct value *attention_cross(struct graph *graph, struct value *x, struct value *memory, int heads,
                              const struct attention_spec *spec, double dropout, const char *path);
