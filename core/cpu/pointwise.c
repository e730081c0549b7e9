/* Computes pointwise ops over [T, N]: ReLU before dropout, and sigmoid or tanh after dropout. */
#include "core/cpu/vec.h"

/* Values of a piece of [T, N]. These values and their dropout factors fit into the L1 cache
 * together. */
enum { PIECE = 1024 };

/* out = dropout(max(x, 0)): x, out [T, N]; parallel over pieces. */
void CPU(relu_dropout)(const struct relu_dropout *r)
{
    const int T = op_rows(r->T, r->rows);
    const int64_t count = (int64_t)T * r->N, pieces = (count + PIECE - 1) / PIECE;
#pragma omp parallel for schedule(                                                                 \
    static) if (worth_sharing(count * (r->dropout.threshold ? COSTLY : 1)))
    for (int64_t piece = 0; piece < pieces; piece++) {
        const int64_t from = piece * PIECE, n = count - from < PIECE ? count - from : PIECE;
        real factor[PIECE];
        if (r->dropout.threshold) CPU(dropout_row)(r->step, r->dropout, r->N, from, n, factor);
        for (int64_t i = 0; i < n; i += LANES) {
            vec x = vec_load(in(r->x) + from + i, n - i);
            /* A NaN stays NaN, so that the loss becomes NaN, too. */
            x = vec_select(vec_greater((vec){0}, x), (vec){0}, x);
            if (r->dropout.threshold) x *= vec_load(factor + i, n - i);
            vec_store(out(r->out) + from + i, n - i, x);
        }
    }
}

/* dx = dout / (1 - p) where out > 0, else 0: [T, N]. Dropped values are 0 in out, so no random
 * numbers are needed. */
void CPU(relu_dropout_backward)(const struct relu_dropout *r)
{
    const int T = op_rows(r->T, r->rows);
    const int64_t count = (int64_t)T * r->N, pieces = (count + PIECE - 1) / PIECE;
    const real scale = dropout_raise(r->dropout);
#pragma omp parallel for schedule(static) if (worth_sharing(count))
    for (int64_t piece = 0; piece < pieces; piece++) {
        const int64_t from = piece * PIECE, n = count - from < PIECE ? count - from : PIECE;
        for (int64_t i = from; i < from + n; i += LANES) {
            const int64_t left = from + n - i;
            vec y = vec_load(in(r->out) + i, left), dy = vec_load(in(r->out_gradient) + i, left);
            vec_store(out(r->x_gradient) + i, left,
                      vec_select(vec_greater(y, (vec){0}), dy * scale, (vec){0}));
        }
    }
}

/* out = sigmoid or tanh of dropout(x): x, out [blocks][T, N]. Parallel over pieces of [T, N]. A
 * piece is processed in all blocks, with the same dropout factors. */
void CPU(squash)(const struct squash *s)
{
    const int64_t count = (int64_t)op_rows(s->T, s->rows) * s->N;
    const int64_t pieces = (count + PIECE - 1) / PIECE;
#pragma omp parallel for schedule(static) if (worth_sharing(count * (s->blocks + 1) * COSTLY))
    for (int64_t piece = 0; piece < pieces; piece++) {
        const int64_t from = piece * PIECE, n = count - from < PIECE ? count - from : PIECE;
        real factor[PIECE];
        if (s->dropout.threshold) CPU(dropout_row)(s->step, s->dropout, s->N, from, n, factor);
        for (int block = 0; block < s->blocks || !block; block++) {
            const real *x = in(s->x) + block * s->next + from;
            real *y = out(s->out) + block * s->next + from;
            for (int64_t i = 0; i < n; i += LANES) {
                vec z = vec_load(x + i, n - i);
                if (s->dropout.threshold) z *= vec_load(factor + i, n - i);
                vec_store(y + i, n - i, s->tanh ? vec_tanh(z) : vec_sigmoid(z));
            }
        }
    }
}

/* dx = dropout(dout) out (1 - out) for sigmoid, dropout(dout) (1 - out^2) for tanh. dx, dout and
 * out are [blocks][T, N]. */
void CPU(squash_backward)(const struct squash *s)
{
    const int64_t count = (int64_t)op_rows(s->T, s->rows) * s->N;
    const int64_t pieces = (count + PIECE - 1) / PIECE;
#pragma omp parallel for schedule(static) if (worth_sharing(count * (s->blocks + 1) * COSTLY))
    for (int64_t piece = 0; piece < pieces; piece++) {
        const int64_t from = piece * PIECE, n = count - from < PIECE ? count - from : PIECE;
        real factor[PIECE];
        if (s->dropout.threshold) CPU(dropout_row)(s->step, s->dropout, s->N, from, n, factor);
        for (int block = 0; block < s->blocks || !block; block++) {
            const int64_t at = block * s->next + from;
            for (int64_t i = 0; i < n; i += LANES) {
                const vec y = vec_load(in(s->out) + at + i, n - i);
                const vec slope = s->tanh ? 1 - y * y : y * (1 - y);
                vec dx = vec_load(in(s->out_gradient) + at + i, n - i) * slope;
                if (s->dropout.threshold) dx *= vec_load(factor + i, n - i);
                vec_store(out(s->x_gradient) + at + i, n - i, dx);
            }
        }
    }
}
