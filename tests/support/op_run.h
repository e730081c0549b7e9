/* Tests of every op of ops.def: random shapes and values; the outputs are compared with a naive
 * computation in double. A case is a function op_case_NAME(run); an op without a case does not
 * link.
 *
 * A case draws everything from the run, so that the same trial with another table or another
 * number of threads gives the same bits (op_run_same). The run owns all buffers: in odd trials
 * at odd offsets, between guards of NaN. OP_CALL checks that no guard and no input has changed.
 * Outputs hold NaN before the call. */
#pragma once

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "core/tensor/ops.h"

enum { OP_GUARD = 64 }; /* bytes before and after every buffer; all bits set is NaN in any real */

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
    bool act;              /* holds activations, which may have another type on the device */
    unsigned char *device; /* op_device.c: its address while an op runs, guards included */
};

struct op_run {
    const struct ops *ops;
    const char *name;
    uint32_t trial;
    uint64_t drawn; /* number of random values so far */
    struct arena arena;
    struct op_buffer *buffer; /* newest first */
};

struct op_case {
    const char *name;
    void (*run)(struct op_run *run);
};
extern const struct op_case op_cases[];
extern const int op_case_count;

/* Sets the run in which cases allocate their buffers. */
void op_run_begin(struct op_run *run);
/* Runs a case; fails the test if its outputs are wrong. Close the run with op_run_close. */
struct op_run op_run_case(const struct op_case *op, const struct ops *ops, uint32_t trial);
/* Runs the case in memory that only ops of the table can access. Before each op the buffers are
 * copied there and the arguments adjusted; afterwards they are copied back (op_device.c). */
struct op_run op_run_on_device(const struct op_case *op, const struct ops *ops, uint32_t trial);
/* Fails unless both runs left the same bits in every buffer. */
void op_run_same(const struct op_run *a, const struct op_run *b, const char *what);
/* Adds the outputs of the run to the digest. */
void op_run_digest(const struct op_run *run, struct digest *digest);
void op_run_close(struct op_run *run);

/* Random draws of cases. A size is 1, a whole number of vectors, one more or less, or anything
 * else. */
int op_below(struct op_run *run, int bound);
bool op_flip(struct op_run *run);
int op_size(struct op_run *run);
double op_real(struct op_run *run, double low, double high);

real *op_reals(struct op_run *run, enum op_use use, int64_t count, const char *name);
int32_t *op_ints(struct op_run *run, enum op_use use, int64_t count, const char *name);
struct step *op_step(struct op_run *run);
/* Returns memory for other data of an op, with all bits set. */
void *op_memory(struct op_run *run, enum op_use use, size_t bytes, const char *name);
/* Launches an op for more rows than there are, in one of two cases. The additional rows would
 * be outside of the buffers. */
void op_launch(struct op_run *run, int *T, const int32_t **rows);
/* Returns random dropout; none in one of three cases. */
struct dropout op_dropout(struct op_run *run);
/* Returns start[B+1] of sentences of 1 to `longest` rows. */
int32_t *op_sentences(struct op_run *run, int B, int longest, const char *name);

/* Return lists of packed rows (enum ops_list): the sentence of each row; the first rows of tiles
 * of attention. */
int32_t *op_groups(struct op_run *run, const int32_t *start, int B);
int32_t *op_tiles(struct op_run *run, const int32_t *start, int B);

/* Returns the dropout factor, 0 or 1 / (1 - p), by the definition in random.h. */
double op_factor(const struct step *step, struct dropout dropout, uint64_t index, uint32_t branch);

/* Return doubles in the arena: zeros; the values of x. */
double *op_zeros(struct op_run *run, int64_t count);
double *op_values(struct op_run *run, const real *x, int64_t count);
/* Makes a result that the op writes, or with `add` adds to. Returns the values before the sums. */
double *op_sums(struct op_run *run, bool add, int64_t count, const char *name, real **x);

#define OP_CALL(run, op, ...) (op_run_freeze(run), (run)->ops->op(__VA_ARGS__), op_run_check(run))
void op_run_freeze(struct op_run *run);
void op_run_check(struct op_run *run);

/* Fails unless |x - expected| <= share * (|expected| + size) for every number. share is 1e-5 (1e-12
 * in double, 2e-3 in tf32, 2e-2 in bf16). size is the root mean square of the expected numbers, or
 * `floor` if that is larger. Where NaN is expected, x must be unchanged. */
void op_expect(struct op_run *run, const real *x, const double *expected, int64_t count,
               const char *name);
void op_expect_above(struct op_run *run, const real *x, const double *expected, int64_t count,
                     double floor, const char *name);
/* Fails unless the bits are equal. */
void op_expect_exactly(struct op_run *run, const real *x, const double *expected, int64_t count,
                       const char *name);

/* Returns a pointer into a buffer of reals as activations. An activation is a real on the CPU. */
struct act *op_act(real *x);
/* Returns x rounded to the activation type of the run's table. Every value that a test writes to
 * a buffer of activations must be rounded. */
real op_rounded(const struct op_run *run, double x);

/* Defines the case of an op by one that it shares with another op. */
#define OP_SHARED(op, call)                                                                        \
    void op_case_##op(struct op_run *run)                                                          \
    {                                                                                              \
        call;                                                                                      \
    }

#define OP(name, parameters, arguments) void op_case_##name(struct op_run *run);
#include "core/tensor/ops.def"
#undef OP
