/* Encodes sentences with external tokenization (probing tasks, treebanks) for a model:
 *
 *   tokens ─► rules (rewrite.h) ─► for a corpus of raw text: running text (untokenize.h)
 *          ─► the corpus's own lower-casing, tokens, merges and ids (corpus_encode_words)
 *
 * Every piece keeps the index of its token in the sentence. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/corpus/rewrite.h"

/* Options of the encoding. */
struct tokenized_reading {
    const struct rewrite_rules *rules; /* NULL: none */
    bool lowercase; /* lower-cases even if the corpus does not: its text was in lower case */
};

struct tokenized {
    int32_t *id;    /* [pieces] with <eos> */
    int32_t *token; /* [pieces] index of the token in the sentence, from 0; <eos>: CORPUS_NO_WORD */
    int pieces;
    int tokens;         /* number of tokens in the sentence, separated by white space */
    int changed;        /* number of tokens that rules changed */
    int words;          /* words that the model reads: after rules; for raw text tokens of
                         * tokenize.h */
    int unknown_words;  /* words that train lacks on this side */
    int unknown_pieces; /* <unk> */
};

/* Encodes a sentence. `path` and `line` are its location, for messages. Dies if the sentence is not
 * valid UTF-8 or has more than CORPUS_LINE_PIECES pieces. The result is in the arena. */
struct tokenized tokenized_encode(struct arena *arena, const struct corpus *corpus,
                                  enum side_name side, const struct tokenized_reading *reading,
                                  const char *sentence, const char *path, int line);

/* Encodes the sentences as one side of the split, in the arena; the split has their number.
 * Sentence i is in line line[i], or in line i + 1 if `line` is NULL. Returns the pieces of all
 * sentences, concatenated, and the sums of the counts. */
struct tokenized tokenized_side(struct split *split, const struct corpus *corpus,
                                enum side_name side, const struct tokenized_reading *reading,
                                const char *const *sentence, const char *path, const int *line,
                                struct arena *arena);
