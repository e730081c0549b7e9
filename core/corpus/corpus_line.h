/* Cleans a line of text and converts it to words. Converts words back to text. */
#pragma once

#include <stdbool.h>

#include "core/base/buffer.h"

/* The way in which text is read. */
struct line_format {
    bool raw;       /* true: running text, which must be tokenized; false: words between blanks */
    bool segmented; /* raw text in which blanks next to Han and Kana are ignored */
    bool lowercase; /* lower-case like Python's str.lower (core/text/lower.h) */
};

/* Cleans a line, so that it can be used as a reference. Removes white space at both ends. In lines
 * that are not raw, all white space between words becomes a single blank. Appends to `out`. Valid
 * UTF-8 only. */
void line_clean(struct line_format format, const char *line, size_t bytes, struct buffer *out);
/* Converts a clean line to words between single blanks. A line of only white space (as in
 * tokenize_squeeze) has no words in either format. */
void line_words(struct line_format format, const char *clean, size_t bytes, struct buffer *out);
/* Removes the joiners and escapes of tokenize.h from words that line_words made of raw text. The
 * words are between single blanks. */
void line_plain(const char *words, size_t bytes, struct buffer *out);
/* Returns the number of words of a line that was not cleaned. */
int64_t line_count_words(bool raw, const char *line, size_t bytes);
/* Converts words between blanks to text for the metric. */
void line_text(struct line_format format, const char *words, size_t bytes, struct buffer *out);
