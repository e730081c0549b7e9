/* evaluate.bleu: which text is translated, how, and with which checkpoint. */
#pragma once

#include "core/decode/beam.h"
#include "experiments/grid/settings.h"

struct score_options {
    int split; /* enum split_name */
    const char *checkpoint;
    struct beam_options beam;
    int precision; /* enum precision, that is searched in */
};
extern const struct evaluation evaluation_score; /* of a struct score_options */
