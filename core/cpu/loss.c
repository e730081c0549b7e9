/* Computes the cross-entropy of logits [T, V]. The first pass over a row finds its maximum, so that
 * no exponential overflows. The second pass sums exponentials. If the gradient is needed, the
 * exponentials overwrite the logits, and a third pass makes the gradient from them. */
#include "core/base/elementary.h"
#include "core/cpu/vec.h"

/* Let x = logits[t] and log Z = top + log sum_v exp(x[v] - top). Then likelihood[t] = log Z -
 * x[label]; loss[t] = gold likelihood[t] + rest sum_{v != label} (log Z - x[v]) - perfect. With
 * `gradient`, x = (exp(x - log Z) - target) / normalizer; target is `gold` at the label, else
 * `rest`. logits [T, V], label [T] -> loss, likelihood [T]. The loss is computed in double, because
 * (V - 1) log Z and the sum of x are large and nearly equal. */
void CPU(cross_entropy)(const struct cross_entropy *c)
{
    const int T = op_rows(c->T, c->rows), V = c->V;
    const double rest = V > 1 ? c->smoothing / (V - 1) : 0, gold = 1 - c->smoothing;
    /* Loss of the perfect prediction. It is subtracted, so that the minimum is 0. */
    const double perfect =
        c->smoothing > 0 ? -(gold * elementary_log(gold) + c->smoothing * elementary_log(rest)) : 0;
    const real scale = (real)(1 / c->step->normalizer);
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * V * COSTLY))
    for (int t = 0; t < T; t++) {
        real *x = out(c->logits) + (int64_t)t * c->ld;
        const int whole = V / LANES * LANES;
        struct regs totals = {0}, tops = vec_regs(vec_splat(-INFINITY)), sums = {0};
        for (int v = 0; v < whole; v += LANES)
            for (int p = 0; p < REGS; p++) {
                const reg y = reg_load(x + v + p * REG, REG);
                totals.reg[p] += y;
                tops.reg[p] = reg_select(y > tops.reg[p], y, tops.reg[p]);
            }
        vec total = vec_whole(totals), top = vec_whole(tops);
        if (whole < V) {
            const vec y = vec_load(x + whole, V - whole);
            total += y;
            top = vec_max(vec_select(vec_first(V - whole), y, vec_splat(-INFINITY)), top);
        }
        const real maximum = vec_reduce_max(top), label = x[c->label[t]];
        for (int v = 0; v < whole; v += LANES)
            for (int p = 0; p < REGS; p++) {
                const reg y = reg_exp(reg_load(x + v + p * REG, REG) - maximum);
                sums.reg[p] += y;
                if (c->gradient) reg_store(x + v + p * REG, REG, y);
            }
        vec sum = vec_whole(sums);
        if (whole < V) {
            const vec y = vec_exp(vec_load(x + whole, V - whole) - maximum);
            sum += vec_select(vec_first(V - whole), y, (vec){0});
            if (c->gradient) vec_store(x + whole, V - whole, y);
        }
        const double z = (double)vec_sum(sum), log_z = elementary_log(z) + (double)maximum;
        const double nll = log_z - (double)label;
        /* sum of log_z - logit over all tokens except the label */
        const double others = (V - 1) * log_z - ((double)vec_sum(total) - (double)label);
        c->likelihood[t] = (real)nll;
        c->loss[t] = (real)(gold * nll + rest * others - perfect);
        if (!c->gradient) continue;
        const real factor = (real)((double)scale / z), shift = (real)rest * scale;
        for (int v = 0; v < V; v += REG)
            reg_store(x + v, V - v, reg_load(x + v, V - v) * factor - shift);
        x[c->label[t]] -= ((real)gold - (real)rest) * scale;
    }
}
