/* Computes a step of an LSTM or ON-LSTM layer, in parallel over sentences and directions. The
 * master gates of ON-LSTM are cumulative sums over a whole row, so they are computed before the
 * other gates. */
#include "core/cpu/vec.h"

enum { WIDE, GRADIENT }; /* slots of scratch memory */

/* A token of a sentence in one direction. */
struct cell_token {
    int direction, rank;
    /* Packed rows of this token and of the token in the previous step. `before` is undefined in the
     * first step. */
    int64_t row, before;
};

static struct cell_token token_of(const struct recurrent *r, int i)
{
    const int e = i / r->alive, rank = i % r->alive;
    const int64_t row = r->row[e][rank];
    return (struct cell_token){e, rank, row, r->reverse[e] ? row + 1 : row - 1};
}

/* at_row returns the offset of the token's direction in a row of [T, E*columns]. at_rank returns
 * the offset of its direction and sentence in [E, B, columns]. */
static int64_t at_row(const struct recurrent *r, struct cell_token t, int64_t row, int columns)
{
    return (row * r->E + t.direction) * columns;
}
static int64_t at_rank(const struct recurrent *r, struct cell_token t, int columns)
{
    return ((int64_t)t.direction * r->B + t.rank) * columns;
}

/* One register of each of four blocks of D columns. In a row of gates, these blocks follow the
 * master gates. */
struct cell_gates {
    reg output, candidate, input, forget;
};

INLINE struct cell_gates gates_load(const real *from, int D, int c)
{
    const int left = D - c;
    return (struct cell_gates){reg_load(from + c, left), reg_load(from + D + c, left),
                               reg_load(from + 2 * D + c, left), reg_load(from + 3 * D + c, left)};
}

INLINE void gates_store(real *to, int D, int c, struct cell_gates b)
{
    const int left = D - c;
    reg_store(to + c, left, b.output);
    reg_store(to + D + c, left, b.candidate);
    reg_store(to + 2 * D + c, left, b.input);
    reg_store(to + 3 * D + c, left, b.forget);
}

/* Returns the gates o, i and f (sigmoid of x + h) and the candidate g (tanh of x + h). */
INLINE struct cell_gates activated(const struct recurrent *r, struct cell_token t, int masters,
                                   int c)
{
    const int64_t skip = 2 * masters;
    struct cell_gates a = gates_load(in(r->x) + at_row(r, t, t.row, r->G) + skip, r->D, c);
    if (!r->first) {
        const struct cell_gates h = gates_load(in(r->h) + at_rank(r, t, r->G) + skip, r->D, c);
        a.output += h.output, a.candidate += h.candidate, a.input += h.input, a.forget += h.forget;
    }
    return (struct cell_gates){reg_sigmoid(a.output), reg_tanh(a.candidate), reg_sigmoid(a.input),
                               reg_sigmoid(a.forget)};
}

/* Returns the cell of the previous step; 0 in the first step. */
INLINE reg cell_before(const struct recurrent *r, struct cell_token t, int c)
{
    return r->first ? reg_splat(0) : reg_load(r->cell + at_row(r, t, t.before, r->D) + c, r->D - c);
}

/* Computes c = keep c' + take g and y = o tanh(c); c' is the cell of the previous step. Stores all
 * values that the backward pass reads. */
INLINE void advance(const struct recurrent *r, struct cell_token t, int masters, int c,
                    struct cell_gates a, reg keep, reg take)
{
    const int left = r->D - c;
    const int64_t here = at_row(r, t, t.row, r->D) + c;
    real *state = out(r->state) + at_rank(r, t, r->D) + c;
    const reg cell = reg_each(keep, cell_before(r, t, c), take * a.candidate);
    const reg y = a.output * reg_tanh(cell);
    gates_store(out(r->gates) + at_row(r, t, t.row, r->G) + 2 * masters, r->D, c, a);
    reg_store(r->cell + here, left, cell);
    reg_store(out(r->out) + here, left, y);
    if (r->before)
        reg_store(out(r->before) + here, left, r->first ? reg_splat(0) : reg_load(state, left));
    reg_store(state, left, y);
}

/* Returns the cost of the cells of a step, for worth_sharing. */
static int64_t cells(const struct recurrent *r)
{
    return (int64_t)r->E * r->alive * r->D * 4 * COSTLY;
}

void CPU(lstm)(const struct recurrent *r)
{
#pragma omp parallel for schedule(static) if (worth_sharing(cells(r)))
    for (int i = 0; i < r->E * r->alive; i++) {
        const struct cell_token t = token_of(r, i);
        for (int c = 0; c < r->D; c += REG) {
            const struct cell_gates a = activated(r, t, 0, c);
            advance(r, t, 0, c, a, a.forget, a.input);
        }
    }
}

