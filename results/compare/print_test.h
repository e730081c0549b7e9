/* Prints one test, for `compare` and `table --explain`. */
#pragma once

#include "results/table/paired_tests.h"

/* Prints the difference with its interval, the pooling, each p, and the smallest difference that
 * the test detects. The sides must have been compared. `unit` is the name of the values, such as
 * "BLEU". `options` are those of the test. Scratch memory is in the arena. */
void print_test(const struct paired_test *test, const char *unit, int decimals,
                const struct significance_options *options, struct arena *arena, FILE *out);
