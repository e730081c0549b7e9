/* Sentences that others tokenized (probing tasks, treebanks) become what a model of ours reads:
 *
 *   tokens ─► rules (rewrite.h) ─► of a corpus of raw text: running text (untokenize.h)
 *          ─► the corpus's own lower-casing, tokens, merges and ids (corpus_encode_words)
 *
 * and every piece keeps which of the sentence's tokens it came from. */
#pragma once

#include "core/corpus/corpus.h"
#include "core/corpus/rewrite.h"

/* How such sentences are read. */
struct tokenized_reading {
    const struct rewrite_rules *rules; /* NULL: none */
    bool lowercase; /* also for a corpus that does not: its text came lower-cased */
};

struct tokenized {
    int32_t *id;    /* [pieces] with <eos> */
    int32_t *token; /* [pieces] of which token of the sentence, from 0; <eos>: CORPUS_NO_WORD */
    int pieces;
    int tokens;         /* of the sentence: between blanks, tabs and the like */
    int changed;        /* tokens that rules changed */
    int words;          /* as the model reads them: what rules left, of raw text our tokens */
    int unknown_words;  /* of these: train does not have them on this side */
    int unknown_pieces; /* that are <unk> */
};

/* `path` and `line` are where the sentence stands, for messages: dies when it is not valid UTF-8 or
 * has more than CORPUS_LINE_PIECES pieces. Everything is in the arena. */
struct tokenized tokenized_encode(struct arena *arena, const struct corpus *corpus,
                                  enum side_name side, const struct tokenized_reading *reading,
                                  const char *sentence, const char *path, int line);

/* As many sentences as the split has, as one side of it, in the arena; the i-th stands in line[i],
 * or without `line` in line i + 1. Returns the same of all sentences together: their pieces one
 * after another, and the sums of the counts. */
struct tokenized tokenized_side(struct split *split, const struct corpus *corpus,
                                enum side_name side, const struct tokenized_reading *reading,
                                const char *const *sentence, const char *path, const int *line,
                                struct arena *arena);
