/* The parts of a comparison (compare.h); private to this folder. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/comparison.h"

enum { COMPARED = 2 }; /* number of compared systems: A and B */

struct compare_system {
    const char *word; /* argument of the command that names the system */
    struct compared_side scores;
    int runs;                        /* number of hypotheses per sentence: seeds times sets */
    const char *const **hypothesis;  /* [runs][sentences] */
    const struct bleu_stats **stats; /* [runs][sentences] */
};

struct comparison {
    struct store *store;
    struct arena arena;
    FILE *out;
    const char *kind;              /* kind of the score stages */
    const struct measure *measure; /* BLEU, as this kind describes it */
    struct compare_system system[COMPARED];
    int sentences;
    const char *const *reference; /* [sentences] */
    struct bleu_options bleu;
    const struct corpus *corpus; /* corpus of both systems */
    int split;                   /* enum split_name */
};

/* compare_words.c */
struct sheet *compare_lengths(struct comparison *comparison);
struct sheet *compare_frequencies(struct comparison *comparison);
struct sheet *compare_tags(struct comparison *comparison, const char *path);
