/* Pools the rows of each sentence to one row, in parallel over sentences. */
#include "core/cpu/vec.h"

/* Rows [first, last) of sentence b that are pooled. */
struct span {
    int32_t first, last;
};

static struct span span_of(const struct pool *p, int b)
{
    struct span span = {p->start[b], p->start[b + 1] - !p->end};
    if (p->kind == POOL_LAST && span.first < span.last) span.first = span.last - 1;
    return span;
}

/* Pools LANES columns from c on. The mean adds rows in order. The maximum begins with the first
 * row. */
static vec pooled(const struct pool *p, struct span span, int c)
{
    const int left = p->D - c;
    const real *x = in(p->x) + (int64_t)span.first * p->ld + c;
    vec y = vec_load(x, left);
    for (int32_t t = span.first + 1; t < span.last; t++) {
        const vec next = vec_load(x + (int64_t)(t - span.first) * p->ld, left);
        y = p->kind == POOL_MEAN ? y + next : vec_max(y, next);
    }
    return p->kind == POOL_MEAN ? y / vec_splat((real)(span.last - span.first)) : y;
}

/* out[b] = mean, maximum or last of x[t] over the rows t of sentence b: x [T, D] -> out [B, D]. */
void CPU(pool)(const struct pool *p)
{
    const int B = op_rows(p->B, p->rows);
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)p->start[B] * p->D))
    for (int b = 0; b < B; b++) {
        const struct span span = span_of(p, b);
        real *y = out(p->out) + (int64_t)b * p->D;
        for (int c = 0; c < p->D; c += LANES)
            vec_store(y + c, p->D - c, span.first < span.last ? pooled(p, span, c) : (vec){0});
    }
}

/* Returns the row of the maximum for LANES columns from c on; if several rows have the maximum, the
 * first of them. */
static vec_mask top_rows(const struct pool *p, struct span span, int c)
{
    const real *x = in(p->x) + c;
    vec best = vec_load(x + (int64_t)span.first * p->ld, p->D - c);
    vec_mask top = (vec_mask){0} + span.first;
    for (int32_t t = span.first + 1; t < span.last; t++) {
        const vec next = vec_load(x + (int64_t)t * p->ld, p->D - c);
        const vec_mask above = vec_greater(next, best);
        best = vec_select(above, next, best);
        top = (((vec_mask){0} + t) & above) | (top & ~above);
    }
    return top;
}

/* Writes the gradients of LANES columns from c on, for all rows of sentence b. */
static void spread(const struct pool *p, struct span span, int b, int c)
{
    const int left = p->D - c;
    const bool some = span.first < span.last, max = some && p->kind == POOL_MAX;
    const vec dy = vec_load(in(p->out_gradient) + (int64_t)b * p->D + c, left);
    const vec share = p->kind == POOL_MEAN ? dy / vec_splat((real)(span.last - span.first)) : dy;
    const vec_mask top = max ? top_rows(p, span, c) : (vec_mask){0};
    for (int32_t t = p->start[b]; t < p->start[b + 1]; t++) {
        real *dx = out(p->x_gradient) + (int64_t)t * p->ld + c;
        vec part = t >= span.first && t < span.last ? share : (vec){0};
        if (max) part = vec_select(top == (vec_mask){0} + t, part, (vec){0});
        vec_store(dx, left, p->add_x ? vec_load(dx, left) + part : part);
    }
}

/* For the mean, dx[t] (+)= dout[b] / count if row t is pooled. For maximum and last, dx[t] (+)=
 * dout[b] in the columns for which row t was selected. Elsewhere dx[t] (+)= 0. x [T, D],
 * out_gradient [B, D] -> x_gradient [T, D]. The row of each maximum is determined again. */
void CPU(pool_backward)(const struct pool *p)
{
    const int B = op_rows(p->B, p->rows);
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)p->start[B] * p->D))
    for (int b = 0; b < B; b++)
        for (int c = 0; c < p->D; c += LANES) spread(p, span_of(p, b), b, c);
}
