/* Tokenization and its inverse: only white space is lost. */
#include <string.h>

#include "core/corpus/corpus_line.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"
#include "tests/fuzz/support/fuzz.h"

static void run(void *context)
{
    char *text = context;
    const size_t bytes = strlen(text);
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';
    if (utf8_check(text, bytes) >= 0) return;
    struct buffer tokens = {0}, back = {0}, squeezed = {0}, other = {0};
    tokenize_line(text, bytes, false, &tokens);
    detokenize_line(tokens.text, tokens.bytes, &back);
    tokenize_squeeze(text, bytes, &squeezed);
    CHECK(back.bytes == squeezed.bytes &&
              (!back.bytes || !memcmp(back.text, squeezed.text, back.bytes)),
          "%.*s is not %.*s", (int)back.bytes, back.text, (int)squeezed.bytes, squeezed.text);
    tokenize_line(text, bytes, true, &other);
    detokenize_line(text, bytes, &other);
    tokenize_count(text, bytes, true);
    tokenize_count(text, bytes, false);
    for (int way = 0; way < 8; way++) {
        const struct line_format format = {way & 1, way & 2, way & 4};
        struct buffer clean = {0}, words = {0};
        line_clean(format, text, bytes, &clean);
        line_words(format, clean.text, clean.bytes, &words);
        line_text(format, words.text, words.bytes, &other);
        buffer_free(&clean);
        buffer_free(&words);
    }
    buffer_free(&tokens);
    buffer_free(&back);
    buffer_free(&squeezed);
    buffer_free(&other);
}

FUZZ_TEXT(run);
