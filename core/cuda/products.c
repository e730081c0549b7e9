/* Computes the matrix products of an op table by cuBLASLt. Activations are floats or bf16.
 * Gradients of weights are floats. */
#include "core/cuda/products.h"

#include "core/cuda/act.h"
#include "core/cuda/cublaslt.h"

static const int32_t type_of_act = ACT_IS_REAL ? CUDA_R_32F : CUDA_R_16BF;
static bool tf32;

void DEVICE(library_tf32)(bool on)
{
    tf32 = on;
}

static struct cublaslt_matrix matrix(bool transposed, int rows, int columns, int ld, int64_t next)
{
    return (struct cublaslt_matrix){.transposed = transposed,
                                    .rows = rows,
                                    .columns = columns,
                                    .ld = ld,
                                    .next = next,
                                    .type = type_of_act};
}

void DEVICE(library_gemm)(const struct gemm *g)
{
    const struct cublaslt_shape shape = {
        .a = matrix(g->transpose_a, g->M, g->K, g->lda, g->stride_a),
        .b = matrix(g->transpose_b, g->K, g->N, g->ldb, g->stride_b),
        .c = matrix(false, g->M, g->N, g->ldc, g->stride_c),
        .products = g->products ? g->products : 1,
        .tf32 = tf32,
        .epilogue = g->bias ? EPILOGUE_BIAS : EPILOGUE_NONE};
    cublaslt_multiply(shape, g->scale, g->a, g->b, g->c, g->add, g->bias);
}

/* If g->products is above 1, the products are added to the gradient one after the other. */
bool DEVICE(library_gemm_weight)(const struct gemm_weight *g)
{
    struct cublaslt_shape shape = {.a = matrix(true, g->M, g->T, g->lda, 0),
                                   .b = matrix(false, g->T, g->N, g->ldb, 0),
                                   .c = matrix(false, g->M, g->N, g->N, 0),
                                   .products = 1,
                                   .tf32 = tf32};
    shape.c.type = CUDA_R_32F;
    if (g->bias && !g->add_bias) {
        shape.epilogue = EPILOGUE_BIAS_GRADIENT;
        if (cublaslt_multiply(shape, g->scale, g->a, g->b, g->c, g->add, g->bias)) return true;
        shape.epilogue = EPILOGUE_NONE;
    }
    for (int p = 0; p < g->products || !p; p++)
        cublaslt_multiply(shape, g->scale, act_from(g->a, p * g->stride_a),
                          act_from(g->b, p * g->stride_b), g->c, g->add || p, NULL);
    return false;
}
