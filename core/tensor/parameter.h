/* Parameters: five slabs of one layout (masters, operands, gradients, Adam's m and v). A parameter
 * is found by its path. Lists that are built from one specification share the parameters. */
#pragma once

#include "core/base/arena.h"
#include "core/tensor/ops.h"

enum parameter_start {
    /* U(+-sqrt(6 / (rows + columns))) of the fused matrix (Glorot and Bengio 2010, eq. 16) */
    START_GLOROT,
    /* U(+-sqrt(3 / n)), as THUMT's initializer does for biases; or zero (zero_bias) */
    START_BIAS,
    START_UNIFORM,  /* U(+-spread) */
    START_NORMAL,   /* N(0, spread) */
    START_CONSTANT, /* constant `spread` */
    START_ONE,
    START_ZERO
};

struct parameter {
    const char *path;
    uint32_t stream;   /* random stream of the initial values */
    int rows, columns; /* vectors are 1 x n */
    /* True also for a matrix with one row. Files store this matrix as [1, n], and a vector as
     * [n]. */
    bool matrix;
    enum parameter_start start;
    double spread;  /* START_UNIFORM: limit; START_NORMAL: deviation; START_CONSTANT: value */
    int64_t offset; /* in elements, the same in every slab */
    /* op(operand) in the layout of `pack`, if the weight will not change; else NULL.
     * packed_transposed: for products that read the weight transposed. */
    struct act *packed;
    bool packed_transposed;
};

struct parameters {
    struct arena *arena;
    bool zero_bias; /* START_BIAS means START_ZERO */
    /* Every parameter starts as U(+-uniform), overriding its start; 0: no override. */
    double uniform;
    int count;
    struct parameter **item; /* in the order of creation and of the slabs */
    /* Elements of one slab; each parameter is padded to a multiple of 16. */
    int64_t slab;
    int64_t total;                   /* number of parameters without padding */
    const struct ops *ops;           /* set by parameters_place */
    real *master, *gradient, *m, *v; /* device; gradient, m and v are NULL without training */
    struct act *operand;             /* device; equal to master if act is real */
};

/* Returns the parameter with this path; creates it if it does not exist. Shapes must agree. */
struct parameter *parameter_get(struct parameters *parameters, const char *path, int rows,
                                int columns, enum parameter_start start, double spread);
/* Like parameter_get, for a matrix that may have one row. */
struct parameter *parameter_matrix(struct parameters *parameters, const char *path, int rows,
                                   int columns, enum parameter_start start, double spread);
struct parameter *parameter_find(const struct parameters *parameters, const char *path);

void parameters_place(struct parameters *parameters, const struct ops *ops, bool train);
void parameters_release(struct parameters *parameters);
/* Ends training: releases gradients, m and v. */
void parameters_freeze(struct parameters *parameters);
size_t parameters_bytes(const struct parameters *parameters, bool train);
/* Fills the masters. A value is a function of (seed, path, index). */
void parameters_start(struct parameters *parameters, uint32_t seed);
/* parameter_pack packs the operand of a weight that will not change, if the table packs;
 * parameters_refresh discards it. parameter_packed returns the packed operand; NULL if there is
 * none for this orientation. */
void parameter_pack(struct parameters *parameters, struct parameter *parameter, bool transposed);
struct act *parameter_packed(const struct parameter *parameter, bool transposed);
/* Computes operands from masters. Call it after masters have changed. */
void parameters_refresh(struct parameters *parameters);
/* Discards packed operands. Call it after `adam`, which has written the operands. */
void parameters_forget_packed(struct parameters *parameters);
