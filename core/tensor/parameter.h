/* Parameters: five slabs of one layout (masters, operands, gradients, Adam's m and v), found by
 * path name. Lists that are built from one specification share them. */
#pragma once

#include "core/base/arena.h"
#include "core/tensor/ops.h"

enum parameter_start {
    /* U(+-sqrt(6 / (rows + columns))) of the fused matrix (Glorot and Bengio 2010, eq. 16) */
    START_GLOROT,
    START_BIAS,     /* U(+-sqrt(3 / n)): THUMT sends biases through the same initializer; or zero */
    START_UNIFORM,  /* U(+-spread) */
    START_NORMAL,   /* N(0, spread) */
    START_CONSTANT, /* spread itself */
    START_ONE,
    START_ZERO
};

struct parameter {
    const char *path;
    uint32_t stream;   /* of the random numbers of its start */
    int rows, columns; /* vectors are 1 x n */
    bool matrix;       /* with one row, too: [1, n] in files, where a vector is [n] */
    enum parameter_start start;
    double spread;  /* START_UNIFORM: limit; START_NORMAL: deviation; START_CONSTANT: value */
    int64_t offset; /* in elements, the same in every slab */
    /* Of a weight that will not change: op(operand) as `pack` has it, for products that read it
     * transposed, or not; else NULL. */
    struct act *packed;
    bool packed_transposed;
};

struct parameters {
    struct arena *arena;
    bool zero_bias; /* START_BIAS is START_ZERO */
    double uniform; /* every parameter starts as U(+-uniform), whatever its start; 0: as it says */
    int count;
    struct parameter **item;         /* in the order of creation: the layout of the slabs */
    int64_t slab;                    /* elements of one slab: each parameter padded to 16 */
    int64_t total;                   /* real parameters */
    const struct ops *ops;           /* after parameters_place */
    real *master, *gradient, *m, *v; /* device; gradient, m and v are NULL without training */
    struct act *operand;             /* device; the masters themselves where act is real */
};

/* The parameter of that path, made if it is new; shapes must agree. */
struct parameter *parameter_get(struct parameters *parameters, const char *path, int rows,
                                int columns, enum parameter_start start, double spread);
/* The same of a matrix that may have one row. */
struct parameter *parameter_matrix(struct parameters *parameters, const char *path, int rows,
                                   int columns, enum parameter_start start, double spread);
struct parameter *parameter_find(const struct parameters *parameters, const char *path);

/* Allocates the slabs. */
void parameters_place(struct parameters *parameters, const struct ops *ops, bool train);
void parameters_release(struct parameters *parameters);
/* Nothing is learned from here on: gives back gradients, m and v. */
void parameters_freeze(struct parameters *parameters);
size_t parameters_bytes(const struct parameters *parameters, bool train);
/* Fills the masters: a function of (seed, path, index) alone. */
void parameters_start(struct parameters *parameters, uint32_t seed);
/* Packs the operand of a weight that stays as it is, if the table packs; parameters_refresh forgets
 * it. parameter_packed: that operand for products that read it so, or NULL. */
void parameter_pack(struct parameters *parameters, struct parameter *parameter, bool transposed);
struct act *parameter_packed(const struct parameter *parameter, bool transposed);
/* Operands from masters, after masters have changed. */
void parameters_refresh(struct parameters *parameters);
/* The same after `adam`, which has written the operands. */
void parameters_forget_packed(struct parameters *parameters);
