/* Checks, reads and writes UTF-8 as Unicode defines it (table 3-7): without overlong forms,
 * surrogates, and code points above U+10FFFF. Text is checked once, when it is read. Later code
 * assumes valid text. */
#pragma once

#include "core/base/arena.h"

enum { UTF8_MOST = 4 }; /* bytes of the longest character */

/* Returns the offset of the first invalid sequence; -1 if the text is valid. */
int64_t utf8_check(const char *text, size_t bytes);
/* Dies unless the text is valid and has no NUL. The message begins with "PATH:LINE: byte N", where
 * N counts from 1 in the line. `line` is the number of the first line of the text. */
void utf8_require(const char *path, int64_t line, const char *text, size_t bytes);
/* Returns the length of the byte order mark at the start of the text: 3 bytes; 0 if there is no
 * mark. */
size_t utf8_mark(const char *text, size_t bytes);
/* Returns the text of a file after its byte order mark, and subtracts the mark from *bytes. Dies if
 * the text is invalid (utf8_require). */
char *utf8_text(const char *path, char *text, size_t *bytes);
/* Reads a file (file_read), and returns its text (utf8_text). */
char *utf8_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);

/* Returns the number of bytes of the character at `at`. */
static inline int utf8_length(const char *at)
{
    unsigned char lead = (unsigned char)*at;
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}
/* Sets *code to the code point of the character at `at`, and returns its number of bytes. */
int utf8_decode(const char *at, uint32_t *code);
/* Returns the number of bytes of the white space character at `at`, where `left` bytes remain; 0 if
 * there is no white space. White space is defined as in Python's str.split and str.isspace:
 *   U+0009 to 000D, 001C to 0020, 0085, 00A0, 1680, 2000 to 200A, 2028, 2029, 202F, 205F, 3000 */
size_t utf8_space(const char *at, size_t left);
/* Moves *at to the start of the next word, a run of characters without white space. Returns its
 * number of bytes; 0 if there is no word before `end`. */
size_t utf8_word(const char **at, const char *end);
/* Writes the character with the code point `code`, without a NUL. Returns its number of bytes. */
int utf8_put(uint32_t code, char out[UTF8_MOST]);
