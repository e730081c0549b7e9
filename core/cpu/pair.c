/* Computes the features of pairs of sentences from the vectors u and v of the two sentences. */
#include "core/cpu/vec.h"

enum { CONCAT_PARTS = 2, MATCH_PARTS = 4 };

/* out[p] = [u; v] or [u; v; u v; |u - v|]: x [2P, N] -> out [P, 2N or 4N]. */
void CPU(pair_features)(const struct pair_features *f)
{
    const int P = op_rows(f->P, f->rows), N = f->N, parts = f->match ? MATCH_PARTS : CONCAT_PARTS;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)P * parts * N))
    for (int p = 0; p < P; p++) {
        const real *u = in(f->x) + 2 * (int64_t)p * N, *v = u + N;
        real *y = out(f->out) + (int64_t)p * parts * N;
        for (int c = 0; c < N; c += LANES) {
            const int left = N - c;
            const vec a = vec_load(u + c, left), b = vec_load(v + c, left);
            vec_store(y + c, left, a);
            vec_store(y + N + c, left, b);
            if (!f->match) continue;
            vec_store(y + 2 * N + c, left, a * b);
            vec_store(y + 3 * N + c, left, vec_max(a - b, b - a));
        }
    }
}

/* du (+)= g0 + v g2 + sign(u - v) g3; dv (+)= g1 + u g2 - sign(u - v) g3. g0 to g3 are the parts of
 * out_gradient; sign(0) is 0. x, x_gradient [2P, N]. */
void CPU(pair_features_backward)(const struct pair_features *f)
{
    const int P = op_rows(f->P, f->rows), N = f->N, parts = f->match ? MATCH_PARTS : CONCAT_PARTS;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)P * parts * N))
    for (int p = 0; p < P; p++) {
        const real *u = in(f->x) + 2 * (int64_t)p * N, *v = u + N;
        const real *g = in(f->out_gradient) + (int64_t)p * parts * N;
        real *du = out(f->x_gradient) + 2 * (int64_t)p * N, *dv = du + N;
        for (int c = 0; c < N; c += LANES) {
            const int left = N - c;
            vec da = vec_load(g + c, left), db = vec_load(g + N + c, left);
            if (f->match) {
                const vec a = vec_load(u + c, left), b = vec_load(v + c, left);
                const vec product = vec_load(g + 2 * N + c, left);
                const vec slope = vec_load(g + 3 * N + c, left);
                const vec away = vec_select(vec_greater(a, b), slope,
                                            vec_select(vec_greater(b, a), -slope, (vec){0}));
                da = vec_fma(b, product, da) + away;
                db = vec_fma(a, product, db) - away;
            }
            if (f->add_x) da += vec_load(du + c, left), db += vec_load(dv + c, left);
            vec_store(du + c, left, da);
            vec_store(dv + c, left, db);
        }
    }
}
