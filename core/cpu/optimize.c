/* Computes the optimizer (gradient norm, clipping, Adam), sums, and averages of checkpoints. */
#include "core/cpu/vec.h"

enum { CHUNK = 4096 };

#ifdef SANLAB_DOUBLE
#define SQUARE_ROOT sqrt
#else
#define SQUARE_ROOT sqrtf
#endif

/* loss /= normalizer; norm = sqrt(squares); gradient_scale = min(1, clip / norm), or 1 without
 * clipping. */
void CPU(settle)(const struct settle *s)
{
    struct outcome *outcome = s->outcome;
    outcome->loss /= s->step->normalizer;
    outcome->norm = sqrt(outcome->squares);
    outcome->finite = isfinite(outcome->loss) && isfinite(outcome->norm);
    outcome->gradient_scale = s->clip > 0 && outcome->norm > s->clip ? s->clip / outcome->norm : 1;
}

/* g = gradient_scale gradient + l2 x; m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2. x = (1 - rate
 * decay) x - (rate / c1) m / (sqrt(v / c2) + epsilon); c1 = 1 - b1^t, c2 = 1 - b2^t. g, x, m and v
 * are [count]; parallel over chunks. The operand, which ops read, has the same type as the master
 * here. It is a copy of the master, or the master itself. */
void CPU(adam)(const struct adam *a)
{
    real *operand = (real *)(void *)a->operand;
    if (!a->outcome->finite) return;
    const int64_t chunks = (a->count + CHUNK - 1) / CHUNK;
    const real b1 = (real)a->beta1, b2 = (real)a->beta2, l2 = (real)a->l2;
    const real rest1 = (real)(1 - a->beta1), rest2 = (real)(1 - a->beta2);
    const real gradient_scale = (real)a->outcome->gradient_scale;
    const real correction = (real)(1 / sqrt(a->step->correction2));
    const real rate = (real)(a->step->rate / a->step->correction1);
    const real epsilon = (real)a->epsilon, kept = (real)(1 - a->step->rate * a->decay);
#pragma omp parallel for schedule(static) if (worth_sharing(a->count * COSTLY))
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t end = (chunk + 1) * CHUNK < a->count ? (chunk + 1) * CHUNK : a->count;
        for (int64_t i = chunk * CHUNK; i < end; i += LANES) {
            const int64_t left = end - i;
            vec x = vec_load(a->master + i, left);
            vec g = vec_load(a->gradient + i, left) * gradient_scale + x * l2;
            vec m = vec_load(a->m + i, left) * b1 + g * rest1;
            vec v = vec_load(a->v + i, left) * b2 + g * g * rest2;
            vec root = v;
            for (int k = 0; k < LANES; k++) root[k] = SQUARE_ROOT(v[k]);
            vec_store(a->m + i, left, m);
            vec_store(a->v + i, left, v);
            x = x * kept - rate * m / (root * correction + epsilon);
            vec_store(a->master + i, left, x);
            if (operand != a->master) vec_store(operand + i, left, x);
        }
    }
}

/* Sums are computed in double over fixed parts, which are added in order. */
enum { PARTS = 512 };

static double sum_of(const real *x, int64_t from, int64_t end)
{
    double sum = 0;
    for (int64_t i = from; i < end; i++) sum += (double)x[i];
    return sum;
}

/* Uses one sum per lane, because in a single sum every addition would wait for the previous one. */
static double squares_of(const real *x, int64_t from, int64_t end)
{
    double of[LANES] = {0}, sum = 0;
    int64_t i = from;
    for (; i + LANES <= end; i += LANES)
        for (int k = 0; k < LANES; k++) of[k] += (double)x[i + k] * (double)x[i + k];
    for (int k = 0; i + k < end; k++) of[k] += (double)x[i + k] * (double)x[i + k];
    for (int k = 0; k < LANES; k++) sum += of[k];
    return sum;
}

static double reduce(const real *x, int64_t count,
                     double (*part_of)(const real *x, int64_t from, int64_t end))
{
    double part[PARTS] = {0}, sum = 0;
    const int64_t size = (count + PARTS - 1) / PARTS;
#pragma omp parallel for schedule(static) if (worth_sharing(count))
    for (int p = 0; p < PARTS; p++) {
        const int64_t end = (p + 1) * size < count ? (p + 1) * size : count;
        part[p] = part_of(x, p * size, end);
    }
    for (int p = 0; p < PARTS; p++) sum += part[p];
    return sum;
}

/* result (+)= sum of x [T]. */
void CPU(sum)(const real *x, int T, const int32_t *rows, bool add, double *result)
{
    const double sum = reduce(x, op_rows(T, rows), sum_of);
    *result = add ? *result + sum : sum;
}

/* result = sum of x^2, x [count]. */
void CPU(sum_of_squares)(const real *x, int64_t count, double *result)
{
    *result = reduce(x, count, squares_of);
}

/* mean += (x - mean) / nth. This is a running mean of checkpoints; x is the nth. */
void CPU(average)(real *mean, const real *x, int64_t count, int64_t nth)
{
    const real share = (real)(1.0 / (double)nth);
#pragma omp parallel for schedule(static) if (worth_sharing(count))
    for (int64_t i = 0; i < count; i++) mean[i] += (x[i] - mean[i]) * share;
}
