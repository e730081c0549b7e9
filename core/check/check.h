/* Invariants of every model, whatever its attention: a sentence alone has the outputs that it has
 * in a batch, no row depends on later words, decoding word by word equals decoding at once, threads
 * change no bit. `sanlab check` prints them for any YAML. Tests check them for every variant.
 * dev/double adds the checks that need real = double. */
#pragma once

#include "core/check/finding.h"
#include "core/model/translator.h"

struct check_subject;

/* A model is the sections model, encoder and decoder of a YAML text. Vocabularies are small.
 * Parameters are started and shaken, in the float and in the double build alike. */
enum { CHECKS = 8 };
struct check {
    const char *name;
    void (*check)(struct check_subject *subject, struct finding *finding);
};
/* Checks in float; an entry without a name ends the list. */
extern const struct check checks_float[];
/* Runs a list of at most CHECKS checks on a model. Returns their number. */
int check_model(const struct check *list, const char *device, const char *name, const char *yaml,
                struct finding finding[CHECKS]);
/* Logits of a batch, [rows, CHECK_WORDS], in the arena; *count is the number of values. */
double *check_logits(const char *device, const char *name, const char *yaml, struct arena *arena,
                     int64_t *count);

/* ---- one by one ---- */

enum {
    CHECK_WORDS = 29, /* vocabulary sizes: no multiple of anything, equal for shared tables */
    CHECK_ROWS = 120, /* capacity of lists: rows of a side, */
    CHECK_SENTENCES = 12,
    CHECK_LONGEST = 40
};
extern const struct capacity check_capacity;

struct check_subject {
    struct arena arena;
    struct translator_options options;
    struct model *model;
    struct graph *train; /* planned and placed; its memory holds NaN */
    int elements;        /* of every parameter, which finite differences move alone: 3 */
};
void check_open(struct check_subject *subject, const struct ops *ops, const char *name,
                const char *yaml);
void check_close(struct check_subject *subject);
/* A moment into training: no gain is 1 any more, no offset or bias 0. */
void check_shake(struct parameters *parameters);

/* encoder.output and logits of sentences alone against those in a batch: no difference with our own
 * products, rounding with OpenBLAS's, which are those of the double build. */
void check_alone(struct check_subject *subject, struct finding *finding);
/* Another target token t changes the logits of row t + 1 and no bit of those up to t, nor of other
 * sentences. */
void check_causality(struct check_subject *subject, struct finding *finding);
/* Logits of the step list, whose rows fork, change places and leave as in a search, against those
 * of the infer list. */
void check_steps(struct check_subject *subject, struct finding *finding);
/* Loss and gradients of one thread and of three: the same bits. */
void check_threads(struct check_subject *subject, struct finding *finding);

/* B sentences of 1 to `longest` tokens a side, the first of 1; a function of the seed. */
struct batch check_batch(struct arena *arena, uint32_t seed, int B, int longest);
/* Sentences [from, to) as a batch that knows its place in the step. */
struct batch check_batch_part(struct arena *arena, const struct batch *batch, int from, int to);
/* Step of a loss that is the plain sum over tokens; masks depend on seed and number. */
struct step check_step(uint32_t seed);
/* A further list, which keeps the value of that path or (NULL) the losses; free: graph_release. */
struct graph *check_list(struct model *model, struct arena *arena, enum graph_mode mode,
                         const char *keep);
/* Fills the planned memory, or any, with NaN: nothing may depend on what earlier batches left. */
void check_poison(struct graph *graph);
void check_poison_bytes(const struct ops *ops, void *memory, size_t bytes);
/* Forward; returns the sum of the losses. */
double check_forward(struct graph *graph, const struct step *step, const struct batch *batch);
/* Rows of a kept value, [rows, columns], in the arena. */
real *check_read(struct arena *arena, const struct graph *graph, const char *path);
