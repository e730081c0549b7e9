/* A controlled language: English sentences of a small grammar, with the words' tags, a German
 * translation, and what a grammarian knows of them. So probing tasks, tagged text and parallel text
 * can be had where nothing may be downloaded, with labels that are right by construction.
 *
 *   S    -> S1 | S1 CC S1                       S1 -> [ADV | PP] NP VP, or a question: AUX NP VP
 *   VP   -> V NP                                NP -> DET [ADJ] N [PP] | NP REL | PRON
 *   PP   -> P NP                                REL -> that V NP
 *
 * Verbs take subjects and objects of certain kinds of nouns. In German, the verb is second, and
 * last in a relative clause; determiners and adjectives agree in case, gender and number. Sentence
 * number k of a stream is a function of seed, stream and k (core/base/random.h). */
#pragma once

#include "core/base/base.h"

enum { CONTROLLED_WORDS = 64 }; /* at most */

struct controlled {
    int words, targets; /* how many, of English and of German */
    const char *word[CONTROLLED_WORDS], *tag[CONTROLLED_WORDS]; /* universal tags */
    char target[CONTROLLED_WORDS][24];                          /* German */

    /* Of the first clause. */
    const char *tense, *subject_number, *object_number; /* "PAST" or "PRES", "NN" or "NNS" */
    int object;                                         /* where its object's noun stands, */
    const char *odd; /* and a noun of the same number that its verb does not take; NULL: none */
    int depth;       /* of the tree, words having 0 */
    const char *top; /* constituents below the sentence: "ADVP_NP_VP_." */
    int second;      /* where the clause behind the conjunction begins; 0: there is one clause */
};

/* Sentence `number` of a stream. What the struct points to are constants. */
void controlled_make(uint32_t seed, const char *stream, uint32_t number,
                     struct controlled *sentence);
