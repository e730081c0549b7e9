/* Splits text into lines and words, and counts the words. */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/text/bpe.h"

static bool is_trimmed(char c)
{
    return c == ' ' || c == '\r' || c == '\n';
}

void bpe_trim_line(const char **begin, const char **end)
{
    while (*begin < *end && is_trimmed(**begin)) ++*begin;
    while (*begin < *end && is_trimmed((*end)[-1])) --*end;
}

bool bpe_next_line(const char **at, const char *stop, const char **line, const char **end)
{
    if (*at == stop) return false;
    const char *newline = memchr(*at, '\n', (size_t)(stop - *at));
    *line = *at;
    *at = *end = newline ? newline + 1 : stop;
    bpe_trim_line(line, end);
    return true;
}

bool bpe_next_word(const char **at, const char *end, const char **word, size_t *bytes)
{
    const char *begin = *at;
    while (begin < end && *begin == ' ') begin++;
    if (begin == end) return false;
    const char *stop = memchr(begin, ' ', (size_t)(end - begin));
    *at = stop ? stop : end;
    *word = begin;
    *bytes = (size_t)(*at - begin);
    return true;
}

int64_t bpe_count_words(const char *text, size_t bytes)
{
    const char *stop = buffer_end(text, bytes), *line, *end, *word;
    int64_t words = 0;
    while (bpe_next_line(&text, stop, &line, &end))
        for (size_t length; bpe_next_word(&line, end, &word, &length);) words++;
    return words;
}

struct bpe_words *bpe_words_new(struct arena *arena)
{
    struct bpe_words *words = ARENA_NEW(arena, struct bpe_words);
    *words = (struct bpe_words){.arena = arena, .index = hash_table_new(arena, 1 << 14)};
    return words;
}

void bpe_words_add(struct bpe_words *words, const char *text, size_t bytes, int64_t count)
{
    int64_t position = *hash_table_at(words->index, text, bytes, words->words);
    if (position == words->words) {
        ARENA_ADD(words->arena, words->word, words->words,
                  (struct bpe_word){text, (uint32_t)bytes, 0});
    }
    words->word[position].count += count;
}

void bpe_words_add_text(struct bpe_words *words, const char *text, size_t bytes)
{
    const char *stop = text + bytes, *line, *end, *word;
    while (bpe_next_line(&text, stop, &line, &end))
        for (size_t length; bpe_next_word(&line, end, &word, &length);)
            bpe_words_add(words, word, length, 1);
}
