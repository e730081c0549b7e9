/* Encodes sentences with external tokenization (probing tasks, treebanks) for a model:
 *
 *   tokens ─► rules (rewrite.h) ─► for a corpus of raw text: running text (untokenize.h)
 *          ─► lower-casing, tokens, merges and ids as in the corpus (corpus_encode_words)
 *
 * Every piece keeps the index of its token in the sentence. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/corpus/rewrite.h"

/* Options of the encoding. */
struct tokenized_reading {
    const struct rewrite_rules *rules; /* NULL: none */
    /* true: lower-cases the text even if the corpus has not set its option lowercase. This is for a
     * corpus whose text was already in lower case. */
    bool lowercase;
};

struct tokenized {
    int32_t *id;    /* [pieces] with <eos> */
    int32_t *token; /* [pieces] index of the token in the sentence, from 0; <eos>: CORPUS_NO_WORD */
    int pieces;
    int tokens;  /* number of tokens in the sentence, separated by white space */
    int changed; /* number of tokens that rules changed */
    /* number of words that the model reads, after the rules; if the corpus has raw text, these
     * words are tokens of tokenize.h */
    int words;
    int unknown_words;  /* number of words that do not occur in train on this side */
    int unknown_pieces; /* number of pieces that are <unk> */
};

/* Encodes a sentence. `path` and `line` are its location, for messages. Dies if the sentence is not
 * valid UTF-8 or has more than CORPUS_LINE_PIECES pieces. The result is in the arena. */
struct tokenized tokenized_encode(struct arena *arena, const struct corpus *corpus,
                                  enum side_name side, const struct tokenized_reading *reading,
                                  const char *sentence, const char *path, int line);

/* Encodes split->sentences sentences as one side of the split, in the arena. Sentence i is in line
 * line[i], or in line i + 1 if `line` is NULL. Returns the pieces of all sentences, concatenated,
 * and the sums of the counts. */
struct tokenized tokenized_side(struct split *split, const struct corpus *corpus,
                                enum side_name side, const struct tokenized_reading *reading,
                                const char *const *sentence, const char *path, const int *line,
                                struct arena *arena);
