/* UTF-8 as Unicode defines it (table 3-7): no overlong forms, no surrogates, nothing above
 * U+10FFFF. Text is checked once, where it is read; everything behind that may rely on it. */
#pragma once

#include "core/base/arena.h"

enum { UTF8_MOST = 4 }; /* bytes of the longest character */

/* Offset of the first byte of the first bad sequence, or -1. */
int64_t utf8_check(const char *text, size_t bytes);
/* Dies with "PATH:LINE: byte N ..." (N counts from 1 within the line) unless the text is valid and
 * has no NUL; `line` is the number of its first line. */
void utf8_require(const char *path, int64_t line, const char *text, size_t bytes);
/* Bytes of the byte order mark that the text begins with: 3, or 0. */
size_t utf8_mark(const char *text, size_t bytes);
/* Returns the begin of the text of a file, after a byte order mark, which *bytes then does not
 * count. Dies as utf8_require does. */
char *utf8_text(const char *path, char *text, size_t *bytes);
/* file_read and utf8_text. */
char *utf8_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);

/* The bytes of the character that begins at `at`, in text that was checked. */
static inline int utf8_length(const char *at)
{
    unsigned char lead = (unsigned char)*at;
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}
/* The same, and its code point. */
int utf8_decode(const char *at, uint32_t *code);
/* Bytes of the white space at `at`, with `left` bytes from there on; 0: there is none. It is what
 * Python's str.split and str.isspace take: U+0009 to 000D, 001C to 0020, 0085, 00A0, 1680, 2000 to
 * 200A, 2028, 2029, 202F, 205F, 3000. */
size_t utf8_space(const char *at, size_t left);
/* Bytes of the next word, a run without white space, from *at on, which becomes its begin; 0: there
 * is none before `end`. */
size_t utf8_word(const char **at, const char *end);
/* Writes the character, without a NUL, and returns its bytes; `code` is one of Unicode's. */
int utf8_encode(uint32_t code, char out[UTF8_MOST]);
