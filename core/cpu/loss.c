/* Cross entropy of logits [T, V] in two passes over a row: its largest value first, so that no
 * exponential overflows; then exponentials, in whose place the gradient comes. */
#include "core/base/elementary.h"
#include "core/cpu/vec.h"

/* With log Z = top + log sum_v exp(x[v] - top) of x = logits[t]: likelihood[t] = log Z - x[label],
 * loss[t] = gold likelihood[t] + rest sum_{v != label} (log Z - x[v]) - perfect; with `gradient`
 * x = (exp(x - log Z) - target) / normalizer. logits [T, V], label [T] -> loss, likelihood [T].
 * loss is in double: (V - 1) log Z and the sum of x are large and near. */
void CPU(cross_entropy)(const struct cross_entropy *c)
{
    const int T = op_rows(c->T, c->rows), V = c->V;
    const double rest = V > 1 ? c->smoothing / (V - 1) : 0, gold = 1 - c->smoothing;
    /* The loss of the perfect prediction, subtracted so that it is 0. */
    const double perfect =
        c->smoothing > 0 ? -(gold * elementary_log(gold) + c->smoothing * elementary_log(rest)) : 0;
    const real scale = (real)(1 / c->step->normalizer);
#pragma omp parallel for schedule(static)
    for (int t = 0; t < T; t++) {
        real *x = out(c->logits) + (int64_t)t * c->ld;
        vec top = vec_full(-INFINITY), total = {0}, sum = {0};
        for (int v = 0; v < V; v += LANES) {
            vec y = vec_load(x + v, V - v);
            total += y;
            top = vec_max(vec_pick(vec_first(V - v), y, vec_full(-INFINITY)), top);
        }
        const real maximum = vec_top(top), label = x[c->label[t]];
        for (int v = 0; v < V; v += LANES) {
            vec y = vec_exp(vec_load(x + v, V - v) - maximum);
            if (V - v < LANES) y = vec_pick(vec_first(V - v), y, (vec){0});
            sum += y;
            if (c->gradient) vec_store(x + v, V - v, y);
        }
        const double z = (double)vec_sum(sum), log_z = elementary_log(z) + (double)maximum;
        const double nll = log_z - (double)label;
        /* gold * nll + rest * sum over the others of (log_z - logit) */
        const double others = (V - 1) * log_z - ((double)vec_sum(total) - (double)label);
        c->likelihood[t] = (real)nll;
        c->loss[t] = (real)(gold * nll + rest * others - perfect);
        if (!c->gradient) continue;
        const vec factor = vec_full((real)((double)scale / z)),
                  shift = vec_full((real)rest * scale);
        for (int v = 0; v < V; v += LANES)
            vec_store(x + v, V - v, vec_load(x + v, V - v) * factor - shift);
        x[c->label[t]] -= ((real)gold - (real)rest) * scale;
    }
}
