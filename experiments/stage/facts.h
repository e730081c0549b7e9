/* What is known of a corpus while nothing is trained yet: exact once its stage is done, else
 * estimated by reading through the text, else (the text is not there) only bounds. */
#pragma once

#include "core/corpus/corpus.h"
#include "core/corpus/text_audit.h"
#include "experiments/stage/stage.h"
#include "core/decode/beam.h"
#include "core/model/translator.h"

/* Distinct characters that text which is not there is taken to have; of Chinese or Japanese. */
enum { FACTS_CHARACTERS = 512, FACTS_IDEOGRAPHS = 8192 };

struct corpus_facts {
    const struct corpus *corpus; /* when its stage is done: everything below is exact */
    bool counted;                /* else: the text is there, and was counted */
    const struct corpus *like;   /* then: lengths of sentences as they may be, without tokens */
    int64_t vocabulary[SIDES];   /* upper bounds: 3 + 2 x characters + merges */
    int64_t sentences[SPLITS];
    int64_t tokens[SPLITS][SIDES];
    int64_t bytes;                        /* of the text */
    const struct text_findings *findings; /* of text that was counted; else corpus_findings */
};

/* Of a corpus stage; computed once for each stage. */
const struct corpus_facts *corpus_facts(struct stage *stage, struct arena *arena);
/* As a done corpus recorded them. A corpus of an older version recorded none: its text is read, if
 * it is short. NULL: they are not known. */
const struct text_findings *corpus_findings(struct stage *stage, struct arena *arena);

/* What is known of a model and its training before there is one: counted once for all stages that
 * agree in what counts (the rows of a sweep over the learning rate, all seeds). */

struct model_facts {
    int64_t body, parameters; /* as in struct estimate, */
    int row;                  /* and this */
    int64_t steps; /* of the first such stage that was asked about: seeds differ by few */
    struct translator_cost cost; /* of all steps; 0: no text to count */
    double memory;               /* peak bytes of training; 0: the text is not there */
    double device;               /* of them in a device's own memory */
};

/* `corpus` is the stage that the model is trained on, which keeps what was counted; the arena lives
 * as long as it does. */
struct model_facts model_facts(const struct settings *settings, uint32_t seed, struct stage *corpus,
                               struct arena *arena);

/* Peak bytes of a beam search of a split with a model of these settings, and of them those in a
 * device's own memory; 0: the text is not there. On the host by one thread: others take as much
 * again, within what crew.c allows. */
struct search_facts {
    double memory, device;
};
struct search_facts search_facts(const struct settings *settings, struct stage *corpus,
                                 enum precision precision, const struct beam_options *beam,
                                 enum split_name split, struct arena *arena);

/* Of one forward pass over so many tokens, by the model of a stage whose first input is the
 * corpus. */
struct estimate facts_forward(struct stage *stage, double source, double target,
                              struct arena *arena);
