/* Encodes text that does not belong to the corpus, with the merges and vocabularies of the corpus.
 * The steps are the same as in prepare.c. */
#include <string.h>

#include "core/corpus/corpus_folder.h"
#include "core/corpus/known_words.h"
#include "core/text/bpe.h"
#include "core/text/utf8.h"

void corpus_close(struct corpus *corpus)
{
    struct corpus_encoder *encoder = corpus->encoder;
    for (int side = 0; side < SIDES; side++)
        if (encoder->bpe[side]) bpe_free(encoder->bpe[side]);
    arena_free(&encoder->arena);
    buffer_free(&encoder->clean);
    buffer_free(&encoder->words);
    buffer_free(&encoder->piece);
    *encoder = (struct corpus_encoder){0};
}

struct bpe *corpus_merges(const char *folder, enum side_name side, int threshold)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct bpe *bpe = bpe_read(arena_print(&scratch, "%s/codes.bpe", folder), BPE_ALL_MERGES);
    const char *kept = arena_print(&scratch, "%s/pieces.%s", folder, side_names[side]);
    if (threshold) bpe_read_vocabulary(bpe, kept, threshold);
    return bpe;
}

int32_t *corpus_encode_words(struct arena *arena, const struct corpus *corpus, enum side_name side,
                             const char *line, int *count, int32_t **word)
{
    struct corpus_encoder *encoder = corpus->encoder;
    int64_t bad = utf8_check(line, strlen(line));
    if (bad >= 0) die("byte %lld of the line is not valid UTF-8", (long long)bad + 1);
    if (!encoder->bpe[side])
        encoder->bpe[side] = corpus_merges(corpus->folder, side, corpus->threshold);
    struct bpe *bpe = encoder->bpe[side];
    struct buffer *clean = &encoder->clean, *words = &encoder->words, *piece = &encoder->piece;
    buffer_clear(clean);
    buffer_clear(words);
    line_clean(corpus->format, line, strlen(line), clean);
    line_words(corpus->format, clean->text, clean->bytes, words);

    /* A piece has at least one byte. So a line has at most one piece per byte, and <eos>. */
    int32_t *id = ARENA_ARRAY(arena, int32_t, words->bytes + 1);
    int32_t *of = *word = ARENA_ARRAY(arena, int32_t, words->bytes + 1);
    int ids = 0;
    const char *at = words->text, *end = buffer_end(at, words->bytes), *text;
    for (size_t length, w = 0; bpe_next_word(&at, end, &text, &length); w++) {
        const struct bpe_piece *split;
        int pieces = bpe_split(bpe, text, length, &split);
        for (int p = 0; p < pieces; p++) {
            buffer_clear(piece);
            buffer_add(piece, text + split[p].begin, split[p].end - split[p].begin);
            if (p + 1 < pieces) buffer_add(piece, BPE_SEPARATOR, strlen(BPE_SEPARATOR));
            of[ids] = (int32_t)w;
            id[ids++] = vocabulary_id(&corpus->vocabulary[side], piece->text, piece->bytes);
        }
    }
    of[ids] = CORPUS_NO_WORD;
    id[ids++] = VOCABULARY_EOS;
    *count = ids;
    return id;
}

int32_t *corpus_encode(struct arena *arena, const struct corpus *corpus, enum side_name side,
                       const char *line, int *count)
{
    int32_t *word;
    return corpus_encode_words(arena, corpus, side, line, count, &word);
}

int corpus_unknown_words(const struct corpus *corpus, enum side_name side, const int32_t *id,
                         const int32_t *word, int count)
{
    struct hash_table **known = &corpus->encoder->known[side];
    const struct split *train = &corpus->split[SPLIT_TRAIN];
    if (!*known)
        *known = words_of_side(&corpus->encoder->arena, &train->side[side], train->sentences,
                               &corpus->vocabulary[side]);
    int unknown = 0;
    for (int begin = 0, end; begin < count; begin = end) {
        bool pieces = true;
        for (end = begin; end < count && word[end] == word[begin]; end++)
            pieces &= id[end] != VOCABULARY_UNK;
        if (word[begin] == CORPUS_NO_WORD) continue;
        unknown += !pieces || !span_is_in(*known, (struct token_span){id + begin, end - begin});
    }
    return unknown;
}

int corpus_encode_lines(struct split *split, const struct corpus *corpus, enum side_name side,
                        const char *const *line, int *first, struct arena *arena)
{
    const int count = split->sentences;
    int cut = 0;
    SCOPED(arena_free) struct arena scratch = {0};
    int32_t **token = ARENA_ARRAY(&scratch, int32_t *, count + 1);
    int64_t *start = ARENA_ARRAY(arena, int64_t, count + 1);
    for (int i = 0; i < count; i++) {
        int length;
        token[i] = corpus_encode(&scratch, corpus, side, line[i], &length);
        if (length > CORPUS_LINE_PIECES) {
            if (!cut++) *first = i;
            length = CORPUS_LINE_PIECES;
            token[i][length - 1] = VOCABULARY_EOS;
        }
        if (length > split->longest[side]) split->longest[side] = length;
        start[i + 1] = start[i] + length;
    }
    int32_t *all = ARENA_ARRAY(arena, int32_t, start[count] + 1);
    for (int i = 0; i < count; i++)
        memcpy(all + start[i], token[i], (size_t)(start[i + 1] - start[i]) * sizeof *all);
    split->side[side] = (struct side){all, start};
    return cut;
}
