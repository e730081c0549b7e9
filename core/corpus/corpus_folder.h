/* A prepared corpus: the folder of a finished corpus stage, opened for reading.
 *
 *   corpus.json           description: counts, options, digests of the inputs, tokens per split
 *   codes.bpe             merges (subword-nmt's format)
 *   pieces.source ...     only with a threshold: the pieces that are kept, piece BLANK count
 *   vocabulary.source     one token per line, in the order of ids, token TAB count
 *   vocabulary.target     the same format; the same content if the vocabulary is joint
 *   train.shard ...       packed token ids of both sides (corpus_shard.h)
 *   dev.reference ...     one reference per line, in the form for the metric (raw text, or tokens)
 *   test.reference.2 ...  further references of the test split */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/split.h"
#include "core/text/vocabulary.h"

enum { CORPUS_FORMAT = 1 }; /* version of the format of the folder */

/* State that corpus_encode keeps between lines. */
struct corpus_encoder {
    struct bpe *bpe[SIDES]; /* merges, read on first use */
    struct arena arena;
    struct hash_table
        *known[SIDES];          /* the words of train, also read on first use (known_words.h) */
    struct buffer clean, words; /* the last encoded line: cleaned, and as words */
    struct buffer piece;
};

struct corpus {
    struct vocabulary vocabulary[SIDES];
    bool joint; /* both sides use one vocabulary */
    struct split split[SPLITS];
    const char *folder;
    const char *digest; /* digest of corpus.json, which has the digests of all other files */
    const char *language[SIDES];
    struct line_format format; /* how the text was read */
    /* number of references per sentence: 1; in the test split 1 or more */
    int references[SPLITS];
    int threshold; /* smallest count of a piece that is kept; 0: all pieces are kept */
    struct corpus_encoder *encoder;
};

/* Opens and verifies a corpus; dies if a file is missing or its digest is wrong. */
struct corpus *corpus_open(struct arena *arena, const char *folder);
/* Opens a corpus without its splits and references, which need not exist (sanlab archive omits
 * them). This suffices for encoding other text. */
struct corpus *corpus_open_words(struct arena *arena, const char *folder);
/* True if corpus_open_words reads a file of this name. CORPUS_TEXT is the name of a file that only
 * corpus_open reads. */
bool corpus_is_words(const char *name);
#define CORPUS_TEXT "train.shard"
/* Returns the merges for a side from the folder of a corpus. Merges that make pieces with a count
 * below `threshold` in train are undone (0: none). The caller must bpe_free the merges. Dies if a
 * file is missing or invalid. */
struct bpe *corpus_merges(const char *folder, enum side_name side, int threshold);
/* Frees memory that the arena does not own, such as the merges that corpus_encode has read. */
void corpus_close(struct corpus *corpus);

/* Returns token ids as text for the metric. Joins the pieces of each word, without @@. If the
 * corpus has raw text, also detokenizes the words. Stops at <eos>. */
char *corpus_text(struct arena *arena, const struct corpus *corpus, enum side_name side,
                  const int32_t *token, int count);
/* Returns the lines of the reference file with this index (r, from 0): one reference of each
 * sentence of a split. *count is the number of sentences. */
const char **corpus_reference(struct arena *arena, const struct corpus *corpus,
                              enum split_name split, int r, int *count);
/* Returns the path of reference file r of a split. */
const char *corpus_reference_file(struct arena *arena, const char *folder, const char *split,
                                  int r);
/* Returns the tokenizer for BLEU: "none" if the corpus has tokens. If it has raw text, "zh" for the
 * target language Chinese (zh, zh-CN, ..), else "13a". */
const char *corpus_bleu_tokenizer(const struct corpus *corpus);
/* Encodes a line of text as ids with <eos>, in the arena. The line must be raw or tokenized, like
 * the text of the corpus. Dies if it is not valid UTF-8. */
int32_t *corpus_encode(struct arena *arena, const struct corpus *corpus, enum side_name side,
                       const char *line, int *count);
/* Like corpus_encode, and sets (*word)[i] to the index of the word of piece i. Words are counted
 * from 0 in the line; <eos> has CORPUS_NO_WORD. Words are separated by blanks; for raw text they
 * are the tokens of tokenize.h. */
enum { CORPUS_NO_WORD = -1 };
int32_t *corpus_encode_words(struct arena *arena, const struct corpus *corpus, enum side_name side,
                             const char *line, int *count, int32_t **word);
/* Returns the number of words of an encoded line that do not occur in train on this side. Their
 * pieces may occur there. */
int corpus_unknown_words(const struct corpus *corpus, enum side_name side, const int32_t *id,
                         const int32_t *word, int count);

enum { CORPUS_LINE_PIECES = 512 }; /* maximum for lines that do not belong to the corpus */
/* Encodes split->sentences lines of text as a side of the split, in the arena. A line of more than
 * CORPUS_LINE_PIECES pieces is cut to its first CORPUS_LINE_PIECES - 1 pieces and <eos>. Returns
 * the number of cut lines; *first is the index of the first cut line. */
int corpus_encode_lines(struct split *split, const struct corpus *corpus, enum side_name side,
                        const char *const *line, int *first, struct arena *arena);
