/* A step of a recurrent layer (core/tensor/recurrent.h). A block processes one sentence in one
 * direction. A thread computes every 128th column. In the backward pass of ON-LSTM, a thread
 * computes every 128th unit of the master gates, with the unit's chunk of columns. */
#include "core/cuda/act.h"

enum { THREADS = 128 };

/* The token of a sentence in this step and one direction. row: index of the token in [T, E]. rank:
 * index of the sentence in [E, B]. there: the sentence has a token in this step. later: the
 * sentence has a token in the following step. */
struct cell_token {
    /* before: index of the previous token in [T, E]; undefined in the first step */
    int64_t row, before, rank;
    bool there, later;
};

DEVICE_FN struct cell_token token_of(const struct recurrent *r)
{
    const int e = (int)(blockIdx.x / (unsigned)r->alive),
              i = (int)(blockIdx.x % (unsigned)r->alive);
    struct cell_token t;
    t.there = !r->counted || i < r->counted[0];
    t.later = i < (r->counted ? r->counted[1] : r->later);
    if (!t.there) return t;
    const int64_t row = r->row[e][(r->begin ? *r->begin : 0) + i];
    t.row = row * r->E + e;
    t.before = t.row + (r->reverse[e] ? r->E : -r->E);
    t.rank = (int64_t)e * r->B + i;
    return t;
}

/* Output gate, candidate, input gate and forget gate of a column, or their gradients. */
struct cell_gates {
    float o, g, i, f;
};

DEVICE_FN struct cell_gates gates_load(const struct act *from, int64_t at, int D)
{
    struct cell_gates a;
    a.o = act_get(from, at);
    a.g = act_get(from, at + D);
    a.i = act_get(from, at + 2 * D);
    a.f = act_get(from, at + 3 * D);
    return a;
}

DEVICE_FN void gates_store(struct act *to, int64_t at, int D, struct cell_gates a)
{
    act_put(to, at, a.o);
    act_put(to, at + D, a.g);
    act_put(to, at + 2 * D, a.i);
    act_put(to, at + 3 * D, a.f);
}

/* Return the index of the first gate of column c in [T, E*G] and in [E, B, G]. Each master gate has
 * `masters` units. */
DEVICE_FN int64_t gate_row(const struct recurrent *r, struct cell_token t, int masters, int c)
{
    return t.row * r->G + 2 * masters + c;
}
DEVICE_FN int64_t gate_rank(const struct recurrent *r, struct cell_token t, int masters, int c)
{
    return t.rank * r->G + 2 * masters + c;
}

/* Returns o, g, i, f: sigmoid or tanh of x + h. */
DEVICE_FN struct cell_gates activated(const struct recurrent *r, struct cell_token t, int masters,
                                      int c)
{
    struct cell_gates a = gates_load(r->x, gate_row(r, t, masters, c), r->D);
    if (!r->first) {
        const struct cell_gates h = gates_load(r->h, gate_rank(r, t, masters, c), r->D);
        a.o += h.o, a.g += h.g, a.i += h.i, a.f += h.f;
    }
    a.o = sigmoid(a.o), a.g = tanhf(a.g), a.i = sigmoid(a.i), a.f = sigmoid(a.f);
    return a;
}

DEVICE_FN float cell_before(const struct recurrent *r, struct cell_token t, int c)
{
    return r->first ? 0 : r->cell[t.before * r->D + c];
}

/* Computes c = keep c' + take g and y = o tanh(c); c' is the cell of the previous step. Stores all
 * values that the backward pass reads. */
DEVICE_FN void advance(const struct recurrent *r, struct cell_token t, int masters, int c,
                       struct cell_gates a, float keep, float take)
{
    const int64_t here = t.row * r->D + c, there = t.rank * r->D + c;
    const float cell = keep * cell_before(r, t, c) + take * a.g;
    const float y = a.o * tanhf(cell);
    gates_store(r->gates, gate_row(r, t, masters, c), r->D, a);
    r->cell[here] = cell;
    act_put(r->out, here, y);
    if (r->before) act_put(r->before, here, r->first ? 0 : act_get(r->state, there));
    act_put(r->state, there, y);
}

KERNEL(lstm_kernel, THREADS, struct recurrent, r)
{
    const struct cell_token t = token_of(r);
    if (!t.there) return;
    for (int c = (int)threadIdx.x; c < r->D; c += THREADS) {
        const struct cell_gates a = activated(r, t, 0, c);
        advance(r, t, 0, c, a, a.f, a.i);
    }
}