/* Returns the gradient of the cell, and writes the gradient of the output gate to *output. */
INLINE reg cell_slope(const struct recurrent *r, struct cell_token t, int c, struct cell_gates a,
                      reg *output)
{
    const int left = r->D - c;
    const int64_t here = at_row(r, t, t.row, r->D) + c, there = at_rank(r, t, r->D) + c;
    const bool later = t.rank < r->later;
    const reg squashed = reg_tanh(reg_load(r->cell + here, left));
    reg dy = reg_load(in(r->out_gradient) + here, left);
    if (later) dy += reg_load(in(r->state_gradient) + there, left);
    *output = dy * squashed;
    reg dc = dy * a.output * (1 - squashed * squashed);
    if (later) dc += reg_load(r->cell_gradient + there, left);
    return dc;
}

/* Multiplies the gradients d by the derivatives of sigmoid and tanh. Writes the products to
 * x_gradient and h_gradient. */
INLINE void put_slopes(const struct recurrent *r, struct cell_token t, int masters, int c,
                       struct cell_gates a, struct cell_gates d)
{
    const struct cell_gates slope = {
        d.output * a.output * (1 - a.output), d.candidate * (1 - a.candidate * a.candidate),
        d.input * a.input * (1 - a.input), d.forget * a.forget * (1 - a.forget)};
    gates_store(out(r->x_gradient) + at_row(r, t, t.row, r->G) + 2 * masters, r->D, c, slope);
    gates_store(out(r->h_gradient) + at_rank(r, t, r->G) + 2 * masters, r->D, c, slope);
}

void CPU(lstm_backward)(const struct recurrent *r)
{
#pragma omp parallel for schedule(static) if (worth_sharing(cells(r)))
    for (int i = 0; i < r->E * r->alive; i++) {
        const struct cell_token t = token_of(r, i);
        for (int c = 0; c < r->D; c += REG) {
            const struct cell_gates a =
                gates_load(in(r->gates) + at_row(r, t, t.row, r->G), r->D, c);
            struct cell_gates d;
            const reg dc = cell_slope(r, t, c, a, &d.output);
            d.candidate = dc * a.input;
            d.input = dc * a.candidate;
            d.forget = dc * cell_before(r, t, c);
            reg_store(r->cell_gradient + at_rank(r, t, r->D) + c, r->D - c, dc * a.forget);
            put_slopes(r, t, 0, c, a, d);
        }
    }
}

/* Computes softmax(x + h) [n] of one master gate, and its prefix sums [n]. */
static void master(const struct recurrent *r, struct cell_token t, int first, int n, real *sums)
{
    const real *x = in(r->x) + at_row(r, t, t.row, r->G) + first;
    const real *h = in(r->h) + at_rank(r, t, r->G) + first;
    real *share = out(r->gates) + at_row(r, t, t.row, r->G) + first;
    struct regs tops = vec_regs(vec_splat(-INFINITY)), all = {0};
    for (int k = 0; k < n; k += LANES) {
        vec a = vec_load(x + k, n - k);
        if (!r->first) a += vec_load(h + k, n - k);
        vec_store(share + k, n - k, a);
        regs_max(&tops, vec_select(vec_first(n - k), a, vec_splat(-INFINITY)));
    }
    const real most = vec_reduce_max(vec_whole(tops));
    for (int k = 0; k < n; k += LANES) {
        const vec e = vec_exp(vec_load(share + k, n - k) - most);
        vec_store(share + k, n - k, e);
        regs_add(&all, vec_select(vec_first(n - k), e, (vec){0}));
    }
    const real total = vec_sum(vec_whole(all));
    real before = 0;
    for (int k = 0; k < n; k += LANES) {
        const vec part = vec_load(share + k, n - k) / total, sum = before + vec_prefix_sum(part);
        vec_store(share + k, n - k, part);
        vec_store(sums + k, n - k, sum);
        before = sum[LANES - 1];
    }
}

/* Expands x [n] to [D]: copies each value to all neurons of its chunk. */
static void spread(const real *x, int n, int chunk, real *to)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < chunk; i++) to[k * chunk + i] = x[k];
}

/* Both master gates of a token, [n] or [D]. */
struct masters {
    real *input, *forget;
};

static struct masters masters_of(const struct recurrent *r, struct cell_token t, int n)
{
    return (struct masters){out(r->master_input) + at_row(r, t, t.row, n),
                            out(r->master_forget) + at_row(r, t, t.row, n)};
}

/* Returns the master gates, expanded from [n] to [D]. They are in scratch memory if a chunk has
 * several neurons. */
