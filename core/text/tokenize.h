/* Text to tokens and back without loss: detokenize(tokenize(x)) is x with its white space squeezed.
 *
 * A token is
 *   a word    letters, digits and the marks that belong to them, with '.' and ',' between digits
 *             ("naïve", "A4", "1,000.5"),
 *   a sign    a punctuation mark, symbol or control character, or a run of the same one ("...");
 *             '@' stays single, so that no token ends like a marked piece of BPE ("@@"),
 *   an ideograph    one Han, Hiragana or Katakana character.
 * Combining marks and format characters stay with what precedes them.
 *
 * Tokens are separated by blanks. Where the text had none, one of the two tokens carries a joiner
 * (U+FFED) on that side: the sign (of two signs the right one), else the word. Two ideographs are
 * joined unless a lone joiner stands between them, which means a blank.
 *     (don't!)  日本 7.4 版    is    (￭ don ￭'￭ t ￭! ￭) 日 本 7.4 版
 * A joiner that is in the text is written U+FFEE 'j', and a U+FFEE as U+FFEE 'e'.
 *
 * Lines are valid UTF-8 (utf8.h). Results are appended to `out`. */
#pragma once

#include "core/base/buffer.h"

#define TOKENIZE_JOINER "\uFFED"
#define TOKENIZE_ESCAPE "\uFFEE"

/* Of segmented text, white space beside Han, Kana and their punctuation does not count. */
void tokenize_line(const char *line, size_t bytes, bool segmented, struct buffer *out);
/* Takes any tokens, also such as tokenize_line never makes: a model may write anything. */
void detokenize_line(const char *line, size_t bytes, struct buffer *out);

/* Runs of white space (Unicode's White_Space: no-break and ideographic spaces, tabs, line ends and
 * so on) become one blank, none at the ends: all that tokenizing changes in a text. */
void tokenize_squeeze(const char *line, size_t bytes, struct buffer *out);

/* True if the line has no token: only white space, as tokenize_squeeze takes it. */
bool tokenize_is_blank(const char *line, size_t bytes);

/* How many tokens a line has: words, ideographs and, unless they do not count, signs. */
int64_t tokenize_count(const char *line, size_t bytes, bool signs);
