/* Learns and applies byte pair encoding (Sennrich, Haddow and Birch 2016, Algorithm 1), with the
 * same output as subword-nmt 0.3.8.
 *
 * A word is a run of characters between blanks (U+0020) of a line. Other white space is an ordinary
 * character, except CR at either end of a line. Only '\n' ends a line. A word is a sequence of
 * symbols. At first, its symbols are its characters, with "</w>" appended to the last character.
 * Learning repeats this step: find the most frequent adjacent pair of symbols, write the pair, and
 * merge all its occurrences. Of equally frequent pairs, the largest is taken. Pairs are compared by
 * their left symbols, then by their right symbols, in the order of code points. Applying repeats
 * this step: of the adjacent pairs in the word, find the pair that was learned first, and merge all
 * its occurrences. The remaining symbols are the pieces of the word. All pieces except the last are
 * marked with "@@".
 *
 * Differences from subword-nmt:
 * - When it reads a named file, subword-nmt also ends lines at U+0085, U+2028 and some control
 *   characters.
 * - When subword-nmt learns, its regular expression can merge parts of symbols that contain a tab
 *   or a no-break space.
 * - sanlab skips a byte order mark at the start of a file of merges or a vocabulary. subword-nmt
 *   reads merges with this mark as version 0.1.
 * - If a text contains "</w>", subword-nmt may split a final piece into characters that the word
 *   does not have. sanlab does not split this piece.
 *
 * All text must be valid UTF-8. Functions that read files die if the text is invalid, with file,
 * line and byte. Functions on memory assume valid text. */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"

#define BPE_SEPARATOR "@@" /* follows every piece of a word except the last */
#define BPE_END "</w>"     /* follows the last character of a word in merges */

/* ---- lines and words ---- */

/* Moves *begin and *end inwards over blanks, CR and LF. */
void bpe_trim_line(const char **begin, const char **end);
/* Reads the next line of the text from *at to `stop` and trims the line. Sets *line and *end, and
 * moves *at past the line. Returns false at the end. */
bool bpe_next_line(const char **at, const char *stop, const char **line, const char **end);
/* Reads the next word of a trimmed line. Sets *word and *bytes, and moves *at past the word.
 * Returns false at the end. */
bool bpe_next_word(const char **at, const char *end, const char **word, size_t *bytes);
int64_t bpe_count_words(const char *text, size_t bytes); /* in all lines */

/* ---- words with their counts ---- */

struct bpe_word {
    const char *text;
    uint32_t bytes;
    int64_t count;
};

struct bpe_words {
    struct bpe_word *word; /* [words] in the order of their first occurrences */
    int32_t words;
    struct hash_table *index; /* maps a text to its index in `word` */
    struct arena *arena;
};

/* Returns an empty list of words in the arena. Texts that are added are not copied, and must live
 * as long as the list. */
struct bpe_words *bpe_words_new(struct arena *arena);
void bpe_words_add(struct bpe_words *words, const char *text, size_t bytes, int64_t count);
/* Adds all words of all lines of a text. */
void bpe_words_add_text(struct bpe_words *words, const char *text, size_t bytes);

/* ---- learning ---- */

struct bpe_learning {
    int merges;            /* maximum number of merges */
    int64_t min_frequency; /* least count of a pair that is merged (usually 2); at least 1 */
    bool total_symbols;    /* reduce `merges` by the number of distinct characters */
};

/* Writes "#version: 0.2" and then one merge per line, in the order in which they are learned.
 * Returns the number of merges. */
int bpe_learn(const struct bpe_words *words, const struct bpe_learning *options, FILE *out);

/* Implements `sanlab bpe learn`: learns joint merges from all inputs, and writes them to the file
 * `codes`. Returns the number of merges. If `vocabulary` is not NULL, it has one path per input.
 * For each input, writes the pieces with their counts to this path: lines "piece count", the most
 * frequent piece first. */
int bpe_learn_files(const char *const *input, int inputs, const struct bpe_learning *options,
                    const char *codes, const char *const *vocabulary);

/* ---- applying ---- */

enum { BPE_ALL_MERGES = -1 };

/* Merges and vocabulary, with memory that bpe_split writes. So each thread needs its own struct. */
struct bpe;

/* Reads a file of merges, version 0.2 or 0.1. Without a version line, the version is 0.1. In
 * version 0.1, "</w>" is a separate symbol. Keeps the first `merges` merges (BPE_ALL_MERGES: all).
 * Dies if the file has another format. */
struct bpe *bpe_read(const char *path, int merges);
int bpe_merges(const struct bpe *bpe); /* number of merges that were kept */
void bpe_free(struct bpe *bpe);

/* Reads a vocabulary with lines "piece count". Marked pieces end with "@@". Pieces with a count
 * below `threshold` are ignored. From now on, bpe_split undoes merges whose pieces are not in the
 * vocabulary. If no piece of the vocabulary remains, no merge is undone, as in subword-nmt. */
void bpe_read_vocabulary(struct bpe *bpe, const char *path, int64_t threshold);

struct bpe_piece {
    uint32_t begin, end; /* first byte and end in the word, without BPE_SEPARATOR */
};

/* Splits a word, which is not empty and has no blanks, into pieces that are not empty. Returns the
 * number of pieces. The pieces are valid until the next call. */
int bpe_split(struct bpe *bpe, const char *word, size_t bytes, const struct bpe_piece **piece);

/* Splits the words of a line and appends their pieces to `out`. Copies blanks, CR and LF at both
 * ends of the line. Separates words by one blank. With merges of version 0.1 and a vocabulary,
 * subword-nmt writes an empty piece if the merge with "</w>" is undone: "e@@ " for "e". This
 * function does the same. */
void bpe_apply_line(struct bpe *bpe, const char *line, size_t bytes, struct buffer *out);
/* Appends the line to `out` without separators: deletes every "@@ ", and "@@" at the end. This is
 * the inverse of bpe_apply_line. */
void bpe_undo_line(const char *line, size_t bytes, struct buffer *out);

/* Implements `sanlab bpe apply`: reads, splits and writes line by line. `name` is the name of the
 * input in messages. */
void bpe_apply_stream(struct bpe *bpe, FILE *in, const char *name, FILE *out);
