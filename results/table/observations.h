/* What stands behind a value of a stage, item by item, so that it can be resampled: hypotheses of
 * sentences with their references, or the items that the stage left (items.h).
 *
 * Nothing is believed: digests of what is read (done.json, and for references the signature) are
 * verified, and the statistic of all items must be the value that was recorded. Read once per
 * process. */
#pragma once

#include "core/decode/statistic.h"
#include "results/store/clusters.h"
#include "results/store/store.h"
#include "results/store/items.h"
#include "results/store/offer.h"

struct observations {
    const char *problem; /* NULL; or in one line why there is none, and then nothing else counts */
    bool absent;         /* with a problem: the stage was done before this value was measured */
    const char *id, *name; /* of the stage; name: "score-0123456789ab" */
    const char *files;     /* "hypotheses.txt", or of several sets "items.*.tsv" */
    const char *signature; /* how it was computed; of a class with it */
    const char *class;     /* of which the items are; NULL: all */
    int sets, items;       /* mean_of_best(N) has N sets of the same items */
    struct strata strata;
    struct statistic statistic;
    const void *const *item;  /* [sets] arrays of the statistic's items, stratum by stratum */
    const struct item *label; /* [items] class and stratum of each; NULL: of sentences */
    const int *line;          /* [items] of each in its file, from 0; NULL: of sentences */
    double score;             /* the statistic, mean of the sets */
    const struct observations_text *text; /* of BLEU; else NULL */
    int sums;
    const struct cluster_sum *sum; /* [sums] of clusters, which `items` counts; else NULL */
};

/* What only BLEU has. */
struct observations_text {
    const char *corpus, *train;           /* ids of the stages that it read */
    const char *corpus_folder, *split;    /* "RUNS/stages/corpus-...", "test" */
    const char *const *const *hypothesis; /* [sets][items] */
    const char *const *reference;         /* [items] the first one of each */
    int references;
    const char *const *const *every_reference; /* [references][items] */
    const struct bleu_stats *const *stats;     /* [sets][items] */
    struct bleu_options bleu;
};

/* Readers for a kind's offer (offer.h); `id` is the whole id of one of its stages. Never NULL; it
 * belongs to the process. `value` is in the stage's summary or, of a class, in the metric row of
 * that name and class. */
observations_reader observations_bleu;   /* observations_bleu.c */
observations_reader observations_metric; /* observations_metric.c: chrF, TER, counted again */
/* observations_items.c: the mean of items.tsv, with weights the ratio, or that of a class, which
 * has the problem of all where these have one */
observations_reader observations_items;
/* observations_clusters.c: the sums of clusters.tsv, as many clusters as the summary has sentences;
 * there is no statistic. The mean over all layers and classes is the value, which is of no class */
observations_reader observations_clusters;
/* The reader of a measure's items; NULL, as of NULL: it has none, or clusters alone. */
observations_reader *observations_of(const struct measure *measure);
/* observations_less.c: item by item those of one value less those of another one of the same items:
 * what stands behind the difference of both. Of either that has a problem, that. */
const struct observations *observations_less(const struct observations *one,
                                             const struct observations *other);
/* observations_join.c: the items of several values, those of each a stratum, so that their mean is
 * the mean of the values and each keeps its items in every resample. All are means of items without
 * strata; of any that has a problem, that. */
const struct observations *observations_join(const struct observations *const *of, int count);
/* What has been read is read again, and what was given is gone. */
void observations_forget(void);
