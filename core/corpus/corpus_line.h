/* The way of one line: text as it came ─► clean text ─► words; and back. */
#pragma once

#include <stdbool.h>

#include "core/base/buffer.h"

/* How text is read. */
struct line_format {
    bool raw;       /* text that we tokenize; else words between blanks */
    bool segmented; /* raw text in which blanks beside Han and Kana are no text */
    bool lowercase; /* as Python's str.lower (core/text/lower.h) */
};

/* The line as a reference: no white space at its ends and, unless it is raw, single blanks between
 * words (tabs, CR and the like separate words). Appends to `out`. Valid UTF-8 only. */
void line_clean(struct line_format format, const char *line, size_t bytes, struct buffer *out);
/* A clean line as words between single blanks. A line that has only white space (Unicode's, as in
 * tokenize_squeeze) has no words in either format. */
void line_words(struct line_format format, const char *clean, size_t bytes, struct buffer *out);
/* Words that line_words made of raw text, without the joiners and escapes of tokenize.h: words
 * between single blanks. */
void line_plain(const char *words, size_t bytes, struct buffer *out);
/* How many words there will be of a line as it came, not yet clean. */
int64_t line_count_words(bool raw, const char *line, size_t bytes);
/* Words between blanks as text for the metric. */
void line_text(struct line_format format, const char *words, size_t bytes, struct buffer *out);
