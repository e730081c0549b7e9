/* Writes the files of `bpe learn`: the joint merges of all texts, and the vocabulary of each
 * text. */
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/text/bpe.h"
#include "core/text/utf8.h"

/* Compares pointers to words of one array, for qsort: by descending count, then by position. */
static int more_frequent(const void *a, const void *b)
{
    const struct bpe_word *p = *(const struct bpe_word *const *)a;
    const struct bpe_word *q = *(const struct bpe_word *const *)b;
    if (p->count != q->count) return p->count > q->count ? -1 : 1;
    return p < q ? -1 : p > q;
}

/* Writes the pieces of all words with their counts, the most frequent piece first. Pieces with
 * equal counts are in the order of their first occurrences. */
static void write_vocabulary(struct bpe *bpe, const struct bpe_words *words, const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct bpe_words *pieces = bpe_words_new(&arena);
    SCOPED(buffer_free) struct buffer buffer = {0};
    for (int32_t w = 0; w < words->words; w++) {
        struct bpe_word word = words->word[w];
        buffer_clear(&buffer);
        bpe_apply_line(bpe, word.text, word.bytes, &buffer);
        const char *text = arena_text_range(&arena, buffer.text, buffer.bytes), *piece;
        const char *at = text, *end = text + buffer.bytes;
        for (size_t bytes; bpe_next_word(&at, end, &piece, &bytes);)
            bpe_words_add(pieces, piece, bytes, word.count);
    }
    size_t count = (size_t)pieces->words;
    const struct bpe_word **order = ARENA_ARRAY(&arena, const struct bpe_word *, count);
    for (size_t i = 0; i < count; i++) order[i] = &pieces->word[i];
    qsort(order, count, sizeof(struct bpe_word *), more_frequent);
    struct file_writer writer = file_create(path);
    for (size_t i = 0; i < count; i++) {
        fwrite(order[i]->text, 1, order[i]->bytes, writer.stream);
        fprintf(writer.stream, " %lld\n", (long long)order[i]->count);
    }
    file_commit(&writer);
}

int bpe_learn_files(const char *const *input, int inputs, const struct bpe_learning *options,
                    const char *codes, const char *const *vocabulary)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct bpe_words *all = bpe_words_new(&arena);
    const char **text = ARENA_ARRAY(&arena, const char *, inputs);
    size_t *bytes = ARENA_ARRAY(&arena, size_t, inputs);
    for (int i = 0; i < inputs; i++) {
        char *file = file_read_given(&arena, input[i], &bytes[i]);
        text[i] = utf8_text(input[i], file, &bytes[i]);
        bpe_words_add_text(all, text[i], bytes[i]);
    }
    struct file_writer writer = file_create(codes);
    int merges = bpe_learn(all, options, writer.stream);
    file_commit(&writer);

    for (int i = 0; vocabulary && i < inputs; i++) {
        struct bpe *bpe = bpe_read(codes, BPE_ALL_MERGES);
        struct bpe_words *words = bpe_words_new(&arena);
        bpe_words_add_text(words, text[i], bytes[i]);
        write_vocabulary(bpe, words, vocabulary[i]);
        bpe_free(bpe);
    }
    return merges;
}
