/* Stores the parameters of a model in slabs (large arrays) of the same layout: masters, operands,
 * gradients, Adam's m and v. Masters are the values in full precision. Operands are copies in the
 * format of activations, which matrix products read. A parameter is found by its path. Lists that
 * are built from one specification share the parameters. */
#pragma once

#include "core/base/arena.h"
#include "core/tensor/ops.h"

enum parameter_start {
    /* U(+-sqrt(6 / (rows + columns))) (Glorot and Bengio 2010, eq. 16). If several matrices are
     * fused into one parameter, rows and columns of the parameter are used. */
    START_GLOROT,
    /* U(+-sqrt(3 / columns)), like biases in THUMT; zero if zero_bias is set */
    START_BIAS,
    START_UNIFORM,  /* U(+-spread) */
    START_NORMAL,   /* normal, mean 0, standard deviation `spread` */
    START_CONSTANT, /* constant `spread` */
    START_ONE,
    START_ZERO
};

struct parameter {
    const char *path;
    uint32_t stream;   /* random stream of the initial values */
    int rows, columns; /* vectors are 1 x n */
    /* True for every matrix, false for a vector. Files store a matrix with one row as [1, n], but a
     * vector as [n]. */
    bool matrix;
    enum parameter_start start;
    double spread;  /* START_UNIFORM: limit; START_NORMAL: std. deviation; START_CONSTANT: value */
    int64_t offset; /* in elements, the same in every slab */
    /* The operand in the layout of the op `pack`; NULL if it is not packed. packed_transposed:
     * packed for products that read the transposed operand. */
    struct act *packed;
    bool packed_transposed;
};

struct parameters {
    struct arena *arena;
    bool zero_bias; /* START_BIAS means START_ZERO */
    /* If above 0, every parameter starts as U(+-uniform) instead of by its `start`. */
    double uniform;
    int count;
    struct parameter **item; /* in the order of creation, which is their order in the slabs */
    /* Elements of one slab; each parameter is padded to a multiple of 16. */
    int64_t slab;
    int64_t total;                   /* number of parameters without padding */
    const struct ops *ops;           /* set by parameters_place */
    real *master, *gradient, *m, *v; /* device; gradient, m and v are NULL without training */
    struct act *operand;             /* device; equal to master if activations are reals */
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
/* Sets masters and operands to initial values. A value is a function of seed, path and index. */
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