static int64_t blocks_of(const struct recurrent *r)
{
    return (int64_t)r->E * r->alive;
}

OP_KERNEL(lstm, struct recurrent, r, lstm_kernel, blocks_of(r), 0)

/* Gradients of the cell c and of the output gate o of a column. */
struct slope {
    float cell, output;
};

DEVICE_FN struct slope slope_of(const struct recurrent *r, struct cell_token t, int c,
                                struct cell_gates a)
{
    const int64_t here = t.row * r->D + c, there = t.rank * r->D + c;
    const float squashed = tanhf(r->cell[here]);
    float dy = act_get(r->out_gradient, here);
    struct slope d;
    if (t.later) dy += act_get(r->state_gradient, there);
    d.output = dy * squashed;
    d.cell = dy * a.o * (1 - squashed * squashed) + (t.later ? r->cell_gradient[there] : 0);
    return d;
}

/* Multiplies the gradients d of the gates a by the derivatives of sigmoid and tanh. Writes the
 * products to x_gradient and h_gradient. */
DEVICE_FN void put_slopes(const struct recurrent *r, struct cell_token t, int masters, int c,
                          struct cell_gates a, struct cell_gates d)
{
    d.o *= a.o * (1 - a.o);
    d.g *= 1 - a.g * a.g;
    d.i *= a.i * (1 - a.i);
    d.f *= a.f * (1 - a.f);
    gates_store(r->x_gradient, gate_row(r, t, masters, c), r->D, d);
    gates_store(r->h_gradient, gate_rank(r, t, masters, c), r->D, d);
}

KERNEL(lstm_backward_kernel, THREADS, struct recurrent, r)
{
    const struct cell_token t = token_of(r);
    if (!t.there) return;
    for (int c = (int)threadIdx.x; c < r->D; c += THREADS) {
        const struct cell_gates a = gates_load(r->gates, gate_row(r, t, 0, c), r->D);
        const struct slope slope = slope_of(r, t, c, a);
        struct cell_gates d;
        d.o = slope.output;
        d.g = slope.cell * a.i;
        d.i = slope.cell * a.g;
        d.f = slope.cell * cell_before(r, t, c);
        r->cell_gradient[t.rank * r->D + c] = slope.cell * a.f;
        put_slopes(r, t, 0, c, a, d);
    }
}

OP_KERNEL(lstm_backward, struct recurrent, r, lstm_backward_kernel, blocks_of(r), 0)

/* ---- master gates: a thread sums its units, then the sums of threads are added in order ---- */

/* Shared memory of a block: values [n] of each master gate, and `part` with one number per
 * thread. */
struct masters {
    float *input, *forget, *part;
    int n, from, to; /* this thread sums the units `from` to `to` - 1 */
};

DEVICE_FN struct masters masters_of(const struct recurrent *r, float *shared)
{
    const int n = r->D / r->chunk, each = (n + THREADS - 1) / THREADS;
    struct masters m;
    m.input = shared, m.forget = shared + n, m.part = shared + 2 * n;
    m.n = n;
    m.from = (int)threadIdx.x * each < n ? (int)threadIdx.x * each : n;
    m.to = m.from + each < n ? m.from + each : n;
    return m;
}

static int64_t masters_bytes(const struct recurrent *r)
{
    return (int64_t)sizeof(float) * (2 * (r->D / r->chunk) + THREADS);
}

/* Returns the sum of `own` over the threads `from` to `to` - 1 or, with `most`, the maximum. All
 * threads of the block must call this function. */
DEVICE_FN float noted(struct masters m, float own, int from, int to, bool most)
{
    __syncthreads();
    m.part[threadIdx.x] = own;
    __syncthreads();
    float all = most ? m.part[0] : 0;
    for (int i = from; i < to; i++)
        all = !most ? all + m.part[i] : m.part[i] > all ? m.part[i] : all;
    return all;
}

/* Computes softmax(x + h) of a master gate. Writes the softmax to r->gates and its prefix sums to
 * `sums`. */
DEVICE_FN void running(const struct recurrent *r, struct cell_token t, struct masters m, int first,
                       float *sums)
{
    const int64_t row = t.row * r->G + first, rank = t.rank * r->G + first;
    float most = -INFINITY, sum = 0;
    for (int k = m.from; k < m.to; k++) {
        sums[k] = act_get(r->x, row + k) + (r->first ? 0 : act_get(r->h, rank + k));
        most = sums[k] > most ? sums[k] : most;
    }
    most = noted(m, most, 0, THREADS, true);
    for (int k = m.from; k < m.to; k++) sum += sums[k] = expf(sums[k] - most);
    const float all = noted(m, sum, 0, THREADS, false);
    float before = noted(m, sum, 0, (int)threadIdx.x, false) / all;
    for (int k = m.from; k < m.to; k++) {
        const float share = sums[k] / all;
        act_put(r->gates, row + k, share);
        sums[k] = before += share;
    }
}

