/* Sentences of words become sentences of pieces, before there is a vocabulary: the pieces of one
 * side are numbered as they are first seen, over all its splits. Each word is split once. */
#pragma once

#include "core/base/table.h"
#include "core/text/bpe.h"

struct speller {
    struct bpe *bpe;
    struct bpe_words *piece;   /* by number; spelled with @@; counts are pieces_count's */
    struct bpe_words *word;    /* that were split */
    struct spelling *spelling; /* [word->words] */
    struct arena arena;        /* spellings and the texts of pieces */
};

/* `bpe` becomes the speller's. */
void speller_open(struct speller *speller, struct bpe *bpe);
void speller_close(struct speller *speller);

enum { PIECES_END = -1 }; /* stands behind every sentence */

/* Sentence i has piece[start[i]] .. piece[start[i+1]-1], the last of which is PIECES_END. */
struct pieces {
    int sentences;
    int32_t *piece; /* on the heap */
    int64_t *start; /* [sentences+1], on the heap */
};

/* words[count]: words between single blanks; their bytes must outlive the speller. `tick` is called
 * after each sentence. */
struct pieces pieces_spell(struct speller *speller, const char *const *words, int count,
                           void (*tick)(void *context), void *context);
void pieces_free(struct pieces *pieces);
/* Adds the sentences to the counts of the speller's pieces. */
void pieces_count(struct speller *speller, const struct pieces *pieces);
