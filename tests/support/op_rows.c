/* Cases of the ops that compute rows for terms of attention: how far a query looks, the mean
 * key. */
#include <math.h>
#include <string.h>

#include "tests/support/op_run.h"

/* Visible keys: of packed sentences (self, causal or not; cross), or of rows of a step list with
 * keys by index. */
struct seen {
    struct visible visible;
    int Tk;
    int32_t *first, *last; /* [Tq] key numbers, or positions in index */
};

static struct seen seen_new(struct op_run *run)
{
    enum { MEMORY = 50 };
    struct seen x = {.visible.B = 1 + op_below(run, 5)};
    struct visible *s = &x.visible;
    const int form = op_below(run, 4);
    if (form == 3) {
        s->Tq = s->B, s->B = 0;
        s->start_k = op_sentences(run, s->Tq, 30, "start_k");
        int32_t *index = op_ints(run, OP_INPUT, s->start_k[s->Tq], "index");
        for (int i = 0; i < s->start_k[s->Tq]; i++) index[i] = op_below(run, MEMORY);
        s->index = index;
        x.Tk = MEMORY;
    } else {
        s->causal = form == 1;
        s->start_q = op_sentences(run, s->B, 30, "start_q");
        s->start_k = form == 2 ? op_sentences(run, s->B, 30, "start_k") : s->start_q;
        s->Tq = s->start_q[s->B], x.Tk = s->start_k[s->B];
        int32_t *group = op_ints(run, OP_INPUT, s->Tq, "group");
        for (int b = 0; b < s->B; b++)
            for (int t = s->start_q[b]; t < s->start_q[b + 1]; t++) group[t] = b;
        s->group = group;
    }
    x.first = ARENA_ARRAY(&run->arena, int32_t, s->Tq);
    x.last = ARENA_ARRAY(&run->arena, int32_t, s->Tq);
    for (int b = 0; b < (s->start_q ? s->B : s->Tq); b++)
        for (int t = s->start_q ? s->start_q[b] : b; t < (s->start_q ? s->start_q[b + 1] : b + 1);
             t++) {
            x.first[t] = s->start_k[b];
            x.last[t] = s->causal ? t + 1 : s->start_k[b + 1];
        }
    return x;
}

/* Launches an op of packed rows for more rows than it has, in one of two cases. */
static void seen_launch(struct op_run *run, struct visible *s)
{
    if (s->start_q && op_flip(run)) s->Tq += 1 + op_below(run, 20);
}

struct extent_case {
    struct seen seen;
    struct extent_args e;
    real *z; /* [Tq, ldz], or weight [columns] */
    int64_t zs;
};

static struct extent_case extent_new(struct op_run *run)
{
    struct extent_case x = {.seen = seen_new(run)};
    struct extent_args *e = &x.e;
    const bool rows = op_flip(run);
    *e = (struct extent_args){.visible = x.seen.visible,
                              .columns = 1 + op_below(run, 20),
                              .share = (real)op_below(run, 2),
                              .limit = (real)op_real(run, -1, 50),
                              .floor = op_flip(run) ? (real).1 : 0,
                              .shape = (enum extent_shape)(op_below(run, 5) % 3)};
    e->ldz = rows ? e->columns + op_below(run, 3) : 0;
    x.zs = rows ? (int64_t)(e->visible.Tq - 1) * e->ldz + e->columns : e->columns;
    x.z = op_reals(run, OP_INPUT, x.zs, "z");
    if (rows)
        e->z = op_act(x.z);
    else
        e->weight = x.z;
    return x;
}

static double extent_shaped(const struct extent_args *e, double sigmoid, double square, double same)
{
    return e->shape == EXTENT_SIGMOID ? sigmoid : e->shape == EXTENT_SQUARE ? square : same;
}

static double extent_most(const struct extent_case *x, int t)
{
    return (double)x->e.share * (x->seen.last[t] - x->seen.first[t]) + (double)x->e.limit;
}

void op_case_extent(struct op_run *run)
{
    struct extent_case x = extent_new(run);
    struct extent_args *e = &x.e;
    const int64_t count = (int64_t)e->visible.Tq * e->columns;
    real *out = op_reals(run, OP_OUTPUT, count, "out");
    double *expected = op_zeros(run, count);
    e->out = op_act(out);
    for (int64_t i = 0; i < count; i++) {
        const int t = (int)(i / e->columns), c = (int)(i % e->columns);
        const double z = (double)x.z[(int64_t)t * e->ldz + c];
        const double sigmoid = extent_most(&x, t) / (1 + exp(-z)) + (double)e->floor;
        expected[i] = extent_shaped(e, sigmoid, 2 * z * z, z);
    }
    seen_launch(run, &e->visible);
    OP_CALL(run, extent, e);
    op_expect(run, out, expected, count, "out");
}

