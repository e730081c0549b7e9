/* Computes facts of a corpus, such as its numbers of tokens, before anything is trained. The facts
 * are exact if the corpus stage is done. Otherwise one pass over the text estimates them. If the
 * text is missing, the vocabulary sizes are assumed and the other numbers are 0. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/corpus/text_audit.h"
#include "experiments/stage/stage.h"
#include "core/decode/beam.h"
#include "core/model/translator.h"

enum { FACTS_CHARACTERS = 512 }; /* assumed number of distinct characters of a missing text */

struct corpus_facts {
    const struct corpus *corpus; /* if its stage is done; then all other members are exact */
    bool counted;                /* true if the stage is not done and the text was counted */
    const struct corpus *like;   /* if `counted`: a corpus of estimated lengths, without tokens */
    int64_t vocabulary[SIDES];   /* upper bounds: 3 + 2 x distinct characters + merges */
    int64_t sentences[SPLITS];
    int64_t tokens[SPLITS][SIDES];
    int64_t bytes;                        /* size of the text files */
    const struct text_findings *findings; /* if `counted`; else see corpus_findings */
};

/* Returns the facts of a corpus stage. They are computed once for each stage. */
const struct corpus_facts *corpus_facts(struct stage *stage, struct arena *arena);
/* Returns the findings in the text of a corpus. A finished corpus stage has recorded its findings.
 * Returns NULL if they are unknown, as those of a stage of an older program. */
const struct text_findings *corpus_findings(struct stage *stage, struct arena *arena);

/* Computes facts of a model and its training before the model exists. The facts are computed once
 * for all stages that have the same relevant options. Examples are all seeds, and all rows of a
 * sweep over learning rates. */

struct model_facts {
    int64_t body, parameters;    /* see struct estimate */
    int row;                     /* see struct estimate */
    int64_t steps;               /* with the seed of the first stage; other seeds differ slightly */
    struct translator_cost cost; /* cost of all steps; 0: the text is missing */
    double memory;               /* peak bytes of training on the host; 0: the text is missing */
    double device;               /* peak bytes of training in the device's own memory */
};

/* Returns the facts of a model that is trained on the corpus stage `corpus`. The result is cached
 * in this stage, so the arena must live as long as the stage. */
struct model_facts model_facts(const struct settings *settings, uint32_t seed, struct stage *corpus,
                               struct arena *arena);

/* Peak bytes of a beam search over a split: `memory` in the host's memory, `device` in the device's
 * own memory. 0: the text is missing. On the host, the bytes are for one thread. Each further
 * thread needs about as much again, as far as crew.c uses several threads. */
struct search_facts {
    double memory, device;
};
struct search_facts search_facts(const struct settings *settings, struct stage *corpus,
                                 enum precision precision, const struct beam_options *beam,
                                 enum split_name split, struct arena *arena);

/* Returns the estimated cost of a stage, in all members up to `seconds`: by its kind, or else a
 * guess. */
struct estimate stage_estimate(struct stage *stage, struct arena *arena);
/* Returns the estimated cost of one forward pass of the model of `stage` over `source` source
 * tokens and `target` target tokens. The first input of the stage must be the corpus. */
struct estimate facts_forward(const struct stage *stage, double source, double target,
                              struct arena *arena);
