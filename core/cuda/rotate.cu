/* Rotates pairs of columns of heads by angles that depend on the position of the row. */
#include "core/cuda/act.h"

enum { THREADS = 256 };

/* y (+)= x, rotated: x, y [T, H*d], table [positions, 2 * width]. A thread computes one value. */
KERNEL(rotate_kernel, THREADS, struct rotate, r)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, D = (int64_t)r->H * r->d;
    const int64_t t = i / D, column = i % D, rows = op_rows(r->T, r->rows);
    const int c = (int)(column % r->d), half = r->width / 2;
    if (t >= (r->zeros ? r->T : rows)) return;
    float y = 0;
    if (t < rows) {
        const int64_t at = t * r->ldx + column;
        y = act_get(r->x, at);
        if (c < r->width) {
            const float *own = r->table + (int64_t)r->position[t] * 2 * r->width + c;
            const int partner = r->halves ? (c < half ? c + half : c - half) : c ^ 1;
            const float turned = own[r->width] * act_get(r->x, at - c + partner);
            y = fmaf(y, own[0], r->back ? -turned : turned);
        }
    }
    const int64_t to = t * r->ldy + column;
    act_put(r->y, to, r->add ? act_get(r->y, to) + y : y);
}

OP_KERNEL(rotate, struct rotate, r, rotate_kernel, parts((int64_t)r->T * r->H * r->d, THREADS), 0)
