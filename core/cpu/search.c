/* What beam search asks of logits [rows, V]: the k best tokens of a row, kept sorted while it is
 * read, and the logarithm of its sum of exponentials. */
#include "core/base/elementary.h"
#include "core/cpu/vec.h"

/* score[i] = x[token[i]] - log sum_v exp(x[v]) of the k largest x:
 * logits [rows, V] -> score, token [rows, k]; a thread has rows. The second pass is the sum,
 * against the maximum that the first found. */
void CPU(top_tokens)(const struct top_tokens *t)
{
    enum { GROUP = 4 }; /* vectors whose maximum is found at once */
#pragma omp parallel for schedule(static)
    for (int r = 0; r < t->rows; r++) {
        const real *x = in(t->logits) + (int64_t)r * t->ld;
        real *score = t->score + (int64_t)r * t->k;
        int32_t *token = t->token + (int64_t)r * t->k;
        int found = 0;
        vec top = vec_full(-INFINITY), sum = {0};
        for (int v = 0; v < t->V; v += GROUP * LANES) {
            vec most = vec_full(-INFINITY);
            for (int i = v; i < v + GROUP * LANES && i < t->V; i += LANES) {
                vec y = vec_load(x + i, t->V - i);
                if (t->V - i < LANES) y = vec_pick(vec_first(t->V - i), y, vec_full(-INFINITY));
                most = vec_max(y, most);
            }
            top = vec_max(most, top);
            /* Only a group that beats the worst kept one is looked at one by one. */
            if (found == t->k && !(vec_top(most) > score[found - 1])) continue;
            for (int i = v; i < v + GROUP * LANES && i < t->V; i++) {
                if (found == t->k && !(x[i] > score[found - 1])) continue;
                int at = found < t->k ? found++ : found - 1;
                for (; at > 0 && x[i] > score[at - 1]; at--) {
                    score[at] = score[at - 1];
                    token[at] = token[at - 1];
                }
                score[at] = x[i];
                token[at] = i;
            }
        }
        const real maximum = vec_top(top);
        for (int v = 0; v < t->V; v += LANES) {
            vec y = vec_exp(vec_load(x + v, t->V - v) - maximum);
            if (t->V - v < LANES) y = vec_pick(vec_first(t->V - v), y, (vec){0});
            sum += y;
        }
        const double log_z = elementary_log((double)vec_sum(sum)) + (double)maximum;
        for (int i = 0; i < found; i++) score[i] = (real)((double)score[i] - log_z);
    }
}

/* to[r, c] = from[r, c]: from [rows, width], ld apart, to [rows, width]. */
void CPU(store_rows)(const struct act *from, int rows, int width, int ld, struct act *to)
{
    for (int r = 0; r < rows; r++)
        memcpy(out(to) + (int64_t)r * width, in(from) + (int64_t)r * ld,
               (size_t)width * sizeof(real));
}
