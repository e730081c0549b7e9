/* Every composition of attention that the lists of attention/attention.h can spell, by the examples
 * and presets that terms and fusions bring, and encoders of recurrent layers. Whoever adds a term
 * or a fusion adds nothing to the tests that walk these. */
#pragma once

#include "attention/attention.h"
#include "tests/support/test.h"

enum { VARIANTS = 256, VARIANT_LISTS = 12 };

/* Texts of YAML for one element of `terms`, or for `fusion`; those of a type in a row. */
struct variants {
    int count;
    const char *text[VARIANTS]; /* first "": none */
    const void *type[VARIANTS];
};
/* The last ones are terms of several types together. */
struct variants variants_of_terms(bool presets);
struct variants variants_of_fusions(void);
bool variant_is_first(const struct variants *variants, int at); /* of its type */

/* Lists of branches that are written at a place, up to NULL; for every fusion some that suit it. */
extern const char *const variant_branches[3][VARIANT_LISTS];
extern const char *const variant_places[3];

/* The YAML of a model of one layer a side that has them at all three places; `sizes`: of the
 * section model. */
const char *variant_model(struct arena *arena, const char *sizes, const char *terms,
                          const char *fusion);

/* Runs tests of all terms without and with a fusion, and all fusions: `test` gets the YAML of
 * variant_model as its state; `crossed`, if there is one, takes its place where both are there.
 * Then of stacks of every kind of recurrent layer in every direction, without and with a shortcut.
 * Returns the exit status of main. */
int variant_run_tests(const char *sizes, CMUnitTestFunction test, CMUnitTestFunction crossed);

/* A variant as one layer has it: branches "global, {window: 1}", terms "{gauss: {}}", fusion "sum"
 * (or ""). NULL when it is refused, and test_die_message says why. */
struct variant {
    enum attention_place place;
    const char *branches, *terms, *fusion;
};
const struct attention_spec *variant_spec(const struct variant *variant,
                                          const struct attention_size *size);
