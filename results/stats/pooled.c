/* Computes the variance between seeds. It is pooled over the rows of a family, unless the compared
 * pair varies significantly more than the other rows. */
#include "results/stats/pooled.h"

#include <math.h>

#include "core/base/base.h"
#include "core/base/mean.h"

/* The pair's own variance is used if the p of its F test against the other rows is below this
 * number. */
static const double doubt = 0.25;

struct pooled_row pooled_row(const double *value, int seeds)
{
    CHECK(seeds > 1, "the variance of %d values", seeds);
    const double deviation = mean_deviation(value, seeds);
    return (struct pooled_row){deviation * deviation, seeds, 1};
}

/* Returns the own E of a contrast (Welch) with Satterthwaite's degrees of freedom, and the sum of
 * w_i^2 / n_i in *shares. */
static struct student_part own_error(const struct pooled_row *own, int owns, double *shares)
{
    double variance = 0, squares = 0;
    *shares = 0;
    for (int i = 0; i < owns; i++) {
        const double share = own[i].weight * own[i].weight / own[i].seeds,
                     part = share * own[i].variance;
        *shares += share;
        variance += part;
        squares += part * part / (own[i].seeds - 1);
    }
    return (struct student_part){variance, variance * variance / squares};
}

/* Sums over the rows of a pool: `freedom` is sum f_i, and `squares` is sum f_i s_i^2. */
struct variances {
    int rows;
    double freedom, squares;
};

static void variances_add(struct variances *pool, const struct pooled_row *row, int rows)
{
    for (int i = 0; i < rows; i++) {
        pool->freedom += row[i].seeds - 1;
        pool->squares += (row[i].seeds - 1) * row[i].variance;
    }
    pool->rows += rows;
}

/* Returns the sum of (f_i / sum f)^2 (s_i^2 - s^2)^2 over these rows of the pool. */
static double spread(const struct variances *pool, const struct pooled_row *row, int rows)
{
    double sum = 0;
    for (int i = 0; i < rows; i++) {
        const double share = (row[i].seeds - 1) / pool->freedom,
                     beyond = row[i].variance - pool->squares / pool->freedom;
        sum += share * share * beyond * beyond;
    }
    return sum;
}

struct student_part pooled_error(const struct pooled_row *own, int owns,
                                 const struct pooled_row *other, int others)
{
    struct variances all = {0}, rest = {0};
    double shares;
    CHECK(owns > 0, "a contrast of %d rows", owns);
    variances_add(&all, own, owns);
    variances_add(&all, other, others);
    variances_add(&rest, other, others);
    const struct student_part welch = own_error(own, owns, &shares);
    const double variance = all.squares / all.freedom;
    struct student_part error = {variance * shares, all.freedom};
    if (!(variance > 0)) return error; /* no row varies between seeds */
    const double around = spread(&all, own, owns) + spread(&all, other, others);
    if (around > 0) /* false for a single row, whose s_i^2 is s^2 */
        error.freedom = fmax(
            1, fmin(all.freedom, 2 * variance * variance / around * (all.rows - 1) / all.rows));
    if (!(welch.variance > 0)) return error;
    const double others_error = others ? rest.squares / rest.freedom * shares : 0;
    if (others_error > 0 &&
        fisher_above(welch.variance / others_error, welch.freedom, rest.freedom) >= doubt)
        return error;
    int fewest = own[0].seeds, most = fewest;
    for (int i = 1; i < owns; i++) {
        if (own[i].seeds < fewest) fewest = own[i].seeds;
        if (own[i].seeds > most) most = own[i].seeds;
    }
    error.variance = fmax(error.variance, welch.variance);
    error.freedom = fmin(error.freedom, fewest < most ? fewest - 1 : welch.freedom);
    return error;
}
