/* Declares the checks that need real = double. They compare values of attention with its equations,
 * and gradients with finite differences. */
#pragma once

#include "core/check/model_check.h"

/* Compares the output of every block of attention with the dense oracle (dense_block.h), for
 * whole sentences in the inference list. */
void check_values(struct check_subject *subject, struct finding *finding);
/* Compares analytic gradients with central differences. The loss has dropout, and is summed over
 * two micro-batches. For every parameter, tests one random direction and a few elements. The limit
 * is 1e-6 of the gradient's norm. */
void check_gradients(struct check_subject *subject, struct finding *finding);
