/* Computes the p and the confidence interval of a difference. Uses the variance between seeds if
 * both sides have several seeds, else the resamples. */
#include "results/stats/difference.h"

#include <float.h>
#include <math.h>

#include "core/base/mean.h"
#include "core/decode/resample.h"

/* Degrees of freedom at which Student's t is practically normal */
enum { NORMAL = 1000000 };

/* Relative rounding errors of values, and of single precision numbers and their means. */
static const double rounding = 1e-9, rounding_single = 4 * (double)FLT_EPSILON;

double difference_rounding(double a, double b)
{
    return rounding * fmax(fabs(a), fabs(b));
}

/* Returns a - b. Returns 0 if the numbers differ by rounding alone. */
static double less(double a, double b, double error)
{
    return fabs(a - b) > error * fmax(fabs(a), fabs(b)) ? a - b : 0;
}

/* Returns the tolerance for rounding. If items have few different values, many resampled
 * differences are equal to the limit. Rounding must not move them beyond the limit. */
static double tolerance(double limit)
{
    return 1e-9 * fmax(1, fabs(limit));
}

static double least_p(int items, int samples)
{
    const double least = ldexp(1, -items);
    return least * samples > 1 ? least : 0;
}

static void take_samples(struct difference_known *known, const struct difference_side *ours,
                         const struct difference_side *theirs,
                         const struct difference_design *design, struct arena *arena)
{
    double *sample = ARENA_ARRAY(arena, double, design->samples);
    int count = 0;
    for (int i = 0; i < design->samples; i++)
        if (isfinite(ours->sample[i]) && isfinite(theirs->sample[i]))
            sample[count++] = less(ours->sample[i], theirs->sample[i],
                                   design->single ? rounding_single : rounding);
    resample_sort(sample, count);
    known->samples = count;
    known->sample = sample;
    const bool varies = sample[count - 1] - sample[0] > tolerance(known->value);
    known->spread = varies && design->items > design->strata ? mean_deviation(sample, count) : 0;
    known->least = least_p(design->items, design->samples);
}

static struct student_part seeds_error(const struct difference_side *ours,
                                       const struct difference_side *theirs,
                                       const struct difference_design *design, struct arena *arena)
{
    const int n = ours->seeds;
    struct pooled_row own[2];
    if (design->owns) return pooled_error(design->own, design->owns, design->other, design->others);
    if (!design->paired) {
        own[0] = pooled_row(ours->value, n);
        own[1] = pooled_row(theirs->value, theirs->seeds);
        return pooled_error(own, 2, design->other, design->others);
    }
    double *each = ARENA_ARRAY(arena, double, n);
    for (int i = 0; i < n; i++) each[i] = less(ours->value[i], theirs->value[i], rounding);
    own[0] = pooled_row(each, n);
    return pooled_error(own, 1, design->other, design->others);
}

struct difference_known difference_of(const struct difference_side *ours,
                                      const struct difference_side *theirs,
                                      const struct difference_design *design, struct arena *arena)
{
    const int n = ours->seeds, m = theirs->seeds;
    CHECK(n > 0 && m > 0 && (!design->paired || n == m), "%d seeds against %d", n, m);
    struct difference_known known = {.a = mean_of(ours->value, n),
                                     .b = mean_of(theirs->value, m),
                                     .seeds = n < m ? n : m,
                                     .items = design->items,
                                     .strata = design->strata};
    known.value = less(known.a, known.b, rounding);
    if (ours->sample && theirs->sample) take_samples(&known, ours, theirs, design, arena);
    if (known.seeds < 2) return known;
    known.of_seeds = seeds_error(ours, theirs, design, arena);
    known.of_items =
        (struct student_part){known.spread * known.spread, design->items - design->strata};
    return known;
}

bool difference_by_seeds(const struct difference_known *known)
{
    return known->seeds > 1 && known->of_seeds.variance + known->of_items.variance > 0;
}

