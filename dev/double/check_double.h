/* Checks that need real = double: values of attention against its equations, gradients against
 * finite differences.
 *
 * This folder is compiled with real = double. sanlab-dev links it, and the parts of core that it
 * needs, as one relocatable object (the Makefile's check_double.o). The only name that this object
 * shows is check_double, so it does not collide with the float build of the same files. Models
 * cross the border as YAML, devices by name (in double there is the CPU alone), and findings as
 * numbers and text, so no struct with a `real` in it does. */
#pragma once

#include "core/check/check.h"

struct check_double {
    const struct check *list; /* all checks in double */
    int (*model)(const struct check *list, const char *device, const char *name, const char *yaml,
                 struct finding finding[CHECKS]);
    double *(*logits)(const char *device, const char *name, const char *yaml, struct arena *arena,
                      int64_t *count);
};
extern const struct check_double check_double;

/* The output of every block of attention against the dense oracle (attention/dense.h), whole
 * sentences in the infer list. */
void check_values(struct check_subject *subject, struct finding *finding);
/* Analytic against central differences, with dropouts, summed over two micro-batches: along one
 * random direction and at a few elements of every parameter, to 1e-6 of the gradient's norm. */
void check_gradients(struct check_subject *subject, struct finding *finding);
