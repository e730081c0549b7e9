/* A word is split once, when it is first seen, however often it comes. */
#include "core/corpus/corpus_pieces.h"

#include <stdlib.h>

struct spelling {
    int32_t pieces;
    const int32_t *piece; /* [pieces] numbers */
};

void speller_open(struct speller *speller, struct bpe *bpe)
{
    *speller = (struct speller){.bpe = bpe, .piece = bpe_words_new(), .word = bpe_words_new()};
}

void speller_close(struct speller *speller)
{
    bpe_free(speller->bpe);
    bpe_words_free(speller->piece);
    bpe_words_free(speller->word);
    free(speller->spelling);
    arena_free(&speller->arena);
}

static struct spelling split_word(struct speller *speller, const char *word, size_t bytes)
{
    const size_t mark = strlen(BPE_SEPARATOR);
    const struct bpe_piece *split;
    int pieces = bpe_split(speller->bpe, word, bytes, &split);
    int32_t *number = ARENA_ARRAY(&speller->arena, int32_t, pieces);
    for (int p = 0; p < pieces; p++) {
        size_t length = split[p].end - split[p].begin;
        char *text = arena_alloc(&speller->arena, length + mark + 1);
        memcpy(text, word + split[p].begin, length);
        if (p + 1 < pieces) {
            memcpy(text + length, BPE_SEPARATOR, mark);
            length += mark;
        }
        bpe_words_add(speller->piece, text, length, 0);
        number[p] = (int32_t)table_get(speller->piece->index, text, length);
    }
    return (struct spelling){pieces, number};
}

static struct spelling spelling_of(struct speller *speller, const char *word, size_t bytes)
{
    int64_t known = table_get(speller->word->index, word, bytes);
    if (known != TABLE_ABSENT) return speller->spelling[known];
    int32_t fresh = speller->word->words;
    HEAP_MORE(speller->spelling, fresh);
    bpe_words_add(speller->word, word, bytes, 0);
    return speller->spelling[fresh] = split_word(speller, word, bytes);
}

struct pieces pieces_spell(struct speller *speller, const char *const *words, int count,
                           void (*tick)(void *context), void *context)
{
    size_t room = 1024, used = 0;
    struct pieces pieces = {.sentences = count,
                            .piece = heap_alloc(room * sizeof *pieces.piece),
                            .start = heap_alloc(((size_t)count + 1) * sizeof *pieces.start)};
    for (int i = 0; i < count; i++) {
        size_t bytes = strlen(words[i]);
        if (used + bytes + 1 > room) { /* a piece has a byte at least */
            room = 2 * (used + bytes + 1);
            pieces.piece = heap_resize(pieces.piece, room * sizeof *pieces.piece);
        }
        const char *at = words[i], *end = at + bytes, *word;
        for (size_t length; bpe_next_word(&at, end, &word, &length);) {
            struct spelling spelling = spelling_of(speller, word, length);
            for (int32_t p = 0; p < spelling.pieces; p++) pieces.piece[used++] = spelling.piece[p];
        }
        pieces.piece[used++] = PIECES_END;
        pieces.start[i + 1] = (int64_t)used;
        tick(context);
    }
    return pieces;
}

void pieces_free(struct pieces *pieces)
{
    free(pieces->piece);
    free(pieces->start);
    *pieces = (struct pieces){0};
}

void pieces_count(struct speller *speller, const struct pieces *pieces)
{
    for (int64_t t = 0; t < pieces->start[pieces->sentences]; t++)
        if (pieces->piece[t] != PIECES_END) speller->piece->word[pieces->piece[t]].count++;
}
