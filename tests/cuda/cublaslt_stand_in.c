/* Stand-in of libcublasLt.so.13 for core/cuda/cublaslt.c, in plain loops. Sums are in the order of
 * k, like core/emu/products.c, so that a training on both has the same bytes. A product runs at its
 * turn in its stream (stream.h), with the arguments of its issue. Any use that the library would
 * refuse, or silently compute wrongly, ends the program. CUBLASLT_STAND_IN: the version.
 * CUBLASLT_STAND_IN_REFUSES: refuses products with an optional epilogue; `late`: refuses only at
 * the call that runs the product, once for each. */
#pragma GCC visibility push(default)
#include <cublasLt.h>
#pragma GCC visibility pop
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/stream.h"

#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "cublasLt stand-in: line %d: %s\n", __LINE__, #condition);             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
/* A case that copies `value` to the member for an attribute. */
#define SETS(attribute, member)                                                                    \
    case attribute:                                                                                \
        NEED(bytes == sizeof(member));                                                             \
        memcpy(&(member), value, bytes);                                                           \
        break

struct product {
    cublasComputeType_t compute;
    cublasOperation_t of_a, of_b;
    cublasLtEpilogue_t epilogue;
    const void *bias;
    int32_t bias_type;
    bool refused; /* a call for it was refused; the caller must not repeat it */
};

struct layout {
    cudaDataType_t type;
    uint64_t rows, columns;
    int64_t ld, next;
    int32_t count;
};

struct preference {
    size_t work;
    uint32_t alignment[4]; /* of A, B, C, D */
};

/* The product for which an algorithm was chosen. */
struct chosen {
    uint32_t alignment[4];
    uint64_t work;
};

