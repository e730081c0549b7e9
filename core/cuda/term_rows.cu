/* Computes arrays that attention terms read, and their gradients: extents (positions and widths,
 * struct extent_args) and means of keys (struct mean_keys). */
#include "core/cuda/act.h"

enum { THREADS = 128, WARPS = THREADS / WARP, CHUNK = 64 };

DEVICE_FN int64_t thread_of_all(void)
{
    return (int64_t)blockIdx.x * THREADS + threadIdx.x;
}

/* Returns the number of queries. */
DEVICE_FN int visible_rows(const struct visible *s)
{
    return s->start_q ? s->start_q[s->B] : s->Tq;
}

/* Returns the number of keys that row t attends to. */
DEVICE_FN int visible_keys(const struct visible *s, int64_t t)
{
    const int64_t b = s->start_q ? s->group[t] : t;
    return s->causal ? (int)(t - s->start_q[b]) + 1 : s->start_k[b + 1] - s->start_k[b];
}

/* Returns the factor of the sigmoid in row t; 1 for the other shapes. */
DEVICE_FN float extent_most(const struct extent_args *e, int64_t t)
{
    return e->shape == EXTENT_SIGMOID ? e->share * (float)visible_keys(&e->visible, t) + e->limit
                                      : 1;
}

/* out[t, c] = (share n(t) + limit) sigmoid(x) + floor, 2 x^2 or x. n(t) is the number of keys of
 * row t. x is z[t, c] or weight[c]. z [Tq, columns] or weight [columns] -> out [Tq, columns]. A
 * thread computes one value. */
KERNEL(extent_kernel, THREADS, struct extent_args, e)
{
    const int64_t i = thread_of_all(), t = i / e->columns, c = i % e->columns;
    if (t >= visible_rows(&e->visible)) return;
    const float x = e->z ? act_get(e->z, t * e->ldz + c) : e->weight[c];
    act_put(e->out, i,
            e->shape == EXTENT_SAME     ? x
            : e->shape == EXTENT_SQUARE ? 2 * x * x
                                        : extent_most(e, t) * sigmoid(x) + e->floor);
}

OP_KERNEL(extent, struct extent_args, e, extent_kernel,
          parts((int64_t)e->visible.Tq * e->columns, THREADS), 0)

/* Returns the derivative d out / dx without the factor extent_most. */
DEVICE_FN float extent_slope(const struct extent_args *e, float x)
{
    const float s = sigmoid(x);
    if (e->shape == EXTENT_SAME) return 1;
    return e->shape == EXTENT_SQUARE ? 4 * x : s * (1 - s);
}

/* dz[t, c] (+)= dout[t, c] (d out[t, c] / d z[t, c]). All arrays are [Tq, columns]. A thread
 * computes one value. */
KERNEL(extent_rows_kernel, THREADS, struct extent_args, e)
{
    const int64_t i = thread_of_all(), t = i / e->columns;
    if (t >= visible_rows(&e->visible)) return;
    const int64_t at = t * e->ldz + i % e->columns;
    float dz = act_get(e->out_gradient, i) * extent_slope(e, act_get(e->z, at));
    dz *= extent_most(e, t);
    act_put(e->z_gradient, at, e->add_z ? act_get(e->z_gradient, at) + dz : dz);
}

struct extent_sums {
    struct extent_args e;
    int chunks;
    float *part; /* [chunks, columns] */
};

/* part[chunk, c] = sum of dout[t, c] extent_most(t) over the rows t of a chunk. The remaining
 * factors of the gradient do not depend on t.
 * dout [Tq, columns] -> part [chunks, columns]. A warp sums one column of a chunk, which has 64
 * rows. */
KERNEL(extent_sum_kernel, THREADS, struct extent_sums, s)
{
    const struct extent_args *e = &s->e;
    const int64_t w = warp_of_all(), chunk = w / e->columns, c = w % e->columns;
    const int64_t end = (chunk + 1) * CHUNK, rows = visible_rows(&e->visible);
    float sum = 0;
    if (chunk >= s->chunks) return;
    for (int64_t t = chunk * CHUNK + lane_of(); t < end && t < rows; t += WARP)
        sum += act_get(e->out_gradient, t * e->columns + c) * extent_most(e, t);
    sum = warp_sum(sum);
    if (lane_of() == 0) s->part[w] = sum;
}

/* dweight[c] (+)= extent_slope(weight[c]) times the sum of part[chunk, c] over all chunks. part
 * [chunks, columns] -> dweight [columns]. A thread computes one column. */
KERNEL(extent_weight_kernel, THREADS, struct extent_sums, s)
{
    const struct extent_args *e = &s->e;
    const int64_t c = thread_of_all();
    float sum = 0;
    if (c >= e->columns) return;
    for (int i = 0; i < s->chunks; i++) sum += s->part[(int64_t)i * e->columns + c];
    sum *= extent_slope(e, e->weight[c]);
    e->weight_gradient[c] = e->add_weight ? e->weight_gradient[c] + sum : sum;
}

