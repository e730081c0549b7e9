/* Invariants of every model. A sentence has the same outputs alone and in a batch. No row depends
 * on later tokens. Decoding word by word gives the logits of the whole sentence. The number of
 * threads changes no bit. `sanlab check` prints the results for any YAML; tests check every variant
 * of attention. dev/double adds the checks that need real = double. */
#pragma once

#include "core/check/finding.h"
#include "core/model/translator.h"

struct check_subject;

/* A model is given by the sections model, encoder and decoder of a YAML text. Vocabularies are
 * small. Parameters get the same initial values and perturbation in the float and in the double
 * build. */
enum { CHECKS = 8 };
struct check {
    const char *name;
    void (*check)(struct check_subject *subject, struct finding *finding);
};
/* Checks in float, terminated by an entry without a name. */
extern const struct check checks_float[];
/* Runs a list of at most CHECKS checks on a model. Returns the number of checks. */
int check_model(const struct check *list, const char *device, const char *name, const char *yaml,
                struct finding finding[CHECKS]);
/* Returns the logits of a batch, [rows, CHECK_WORDS], in the arena; *count is the number of
 * values. */
double *check_logits(const char *device, const char *name, const char *yaml, struct arena *arena,
                     int64_t *count);

/* ---- single checks ---- */

enum {
    CHECK_WORDS = 29, /* size of both vocabularies: a prime; equal, to allow shared tables */
    CHECK_ROWS = 120, /* capacity of lists: rows of a side */
    CHECK_SENTENCES = 12,
    CHECK_LONGEST = 40
};
extern const struct capacity check_capacity;

struct check_subject {
    struct arena arena;
    struct translator_options options;
    struct model *model;
    struct graph *train; /* planned and placed; its memory is filled with NaN */
    /* Number of elements that finite differences test in each parameter: 3. */
    int elements;
};
void check_open(struct check_subject *subject, const struct ops *ops, const char *name,
                const char *yaml);
void check_close(struct check_subject *subject);
/* Perturbs all parameters, like some training: no gain is 1, and no offset or bias is 0. */
void check_shake(struct parameters *parameters);

/* Compares encoder.output and logits of single sentences with the same sentences in a batch. Own
 * products give equal bits. With OpenBLAS, which the double build uses, the values differ by
 * rounding. */
void check_alone(struct check_subject *subject, struct finding *finding);
/* Checks that changing target token t changes the logits of row t + 1, and no bit of rows up to t
 * or of other sentences. */
void check_causality(struct check_subject *subject, struct finding *finding);
/* Compares the logits of the step list with the logits of the inference list. Rows fork, are
 * reordered and end as in a search. */
void check_steps(struct check_subject *subject, struct finding *finding);
/* Checks that loss and gradients have the same bits with one thread and with three. */
void check_threads(struct check_subject *subject, struct finding *finding);

/* Returns B sentences of 1 to `longest` tokens per side; the first has 1 token. The batch is a
 * function of the seed. */
struct batch check_batch(struct arena *arena, uint32_t seed, int B, int longest);
/* Returns sentences [from, to) as a batch with its position in the step. */
struct batch check_batch_part(struct arena *arena, const struct batch *batch, int from, int to);
/* Returns a step whose loss is the sum over tokens. Masks depend on seed and number. */
struct step check_step(uint32_t seed);
/* Returns another list, which keeps the value with path `keep` or, if NULL, the losses. Free the
 * list with graph_release. */
struct graph *check_list(struct model *model, struct arena *arena, enum graph_mode mode,
                         const char *keep);
/* Fill the planned memory, or any memory, with NaN, to detect dependence on earlier batches. */
void check_poison(struct graph *graph);
void check_poison_bytes(const struct ops *ops, void *memory, size_t bytes);
/* Runs forward; returns the sum of the losses. */
double check_forward(struct graph *graph, const struct step *step, const struct batch *batch);
/* Returns the rows of a kept value, [rows, columns], in the arena. */
real *check_read(struct arena *arena, const struct graph *graph, const char *path);
