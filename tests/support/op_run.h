/* One case for every op of ops.def: random shapes and values in, the op, outputs compared with a
 * naive computation in double. A case is a function op_case_NAME(run); an op without one does not
 * link.
 *
 * A case draws everything from the run, so that the same trial on another table or with another
 * number of threads gives the same bits (op_run_same). All buffers are the run's: in odd trials at
 * odd offsets, between guards of NaN. OP_CALL checks that no guard and no input has changed;
 * outputs hold NaN before the call. */
#pragma once

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "core/tensor/ops.h"

enum { OP_GUARD = 64 }; /* bytes before and behind every buffer; all bits set is NaN in any real */

enum op_use {
    OP_INPUT,  /* random in [-1, 1]; must not change */
    OP_OUTPUT, /* NaN */
    OP_ADDED   /* random in [-1, 1]; the op adds to it */
};

struct op_buffer {
    struct op_buffer *next;
    const char *name;
    enum op_use use;
    unsigned char *data, *frozen;
    size_t bytes;
    bool act;              /* holds activations: on a device it may be of another type */
    unsigned char *device; /* op_device.c: where it is while an op runs, guards included */
};

struct op_run {
    const struct ops *ops;
    const char *name;
    uint32_t trial;
    uint64_t drawn; /* random values so far */
    struct arena arena;
    struct op_buffer *buffer; /* newest first */
};

struct op_case {
    const char *name;
    void (*run)(struct op_run *run);
};
extern const struct op_case op_cases[];
extern const int op_case_count;

/* The run that cases now make buffers of. */
void op_run_begin(struct op_run *run);
/* Runs a case; fails the test when its outputs are wrong. op_run_close ends it. */
struct op_run op_run_case(const struct op_case *op, const struct ops *ops, uint32_t trial);
/* The same case on memory that only ops of the table touch: before each of them buffers go there,
 * and its arguments are made to point there; afterwards they come back (op_device.c). */
struct op_run op_run_on_device(const struct op_case *op, const struct ops *ops, uint32_t trial);
/* Fails unless both runs left the same bits in every buffer. */
void op_run_same(const struct op_run *a, const struct op_run *b, const char *what);
/* Adds what it left in outputs. */
void op_run_digest(const struct op_run *run, struct digest *digest);
void op_run_close(struct op_run *run);

/* What cases draw. A size is 1, a whole number of vectors, one more or less, or anything else. */
int op_below(struct op_run *run, int bound);
bool op_flip(struct op_run *run);
int op_size(struct op_run *run);
double op_real(struct op_run *run, double low, double high);

real *op_reals(struct op_run *run, enum op_use use, int64_t count, const char *name);
int32_t *op_ints(struct op_run *run, enum op_use use, int64_t count, const char *name);
struct step *op_step(struct op_run *run);
/* Of whatever else an op reads or writes; all bits are set. */
void *op_memory(struct op_run *run, enum op_use use, size_t bytes, const char *name);
/* Launches an op for more rows than there are, in one of two cases: what is behind them is outside
 * of the buffers. */
void op_launch(struct op_run *run, int *T, const int32_t **rows);
/* None in one of three cases. */
struct dropout op_dropout(struct op_run *run);
/* Sentences of 1 to `longest` rows: start[B+1]. */
int32_t *op_sentences(struct op_run *run, int B, int longest, const char *name);

/* Lists of packed rows (enum ops_list): the sentence of each; where tiles of attention begin. */
int32_t *op_groups(struct op_run *run, const int32_t *start, int B);
int32_t *op_tiles(struct op_run *run, const int32_t *start, int B);

/* 0 or 1 / (1 - p), by the definition in random.h. */
double op_factor(const struct step *step, struct dropout dropout, uint64_t index, uint32_t branch);

/* Doubles of the arena: zeros, the values of x, or NaN. */
double *op_zeros(struct op_run *run, int64_t count);
double *op_values(struct op_run *run, const real *x, int64_t count);

#define OP_CALL(run, op, ...) (op_run_freeze(run), (run)->ops->op(__VA_ARGS__), op_run_check(run))
void op_run_freeze(struct op_run *run);
void op_run_check(struct op_run *run);

/* x equals the expected values to 1e-5 (1e-12 in double, 2e-3 in tf32, 2e-2 in bf16) of each
 * and of their root mean square, or of `floor` where all of them may be exactly zero; where NaN is
 * expected x must be untouched. */
void op_expect(struct op_run *run, const real *x, const double *expected, int64_t count,
               const char *name);
void op_expect_above(struct op_run *run, const real *x, const double *expected, int64_t count,
                     double floor, const char *name);
/* To the bit. */
void op_expect_exactly(struct op_run *run, const real *x, const double *expected, int64_t count,
                       const char *name);

/* A buffer of reals, or a place in it, as activations. An activation is a real on the CPU. */
struct act *op_act(real *x);
/* What an activation of the run's table makes of x; whoever changes or makes values of a buffer of
 * activations puts such ones there. */
real op_rounded(const struct op_run *run, double x);

#define OP(name, parameters, arguments) void op_case_##name(struct op_run *run);
#include "core/tensor/ops.def"
#undef OP
