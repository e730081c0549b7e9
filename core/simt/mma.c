/* Warp-level product on tensor cores (core/cuda/warp_mma.h). The last lane to arrive has all
 * operands and sums in the order of k. */
#include <math.h>
#include <string.h>

#include "core/simt/simt.h"

enum { M = 16, N = 8, K = 16 };

struct mma_lane {
    float *c;
    const uint32_t *a, *b;
};

/* Converts half of a pair of bf16 to float; bf16 is the upper half of a float. */
static float half_of(uint32_t pair, int high)
{
    const uint32_t bits = high ? pair & 0xffff0000u : pair << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void multiply(void *const of[SIMT_LANES])
{
    float a[M][K], b[K][N];
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct mma_lane *lane = of[l];
        const int g = l / 4, column = l % 4 * 2;
        for (int high = 0; high < 2; high++) {
            for (int i = 0; i < 4; i++)
                a[g + i % 2 * 8][column + i / 2 * 8 + high] = half_of(lane->a[i], high);
            for (int i = 0; i < 2; i++) b[column + i * 8 + high][g] = half_of(lane->b[i], high);
        }
    }
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct mma_lane *lane = of[l];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < K; k++)
                lane->c[i] = fmaf(a[l / 4 + i / 2 * 8][k], b[k][l % 4 * 2 + i % 2], lane->c[i]);
    }
}

void simt_mma(float c[4], const uint32_t a[4], const uint32_t b[2], const char *place)
{
    struct mma_lane mine = {c, a, b};
    simt_together(&mine, multiply, place);
}