size_t cublasLtGetVersion(void)
{
    const char *version = getenv("CUBLASLT_STAND_IN");
    return version ? strtoull(version, NULL, 10) : 130100;
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS ? "success" : "failure";
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    static int one;
    *handle = (cublasLtHandle_t)(void *)&one;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *made, cublasComputeType_t compute,
                                        cudaDataType_t scale)
{
    struct product *product = calloc(1, sizeof *product);
    NEED(product && scale == CUDA_R_32F);
    product->compute = compute;
    product->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    product->bias_type = -1;
    *made = (cublasLtMatmulDesc_t)(void *)product;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product)
{
    free(product);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t of,
                                              cublasLtMatmulDescAttributes_t which,
                                              const void *value, size_t bytes)
{
    struct product *product = (struct product *)(void *)of;
    switch ((int)which) {
        SETS(CUBLASLT_MATMUL_DESC_TRANSA, product->of_a);
        SETS(CUBLASLT_MATMUL_DESC_TRANSB, product->of_b);
        SETS(CUBLASLT_MATMUL_DESC_EPILOGUE, product->epilogue);
        SETS(CUBLASLT_MATMUL_DESC_BIAS_POINTER, product->bias);
        SETS(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, product->bias_type);
    default:
        NEED(!"an attribute of products that it knows");
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType_t type,
                                          uint64_t rows, uint64_t columns, int64_t ld)
{
    struct layout *layout = calloc(1, sizeof *layout);
    NEED(layout && rows && columns && ld >= (int64_t)rows);
    *layout = (struct layout){type, rows, columns, ld, 0, 1};
    *made = (cublasLtMatrixLayout_t)(void *)layout;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t of,
                                                cublasLtMatrixLayoutAttribute_t which,
                                                const void *value, size_t bytes)
{
    struct layout *layout = (struct layout *)(void *)of;
    switch ((int)which) {
        SETS(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, layout->count);
        SETS(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, layout->next);
    default:
        NEED(!"an attribute of matrices that it knows");
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *made)
{
    *made = calloc(1, sizeof(struct preference));
    NEED(*made);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t of,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    const void *value, size_t bytes)
{
    struct preference *preference = (struct preference *)(void *)of;
    switch ((int)which) {
        SETS(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, preference->work);
        SETS(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, preference->alignment[0]);
        SETS(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, preference->alignment[1]);
        SETS(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, preference->alignment[2]);
        SETS(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, preference->alignment[3]);
    default:
        NEED(!"a preference that it knows");
    }
    return CUBLAS_STATUS_SUCCESS;
}

static bool may_lack(const struct product *p)
{
    return p->epilogue == CUBLASLT_EPILOGUE_BGRADA;
}

/* op(A) m x k by op(B) k x n. */
static uint64_t rows_of(const struct layout *x, cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? x->rows : x->columns;
}
static uint64_t columns_of(const struct layout *x, cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? x->columns : x->rows;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t of,
                                              cublasLtMatrixLayout_t of_a,
                                              cublasLtMatrixLayout_t of_b,
                                              cublasLtMatrixLayout_t of_c,
                                              cublasLtMatrixLayout_t of_d,
                                              cublasLtMatmulPreference_t preferred, int wanted,
                                              cublasLtMatmulHeuristicResult_t found[], int *count)
{
    const struct product *p = (const struct product *)(void *)of;
    const struct layout *a = (const struct layout *)(void *)of_a;
    const struct layout *b = (const struct layout *)(void *)of_b;
    const struct layout *d = (const struct layout *)(void *)of_d;
    const struct preference *preference = (const struct preference *)(void *)preferred;
    struct chosen chosen = {.work = preference->work};
    NEED(handle && of_c == of_d && wanted >= 1);
    NEED(a->type == b->type && (d->type == a->type || d->type == CUDA_R_32F));
    NEED(a->type == CUDA_R_32F || (a->type == CUDA_R_16BF && p->compute == CUBLAS_COMPUTE_32F));
    const bool optional = may_lack(p);
    const char *refuses = getenv("CUBLASLT_STAND_IN_REFUSES");
    NEED(p->epilogue == CUBLASLT_EPILOGUE_DEFAULT || p->bias_type == (int32_t)d->type);
    NEED(!optional || a->count == 1);
    if (optional && refuses && strcmp(refuses, "late") != 0) {
        *count = 0;
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    NEED(rows_of(a, p->of_a) == d->rows && columns_of(b, p->of_b) == d->columns &&
         columns_of(a, p->of_a) == rows_of(b, p->of_b));
    NEED(a->count == d->count && b->count == d->count);
    memcpy(chosen.alignment, preference->alignment, sizeof chosen.alignment);
    memset(found, 0, sizeof *found);
    memcpy(found->algo.data, &chosen, sizeof chosen);
    found->state = CUBLAS_STATUS_SUCCESS;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

static float get(const void *x, cudaDataType_t type, int64_t at)
{
    if (type == CUDA_R_32F) return ((const float *)x)[at];
    const uint32_t bits = (uint32_t)((const uint16_t *)x)[at] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put(void *x, cudaDataType_t type, int64_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == CUDA_R_32F)
        ((float *)x)[at] = value;
    else if ((bits & 0x7fffffffu) > 0x7f800000u)
        ((uint16_t *)x)[at] = (uint16_t)(bits >> 16 | 0x40u);
    else
        ((uint16_t *)x)[at] = (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

/* Returns an element of op(X) of one of several products. */
static float operand(const struct product *p, const struct layout *l, cublasOperation_t op,
                     const void *x, int64_t one, int64_t row, int64_t column)
{
    const int64_t at = op == CUBLAS_OP_N ? row + column * l->ld : column + row * l->ld;
    float value = get(x, l->type, one * l->next + at);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (p->compute != CUBLAS_COMPUTE_32F_FAST_TF32 || (bits & 0x7f800000u) == 0x7f800000u)
        return value;
    bits = (bits + 0xfffu + (bits >> 13 & 1)) & ~0x1fffu;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A product that was issued. */
struct issued {
    struct product p;
    struct layout a, b, d;
    const void *from_a, *from_b;
    void *to;
    float scale, added;
};

static void multiply(void *context)
{
    const struct issued *g = context;
    const struct product *p = &g->p;
    const struct layout *la = &g->a, *lb = &g->b, *ld = &g->d;
    const int64_t K = (int64_t)columns_of(la, p->of_a);
    for (int64_t one = 0; one < ld->count; one++)
        for (int64_t j = 0; j < (int64_t)ld->columns; j++)
            for (int64_t i = 0; i < (int64_t)ld->rows; i++) {
                const int64_t at = one * ld->next + i + j * ld->ld;
                float sum = 0;
                /* Multiply-adds with the emulator's order of operands. */
                for (int64_t k = 0; k < K; k++)
                    sum = fmaf(operand(p, lb, p->of_b, g->from_b, one, k, j),
                               operand(p, la, p->of_a, g->from_a, one, i, k), sum);
                sum *= g->scale;
                if (g->added != 0) sum += g->added * get(g->to, ld->type, at);
                if (p->epilogue == CUBLASLT_EPILOGUE_BIAS) sum += get(p->bias, ld->type, i);
                put(g->to, ld->type, at, sum);
            }
    for (uint64_t i = 0; p->epilogue == CUBLASLT_EPILOGUE_BGRADA && i < ld->rows; i++) {
        float sum = 0;
        for (int64_t k = 0; k < K; k++) {
            const int64_t at =
                p->of_a == CUBLAS_OP_N ? (int64_t)i + k * la->ld : k + (int64_t)i * la->ld;
            sum += get(g->from_a, la->type, at); /* not rounded to tf32 */
        }
        put((void *)(uintptr_t)p->bias, CUDA_R_32F, (int64_t)i, sum);
    }
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t of, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t of_a, const void *b,
                              cublasLtMatrixLayout_t of_b, const void *beta, const void *c,
                              cublasLtMatrixLayout_t of_c, void *d, cublasLtMatrixLayout_t of_d,
                              const cublasLtMatmulAlgo_t *algorithm, void *work, size_t work_bytes,
                              cudaStream_t stream)
{
    const struct issued issued = {*(const struct product *)(void *)of,
                                  *(const struct layout *)(void *)of_a,
                                  *(const struct layout *)(void *)of_b,
                                  *(const struct layout *)(void *)of_d,
                                  a,
                                  b,
                                  d,
                                  *(const float *)alpha,
                                  *(const float *)beta};
    const void *matrix[] = {a, b, c, d};
    struct chosen chosen;
    if (may_lack(&issued.p) && getenv("CUBLASLT_STAND_IN_REFUSES")) {
        NEED(!issued.p.refused);
        ((struct product *)(void *)of)->refused = true;
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    memcpy(&chosen, algorithm->data, sizeof chosen);
    NEED(handle && of_c == of_d && c == d && work && work_bytes >= chosen.work);
    for (int i = 0; i < 4; i++)
        NEED(chosen.alignment[i] >= 16 && (uintptr_t)matrix[i] % chosen.alignment[i] == 0);
    stream->add(stream, multiply, &issued, sizeof issued);
    return CUBLAS_STATUS_SUCCESS;
}
