/* Cleans lines. Cleaning removes only white space. White space within a raw line is not changed. */
#include "core/corpus/corpus_line.h"

#include <string.h>

#include "core/text/bpe.h"
#include "core/text/lower.h"
#include "core/text/tokenize.h"

static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

void line_clean(struct line_format format, const char *line, size_t bytes, struct buffer *out)
{
    while (bytes && is_space(line[bytes - 1])) bytes--;
    while (bytes && is_space(*line)) line++, bytes--;
    while (bytes) {
        size_t run = 0;
        while (run < bytes && (format.raw || !is_space(line[run]))) run++;
        if (format.lowercase)
            lower_add(out, line, run);
        else
            buffer_add(out, line, run);
        if (run == bytes) break;
        buffer_add_byte(out, ' ');
        /* This loop ends within the line, because the last byte of the line is not white space. */
        while (is_space(line[run])) run++;
        line += run;
        bytes -= run;
    }
}

void line_words(struct line_format format, const char *clean, size_t bytes, struct buffer *out)
{
    if (format.raw)
        tokenize_line(clean, bytes, format.segmented, out);
    else if (!tokenize_is_blank(clean, bytes))
        buffer_add(out, clean, bytes);
}

void line_plain(const char *words, size_t bytes, struct buffer *out)
{
    const char *at = words, *end = words + bytes, *word;
    const size_t before = out->bytes;
    for (size_t length; bpe_next_word(&at, end, &word, &length);) {
        if (out->bytes > before) buffer_add_byte(out, ' ');
        detokenize_line(word, length, out);
    }
}

int64_t line_count_words(bool raw, const char *line, size_t bytes)
{
    if (raw) return tokenize_count(line, bytes, true);
    int64_t words = 0;
    for (size_t i = 0; i < bytes; i++)
        words += !is_space(line[i]) && (i == 0 || is_space(line[i - 1]));
    return words;
}

void line_text(struct line_format format, const char *words, size_t bytes, struct buffer *out)
{
    if (format.raw)
        detokenize_line(words, bytes, out);
    else
        buffer_add(out, words, bytes);
}
