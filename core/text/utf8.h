/* UTF-8 as Unicode defines it (table 3-7): no overlong forms, no surrogates, nothing above
 * U+10FFFF. Text is checked once, when it is read. Later code assumes valid text. */
#pragma once

#include "core/base/arena.h"

enum { UTF8_MOST = 4 }; /* bytes of the longest character */

/* Returns the offset of the first invalid sequence, or -1. */
int64_t utf8_check(const char *text, size_t bytes);
/* Dies with "PATH:LINE: byte N ..." (N counts from 1 within the line) unless the text is valid and
 * has no NUL. `line` is the number of its first line. */
void utf8_require(const char *path, int64_t line, const char *text, size_t bytes);
/* Returns the bytes of the byte order mark at the start of the text: 3, or 0. */
size_t utf8_mark(const char *text, size_t bytes);
/* Returns the text of a file after its byte order mark, and subtracts the mark from *bytes. Dies as
 * utf8_require does. */
char *utf8_text(const char *path, char *text, size_t *bytes);
/* Calls file_read and utf8_text. */
char *utf8_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);

/* Returns the bytes of the character at `at`, in valid text. */
static inline int utf8_length(const char *at)
{
    unsigned char lead = (unsigned char)*at;
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}
/* Returns the bytes of the character at `at`, and sets its code point. */
int utf8_decode(const char *at, uint32_t *code);
/* Returns the bytes of the white space character at `at` (`left` bytes remain); 0 if there is none.
 * White space is defined as in Python's str.split and str.isspace:
 *   U+0009 to 000D, 001C to 0020, 0085, 00A0, 1680, 2000 to 200A, 2028, 2029, 202F, 205F, 3000 */
size_t utf8_space(const char *at, size_t left);
/* Returns the bytes of the next word, a run without white space, and moves *at to its start; 0 if
 * there is none before `end`. */
size_t utf8_word(const char **at, const char *end);
/* Writes the character `code`, a Unicode code point, without a NUL. Returns its bytes. */
int utf8_encode(uint32_t code, char out[UTF8_MOST]);
