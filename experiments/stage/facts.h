/* Facts of a corpus before anything is trained. They are exact if the stage of the corpus is done.
 * Otherwise they are estimated by one pass over the text. If the text is missing, they are
 * bounds. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/corpus/text_audit.h"
#include "experiments/stage/stage.h"
#include "core/decode/beam.h"
#include "core/model/translator.h"

/* Assumed numbers of distinct characters of a missing text: in general, and of Chinese or
 * Japanese. */
enum { FACTS_CHARACTERS = 512, FACTS_IDEOGRAPHS = 8192 };

struct corpus_facts {
    const struct corpus *corpus; /* if its stage is done; then everything below is exact */
    bool counted;                /* otherwise: true if the text exists and was counted */
    const struct corpus *like;   /* if counted: estimated lengths of sentences, without tokens */
    int64_t vocabulary[SIDES];   /* upper bounds: 3 + 2 x characters + merges */
    int64_t sentences[SPLITS];
    int64_t tokens[SPLITS][SIDES];
    int64_t bytes;                        /* of the text */
    const struct text_findings *findings; /* of counted text; otherwise see corpus_findings */
};

/* Returns the facts of a corpus stage. They are computed once for each stage. */
const struct corpus_facts *corpus_facts(struct stage *stage, struct arena *arena);
/* Returns the findings that a done corpus recorded. Older versions recorded none: then the text is
 * read if it is short. NULL if they are unknown. */
const struct text_findings *corpus_findings(struct stage *stage, struct arena *arena);

/* Facts of a model and its training before it exists. They are computed once for all stages with
 * the same relevant options (for example all rows of a sweep over learning rates, all seeds). */

struct model_facts {
    int64_t body, parameters;    /* see struct estimate */
    int row;                     /* see struct estimate */
    int64_t steps;               /* of the first such stage; seeds differ slightly */
    struct translator_cost cost; /* of all steps; 0: no text to count */
    double memory;               /* peak bytes of training; 0: the text is missing */
    double device;               /* part of `memory` in the device's own memory */
};

/* Returns the facts of a model. `corpus`: the stage on which the model is trained; it caches the
 * result. The arena must live as long as the stage. */
struct model_facts model_facts(const struct settings *settings, uint32_t seed, struct stage *corpus,
                               struct arena *arena);

/* Peak bytes of a beam search of a split with a model of these settings: in all, and in a device's
 * own memory. 0: the text is missing. On the host the bytes are for one thread. Every further
 * thread adds as much, within the limits of crew.c. */
struct search_facts {
    double memory, device;
};
struct search_facts search_facts(const struct settings *settings, struct stage *corpus,
                                 enum precision precision, const struct beam_options *beam,
                                 enum split_name split, struct arena *arena);

/* Returns the estimate of one forward pass over `source` and `target` tokens by the model of a
 * stage whose first input is the corpus. */
struct estimate facts_forward(struct stage *stage, double source, double target,
                              struct arena *arena);
