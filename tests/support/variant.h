/* Every composition of attention that the lists of attention/attention.h can spell, by the examples
 * and presets that terms and fusions bring. Whoever adds a term or a fusion adds nothing to the
 * tests that walk these. */
#ifndef TESTS_SUPPORT_VARIANT_H
#define TESTS_SUPPORT_VARIANT_H

#include "attention/attention.h"

enum { VARIANTS = 256 };

/* Texts of YAML for one element of `terms`, or for `fusion`; those of a type in a row. */
struct variants {
    int count;
    const char *text[VARIANTS]; /* first "": none */
    const void *type[VARIANTS];
};
/* The last one is a term of each type together. */
struct variants variants_of_terms(struct arena *arena, bool presets);
struct variants variants_of_fusions(struct arena *arena);
bool variant_is_first(const struct variants *variants, int at); /* of its type */

/* "branches: [global], terms: [{gauss: {}}], fusion: sum" for a layer of a model of this size; NULL
 * when it is refused, and test_die_message says why. */
const struct attention_spec *variant_spec(struct arena *arena, enum attention_place place,
                                          const struct attention_size *size, const char *branches,
                                          const char *terms, const char *fusion);

#endif
