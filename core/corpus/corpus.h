/* A prepared corpus: the folder of a finished corpus stage, opened for reading.
 *
 *   corpus.json           description: counts, options, digests of the inputs, tokens per split
 *   codes.bpe             merges (subword-nmt's format)
 *   pieces.source ...     with a threshold: pieces that are not split again, piece BLANK count
 *   vocabulary.source     one token per line, in the order of ids, token TAB count
 *   vocabulary.target     the same file content when the vocabulary is joint
 *   train.shard ...       packed token ids of both sides (corpus_shard.h)
 *   dev.reference ...     one reference per line, as the metric wants it (raw text, or tokens)
 *   test.reference.2 ...  the same, where the test has several */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/split.h"
#include "core/text/vocabulary.h"

enum { CORPUS_FORMAT = 1 }; /* of the folder */

/* What corpus_encode keeps from one line to the next. */
struct corpus_encoder {
    struct bpe *bpe[SIDES];     /* merges, read when they are first asked for */
    struct table *known[SIDES]; /* the words that train has, likewise (known_words.h) */
    struct buffer clean, words; /* the last line */
    struct buffer piece;
};

struct corpus {
    struct vocabulary vocabulary[SIDES];
    bool joint; /* both sides use one vocabulary */
    struct split split[SPLITS];
    const char *folder;
    const char *digest; /* of corpus.json, which holds the digests of everything else */
    const char *language[SIDES];
    struct line_format format; /* how its text was read */
    int references[SPLITS];    /* of each sentence: 1, of the test perhaps more */
    int threshold;             /* pieces.source and pieces.target hold those that are kept */
    struct corpus_encoder *encoder;
};

/* Opens and verifies; dies when a file is missing or its digest is wrong. */
struct corpus *corpus_open(struct arena *arena, const char *folder);
/* The same without its splits and references, which need not be there (sanlab archive has none):
 * enough for text of one's own. */
struct corpus *corpus_open_words(struct arena *arena, const char *folder);
/* Whether that reads a file of this name; and a file that only corpus_open reads. */
bool corpus_is_words(const char *name);
#define CORPUS_TEXT "train.shard"
/* The merges in the folder of a corpus, for a side: those that lead to pieces which train has less
 * often than `threshold` are undone (0: none). The caller's, to bpe_free. Dies when a file is
 * missing or no file of merges or pieces. */
struct bpe *corpus_merges(const char *folder, enum side_name side, int threshold);
/* Gives back what the arena does not own: the merges that corpus_encode has read, and the like. */
void corpus_close(struct corpus *corpus);

/* Token ids to text as the metric wants it: pieces joined (no @@), and detokenized when the corpus
 * was tokenized by us. An <eos> ends it. */
char *corpus_text(struct arena *arena, const struct corpus *corpus, enum side_name side,
                  const int32_t *token, int count);
/* Reference r, from 0, of each sentence of a split: lines of its reference file. *count =
 * sentences. */
const char **corpus_reference(struct arena *arena, const struct corpus *corpus,
                              enum split_name split, int r, int *count);
/* The path of that file in the folder of a corpus. */
const char *corpus_reference_file(struct arena *arena, const char *folder, const char *split,
                                  int r);
/* How its text is to be scored: "none" (tokens); of raw references "zh" (Chinese: zh, zh-CN, ..)
 * or "13a". */
const char *corpus_bleu_tokenizer(const struct corpus *corpus);
/* A line of text (raw or tokenized, as the corpus came) to ids with <eos>, in the arena. Dies when
 * it is not valid UTF-8. */
int32_t *corpus_encode(struct arena *arena, const struct corpus *corpus, enum side_name side,
                       const char *line, int *count);
/* The same, and (*word)[count]: which word of the line a piece is of, from 0; CORPUS_NO_WORD of
 * <eos>. Words are what stands between blanks, of raw text our tokenizer's tokens. */
enum { CORPUS_NO_WORD = -1 };
int32_t *corpus_encode_words(struct arena *arena, const struct corpus *corpus, enum side_name side,
                             const char *line, int *count, int32_t **word);
/* How many words of such a line train does not have on this side, however it has their pieces. */
int corpus_unknown_words(const struct corpus *corpus, enum side_name side, const int32_t *id,
                         const int32_t *word, int count);

enum { CORPUS_LINE_PIECES = 512 }; /* of a line that is not of the corpus, at most */
/* Lines of text as a side of a split, in the arena: as many as `split` has sentences. Of a line of
 * more pieces the first CORPUS_LINE_PIECES - 1 and <eos> are left. Returns how many lines are cut
 * so, and in *first the index of the first of them. */
int corpus_encode_lines(struct split *split, const struct corpus *corpus, enum side_name side,
                        const char *const *line, int *first, struct arena *arena);
