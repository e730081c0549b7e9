/* Products of matrices of 16 x 16 numbers in bf16, with sums in floats. All lanes of a warp call
 * these functions. On a GPU, they use CUDA's wmma, which runs on tensor cores. On the host, lane 0
 * computes the whole product and sums in the order of k.
 *
 *   wmma_clear(&sum)                 sum = 0
 *   wmma_load(&sum, from, ld)        sum = from
 *   wmma_add(&sum, a, b)             sum += a b
 *   wmma_store(&sum, scale, to, ld)  to = scale sum
 *
 * Matrices are in shared memory. Matrices begin at multiples of 32 bytes, and rows begin at
 * multiples of 16 bytes. */
#pragma once

#include "core/cuda/act.h"

enum { WMMA = 16 };

/* A matrix. Element (i, j) is x[i ld + j] or, if the matrix is turned (transposed), x[j ld + i]. */
struct tile_operand {
    const act_type *x;
    int ld;
    bool turned;
};

DEVICE_FN struct tile_operand operand(const act_type *x, int ld, bool turned)
{
    struct tile_operand a;
    a.x = x, a.ld = ld, a.turned = turned;
    return a;
}

DEVICE_FN struct tile_operand operand_from(struct tile_operand a, int i, int j)
{
    return operand(a.x + (a.turned ? j * a.ld + i : i * a.ld + j), a.ld, a.turned);
}

#if defined __CUDACC__ && defined DEVICE_BF16

#include <mma.h>

typedef nvcuda::wmma::fragment<nvcuda::wmma::accumulator, WMMA, WMMA, WMMA, float> wmma_sum;

DEVICE_FN void wmma_clear(wmma_sum *sum)
{
    nvcuda::wmma::fill_fragment(*sum, 0.0f);
}

DEVICE_FN void wmma_load(wmma_sum *sum, const float *from, int ld)
{
    nvcuda::wmma::load_matrix_sync(*sum, from, (unsigned)ld, nvcuda::wmma::mem_row_major);
}

DEVICE_FN void wmma_store(wmma_sum *sum, float scale, float *to, int ld)
{
    for (int i = 0; i < sum->num_elements; i++) sum->x[i] *= scale;
    nvcuda::wmma::store_matrix_sync(to, *sum, (unsigned)ld, nvcuda::wmma::mem_row_major);
}

template <class order_a, class order_b>
DEVICE_FN void wmma_add_in(wmma_sum *sum, struct tile_operand a, struct tile_operand b)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, WMMA, WMMA, WMMA, __nv_bfloat16, order_a> x;
    fragment<matrix_b, WMMA, WMMA, WMMA, __nv_bfloat16, order_b> y;
    load_matrix_sync(x, (const __nv_bfloat16 *)(const void *)a.x, (unsigned)a.ld);
    load_matrix_sync(y, (const __nv_bfloat16 *)(const void *)b.x, (unsigned)b.ld);
    mma_sync(*sum, x, y, *sum);
}

DEVICE_FN void wmma_add(wmma_sum *sum, struct tile_operand a, struct tile_operand b)
{
    typedef nvcuda::wmma::row_major rows;
    typedef nvcuda::wmma::col_major columns;
    if (a.turned && b.turned)
        wmma_add_in<columns, columns>(sum, a, b);
    else if (a.turned)
        wmma_add_in<columns, rows>(sum, a, b);
    else if (b.turned)
        wmma_add_in<rows, columns>(sum, a, b);
    else
        wmma_add_in<rows, rows>(sum, a, b);
}

#elif !defined __CUDACC__

typedef struct {
    float x[WMMA][WMMA];
} wmma_sum;

DEVICE_FN void wmma_check(const void *p, size_t row)
{
    if (!device_has_fragments()) simt_fail("uses a fragment, but fragments are off");
    if ((uintptr_t)p % 32 || row % 16)
        simt_fail("uses a fragment that is not aligned to 32 bytes, or has rows %zu bytes apart",
                  row);
}

/* Waits for all lanes. Returns true in the lane that computes. */
DEVICE_FN bool wmma_here(void)
{
    __ballot_sync(ALL_LANES, true);
    return lane_of() == 0;
}

#define EACH_OF(i) for (int i = 0; i < WMMA; i++)

DEVICE_FN void wmma_clear(wmma_sum *sum)
{
    EACH_OF(i) EACH_OF(j) sum->x[i][j] = 0;
}

DEVICE_FN void wmma_load(wmma_sum *sum, const float *from, int ld)
{
    wmma_check(from, (size_t)ld * sizeof *from);
    if (!wmma_here()) return;
    EACH_OF(i) EACH_OF(j) sum->x[i][j] = from[i * ld + j];
}

DEVICE_FN void wmma_store(wmma_sum *sum, float scale, float *to, int ld)
{
    wmma_check(to, (size_t)ld * sizeof *to);
    if (!wmma_here()) return;
    EACH_OF(i) EACH_OF(j) to[i * ld + j] = sum->x[i][j] * scale;
}

DEVICE_FN void wmma_add(wmma_sum *sum, struct tile_operand a, struct tile_operand b)
{
    float x[WMMA][WMMA], y[WMMA][WMMA];
    wmma_check(a.x, (size_t)a.ld * sizeof *a.x);
    wmma_check(b.x, (size_t)b.ld * sizeof *b.x);
    if (!wmma_here()) return;
    EACH_OF(i) EACH_OF(k) x[i][k] = act_real(*operand_from(a, i, k).x);
    EACH_OF(k) EACH_OF(j) y[k][j] = act_real(*operand_from(b, k, j).x);
    EACH_OF(i) EACH_OF(k) EACH_OF(j) sum->x[i][j] = fmaf(x[i][k], y[k][j], sum->x[i][j]);
}

#endif