static struct masters masters_spread(const struct recurrent *r, struct masters m, int n)
{
    if (r->chunk == 1) return m;
    real *wide = CPU(scratch)(WIDE, 2 * r->D);
    spread(m.input, n, r->chunk, wide);
    spread(m.forget, n, r->chunk, wide + r->D);
    return (struct masters){wide, wide + r->D};
}

/* Replaces x [D] by the sums of its chunks, [n]. */
static void gather(real *x, int n, int chunk)
{
    for (int k = 0; k < n; k++) {
        real sum = x[k * chunk];
        for (int i = 1; i < chunk; i++) sum += x[k * chunk + i];
        x[k] = sum;
    }
}

void CPU(onlstm)(const struct recurrent *r)
{
    const int n = r->D / r->chunk;
#pragma omp parallel for schedule(static) if (worth_sharing(cells(r)))
    for (int i = 0; i < r->E * r->alive; i++) {
        const struct cell_token t = token_of(r, i);
        struct masters m = masters_of(r, t, n);
        master(r, t, 0, n, m.input);
        for (int k = 0; k < n; k++) m.input[k] = 1 - m.input[k];
        master(r, t, n, n, m.forget);
        m = masters_spread(r, m, n);
        for (int c = 0; c < r->D; c += REG) {
            const struct cell_gates a = activated(r, t, n, c);
            const reg open = reg_load(m.input + c, r->D - c);
            const reg kept = reg_load(m.forget + c, r->D - c);
            const reg both = kept * open;
            advance(r, t, n, c, a, reg_each(a.forget, both, kept - both),
                    reg_each(a.input, both, open - both));
        }
    }
}

/* Computes the gradient of x + h, the input of the softmax, from the gradients of its prefix sums
 * [n], which are overwritten. The result is s_k (G_k - sum_j s_j G_j). s is the softmax. G_k is the
 * sum of the gradients j >= k. */
static void master_slope(const struct recurrent *r, struct cell_token t, int first, int n,
                         real *sums)
{
    const real *share = in(r->gates) + at_row(r, t, t.row, r->G) + first;
    real *x = out(r->x_gradient) + at_row(r, t, t.row, r->G) + first;
    real *h = out(r->h_gradient) + at_rank(r, t, r->G) + first;
    struct regs products = {0};
    real following = 0;
    for (int k = (n - 1) / LANES * LANES; k >= 0; k -= LANES) {
        const vec sum =
            following + vec_reverse(vec_prefix_sum(vec_reverse(vec_load(sums + k, n - k))));
        vec_store(sums + k, n - k, sum);
        regs_add(&products, vec_load(share + k, n - k) * sum);
        following = sum[0];
    }
    const real mean = vec_sum(vec_whole(products));
    for (int k = 0; k < n; k += LANES) {
        const vec slope = vec_load(share + k, n - k) * (vec_load(sums + k, n - k) - mean);
        vec_store(x + k, n - k, slope);
        vec_store(h + k, n - k, slope);
    }
}

void CPU(onlstm_backward)(const struct recurrent *r)
{
    const int n = r->D / r->chunk;
#pragma omp parallel for schedule(static) if (worth_sharing(2 * cells(r)))
    for (int i = 0; i < r->E * r->alive; i++) {
        const struct cell_token t = token_of(r, i);
        const struct masters m = masters_spread(r, masters_of(r, t, n), n);
        real *dI = CPU(scratch)(GRADIENT, 2 * r->D), *dF = dI + r->D;
        for (int c = 0; c < r->D; c += REG) {
            const struct cell_gates a =
                gates_load(in(r->gates) + at_row(r, t, t.row, r->G) + 2 * n, r->D, c);
            const reg open = reg_load(m.input + c, r->D - c);
            const reg kept = reg_load(m.forget + c, r->D - c);
            const reg both = kept * open;
            struct cell_gates d;
            const reg dc = cell_slope(r, t, c, a, &d.output);
            const reg keep = dc * cell_before(r, t, c), take = dc * a.candidate;
            const reg meet = reg_each(keep, a.forget - 1, take * (a.input - 1));
            d.candidate = dc * reg_each(a.input, both, open - both);
            d.input = take * both;
            d.forget = keep * both;
            reg_store(r->cell_gradient + at_rank(r, t, r->D) + c, r->D - c,
                      dc * reg_each(a.forget, both, kept - both));
            put_slopes(r, t, n, c, a, d);
            reg_store(dF + c, r->D - c, reg_each(meet, open, keep));
            reg_store(dI + c, r->D - c, -reg_each(meet, kept, take));
        }
        gather(dI, n, r->chunk);
        gather(dF, n, r->chunk);
        master_slope(r, t, 0, n, dI);
        master_slope(r, t, n, n, dF);
    }
}
