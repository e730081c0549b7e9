/* Computes the ops of beam search. top_tokens finds the k best tokens of each row of logits [rows,
 * V], with their log-probabilities. */
#include "core/base/elementary.h"
#include "core/cpu/vec.h"

enum { GROUP = 4 }; /* vectors of a group; best_tokens computes the maximum of each group */

/* Returns the largest number of a group, which has at most `left` numbers. Each lane of *depth
 * becomes the maximum of itself and the negated numbers in this lane. NaNs are ignored. */
INLINE real group_top(const real *x, int left, vec *depth)
{
    vec most = vec_splat(-INFINITY), deep = *depth;
    if (left >= GROUP * LANES) {
#pragma GCC unroll 8
        for (int i = 0; i < GROUP * LANES; i += LANES) {
            const vec y = vec_load(x + i, LANES);
            most = vec_max(y, most);
            deep = vec_max(-y, deep);
        }
    } else {
        for (int i = 0; i < left; i += LANES) {
            const vec y = vec_load(x + i, left - i);
            const vec_mask there = vec_first(left - i);
            most = vec_max(vec_select(there, y, vec_splat(-INFINITY)), most);
            deep = vec_max(vec_select(there, -y, vec_splat(-INFINITY)), deep);
        }
    }
    *depth = deep;
    return vec_reduce_max(most);
}

/* The best numbers so far, the largest first. Equal numbers are in the order in which they were
 * added. */
struct best {
    int found, k;
    real *value;
    int32_t *place;
};

INLINE void best_add(struct best *best, real value, int place)
{
    if (best->found == best->k && !(value > best->value[best->k - 1])) return;
    int at = best->found < best->k ? best->found++ : best->k - 1;
    for (; at > 0 && value > best->value[at - 1]; at--) {
        best->value[at] = best->value[at - 1];
        best->place[at] = best->place[at - 1];
    }
    best->value[at] = value;
    best->place[at] = place;
}

struct range {
    real least, most;
};

/* Finds the k best of x [V] -> value, token [k]. First finds the k groups with the largest maxima.
 * The smallest of these maxima is a lower bound of the k best numbers, so groups with smaller
 * maxima are skipped. */
static struct range best_tokens(const real *x, int V, int k, real *value, int32_t *token)
{
    const int groups = (V + GROUP * LANES - 1) / (GROUP * LANES);
    real *top = CPU(scratch)(0, groups);
    struct best best = {0, k, value, token};
    vec depth = vec_splat(-INFINITY);
    for (int g = 0; g < groups; g++) {
        top[g] = group_top(x + g * GROUP * LANES, V - g * GROUP * LANES, &depth);
        best_add(&best, top[g], g);
    }
    const struct range range = {-vec_reduce_max(depth), value[0]};
    const real least = best.found == k ? value[k - 1] : -INFINITY;
    best.found = 0;
    for (int g = 0; g < groups; g++) {
        if (top[g] < least) continue;
        const int end = (g + 1) * GROUP * LANES < V ? (g + 1) * GROUP * LANES : V;
        for (int i = g * GROUP * LANES; i < end; i++) best_add(&best, x[i], i);
    }
    return range;
}

/* Returns the sum of exp(x[v] - most) over x [V]. If `near` is true, all exponents are above -87,
 * so reg_exp_inside is sufficient. */
INLINE real sum_exponentials(const bool near, const real *x, int V, real most)
{
    struct regs sum = {0};
    int v = 0;
    for (; v + LANES <= V; v += LANES)
        for (int p = 0; p < REGS; p++) {
            const reg y = reg_load(x + v + p * REG, REG) - most;
            sum.reg[p] += near ? reg_exp_inside(y) : reg_exp(y);
        }
    vec total = vec_whole(sum);
    if (v < V) {
        const vec y = vec_exp(vec_load(x + v, V - v) - most);
        total += vec_select(vec_first(V - v), y, (vec){0});
    }
    return vec_sum(total);
}

/* score[i] = x[token[i]] - log sum_v exp(x[v]) for the k largest x: logits [rows, V] -> score,
 * token [rows, k]; parallel over rows. */
void CPU(top_tokens)(const struct top_tokens *t)
{
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)t->rows * t->V * COSTLY))
    for (int r = 0; r < t->rows; r++) {
        const real *x = in(t->logits) + (int64_t)r * t->ld;
        real *score = t->score + (int64_t)r * t->k;
        const struct range x_in = best_tokens(x, t->V, t->k, score, t->token + (int64_t)r * t->k);
        const real sum = x_in.most - x_in.least < 87 ? sum_exponentials(true, x, t->V, x_in.most)
                                                     : sum_exponentials(false, x, t->V, x_in.most);
        const double log_z = elementary_log((double)sum) + (double)x_in.most;
        for (int i = 0; i < t->k; i++) score[i] = (real)((double)score[i] - log_z);
    }
}

/* to[r, c] = from[r, c]: from [rows, width], ld apart, to [rows, width]. */
void CPU(store_rows)(const struct act *from, int rows, int width, int ld, struct act *to)
{
    for (int r = 0; r < rows; r++)
        memcpy(out(to) + (int64_t)r * width, in(from) + (int64_t)r * ld,
               (size_t)width * sizeof(real));
}
