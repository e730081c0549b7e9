/* Measures the localness of a frozen encoder (Yang et al. 2018, figures 2 and 3). The result has
 * the position, center P and window D of every query, in each layer and head. In a layer with
 * several gauss terms the first term is measured. */
#pragma once

#include "core/model/frozen.h"

/* True if the attention of any layer has a gauss term. */
bool localness_any(const struct encoder_options *encoder);

enum localness_column {
    LOCALNESS_LAYER,    /* from 1 */
    LOCALNESS_HEAD,     /* from 1; local heads only */
    LOCALNESS_SENTENCE, /* from 1 */
    LOCALNESS_POSITION, /* from 0, like centers */
    LOCALNESS_KEYS,     /* I, the number of keys of the sentence, <eos> included */
    LOCALNESS_CENTER,   /* P; with center: self, the position */
    LOCALNESS_WINDOW,   /* D; with {fixed: D}, that D */
    LOCALNESS_COLUMNS
};
extern const char *const localness_names[LOCALNESS_COLUMNS];

struct localness {
    int64_t rows;
    float *number; /* [rows][LOCALNESS_COLUMNS] by layer, head, sentence, position */
};
/* Measures the loaded set. The result is in the arena. */
struct localness localness_measure(struct frozen *frozen, const struct split *split,
                                   struct arena *arena);
