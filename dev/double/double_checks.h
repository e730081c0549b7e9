/* Declares the checks that need real = double. They compare values of attention with its equations,
 * and gradients with finite differences.
 *
 * This folder is compiled with real = double. sanlab-dev links it, with the necessary parts of
 * core, as one relocatable object (the Makefile's check_double.o). The only exported name is
 * check_double, so the object does not collide with the float build of the same files. No struct
 * with a `real` crosses the interface. Models are passed as YAML, findings as numbers and text, and
 * devices by name (in double there is only the CPU). */
#pragma once

#include "core/check/model_check.h"

struct check_double {
    const struct check *list; /* all checks in double */
    int (*model)(const struct check *list, const char *device, const char *name, const char *yaml,
                 struct finding finding[CHECKS]);
    double *(*logits)(const char *device, const char *name, const char *yaml, struct arena *arena,
                      int64_t *count);
};
extern const struct check_double check_double;

/* Compares the output of every block of attention with the dense oracle (attention/dense.h), for
 * whole sentences in the inference list. */
void check_values(struct check_subject *subject, struct finding *finding);
/* Compares analytic gradients with central differences. The loss has dropout, and is summed over
 * two micro-batches. For every parameter, tests one random direction and a few elements. The limit
 * is 1e-6 of the gradient's norm. */
void check_gradients(struct check_subject *subject, struct finding *finding);
