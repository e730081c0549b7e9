/* Where the localness of a frozen encoder looks (Yang et al. 2018, figures 2 and 3): the center P
 * and the window D of every query, by layer and head, beside its own position. Of a layer with
 * several gauss terms it is the first one that is looked at. */
#pragma once

#include "core/model/frozen.h"

/* Whether the attention of any layer has a gauss term. */
bool localness_any(const struct encoder_options *encoder);

enum localness_column {
    LOCALNESS_LAYER,    /* from 1 */
    LOCALNESS_HEAD,     /* from 1; local heads alone */
    LOCALNESS_SENTENCE, /* from 1 */
    LOCALNESS_POSITION, /* from 0, as centers are */
    LOCALNESS_KEYS,     /* I, of the sentence with <eos> */
    LOCALNESS_CENTER,   /* P; of center: self the position */
    LOCALNESS_WINDOW,   /* D; of {fixed: D} that */
    LOCALNESS_COLUMNS
};
extern const char *const localness_names[LOCALNESS_COLUMNS];

struct localness {
    int64_t rows;
    float *number; /* [rows][LOCALNESS_COLUMNS] by layer, head, sentence, position */
};
/* Of the loaded set, in the arena. */
struct localness localness_measure(struct frozen *frozen, const struct split *split,
                                   struct arena *arena);
