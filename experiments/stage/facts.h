/* What is known of a corpus while nothing is trained yet: exact once its stage is done, else
 * estimated by reading through the text, else (the text is not there) only bounds. */
#ifndef EXPERIMENTS_STAGE_FACTS_H
#define EXPERIMENTS_STAGE_FACTS_H

#include "core/corpus/corpus.h"
#include "core/corpus/text_audit.h"
#include "experiments/stage/stage.h"

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

#endif
