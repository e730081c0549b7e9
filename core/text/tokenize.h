/* Reversible tokenization: detokenize(tokenize(x)) is x with its white space squeezed.
 *
 * A token is
 *   a word    letters, digits and the marks that belong to them, with '.' and ',' between digits
 *             ("naïve", "A4", "1,000.5"),
 *   a sign    a punctuation mark, symbol or control character, or a run of the same one ("...").
 *             '@' stays single, so that no token ends like a marked piece of BPE ("@@"),
 *   an ideograph    one Han, Hiragana or Katakana character.
 * Combining marks and format characters belong to the preceding token.
 *
 * Papers segment Chinese with Jieba and Japanese with KyTea. Both need dictionaries or models, and
 * another version of these changes the training data. Single ideographs need no segmenter and can
 * be restored without loss. BPE then applies only to other scripts. The cost is longer sentences:
 * in LibreOffice's help 34 Japanese characters and signs correspond to 16 English pieces. Limits of
 * words count each ideograph.
 *
 * Tokens are separated by blanks. If the text has no blank between two tokens, one of them gets a
 * joiner (U+FFED) on that side. This token is the sign (the right sign of two), else the word. Two
 * ideographs are joined by default, and a lone joiner between them means a blank.
 *     (don't!)  日本 7.4 版    is    (￭ don ￭'￭ t ￭! ￭) 日 本 7.4 版
 * A joiner in the text is written U+FFEE 'j', and a U+FFEE is written U+FFEE 'e'.
 *
 * Lines are valid UTF-8 (utf8.h). Results are appended to `out`. */
#pragma once

#include "core/base/buffer.h"

#define TOKENIZE_JOINER "\uFFED"
#define TOKENIZE_ESCAPE "\uFFEE"

/* Tokenizes a line. `segmented` ignores white space next to Han, Kana and their punctuation. */
void tokenize_line(const char *line, size_t bytes, bool segmented, struct buffer *out);
/* Detokenizes a line. Accepts all sequences of tokens, because a model may write any sequence. */
void detokenize_line(const char *line, size_t bytes, struct buffer *out);

/* Replaces runs of white space by one blank, and removes white space at both ends. White space is
 * Unicode's White_Space: no-break and ideographic spaces, tabs, line ends and so on. Tokenizing
 * changes nothing else in a text. */
void tokenize_squeeze(const char *line, size_t bytes, struct buffer *out);

/* True if the line has no token: only white space as in tokenize_squeeze. */
bool tokenize_is_blank(const char *line, size_t bytes);

/* Returns the number of tokens of a line: words, ideographs and, if `signs`, signs. */
int64_t tokenize_count(const char *line, size_t bytes, bool signs);
