/* Checks properties that every model must have. A sentence has the same outputs alone and in a
 * batch. The logits of a target token do not depend on later tokens. Decoding one token at a time
 * gives the same logits as the whole sentence. The number of threads changes no bit. `sanlab check`
 * prints the results for the model of any YAML file. Tests check every variant of attention.
 * tests/support/double_checks.h has further checks, which need real = double. */
#pragma once

#include "core/check/finding.h"
#include "core/model/translator.h"

struct check_subject;

/* The sections model, encoder and decoder of a YAML text define a model. Vocabularies are small.
 * Parameters get the same initial values and perturbation in the float and in the double build. */
enum { CHECKS = 8 };
struct check {
    const char *name;
    void (*check)(struct check_subject *subject, struct finding *finding);
};
/* Checks in float. The last entry has no name. */
extern const struct check checks_float[];
/* Runs a list of at most CHECKS checks on a model. Returns the number of checks. */
int check_model(const struct check *list, const char *device, const char *name, const char *yaml,
                struct finding finding[CHECKS]);

/* ---- single checks ---- */

enum {
    /* size of each vocabulary, a prime number. Both have the same size, so that they can share a
     * table */
    CHECK_WORDS = 29,
    CHECK_ROWS = 120, /* maximum number of tokens of a batch on one side */
    CHECK_SENTENCES = 12,
    CHECK_LONGEST = 40
};
extern const struct capacity check_capacity;

struct check_subject {
    struct arena arena;
    struct translator_options options;
    struct model *model;
    struct graph *train; /* list for training, planned and placed; its memory is filled with NaN */
    /* Number of elements that finite differences test in each parameter: 3. */
    int elements;
};
void check_open(struct check_subject *subject, const struct ops *ops, const char *name,
                const char *yaml);
void check_close(struct check_subject *subject);
/* Perturbs all parameters, as if the model had been trained: no gain is 1, and no offset or bias is
 * 0. */
void check_shake(struct parameters *parameters);

/* Compares encoder.output and logits of single sentences with the same sentences in a batch. With
 * sanlab's own products, the bits must be equal. With OpenBLAS, which the double build uses, the
 * values may differ by rounding. */
void check_alone(struct check_subject *subject, struct finding *finding);
/* Checks that changing target token t changes the logits of row t + 1, and no bit of rows up to t
 * or of other sentences. */
void check_causality(struct check_subject *subject, struct finding *finding);
/* Compares the logits of the list that decodes one token at a time with the logits of the inference
 * list. Rows fork, are reordered and end as in a beam search. */
void check_steps(struct check_subject *subject, struct finding *finding);
/* Checks that loss and gradients have the same bits with one thread and with three. */
void check_threads(struct check_subject *subject, struct finding *finding);

/* Returns a batch of B sentences with 1 to `longest` tokens per side. The first sentence has 1
 * token. The batch is a function of the seed. */
struct batch check_batch(struct arena *arena, uint32_t seed, int B, int longest);
/* Returns sentences [from, to) as a batch, with their position in the step. */
struct batch check_batch_part(struct arena *arena, const struct batch *batch, int from, int to);
/* Returns a step whose loss is the sum over tokens. Dropout masks depend on `seed`. */
struct step check_step(uint32_t seed);
/* Returns a new list of the model. It keeps the value with path `keep`; if `keep` is NULL, it keeps
 * the losses. Free the list with graph_release. */
struct graph *check_list(struct model *model, struct arena *arena, enum graph_mode mode,
                         const char *keep);
/* Fill the planned memory of a list, or any memory, with NaN. So a check fails if results depend on
 * earlier batches. */
void check_poison(struct graph *graph);
void check_poison_bytes(const struct ops *ops, void *memory, size_t bytes);
/* Runs forward; returns the sum of the losses. */
double check_forward(struct graph *graph, const struct step *step, const struct batch *batch);
/* Returns the rows of a kept value, [rows, columns], in the arena. */
real *check_read(struct arena *arena, const struct graph *graph, const char *path);
