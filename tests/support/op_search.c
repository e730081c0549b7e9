/* Cases of the ops of beam search. */

#include "tests/support/op_run.h"
#include "tests/support/test.h"

void op_case_top_tokens(struct op_run *run)
{
    struct top_tokens t = {.rows = op_size(run), .V = op_size(run) + (op_flip(run) ? 0 : 300)};
    const int most = run->trial % 4 == 1 ? 128 : 12;
    if (most > 12) t.rows = 1 + op_below(run, 3), t.V += 3000;
    t.k = 1 + op_below(run, t.V < most ? t.V : most);
    const int64_t count = (int64_t)t.rows * t.k;
    t.ld = t.V + (op_flip(run) ? 0 : op_below(run, 20));
    const int64_t all = (int64_t)(t.rows - 1) * t.ld + t.V;
    real *x = op_reals(run, OP_INPUT, all, "logits");
    for (int64_t i = 0; i < all; i++) /* with many ties */
        x[i] = (real)(run->trial % 2 ? round((double)x[i] * 8) : (double)x[i] * 8);
    const int lost = run->trial % 4 == 3 ? op_below(run, t.rows) : -1; /* a row of NaN */
    for (int v = 0; v < t.V && lost >= 0; v++) x[(int64_t)lost * t.ld + v] = (real)NAN;
    for (int64_t i = 0; i < all && run->trial % 4 == 2; i++) /* tokens whose probability is 0 */
        if (!op_below(run, 5)) x[i] = (real)(-100 - 4 * op_below(run, 8)); /* exact in bf16 */
    t.logits = op_act(x);
    t.score = op_reals(run, OP_OUTPUT, count, "score");
    t.token = op_ints(run, OP_OUTPUT, count, "token");
    double *score = op_zeros(run, count), *token = op_zeros(run, count);
    for (int r = 0; r < t.rows; r++) {
        const real *row = x + (int64_t)r * t.ld;
        bool *taken = arena_alloc(&run->arena, (size_t)t.V);
        double sum = 0;
        for (int v = 0; v < t.V; v++) sum += exp((double)row[v]);
        for (int i = 0; i < t.k; i++) {
            int best = -1;
            for (int v = 0; v < t.V; v++)
                if (!taken[v] && (best < 0 || row[v] > row[best])) best = v;
            taken[best] = true;
            token[(int64_t)r * t.k + i] = best;
            score[(int64_t)r * t.k + i] = (double)row[best] - log(sum);
        }
    }
    OP_CALL(run, top_tokens, &t);
    for (int i = 0; i < t.k && lost >= 0; i++) {
        const int64_t at = (int64_t)lost * t.k + i;
        assert_true(isnan(t.score[at]));
        t.score[at] = 0, score[at] = 0;
    }
    for (int64_t i = 0; i < count; i++)
        if (t.token[i] != (int32_t)token[i])
            fail_msg("trial %u: token %lld is %d, expected %d", run->trial, (long long)i,
                     t.token[i], (int)token[i]);
    op_expect_above(run, t.score, score, count, 1, "score");
}

void op_case_store_rows(struct op_run *run)
{
    const int rows = op_size(run), width = op_size(run), ld = width + op_below(run, 40);
    real *from = op_reals(run, OP_INPUT, (int64_t)(rows - 1) * ld + width, "from");
    real *to = op_reals(run, OP_OUTPUT, (int64_t)rows * width, "to");
    double *expected = op_zeros(run, (int64_t)rows * width);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < width; c++)
            expected[(int64_t)r * width + c] = (double)from[(int64_t)r * ld + c];
    OP_CALL(run, store_rows, op_act(from), rows, width, ld, op_act(to));
    op_expect_exactly(run, to, expected, (int64_t)rows * width, "to");
}
