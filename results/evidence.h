/* What stands behind a score: its hypotheses, the references, and the statistics of every sentence,
 * from the folders of the score stage and of its corpus.
 *
 * Nothing is believed: digests of the hypotheses (done.json) and of the references (the signature)
 * are verified, and the score that follows from the statistics must be the one that was recorded.
 * Read once per process. */
#ifndef RESULTS_EVIDENCE_H
#define RESULTS_EVIDENCE_H

#include "core/decode/statistic.h"
#include "results/store.h"

struct evidence {
    const char *problem; /* NULL; or in one line why there is none, and then nothing else counts */
    const char *id, *name;                 /* of the score stage; name: "score-0123456789ab" */
    const char *corpus, *train;            /* ids of the stages that it read */
    const char *corpus_folder, *split;     /* "RUNS/stages/corpus-...", "test" */
    int sentences, sets;                   /* mean_of_best(N) has N sets of hypotheses */
    const char *const *const *hypothesis;  /* [sets][sentences] */
    const char *const *reference;          /* [sentences] */
    const struct bleu_stats *const *stats; /* [sets][sentences] */
    const void *const *item;               /* [sets][sentences] the same for the statistic */
    struct bleu_options bleu;
    struct statistic statistic;
    struct strata strata;
    const char *signature;
    double score; /* mean BLEU of the sets */
};

/* `id` is the whole id of a score stage. Never NULL; it belongs to the process. */
const struct evidence *evidence_stats(struct store *store, const char *id);

#endif
