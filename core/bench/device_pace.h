/* What a device does at most, and whole training steps on it, timed by its own marks (struct ops:
 * mark, elapsed). */
#pragma once

#include "core/train/translating.h"

/* Operations per second of one large product, bytes read and written per second when activations
 * are copied: the best of five, in the table's precision. Sizes grow until one takes a
 * millisecond. */
struct device_ceilings {
    double product, copy;
    int size; /* of the product: as many rows as columns */
};
struct device_ceilings device_ceilings(const struct ops *ops);

/* Steps one behind the other, as in training: recorded, none waited for. Seconds of a step, in the
 * mean: by the wall clock; those in which the host was busy with it; those between its first and
 * its last work on the device. */
struct device_pace {
    double wall, host, device;
    int64_t tokens[SIDES]; /* real ones of a step, in the mean */
};
/* The same `batches` of an epoch in each of `rounds`, behind two rounds that warm up. */
struct device_pace device_pace(const struct translating *translating, int batches, int rounds);
