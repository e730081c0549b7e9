/* The matrix products of a model's linear nodes on the first batch of its training: shapes, strides
 * and flags, to be done on other operands. */
#ifndef DEV_LINEAR_PRODUCTS_H
#define DEV_LINEAR_PRODUCTS_H

#include "core/train/translating.h"

/* In the order in which a node does them. */
enum linear_product {
    LINEAR_OUT,
    LINEAR_WEIGHT_GRADIENT, /* a gemm_weight: transpose_a, K = T */
    LINEAR_IN_GRADIENT,
    LINEAR_PRODUCTS
};
struct linear_products {
    const char *path;
    /* a, b and c are of memory that is gone; bias, too, but NULL is none. */
    struct gemm product[LINEAR_PRODUCTS];
};

/* Those of all linear nodes: [*count] in the arena. */
struct linear_products *linear_products(const struct translating *translating, int *count,
                                        struct arena *arena);

#endif
