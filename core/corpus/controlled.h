/* A controlled language: English sentences of a small grammar, with part-of-speech tags, a German
 * translation, and their grammatical properties. It provides probing tasks, tagged text and
 * parallel text without a download, with labels that are correct by construction.
 *
 *   S    -> S1 | S1 CC S1                       S1 -> [ADV | PP] NP VP, or a question: AUX NP VP
 *   VP   -> V NP                                NP -> DET [ADJ] N [PP] | NP REL | PRON
 *   PP   -> P NP                                REL -> that V NP
 *
 * Verbs take subjects and objects of certain kinds of nouns. In German, the verb is second, or last
 * in a relative clause. Determiners and adjectives agree in case, gender and number. Sentence
 * number k of a stream is a function of seed, stream and k (core/base/random.h). */
#pragma once

#include "core/base/base.h"

enum { CONTROLLED_WORDS = 64 }; /* maximum per sentence */

struct controlled_sentence {
    int words, targets; /* number of English and German words */
    const char *word[CONTROLLED_WORDS], *tag[CONTROLLED_WORDS]; /* universal tags */
    char target[CONTROLLED_WORDS][24];                          /* German */

    /* Properties of the first clause. */
    const char *tense, *subject_number, *object_number; /* "PAST" or "PRES", "NN" or "NNS" */
    int object;                                         /* index of the object's noun, */
    const char *odd; /* a noun of the same number that the verb does not take; NULL: none */
    int depth;       /* depth of the tree; words have depth 0 */
    const char *top; /* constituents below the sentence: "ADVP_NP_VP_." */
    int second;      /* start of the clause after the conjunction; 0: only one clause */
};

/* Makes sentence `number` of a stream. All pointers in the struct point to constants. */
void controlled_make(uint32_t seed, const char *stream, uint32_t number,
                     struct controlled_sentence *sentence);