KERNEL(onlstm_kernel, THREADS, struct recurrent, r)
{
    SHARED(float, shared);
    const struct cell_token t = token_of(r);
    const struct masters m = masters_of(r, shared);
    if (!t.there) return;
    running(r, t, m, 0, m.input);
    running(r, t, m, m.n, m.forget);
    for (int k = m.from; k < m.to; k++) {
        m.input[k] = 1 - m.input[k];
        act_put(r->master_input, t.row * m.n + k, m.input[k]);
        act_put(r->master_forget, t.row * m.n + k, m.forget[k]);
    }
    __syncthreads();
    for (int c = (int)threadIdx.x; c < r->D; c += THREADS) {
        const struct cell_gates a = activated(r, t, m.n, c);
        const float open = m.input[c / r->chunk], kept = m.forget[c / r->chunk];
        const float both = open * kept;
        advance(r, t, m.n, c, a, a.f * both + (kept - both), a.i * both + (open - both));
    }
}

OP_KERNEL(onlstm, struct recurrent, r, onlstm_kernel, blocks_of(r), masters_bytes(r))

/* Computes the gradient of x + h of a master gate from the gradients `sums` of its prefix sums. It
 * is s_k (G_k - sum_j s_j G_j); s is the softmax. G_k is the sum of sums[j] over j >= k, and
 * overwrites sums[k]. */
DEVICE_FN void running_slope(const struct recurrent *r, struct cell_token t, struct masters m,
                             int first, float *sums)
{
    const int64_t row = t.row * r->G + first, rank = t.rank * r->G + first;
    float own = 0, mean = 0;
    for (int k = m.from; k < m.to; k++) own += sums[k];
    float after = noted(m, own, (int)threadIdx.x + 1, THREADS, false);
    for (int k = m.to - 1; k >= m.from; k--) sums[k] = after += sums[k];
    for (int k = m.from; k < m.to; k++) mean += act_get(r->gates, row + k) * sums[k];
    mean = noted(m, mean, 0, THREADS, false);
    for (int k = m.from; k < m.to; k++) {
        const float slope = act_get(r->gates, row + k) * (sums[k] - mean);
        act_put(r->x_gradient, row + k, slope);
        act_put(r->h_gradient, rank + k, slope);
    }
}

/* Computes the gradients for the columns of unit k. Writes the gradients of the unit's two prefix
 * sums, summed over these columns, to m.input and m.forget. */
DEVICE_FN void unit_slope(const struct recurrent *r, struct cell_token t, struct masters m, int k)
{
    const float open = act_get(r->master_input, t.row * m.n + k),
                kept = act_get(r->master_forget, t.row * m.n + k), both = open * kept;
    float input = 0, forget = 0;
    for (int c = k * r->chunk; c < (k + 1) * r->chunk; c++) {
        const struct cell_gates a = gates_load(r->gates, gate_row(r, t, m.n, c), r->D);
        const struct slope slope = slope_of(r, t, c, a);
        const float keep = slope.cell * cell_before(r, t, c), take = slope.cell * a.g;
        const float meet = keep * (a.f - 1) + take * (a.i - 1);
        struct cell_gates d;
        d.o = slope.output;
        d.g = slope.cell * (a.i * both + (open - both));
        d.i = take * both;
        d.f = keep * both;
        r->cell_gradient[t.rank * r->D + c] = slope.cell * (a.f * both + (kept - both));
        put_slopes(r, t, m.n, c, a, d);
        forget += meet * open + keep;
        input -= meet * kept + take;
    }
    m.input[k] = input;
    m.forget[k] = forget;
}

KERNEL(onlstm_backward_kernel, THREADS, struct recurrent, r)
{
    SHARED(float, shared);
    const struct cell_token t = token_of(r);
    const struct masters m = masters_of(r, shared);
    if (!t.there) return;
    for (int k = (int)threadIdx.x; k < m.n; k += THREADS) unit_slope(r, t, m, k);
    __syncthreads();
    running_slope(r, t, m, 0, m.input);
    running_slope(r, t, m, m.n, m.forget);
}

OP_KERNEL(onlstm_backward, struct recurrent, r, onlstm_backward_kernel, blocks_of(r),
          masters_bytes(r))
