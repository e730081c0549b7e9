/* Speed of a device: its peak rates, and whole training steps. Timed by the device's marks (struct
 * ops: mark, elapsed). */
#pragma once

#include "core/train/translating.h"

/* product: operations per second of one large product. copy: bytes read and written per second in a
 * copy of activations. Both are the best of five, in the table's precision. Sizes grow until the
 * operation takes a millisecond. */
struct device_ceilings {
    double product, copy;
    int size; /* rows and columns of the product */
};
struct device_ceilings device_ceilings(const struct ops *ops);

/* Consecutive steps as in training: recorded, without waiting. Mean seconds per step. wall: by the
 * wall clock. host: time in which the host was busy. device: from the first to the last work on the
 * device. */
struct device_pace {
    double wall, host, device;
    int64_t tokens[SIDES]; /* real tokens per step, mean */
};
/* Times the same `batches` of an epoch in each of `rounds`, after two warm-up rounds. */
struct device_pace device_pace(const struct translating *translating, int batches, int rounds);
