/* A vocabulary maps tokens to ids, and ids to tokens. Ids 0, 1 and 2 are <pad>, <eos> and <unk>, as
 * in THUMT. <eos> is also used as <bos>. */
#pragma once

#include "core/text/bpe.h"

enum {
    VOCABULARY_PAD = 0,
    VOCABULARY_EOS = 1,
    VOCABULARY_UNK = 2,
    VOCABULARY_FIRST = 3 /* first id of a token of the text */
};

struct vocabulary {
    int size;
    const char **token;       /* [size] */
    int64_t *count;           /* [size] number in the training text; 0 for control symbols */
    struct hash_table *index; /* maps a token to its id */
};

/* Returns the id of a token; VOCABULARY_UNK if the vocabulary lacks it. */
int vocabulary_id(const struct vocabulary *vocabulary, const char *token, size_t bytes);

/* Builds a vocabulary: control symbols, then the words by descending count. Words with equal counts
 * are in the order of their bytes. Sorts `word` [words] in this order. The words' texts end with a
 * NUL and are not copied. A word that is spelled like a control symbol is omitted and becomes
 * <unk>, because an <eos> within a sentence would end the sentence. */
struct vocabulary vocabulary_build(struct arena *arena, struct bpe_word *word, int words);

/* Writes one line per token, in the order of ids: the token, a tab, and its count. The file appears
 * only when it is complete. Dies if it cannot be written. */
void vocabulary_write(const struct vocabulary *vocabulary, const char *path);
/* Reads a vocabulary from the content of its file; `path` is for messages. Dies if the content is
 * invalid. */
struct vocabulary vocabulary_parse(struct arena *arena, const char *path, const char *text,
                                   size_t bytes);
