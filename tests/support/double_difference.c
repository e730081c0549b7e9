/* Computes central differences. Differences in random directions detect a wrong factor anywhere.
 * Differences of single elements detect a wrong index. */
#include "tests/support/double_difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double difference_limit = 1e-6;

static double central(const struct difference *d, const double *direction, double h)
{
    d->move(d->context, direction, h);
    const double above = d->evaluate(d->context);
    d->move(d->context, direction, -2 * h);
    const double below = d->evaluate(d->context);
    d->move(d->context, direction, h);
    return (above - below) / (2 * h);
}

/* Compares one derivative. Repeats the difference with smaller steps, because the objective may
 * have a kink within a step. */
static void compare(const struct difference *d, const double *direction, double norm,
                    const char *what, struct finding *finding)
{
    double expected = 0, best = INFINITY, nearest = NAN;
    for (int64_t i = 0; i < d->count; i++) expected += d->gradient[i] * direction[i];
    for (double h = 2e-5; h > 3e-8 && !(best <= difference_limit); h /= 8) {
        const double got = central(d, direction, h), off = fabs(got - expected) / (norm + .01);
        if (off < best) best = off, nearest = got;
    }
    if (finding_add(finding, best))
        snprintf(finding->where, sizeof finding->where,
                 "%s, %s: the objective changes by %.10g, the gradient gives %.10g (norm %.3g)",
                 d->name, what, nearest, expected, norm);
}

void difference_find(const struct difference *d, struct finding *finding)
{
    const struct random_key key = {d->seed, random_stream(d->name)};
    double *direction = heap_alloc((size_t)d->count * sizeof *direction), norm = 0;
    uint64_t drawn = 0;
    for (int64_t i = 0; i < d->count; i++) norm += d->gradient[i] * d->gradient[i];
    norm = sqrt(norm);
    for (int k = 0; k < d->directions; k++) {
        double length = 0;
        for (int64_t i = 0; i < d->count; i++) {
            direction[i] = random_normal(key, drawn++);
            length += direction[i] * direction[i];
        }
        for (int64_t i = 0; i < d->count; i++) direction[i] /= sqrt(length);
        compare(d, direction, norm, "along a random direction", finding);
    }
    memset(direction, 0, (size_t)d->count * sizeof *direction);
    const int64_t elements = d->elements < d->count ? d->elements : d->count;
    for (int64_t k = 0; k < elements; k++) {
        const int64_t i = elements == d->count
                              ? k
                              : (int64_t)(random_uniform(key, drawn++, 1) * (double)d->count);
        char what[64];
        snprintf(what, sizeof what, "element %lld", (long long)i);
        direction[i] = 1;
        compare(d, direction, norm, what, finding);
        direction[i] = 0;
    }
    free(direction);
}

void difference_move(struct parameters *parameters, const struct parameter *parameter,
                     const double *direction, double amount)
{
    const int64_t count = (int64_t)parameter->rows * parameter->columns;
    real *host = heap_alloc((size_t)count * sizeof *host);
    real *device = parameters->master + parameter->offset;
    parameters->ops->download(host, device, (size_t)count * sizeof *host);
    for (int64_t i = 0; i < count; i++) host[i] += (real)(amount * direction[i]);
    parameters->ops->upload(device, host, (size_t)count * sizeof *host);
    parameters_refresh(parameters);
    free(host);
}

double *difference_gradient(struct arena *arena, const struct parameters *parameters,
                            const struct parameter *parameter)
{
    const int64_t count = (int64_t)parameter->rows * parameter->columns;
    SCOPED(heap_free) real *host = heap_alloc((size_t)count * sizeof *host);
    double *gradient = ARENA_ARRAY(arena, double, count);
    parameters->ops->download(host, parameters->gradient + parameter->offset,
                              (size_t)count * sizeof *host);
    for (int64_t i = 0; i < count; i++) gradient[i] = (double)host[i];
    return gradient;
}
