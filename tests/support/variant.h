/* Every composition of attention that the lists of attention/attention.h allow, from the
 * examples and presets of terms and fusions, and encoders of recurrent layers. A new term or
 * fusion needs no change in the tests that use these lists. */
#pragma once

#include "attention/attention.h"
#include "tests/support/test.h"

enum { VARIANTS = 256, VARIANT_LISTS = 12 };

/* YAML texts for one element of `terms`, or for `fusion`. Texts of the same type are adjacent. */
struct variants {
    int count;
    const char *text[VARIANTS]; /* the first is "": none */
    const void *type[VARIANTS];
};
/* Returns the terms; the last texts combine terms of several types. */
struct variants variants_of_terms(bool presets);
struct variants variants_of_fusions(void);

/* Lists of branches for a place, ending in NULL. Every fusion has some suitable lists. */
extern const char *const variant_branches[3][VARIANT_LISTS];
extern const char *const variant_places[3];

/* Returns the last place that can have the terms: terms that map queries and keys cannot be in
 * decoder.cross. */
enum attention_place variant_last_place(const char *terms);

/* Returns the YAML of a model with one layer per side and these terms at all places that can have
 * them. `sizes`: options of the section model. */
const char *variant_model(struct arena *arena, const char *sizes, const char *terms,
                          const char *fusion);

/* Runs tests of all terms without and with a fusion, and of all fusions. `test` gets the YAML of
 * variant_model as its state; `crossed`, if not NULL, replaces it when a term and a fusion are
 * combined. Then runs tests of stacks of every kind of recurrent layer in every direction,
 * without and with a shortcut. Returns the exit status of main. */
int variant_run_tests(const char *sizes, CMUnitTestFunction test, CMUnitTestFunction crossed);

/* A variant of one layer: branches "global, {window: 1}", terms "{gauss: {}}", fusion "sum" (or
 * ""). variant_spec returns NULL if it is refused; the reason is in test_die_message. */
struct variant {
    enum attention_place place;
    const char *branches, *terms, *fusion;
};
const struct attention_spec *variant_spec(const struct variant *variant,
                                          const struct attention_size *size);
