/* Reversible tokenization: detokenize(tokenize(x)) is x with its white space squeezed.
 *
 * A token is
 *   a word    letters, digits and the marks that belong to them, with '.' and ',' between digits
 *             ("naïve", "A4", "1,000.5"),
 *   a sign    a punctuation mark, symbol or control character, or a run of the same one ("...");
 *             '@' stays single, so that no token ends like a marked piece of BPE ("@@"),
 *   an ideograph    one Han, Hiragana or Katakana character.
 * Combining marks and format characters belong to the preceding token.
 *
 * Papers segment Chinese with Jieba and Japanese with KyTea, dictionaries and models without a
 * maintainer here, whose versions change the training data. Ideographs need neither, come back
 * without loss, and leave BPE to the other scripts. The price is longer sentences (in LibreOffice's
 * help 34 Japanese characters and signs for 16 English pieces); limits of words count ideographs.
 *
 * Tokens are separated by blanks. Where the text had no blank, one of the two tokens carries a
 * joiner (U+FFED) on that side: the sign (of two signs the right one), else the word. Two
 * ideographs are joined by default; a lone joiner between them means a blank.
 *     (don't!)  日本 7.4 版    is    (￭ don ￭'￭ t ￭! ￭) 日 本 7.4 版
 * A joiner in the text is written U+FFEE 'j', and a U+FFEE is written U+FFEE 'e'.
 *
 * Lines are valid UTF-8 (utf8.h). Results are appended to `out`. */
#pragma once

#include "core/base/buffer.h"

#define TOKENIZE_JOINER "\uFFED"
#define TOKENIZE_ESCAPE "\uFFEE"

/* segmented: white space next to Han, Kana and their punctuation is ignored */
void tokenize_line(const char *line, size_t bytes, bool segmented, struct buffer *out);
/* Accepts any tokens, also sequences that tokenize_line never makes: a model may write anything. */
void detokenize_line(const char *line, size_t bytes, struct buffer *out);

/* Replaces runs of white space (Unicode's White_Space: no-break and ideographic spaces, tabs, line
 * ends and so on) by one blank, and removes them at the ends. Tokenizing changes nothing else in a
 * text. */
void tokenize_squeeze(const char *line, size_t bytes, struct buffer *out);

/* True if the line has no token: only white space as in tokenize_squeeze. */
bool tokenize_is_blank(const char *line, size_t bytes);

/* Returns the number of tokens of a line: words, ideographs and, if `signs`, signs. */
int64_t tokenize_count(const char *line, size_t bytes, bool signs);
