/* Words of treebanks for probes of single words: labels, controls, and the power of the test set.
 *
 * The sets are train, dev, test and, if requested, a further test set. A sentence whose words equal
 * those of an earlier sentence is removed, also if the earlier one is in another set. Documents are
 * those of `# newdoc`. In a file without such comments, each sentence is a document. Forms
 * distinguish upper and lower case. */
#pragma once

#include "core/corpus/treebank.h"

enum words_set { WORDS_TRAIN, WORDS_DEV, WORDS_TEST, WORDS_FURTHER, WORDS_SETS };
extern const char *const words_set_names[WORDS_SETS + 1]; /* ends with NULL */

/* The tasks. The relation is the part of DEPREL before the colon. The distance to the head is a
 * number of words: 1 to 9, "10+", or "root". The head is a word of the same sentence; the root has
 * none and is not an item. WORDS_TREE has no labels (structural.h). */
enum word_task { WORDS_POS, WORDS_RELATION, WORDS_DISTANCE, WORDS_HEAD, WORDS_TREE };
extern const char *const word_task_names[]; /* pos, relation, distance, head, tree, NULL */

struct words_sentence {
    const struct treebank_sentence *text;
    enum words_set set;
    int number;   /* index in its file */
    int document; /* index over all files */
};
struct words {
    int sets;
    struct treebank bank[WORDS_SETS];
    int removed[WORDS_SETS]; /* number of removed sentences of each set */
    int sentences, words, forms, documents;
    struct words_sentence *sentence; /* [sentences] */
    int32_t *first;                  /* [sentences + 1] index of the first word */
    int32_t *of;                     /* [words] index of the sentence */
    int32_t *form;                   /* [words] index of the form */
    const char **name;               /* [forms] */
    int *trained;                    /* [forms] number of occurrences in train */
    bool *lost; /* [words] the word has no vector; the caller may set it before words_labels */
};
/* Reads the files, which are `sets` paths in the order of the sets. All memory is in the arena. */
struct words words_read(struct arena *arena, const char *const *path, int sets);

/* Labels of words. A word that is not an item, or is lost, has the label WORDS_NONE. */
enum { WORDS_NONE = -1, WORDS_FREQUENT = 3 };
struct word_labels {
    int labels;
    const char **name; /* [labels] the labels of train, sorted by bytes; NULL-terminated */
    int32_t *label;    /* [words] */
    /* WORDS_HEAD: [words] index of the head in the sentence. Other tasks: NULL. The labels of heads
     * are signed distances to the head. A distance that train lacks is the label `labels`. */
    int32_t *head;
};
/* Dies at a word without a head, and at a label that train lacks. */
struct word_labels words_labels(const struct words *words, enum word_task task,
                                struct arena *arena);
/* Returns the labels of the control task (Hewitt and Liang 2019), which has the same items. All
 * words of a form have one label, drawn from the distribution of labels in train. The head is the
 * word itself, the first or the last word of the sentence, equally likely. */
struct word_labels words_control(const struct words *words, enum word_task task,
                                 const struct word_labels *labels, struct arena *arena);

/* Returns predictions [words] without vectors: the most frequent label of train or, if `by_form`,
 * that of the word's form. For a form that train lacks, it is the most frequent label of all. Ties
 * are broken in favor of the label that comes first. */
int32_t *words_guess(const struct words *words, const struct word_labels *labels, bool by_form,
                     struct arena *arena);

/* Accuracy of predictions, in per cent, on the words of a set. */
struct words_score {
    int words, right;
    double accuracy;
    double
        error; /* standard error of the accuracy, with documents as clusters; NaN: one document */
    int documents;
};
/* Scores predicted[words] against answer[words]. `frequent`: counts only words whose form occurs in
 * train at least WORDS_FREQUENT times. */
struct words_score words_score(const struct words *words, const int32_t *answer,
                               const int32_t *predicted, enum words_set set, bool frequent);
/* Returns the smallest difference between two accuracies that a two-sided test of level 0.05
 * detects with power 0.8. Each accuracy has this standard error, and both are independent. */
double words_detectable(double error);
