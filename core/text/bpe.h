/* Byte pair encoding, with the same output as subword-nmt 0.3.8 (Sennrich, Haddow and Birch 2016,
 * Algorithm 1).
 *
 * A word is a run of characters between blanks (U+0020) of a line. Other white space is an ordinary
 * character, except CR at either end of a line. Only '\n' ends a line. A word is a sequence of
 * symbols: at first its characters, with "</w>" appended to the last character. To learn, repeat:
 * find the most frequent adjacent pair of symbols, write the pair, and merge all its occurrences.
 * Ties: the larger pair, left before right, compared by code points. To apply, repeat: find the
 * adjacent pair that was learned first, and merge all its occurrences in the word. All pieces of a
 * word except the last are marked with "@@".
 *
 * Differences from subword-nmt:
 * - When it reads a named file, subword-nmt also ends lines at U+0085, U+2028 and some control
 *   characters.
 * - When it learns, its pattern can merge parts of symbols that contain a tab or a no-break space.
 * - A byte order mark before merges or a vocabulary is skipped here. subword-nmt then reads the
 *   merges as version 0.1.
 * - If a text contains "</w>", subword-nmt may undo a final piece into characters that it does not
 *   have. Here the piece stays whole.
 *
 * All text must be valid UTF-8. Functions that read files refuse invalid text with file, line and
 * byte. Functions on memory assume valid text. */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"

#define BPE_SEPARATOR "@@" /* after every piece of a word except the last */
#define BPE_END "</w>"     /* after the last character of a word */

/* ---- lines and words ---- */

/* Moves *begin and *end inwards over blanks, CR and LF. */
void bpe_trim_line(const char **begin, const char **end);
/* Reads the next line of the text from *at to `stop` and trims the line. Sets *line and *end, and
 * moves *at past the line. Returns false at the end. */
bool bpe_next_line(const char **at, const char *stop, const char **line, const char **end);
/* Reads the next word of a trimmed line. Sets *word and *bytes, and moves *at past the word.
 * Returns false at the end. */
bool bpe_next_word(const char **at, const char *end, const char **word, size_t *bytes);
int64_t bpe_count_words(const char *text, size_t bytes); /* of all lines */

/* ---- words with their counts ---- */

struct bpe_word {
    const char *text;
    uint32_t bytes;
    int64_t count;
};

struct bpe_words {
    struct bpe_word *word; /* [words] in the order in which they were first seen */
    int32_t words;
    struct hash_table *index; /* text -> index in `word` */
};

/* Lives on the heap until bpe_words_free. The texts are not copied and must outlive it. */
struct bpe_words *bpe_words_new(void);
void bpe_words_add(struct bpe_words *words, const char *text, size_t bytes, int64_t count);
void bpe_words_add_text(struct bpe_words *words, const char *text, size_t bytes); /* all lines */
void bpe_words_free(struct bpe_words *words);

/* ---- learning ---- */

struct bpe_learning {
    int merges;            /* maximum number of merges */
    int64_t min_frequency; /* stop below this count of the best pair (2); at least 1 */
    bool total_symbols;    /* subtract the number of characters, inner and final, from `merges` */
};

/* Writes "#version: 0.2" and one merge per line, in the order learned. Returns the number of
 * merges. */
int bpe_learn(const struct bpe_words *words, const struct bpe_learning *options, FILE *out);

/* Implements `sanlab bpe learn`: writes joint merges of all inputs to the file `codes`.
 * `vocabulary` is NULL or has one path per input. This file gets the pieces of the input with their
 * counts, "piece count", most frequent first. Returns the number of merges. */
int bpe_learn_files(const char *const *input, int inputs, const struct bpe_learning *options,
                    const char *codes, const char *const *vocabulary);

/* ---- applying ---- */

enum { BPE_ALL_MERGES = -1 };

/* Opaque; holds scratch memory, so each thread needs its own. */
struct bpe;

/* Reads a file of merges, version 0.2 or 0.1. Version 0.1 has no version line, and "</w>" is a
 * separate symbol in it. Keeps only the first `merges` merges unless BPE_ALL_MERGES. Dies on any
 * other file. */
struct bpe *bpe_read(const char *path, int merges);
int bpe_merges(const struct bpe *bpe); /* number of merges read */
void bpe_free(struct bpe *bpe);

/* Reads a vocabulary: lines "piece count" (marked pieces include their @@). From now on, merges
 * whose pieces are not in the vocabulary are undone. Pieces rarer than `threshold` count as absent.
 * As in subword-nmt, a vocabulary without any remaining piece filters nothing. */
void bpe_read_vocabulary(struct bpe *bpe, const char *path, int64_t threshold);

struct bpe_piece {
    uint32_t begin, end; /* bytes of the word; all pieces except the last get BPE_SEPARATOR */
};

/* Splits one word (not empty, no blanks) into pieces, none of them empty. The pieces are valid
 * until the next call. Returns their number. */
int bpe_split(struct bpe *bpe, const char *word, size_t bytes, const struct bpe_piece **piece);

/* Appends the line in pieces to `out`. Blanks, CR and LF at its ends are copied; words are
 * separated by one blank. With merges of version 0.1 and a vocabulary, subword-nmt writes an empty
 * piece after a word whose last merge was undone: "e@@ " for "e". This function does the same. */
void bpe_apply_line(struct bpe *bpe, const char *line, size_t bytes, struct buffer *out);
/* Inverse of bpe_apply_line: deletes every "@@ ", and "@@" at the end. */
void bpe_undo_line(const char *line, size_t bytes, struct buffer *out);

/* Implements `sanlab bpe apply`, line by line. `name` is the name of the input in messages. */
void bpe_apply_stream(struct bpe *bpe, FILE *in, const char *name, FILE *out);
