/* `sanlab compare` prints the differences of two scored systems, as compare-mt does (Neubig et al.
 * 2019):
 *
 * - for each metric of score stages: both values, and the difference with its interval and p values
 *   (significance.h)
 * - the share of the reference's words that a hypothesis has, by tag, if tags are given. Words are
 *   matched one to one
 * - the sentences with the largest gains and losses of sentence BLEU (bleu_sentence)
 *
 * A system is a list of score stages, for example of all seeds of a row. BLEU is the mean over
 * them, and words are counted in all of them. If both systems are scores of the same trainings (one
 * model, scored in two ways), the tests are paired by seed. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/table/comparison.h"

enum { COMPARED = 2 }; /* number of compared systems: A and B */

struct compare_options {
    const char *tags; /* path of a file with a line per sentence and a tag per word of the
                         reference; NULL: none */
    int sentences;    /* number of sentences to print with the largest gains, and with the largest
                         losses */
    struct significance_options test;
};

struct compare_system {
    const char *word;               /* argument of the command that names the system */
    int scores;                     /* number of its score stages */
    const char *const *id;          /* [scores] */
    const struct observations **of; /* [scores] BLEU; set by compare_systems */
    int runs;                       /* number of hypotheses per sentence: the sets of all scores;
                                       set by compare_systems */
};

struct comparison {
    struct store *store;
    struct arena arena;
    FILE *out;
    const char *kind;                 /* kind of the score stages */
    struct compare_system *system;    /* [COMPARED] */
    const struct observations *first; /* BLEU of the first score of A */
    const struct corpus *corpus;      /* corpus and split of both systems */
    int split;                        /* enum split_name */
};

/* Prints the comparison of two systems. Exits with an error if the hypotheses of a score are
 * missing, or if the scores are not comparable (comparison_problem). */
void compare_systems(struct store *store, struct compare_system system[COMPARED],
                     const struct compare_options *options, FILE *out);

/* compare_words.c: the recall of words by tag. Exits with an error unless the file has a line for
 * each sentence, with a tag for each word. */
struct sheet *compare_words(struct comparison *comparison, const char *path);

/* print_test.c: prints a test of a difference. unit: the unit of the difference, "BLEU" */
void print_test(const struct paired_test *test, const char *unit, int decimals, struct arena *arena,
                FILE *out);
