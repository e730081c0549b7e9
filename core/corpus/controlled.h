/* A controlled language: English sentences of a small grammar. Each sentence has part-of-speech
 * tags, a German translation, and grammatical properties. The program derives probing tasks, tagged
 * text and parallel text from it, without a download. All labels are correct by construction.
 *
 *   S    -> S1 | S1 CC S1                       S1 -> [ADV | PP] NP VP, or a question: AUX NP VP
 *   VP   -> V NP                                NP -> DET [ADJ] N [PP] | NP REL | PRON
 *   PP   -> P NP                                REL -> that V NP
 *
 * Each verb allows only certain kinds of nouns as subject and as object. In German, the verb is
 * first in a question, last in a relative clause, and otherwise second. Determiners and adjectives
 * agree in case, gender and number. Sentence number k of a stream is a function of seed, stream and
 * k (core/base/random.h). */
#pragma once

#include "core/base/base.h"

enum { CONTROLLED_WORDS = 64 }; /* maximum number of words per sentence */

struct controlled_sentence {
    int words, targets; /* number of English and German words */
    const char *word[CONTROLLED_WORDS], *tag[CONTROLLED_WORDS]; /* universal tags */
    char target[CONTROLLED_WORDS][24];                          /* German */

    /* Grammatical properties. Tense, numbers, `object` and `odd` belong to the first clause, and
     * the other members to the whole sentence. */
    const char *tense, *subject_number, *object_number; /* tense: PAST, PRES; number: NN, NNS */
    /* index in `word` of the noun of the object */
    int object;
    /* noun that the verb does not allow, in the same grammatical number; NULL: none */
    const char *odd;
    int depth;       /* depth of the constituency tree; words have depth 0 */
    const char *top; /* constituents below the sentence: "ADVP_NP_VP_." */
    /* index of the first word after the conjunction; 0: there is only one clause */
    int second;
};

/* Makes sentence `number` of a stream. All pointers in the struct point to string constants. */
void controlled_make(uint32_t seed, const char *stream, uint32_t number,
                     struct controlled_sentence *sentence);
