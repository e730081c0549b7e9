/* Measures the speed of a device: its peak rates, and training steps. Times on the device come from
 * its marks (struct ops: mark, elapsed). */
#pragma once

#include "core/train/translating.h"

/* product: operations per second of one large product. copy: bytes read and written per second in a
 * copy of activations. Both are the best of five runs, in the precision of the op table. The size
 * is doubled until the product takes a millisecond. */
struct device_ceilings {
    double product, copy;
    int size; /* rows and columns of the product */
};
struct device_ceilings device_ceilings(const struct ops *ops);

/* Mean seconds per training step. As in training, steps are recorded, and the host does not wait
 * between two steps. wall: time of the whole step. host: time in which the host issues the step.
 * device: time between marks before and after the step. */
struct device_pace {
    double wall, host, device;
    int64_t tokens[SIDES]; /* mean number of tokens per step */
};
/* Measures steps with the first `batches` batches of an epoch, which are repeated in each of
 * `rounds` rounds. Two warm-up rounds precede the measured rounds. */
struct device_pace device_pace(const struct translating *translating, int batches, int rounds);