/* Returns the one-sided p: of d > limit if `sign` is 1, of d < limit if `sign` is -1. */
static double beyond(const struct difference_known *known, double limit, int sign)
{
    const int last = known->samples - 1;
    int within = 0;
    if (difference_by_seeds(known))
        return fiducial_share(sign * (limit - known->value), known->of_seeds, known->of_items);
    if (!known->sample) return !(sign * known->value > sign * limit);
    while (within <= last && sign * known->sample[sign > 0 ? within : last - within] <=
                                 sign * limit + tolerance(limit))
        within++;
    return fmax(known->least, (within + 1.) / (known->samples + 1.));
}

double difference_above(const struct difference_known *known, double limit)
{
    return beyond(known, limit, 1);
}

double difference_below(const struct difference_known *known, double limit)
{
    return beyond(known, limit, -1);
}

double difference_p(const struct difference_known *known)
{
    if (known->value == 0) return 1;
    const double p = beyond(known, 0, known->value > 0 ? 1 : -1);
    return known->seeds > 1 ? fmin(1, 2 * p) : p;
}

void difference_interval(const struct difference_known *known, double tail, double *low,
                         double *high)
{
    double half = 0;
    if (known->sample && !difference_by_seeds(known)) {
        int skip = (int)(tail * known->samples + 1e-9);
        if (skip > known->samples / 2) skip = known->samples / 2;
        *low = known->sample[skip];
        *high = known->sample[known->samples - 1 - skip];
        return;
    }
    if (difference_by_seeds(known))
        half = fiducial_quantile(1 - tail, known->of_seeds, known->of_items);
    *low = known->value - half;
    *high = known->value + half;
}

/* Returns the difference that is detected with these variances. */
static double detected(struct student_part seeds, struct student_part items, double tail,
                       double power)
{
    if (!(seeds.variance + items.variance > 0)) return 0;
    return fiducial_quantile(1 - tail, seeds, items) + fiducial_quantile(power, seeds, items);
}

/* Returns the variance over items alone, for a comparison without variance between seeds. */
static struct student_part items_alone(const struct difference_known *known, int freedom)
{
    return (struct student_part){known->spread * known->spread, freedom > 0 ? freedom : NORMAL};
}

double difference_detectable(const struct difference_known *known, double tail, double power)
{
    return difference_by_seeds(known)
               ? detected(known->of_seeds, known->of_items, tail, power)
               : detected((struct student_part){0}, items_alone(known, NORMAL), tail, power);
}

double difference_floor(const struct difference_known *known, double tail, double power)
{
    return detected((struct student_part){0}, items_alone(known, known->items - known->strata),
                    tail, power);
}

/* Returns the detectable difference with this number of seeds, and with `items` times as many
 * items. */
static double detectable_with(const struct difference_known *known, int seeds, double items,
                              double tail, double power)
{
    const struct student_part of_seeds = {known->of_seeds.variance * known->seeds / seeds,
                                          known->of_seeds.freedom * (seeds - 1) /
                                              (known->seeds - 1)},
                              of_items = {known->of_items.variance / items,
                                          fmax(1, known->items * items - known->strata)};
    return detected(of_seeds, of_items, tail, power);
}

struct difference_plan difference_plan(const struct difference_known *known, double wanted,
                                       double tail, double power)
{
    struct difference_plan plan = {0};
    double items = 1;
    if (difference_floor(known, tail, power) >= wanted) {
        items = 2 * pow(difference_floor(known, tail, power) / wanted, 2);
        plan.items = known->items * items;
    }
    int low = 2, high = DIFFERENCE_SEEDS + 1; /* more seeds detect smaller differences */
    while (low < high) {
        const int middle = (low + high) / 2;
        if (detectable_with(known, middle, items, tail, power) <= wanted)
            high = middle;
        else
            low = middle + 1;
    }
    plan.seeds = low > DIFFERENCE_SEEDS ? 0 : low;
    return plan;
}
