/* Pooling of the rows of each sentence to one row. A thread computes PACK columns of a sentence. */
#include "core/cuda/act.h"

enum { THREADS = 128 };

/* The work of a thread: PACK columns of a sentence, of which rows first to last - 1 are pooled. */
struct pool_part {
    int64_t sentence;
    int first, last;
    struct stretch columns;
};

DEVICE_FN struct pool_part pool_part(const struct pool *p)
{
    const int packs = (p->D + PACK - 1) / PACK;
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, b = i / packs;
    struct pool_part part;
    part.sentence = b;
    part.columns = stretch_of(i % packs * PACK, p->D);
    part.first = part.last = 0;
    if (b >= op_rows(p->B, p->rows)) return part;
    part.first = p->start[b];
    part.last = p->start[b + 1] - !p->end;
    if (p->kind == POOL_LAST && part.first < part.last) part.first = part.last - 1;
    return part;
}

DEVICE_FN bool pool_ends(const struct pool *p, struct pool_part part)
{
    return part.sentence >= op_rows(p->B, p->rows);
}

static int64_t blocks_of(const struct pool *p)
{
    return parts(p->B * parts(p->D, PACK), THREADS);
}

/* out[b] = mean, maximum or last of x[t] over the pooled rows t of sentence b: x [T, D] -> out [B,
 * D]. The mean adds the rows in order. */
KERNEL(pool_kernel, THREADS, struct pool, p)
{
    const struct pool_part part = pool_part(p);
    if (pool_ends(p, part)) return;
    struct packed y = pack_zero();
    if (part.first < part.last) y = pack_load(p->x, columns_at(part.columns, part.first, p->ld));
    for (int t = part.first + 1; t < part.last; t++) {
        const struct packed x = pack_load(p->x, columns_at(part.columns, t, p->ld));
        for (int i = 0; i < PACK; i++)
            y.x[i] = p->kind == POOL_MEAN ? y.x[i] + x.x[i] : y.x[i] > x.x[i] ? y.x[i] : x.x[i];
    }
    if (p->kind == POOL_MEAN && part.first < part.last)
        for (int i = 0; i < PACK; i++) y.x[i] /= (float)(part.last - part.first);
    pack_store(p->out, columns_at(part.columns, part.sentence, p->D), y);
}

OP_KERNEL(pool, struct pool, p, pool_kernel, blocks_of(p), 0)

/* Index of the row with the maximum, for each column; ties: the first row. */
struct top_rows {
    int row[PACK];
};

DEVICE_FN struct top_rows top_rows(const struct pool *p, struct pool_part part)
{
    struct top_rows top;
    struct packed best = pack_load(p->x, columns_at(part.columns, part.first, p->ld));
    for (int i = 0; i < PACK; i++) top.row[i] = part.first;
    for (int t = part.first + 1; t < part.last; t++) {
        const struct packed x = pack_load(p->x, columns_at(part.columns, t, p->ld));
        for (int i = 0; i < PACK; i++) {
            top.row[i] = x.x[i] > best.x[i] ? t : top.row[i];
            best.x[i] = x.x[i] > best.x[i] ? x.x[i] : best.x[i];
        }
    }
    return top;
}

/* Mean: dx[t] (+)= dout[b] / count, for the `count` pooled rows t. Maximum or last: dx[t] (+)=
 * dout[b], in columns for which row t was selected. Otherwise dx[t] (+)= 0. x [T, D], out_gradient
 * [B, D] -> x_gradient [T, D]. The rows of maxima are computed again. */
KERNEL(pool_backward_kernel, THREADS, struct pool, p)
{
    const struct pool_part part = pool_part(p);
    if (pool_ends(p, part)) return;
    const bool max = p->kind == POOL_MAX && part.first < part.last;
    struct packed dy = pack_load(p->out_gradient, columns_at(part.columns, part.sentence, p->D));
    struct top_rows top;
    for (int i = 0; i < PACK; i++) top.row[i] = 0;
    if (max) top = top_rows(p, part);
    if (p->kind == POOL_MEAN)
        for (int i = 0; i < PACK; i++) dy.x[i] /= (float)(part.last - part.first);
    for (int t = p->start[part.sentence]; t < p->start[part.sentence + 1]; t++) {
        const bool counts = t >= part.first && t < part.last;
        const struct stretch s = columns_at(part.columns, t, p->ld);
        struct packed dx = p->add_x ? pack_load(p->x_gradient, s) : pack_zero();
        for (int i = 0; i < PACK; i++)
            if (counts && (!max || top.row[i] == t)) dx.x[i] += dy.x[i];
        pack_store(p->x_gradient, s, dx);
    }
}

OP_KERNEL(pool_backward, struct pool, p, pool_backward_kernel, blocks_of(p), 0)
