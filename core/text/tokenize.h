/* Tokenizes text without loss: detokenize(tokenize(x)) is x with squeezed white space
 * (tokenize_squeeze).
 *
 * There are three classes of tokens:
 *   word        a run of letters and digits, with '.' or ',' between two digits ("naïve", "A4",
 *               "1,000.5")
 *   sign        a punctuation mark, symbol or control character. A run of the same character is one
 *               sign ("..."). Exception: each '@' is a sign, so that no token ends like a marked
 *               piece of BPE ("@@")
 *   ideograph   one Han, Hiragana or Katakana character
 * Combining marks and format characters belong to the preceding token. At the start or after white
 * space, they begin a word.
 *
 * Papers segment Chinese with Jieba and Japanese with KyTea. Both need dictionaries or models, and
 * a new version of a dictionary or model changes the training data. Single ideographs need no
 * segmenter and can be restored without loss. BPE then merges only characters of other scripts. The
 * disadvantage is longer sentences: in LibreOffice's help, 34 Japanese characters and signs
 * correspond to 16 English pieces. A limit on the number of words counts each ideograph as a word.
 *
 * Tokens are separated by blanks. If the text has no white space between two tokens, one of the two
 * gets a joiner (U+FFED) on the side of the other. This is the sign, the right one of two signs, or
 * the word next to an ideograph. Between two ideographs, no joiner means that the text has no white
 * space, and a separate joiner means that it has.
 *     (don't!)  日本 7.4 版    is    (￭ don ￭'￭ t ￭! ￭) 日 本 7.4 版
 * If the text itself has a joiner, it is written as U+FFEE 'j'. A U+FFEE of the text is written as
 * U+FFEE 'e'.
 *
 * Lines are valid UTF-8 (utf8.h). Results are appended to `out`. */
#pragma once

#include "core/base/buffer.h"

#define TOKENIZE_JOINER "\uFFED"
#define TOKENIZE_ESCAPE "\uFFEE"

/* Tokenizes a line. If `segmented` is true, ignores white space next to Han, Kana and their
 * punctuation, because a segmenter has inserted it. */
void tokenize_line(const char *line, size_t bytes, bool segmented, struct buffer *out);
/* Detokenizes a line. Accepts all sequences of tokens, because a model may write any sequence. */
void detokenize_line(const char *line, size_t bytes, struct buffer *out);

/* Replaces each run of white space by one blank, and removes white space at both ends. White space
 * has Unicode's property White_Space: for example no-break spaces, ideographic spaces, tabs and
 * line ends. */
void tokenize_squeeze(const char *line, size_t bytes, struct buffer *out);

/* True if the line has no token, only white space (tokenize_squeeze). */
bool tokenize_is_blank(const char *line, size_t bytes);

/* Returns the number of words and ideographs of a line. If `signs` is true, also counts the
 * signs. */
int64_t tokenize_count(const char *line, size_t bytes, bool signs);