void DEVICE(extent_backward)(const struct extent_args *e)
{
    if (e->z) {
        LAUNCH(extent_rows_kernel, parts((int64_t)e->visible.Tq * e->columns, THREADS), 0, e);
        return;
    }
    const int chunks = (int)parts(e->visible.Tq, CHUNK);
    const int64_t sums = (int64_t)chunks * e->columns;
    struct extent_sums s;
    memset(&s, 0, sizeof s);
    s.e = *e, s.chunks = chunks;
    s.part = (float *)device_scratch((size_t)sums * sizeof(float));
    LAUNCH(extent_sum_kernel, parts(sums, WARPS), 0, &s);
    LAUNCH(extent_weight_kernel, parts(e->columns, THREADS), 0, &s);
}

/* The work of a thread: PACK columns of a sentence. In a step list, each row counts as a
 * sentence. */
struct mean_part {
    int64_t sentence;
    struct stretch columns;
    int q0, q1, k0, k1; /* queries and keys of the sentence */
};

DEVICE_FN struct mean_part mean_part(const struct mean_keys *m)
{
    const struct visible *s = &m->visible;
    const int packs = (m->D + PACK - 1) / PACK;
    struct mean_part part;
    const int64_t i = thread_of_all(), b = i / packs;
    part.columns = stretch_of(i % packs * PACK, m->D);
    part.q0 = part.q1 = part.k0 = part.k1 = 0;
    if (b >= (s->start_q ? s->B : s->Tq)) return part;
    part.q0 = s->start_q ? s->start_q[b] : (int)b;
    part.q1 = s->start_q ? s->start_q[b + 1] : (int)b + 1;
    part.k0 = s->start_k[b];
    part.k1 = s->start_k[b + 1];
    return part;
}

static int64_t mean_blocks(const struct mean_keys *m)
{
    const struct visible *s = &m->visible;
    return parts((s->start_q ? s->B : s->Tq) * parts(m->D, PACK), THREADS);
}

/* sum += factor * x */
DEVICE_FN struct packed pack_add(struct packed sum, float factor, struct packed x)
{
    for (int i = 0; i < PACK; i++) sum.x[i] = fmaf(factor, x.x[i], sum.x[i]);
    return sum;
}

DEVICE_FN struct packed pack_scale(struct packed x, float factor)
{
    for (int i = 0; i < PACK; i++) x.x[i] *= factor;
    return x;
}

/* out[t] = mean of k[j] over the n(t) keys j that t attends to: k [Tk, D] -> out [Tq, D]. A thread
 * computes PACK columns of a sentence. With causal attention, it keeps a running sum, so it reads n
 * rows of k instead of n^2 / 2. */
KERNEL(mean_keys_kernel, THREADS, struct mean_keys, m)
{
    const struct mean_part part = mean_part(m);
    const int32_t *index = m->visible.index;
    struct packed sum = pack_zero();
    for (int j = part.k0; j < part.k1; j++) {
        const int64_t key = index ? index[j] : j;
        sum = pack_add(sum, 1, pack_load(m->k, columns_at(part.columns, key, m->ldk)));
        if (m->visible.causal)
            pack_store(m->out, columns_at(part.columns, j, m->D),
                       pack_scale(sum, 1 / (float)(j - part.k0 + 1)));
    }
    if (m->visible.causal) return;
    for (int t = part.q0; t < part.q1; t++)
        pack_store(m->out, columns_at(part.columns, t, m->D),
                   pack_scale(sum, 1 / (float)(part.k1 - part.k0)));
}

OP_KERNEL(mean_keys, struct mean_keys, m, mean_keys_kernel, mean_blocks(m), 0)

/* dk[j] (+)= sum of dout[t] / n(t) over the queries t that attend to j: out_gradient [Tq, D] -> dk
 * [Tk, D]. These are all queries of the sentence or, with causal attention, the queries from j on.
 * In the causal case, a running sum adds the queries from the last to the first. */
KERNEL(mean_keys_backward_kernel, THREADS, struct mean_keys, m)
{
    const struct mean_part part = mean_part(m);
    const bool causal = m->visible.causal;
    struct packed sum = pack_zero();
    for (int t = part.q0; t < part.q1 && !causal; t++)
        sum = pack_add(sum, 1 / (float)(part.k1 - part.k0),
                       pack_load(m->out_gradient, columns_at(part.columns, t, m->D)));
    for (int j = part.k1 - 1; j >= part.k0; j--) {
        const struct stretch s = columns_at(part.columns, j, m->ldk);
        if (causal)
            sum = pack_add(sum, 1 / (float)(j - part.k0 + 1),
                           pack_load(m->out_gradient, columns_at(part.columns, j, m->D)));
        pack_store(m->dk, s, m->add_k ? pack_add(sum, 1, pack_load(m->dk, s)) : sum);
    }
}

OP_KERNEL(mean_keys_backward, struct mean_keys, m, mean_keys_backward_kernel, mean_blocks(m), 0)