void op_case_extent_backward(struct op_run *run)
{
    struct extent_case x = extent_new(run);
    struct extent_args *e = &x.e;
    const int64_t count = (int64_t)e->visible.Tq * e->columns;
    real *dy = op_reals(run, OP_INPUT, count, "gradient");
    const bool add = op_flip(run);
    real *dz = op_reals(run, add ? OP_ADDED : OP_OUTPUT, x.zs, "dz");
    double *expected = op_values(run, dz, x.zs);
    e->out_gradient = op_act(dy);
    if (e->z)
        e->z_gradient = op_act(dz), e->add_z = add;
    else
        e->weight_gradient = dz, e->add_weight = add;
    for (int t = 0; t < e->visible.Tq; t++)
        for (int c = 0; c < e->columns; c++) {
            const int64_t at = (int64_t)t * e->ldz + c;
            const double z = (double)x.z[at], s = 1 / (1 + exp(-z));
            const double slope = extent_shaped(e, extent_most(&x, t) * s * (1 - s), 4 * z, 1);
            if (!add && (e->z || t == 0)) expected[at] = 0;
            expected[at] += (double)dy[(int64_t)t * e->columns + c] * slope;
        }
    seen_launch(run, &e->visible);
    OP_CALL(run, extent_backward, e);
    op_expect_above(run, dz, expected, x.zs, 1, "dz");
}

struct mean_case {
    struct seen seen;
    struct mean_keys m;
};

static struct mean_case mean_new(struct op_run *run)
{
    struct mean_case x = {.seen = seen_new(run)};
    x.m = (struct mean_keys){.visible = x.seen.visible, .D = op_size(run), .Tk = x.seen.Tk};
    x.m.ldk = x.m.D + op_below(run, 20);
    return x;
}

static int key_of(const struct mean_case *x, int at)
{
    return x->m.visible.index ? x->m.visible.index[at] : at;
}

void op_case_mean_keys(struct op_run *run)
{
    struct mean_case x = mean_new(run);
    struct mean_keys *m = &x.m;
    const int64_t count = (int64_t)m->visible.Tq * m->D;
    real *k = op_reals(run, OP_INPUT, (int64_t)m->Tk * m->ldk, "k");
    real *out = op_reals(run, OP_OUTPUT, count, "out");
    double *expected = op_zeros(run, count);
    m->k = op_act(k), m->out = op_act(out);
    for (int64_t i = 0; i < count; i++) {
        const int t = (int)(i / m->D), c = (int)(i % m->D), n = x.seen.last[t] - x.seen.first[t];
        for (int j = x.seen.first[t]; j < x.seen.last[t]; j++)
            expected[i] += (double)k[(int64_t)key_of(&x, j) * m->ldk + c] / n;
    }
    seen_launch(run, &m->visible);
    OP_CALL(run, mean_keys, m);
    op_expect(run, out, expected, count, "out");
}

void op_case_mean_keys_backward(struct op_run *run)
{
    struct mean_case x = mean_new(run);
    struct mean_keys *m = &x.m;
    while (m->visible.index) x = mean_new(run); /* a step list has no gradients */
    real *dy = op_reals(run, OP_INPUT, (int64_t)m->visible.Tq * m->D, "gradient");
    m->add_k = op_flip(run);
    real *dk = op_reals(run, m->add_k ? OP_ADDED : OP_OUTPUT, (int64_t)m->Tk * m->ldk, "dk");
    double *expected = op_values(run, dk, (int64_t)m->Tk * m->ldk);
    m->out_gradient = op_act(dy), m->dk = op_act(dk);
    for (int j = 0; j < m->Tk && !m->add_k; j++)
        for (int c = 0; c < m->D; c++) expected[(int64_t)j * m->ldk + c] = 0;
    for (int t = 0; t < m->visible.Tq; t++)
        for (int j = x.seen.first[t]; j < x.seen.last[t]; j++)
            for (int c = 0; c < m->D; c++)
                expected[(int64_t)j * m->ldk + c] +=
                    (double)dy[(int64_t)t * m->D + c] / (x.seen.last[t] - x.seen.first[t]);
    seen_launch(run, &m->visible);
    OP_CALL(run, mean_keys_backward, m);
    op_expect_above(run, dk, expected, (int64_t)m->Tk * m->ldk, 1, "dk");
}

