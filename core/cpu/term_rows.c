/* Computes rows that attention terms read: extents (positions and widths of windows), and means of
 * keys. A job is one sentence. In a list that decodes one token at a time, each row is a sentence
 * with one query. */
#include "core/cpu/vec.h"

static int visible_sentences(const struct visible *s)
{
    return s->start_q ? s->B : s->Tq;
}

/* Returns the first query of sentence b. If b is the number of sentences, returns the number of
 * queries. */
static int64_t visible_query(const struct visible *s, int b)
{
    return s->start_q ? s->start_q[b] : b;
}

static int visible_keys(const struct visible *s, int b, int64_t t)
{
    return s->causal ? (int)(t - s->start_q[b]) + 1 : s->start_k[b + 1] - s->start_k[b];
}

static real sigmoid(real x)
{
    return vec_sigmoid(vec_splat(x))[0];
}

/* Returns out for x; most = share n(t) + limit. */
static real extent_value(const struct extent_args *e, real x, real most)
{
    if (e->shape == EXTENT_SAME) return x;
    return e->shape == EXTENT_SQUARE ? 2 * x * x : most * sigmoid(x) + e->floor;
}

/* out[t, c] = (share n(t) + limit) sigmoid(x) + floor, 2 x^2 or x. Here x = z[t, c] or weight[c],
 * and query t attends to n(t) keys. z [Tq, columns] or weight [columns] -> out [Tq, columns]. */
void CPU(extent)(const struct extent_args *e)
{
    const int B = visible_sentences(&e->visible);
#pragma omp parallel for schedule(                                                                 \
    static) if (worth_sharing(visible_query(&e->visible, B) * e->columns * COSTLY))
    for (int b = 0; b < B; b++)
        for (int64_t t = visible_query(&e->visible, b); t < visible_query(&e->visible, b + 1);
             t++) {
            const real most = e->share * (real)visible_keys(&e->visible, b, t) + e->limit;
            const real *x = e->z ? in(e->z) + t * e->ldz : e->weight;
            real *y = out(e->out) + t * e->columns;
            for (int c = 0; c < e->columns; c++) y[c] = extent_value(e, x[c], most);
        }
}

/* Returns d out / d x. */
static real extent_slope(const struct extent_args *e, real x, real most)
{
    if (e->shape == EXTENT_SAME) return 1;
    const real s = e->shape == EXTENT_SQUARE ? 0 : sigmoid(x);
    return e->shape == EXTENT_SQUARE ? 4 * x : most * s * (1 - s);
}

/* dz[t, c] (+)= dout[t, c] d out / d z, [Tq, columns]. dweight[c] (+)= sum_t dout[t, c] d out / d
 * weight, [columns], by one thread, in the order of t. */
void CPU(extent_backward)(const struct extent_args *e)
{
    const int B = visible_sentences(&e->visible);
    if (!e->z && !e->add_weight)
        for (int c = 0; c < e->columns; c++) e->weight_gradient[c] = 0;
#pragma omp parallel for schedule(                                                                 \
    static) if (e->z && worth_sharing(visible_query(&e->visible, B) * e->columns * COSTLY))
    for (int b = 0; b < B; b++)
        for (int64_t t = visible_query(&e->visible, b); t < visible_query(&e->visible, b + 1);
             t++) {
            const real most = e->share * (real)visible_keys(&e->visible, b, t) + e->limit;
            const real *x = e->z ? in(e->z) + t * e->ldz : e->weight;
            const real *dy = in(e->out_gradient) + t * e->columns;
            real *dx = e->z ? out(e->z_gradient) + t * e->ldz : e->weight_gradient;
            for (int c = 0; c < e->columns; c++) {
                const real more = dy[c] * extent_slope(e, x[c], most);
                dx[c] = e->z && !e->add_z ? more : dx[c] + more;
            }
        }
}

/* sum += factor * row */
static void add_row(real *sum, const real *row, int D, real factor)
{
    for (int c = 0; c < D; c += LANES)
        vec_store(sum + c, D - c,
                  vec_fma(vec_splat(factor), vec_load(row + c, D - c), vec_load(sum + c, D - c)));
}

static void scale_row(const real *sum, int D, real factor, real *row)
{
    for (int c = 0; c < D; c += LANES) vec_store(row + c, D - c, vec_load(sum + c, D - c) * factor);
}

/* Keys [k0, k1) and queries [q0, q1) of a sentence, and memory for a sum [D], which is 0 at
 * first. */
struct mean_job {
    int32_t k0, k1;
    int64_t q0, q1;
    real *sum;
};

static struct mean_job mean_open(const struct mean_keys *m, int b)
{
    const struct visible *s = &m->visible;
    real *sum = CPU(scratch)(0, m->D + LANES);
    memset(sum, 0, (size_t)m->D * sizeof(real));
    return (struct mean_job){s->start_k[b], s->start_k[b + 1], visible_query(s, b),
                             visible_query(s, b + 1), sum};
}

/* out[t] = mean of k[j] over the n(t) keys j that t attends to: k [Tk, D] -> out [Tq, D]. For
 * causal attention, one running sum gives the means of all queries. So n rows are read instead of
 * n^2 / 2. */
void CPU(mean_keys)(const struct mean_keys *m)
{
    const struct visible *s = &m->visible;
    const int B = visible_sentences(s), D = m->D;
#pragma omp parallel for schedule(static) if (worth_sharing(visible_query(s, B) * D))
    for (int b = 0; b < B; b++) {
        const struct mean_job x = mean_open(m, b);
        for (int32_t j = x.k0; j < x.k1; j++) {
            add_row(x.sum, in(m->k) + (int64_t)(s->index ? s->index[j] : j) * m->ldk, D, 1);
            if (s->causal)
                scale_row(x.sum, D, 1 / (real)(j - x.k0 + 1), out(m->out) + (int64_t)j * D);
        }
        if (s->causal) continue;
        for (int64_t t = x.q0; t < x.q1; t++)
            scale_row(x.sum, D, 1 / (real)(x.k1 - x.k0), out(m->out) + t * D);
    }
}

/* dk[j] (+)= sum of dout[t] / n(t) over the queries t that attend to j: out_gradient [Tq, D] -> dk
 * [Tk, D]. With causal attention these are the queries from j on, so keys are processed from the
 * last to the first. */
void CPU(mean_keys_backward)(const struct mean_keys *m)
{
    const bool causal = m->visible.causal;
    const int B = visible_sentences(&m->visible), D = m->D;
#pragma omp parallel for schedule(static) if (worth_sharing(visible_query(&m->visible, B) * D))
    for (int b = 0; b < B; b++) {
        const struct mean_job x = mean_open(m, b);
        for (int64_t t = x.q0; t < x.q1 && !causal; t++)
            add_row(x.sum, in(m->out_gradient) + t * D, D, 1 / (real)(x.k1 - x.k0));
        for (int32_t j = x.k1 - 1; j >= x.k0; j--) {
            real *dk = out(m->dk) + (int64_t)j * m->ldk;
            if (causal)
                add_row(x.sum, in(m->out_gradient) + (int64_t)j * D, D, 1 / (real)(j - x.k0 + 1));
            if (m->add_k)
                add_row(dk, x.sum, D, 1);
            else
                scale_row(x.sum, D, 1, dk);
        }
    }
}
