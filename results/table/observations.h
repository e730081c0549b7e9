/* Reads the observations of a value: the items from which a stage computed it. Significance tests
 * resample these items. The items are hypotheses with their references, or the lines of a file in
 * the stage's folder (items.h).
 *
 * The digest of every file must equal its recorded digest. done.json has these digests, except for
 * references: their digest is in the signature. The statistic of all items must equal the recorded
 * value. Each value is read once per process. */
#pragma once

#include "core/config/scalar.h"
#include "core/decode/statistic.h"
#include "results/store/store.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/store/value_cache.h"

struct observations {
    const char
        *problem; /* reason why the items cannot be used. Then only absent, id and name are valid.
                     NULL: no problem */
    bool absent;  /* with a problem: the stage was done before this value was measured */
    const char *id, *name; /* id of the stage, and name of its folder, "score-0123456789ab" */
    const char *files;     /* name of the file, "hypotheses.txt". If each set has a file, a pattern
                              of the names, "items.*.tsv" */
    const char *signature; /* text of how the value was computed, with the class if there is one */
    const char *class;     /* class of the items; NULL: all classes */
    int sets, items;       /* number of sets, and of items in a set. Each scored checkpoint has a
                              set: N for mean_of_best(N) */
    struct strata strata;
    struct statistic statistic;
    const void *const *item;  /* [sets] arrays of items, sorted by stratum */
    const struct item *label; /* [items] class and stratum; NULL: items are sentences */
    const int *line;          /* [items] line in the file, from 0; NULL: items are sentences */
    const double *weight;     /* [sets] weights of the sets in the value; NULL: 1 / sets */
    double score;             /* value of the statistic, mean over the sets */
    const struct observations_text *text; /* texts of BLEU; NULL: another metric */
    int sums;
    const struct cluster_sum *sum; /* [sums] sums of clusters; NULL: none. `items` is then the
                                      number of clusters */
};

/* The texts from which BLEU is computed. */
struct observations_text {
    const char *corpus, *train;           /* ids of the stage's inputs */
    const char *corpus_folder, *split;    /* "RUNS/stages/corpus-...", "test" */
    const char *const *const *hypothesis; /* [sets][items] */
    const char *no_reference; /* reason why the references are unavailable, so that the counts are
                                 those of an archive; NULL: available */
    const char *const *reference; /* [items] first reference; NULL: unavailable */
    int references;
    const char *const *const *every_reference; /* [references][items] */
    const struct bleu_stats *const *stats;     /* [sets][items] n-gram counts for the orders 1 to
                                                  NGRAM_ORDER */
    struct bleu_options bleu;
};

/* Returns the observations of a value, for a class of its items (NULL: all). `id` is the full id of
 * a stage. Its records are read from `cache` or, if it is NULL or lacks the stage, from the
 * database. The recorded value is the value of the stage
 * as a whole. For a class, it is in the metric row with this class. The result is never NULL and
 * lives until observations_forget. */
const struct observations *observations_read(struct store *store, struct value_cache *cache,
                                             const char *kind, const char *id, const char *value,
                                             const char *class, observations_reader *read);
/* Readers for a kind's offer (offer.h). */
observations_reader observations_bleu;    /* from hypotheses and references, or from the n-gram
                                             counts of an archive */
observations_reader observations_metric;  /* chrF and TER, from hypotheses of a score stage */
observations_reader observations_lengths; /* BLEU of a class of source lengths, or of all
                                             sentences */
/* An archive has no references. Instead, it has the n-gram counts from which BLEU is computed. Each
 * set of a score stage has a file, ngrams.tsv or ngrams.1.tsv, .., with one line per sentence. The
 * columns are hyp_len, ref_len and the matches of 1-grams to 8-grams. This function writes the
 * files to `folder`. It writes nothing if the observations have a problem or no references. */
#define OBSERVATIONS_NGRAMS "ngrams."
void observations_write_ngrams(const struct observations *bleu, const char *folder);
#define OBSERVATIONS_LENGTHS "lengths.tsv" /* items.h: number of words and class of a sentence */
/* The mean of the numbers in items.tsv or, if items have weights, the ratio.
 * Uses all items, or the items of a class. A problem of all items is also a problem of each
 * class */
observations_reader observations_items;
/* Reads the sums of clusters.tsv; each sentence is a cluster. There is no
 * statistic. The value is the mean over all layers and classes */
observations_reader observations_clusters;
/* A number that is computed from clusters: the mean of each layer, times its weight. */
struct cluster_means {
    int layers;
    const int *layer;            /* [layers] 0: all layers */
    const double *weight;        /* [layers]; NULL: one layer with the weight 1 */
    const struct texts *classes; /* the values of these classes; NULL: of all classes */
};
/* Returns its observations, in the arena. The items are clusters, and each layer is a set. */
const struct observations *observations_means(const struct observations *clusters,
                                              const struct cluster_means *of, struct arena *arena);
/* Returns the reader of a measure's items. NULL if `measure` is NULL or has only clusters or no
 * items. */
observations_reader *observations_of(const struct measure *measure);
/* Returns the weighted sum of two values of the same items, such as their
 * difference (1, -1). The sets of both are joined, with these weights. A problem of either is the
 * problem of the result. */
const struct observations *observations_sum(const struct observations *const of[2],
                                            const double weight[2]);
/* Joins the items of several values for the mean of these values. The items of
 * each value are one stratum. Each value must be a mean of items without strata. A problem of any
 * value is the problem of the result. */
const struct observations *observations_join(const struct observations *const *of, int count);
/* Frees everything that was read. Pointers to observations become invalid. */
void observations_forget(void);