/* True if row t of sentence b is pooled. */
static bool pool_counts(const struct pool *p, int b, int t)
{
    const int last = p->start[b + 1] - !p->end;
    return t < last && (p->kind != POOL_LAST || t == last - 1);
}

/* Makes the arguments. Gaps are zero, because a word that looks like a pointer into a buffer is
 * moved to the device. */
static void pool_new(struct op_run *run, struct pool *p, real **x)
{
    memset(p, 0, sizeof *p);
    p->B = 1 + op_below(run, 6);
    p->D = op_size(run);
    p->kind = (enum pooling)op_below(run, 3);
    p->end = op_flip(run);
    p->start = op_sentences(run, p->B, op_flip(run) ? 3 : 30, "start");
    p->ld = p->D + op_below(run, 3);
    *x = op_reals(run, OP_INPUT, (int64_t)(p->start[p->B] - 1) * p->ld + p->D, "x");
    if (op_flip(run)) /* ties */
        for (int64_t i = 0; i < (int64_t)(p->start[p->B] - 1) * p->ld + p->D; i++)
            (*x)[i] = (real)(op_below(run, 3) - 1);
    p->x = op_act(*x);
}

/* Returns the row in which column c of sentence b has its maximum; -1 if no row is pooled. */
static int pool_top(const struct pool *p, const real *x, int b, int c)
{
    int top = -1;
    for (int t = p->start[b]; t < p->start[b + 1]; t++)
        if (pool_counts(p, b, t) &&
            (top < 0 || x[(int64_t)t * p->ld + c] > x[(int64_t)top * p->ld + c]))
            top = t;
    return top;
}

static int pool_count(const struct pool *p, int b)
{
    int count = 0;
    for (int t = p->start[b]; t < p->start[b + 1]; t++) count += pool_counts(p, b, t);
    return count;
}

void op_case_pool(struct op_run *run)
{
    real *x;
    struct pool p;
    pool_new(run, &p, &x);
    const int64_t count = (int64_t)p.B * p.D;
    real *out = op_reals(run, OP_OUTPUT, count, "out");
    double *expected = op_zeros(run, count);
    p.out = op_act(out);
    for (int b = 0; b < p.B; b++)
        for (int c = 0; c < p.D; c++) {
            double *y = &expected[(int64_t)b * p.D + c];
            const int top = pool_top(&p, x, b, c);
            for (int t = p.start[b]; t < p.start[b + 1]; t++)
                if (pool_counts(&p, b, t)) *y += (double)x[(int64_t)t * p.ld + c];
            if (p.kind == POOL_MEAN && pool_count(&p, b)) *y /= pool_count(&p, b);
            if (p.kind == POOL_MAX) *y = top < 0 ? 0 : (double)x[(int64_t)top * p.ld + c];
        }
    op_launch(run, &p.B, &p.rows);
    OP_CALL(run, pool, &p);
    op_expect_above(run, out, expected, count, 1, "out");
}

void op_case_pool_backward(struct op_run *run)
{
    real *x;
    struct pool p;
    pool_new(run, &p, &x);
    p.add_x = op_flip(run);
    const int T = p.start[p.B];
    const int64_t count = (int64_t)(T - 1) * p.ld + p.D;
    real *dy = op_reals(run, OP_INPUT, (int64_t)p.B * p.D, "out_gradient");
    real *dx = op_reals(run, p.add_x ? OP_ADDED : OP_OUTPUT, count, "x_gradient");
    double *expected = op_values(run, dx, count);
    p.out_gradient = op_act(dy), p.x_gradient = op_act(dx);
    for (int b = 0; b < p.B; b++)
        for (int c = 0; c < p.D; c++) {
            const int top = pool_top(&p, x, b, c);
            const double slope = (double)dy[(int64_t)b * p.D + c];
            for (int t = p.start[b]; t < p.start[b + 1]; t++) {
                double *to = &expected[(int64_t)t * p.ld + c];
                if (!p.add_x) *to = 0;
                if (!pool_counts(&p, b, t) || (p.kind == POOL_MAX && t != top)) continue;
                *to += p.kind == POOL_MEAN ? slope / pool_count(&p, b) : slope;
            }
        }
    op_launch(run, &p.B, &p.rows);
    OP_CALL(run, pool_backward, &p);
    op_expect_above(run, dx, expected, count, 1, "x_gradient");
}
