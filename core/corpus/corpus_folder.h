/* A prepared corpus: the folder of a finished corpus stage, opened for reading.
 *
 *   corpus.json           description: counts, options, digests of the inputs, tokens per split
 *   codes.bpe             merges (subword-nmt's format)
 *   pieces.source ...     pieces that are not split again (with a threshold), piece BLANK count
 *   vocabulary.source     one token per line, in the order of ids, token TAB count
 *   vocabulary.target     has the same content if the vocabulary is joint
 *   train.shard ...       packed token ids of both sides (corpus_shard.h)
 *   dev.reference ...     one reference per line, as the metric needs it (raw text, or tokens)
 *   test.reference.2 ...  further references of the test */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/split.h"
#include "core/text/vocabulary.h"

enum { CORPUS_FORMAT = 1 }; /* format of the folder */

/* State that corpus_encode keeps between lines. */
struct corpus_encoder {
    struct bpe *bpe[SIDES]; /* merges, read on first use */
    struct hash_table
        *known[SIDES];          /* the words of train, also read on first use (known_words.h) */
    struct buffer clean, words; /* the last line */
    struct buffer piece;
};

struct corpus {
    struct vocabulary vocabulary[SIDES];
    bool joint; /* both sides use one vocabulary */
    struct split split[SPLITS];
    const char *folder;
    const char *digest; /* digest of corpus.json, which has the digests of all other files */
    const char *language[SIDES];
    struct line_format format; /* format of the text */
    int references[SPLITS];    /* references per sentence: 1, in the test 1 or more */
    int threshold;             /* pieces.source and pieces.target list the pieces that are kept */
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

/* Returns token ids as text for the metric. Joins the pieces (no @@), and detokenizes them if the
 * corpus is of raw text. Stops at <eos>. */
char *corpus_text(struct arena *arena, const struct corpus *corpus, enum side_name side,
                  const int32_t *token, int count);
/* Returns reference r, from 0, of each sentence of a split: the lines of its reference file. *count
 * is the number of sentences. */
const char **corpus_reference(struct arena *arena, const struct corpus *corpus,
                              enum split_name split, int r, int *count);
/* Returns the path of this file in the folder of a corpus. */
const char *corpus_reference_file(struct arena *arena, const char *folder, const char *split,
                                  int r);
/* Returns the tokenizer for BLEU: "none" for tokens. For raw references it is "zh" if the target is
 * Chinese (zh, zh-CN, ..), else "13a". */
const char *corpus_bleu_tokenizer(const struct corpus *corpus);
/* Encodes a line of text (raw or tokenized, as the corpus) as ids with <eos>, in the arena. Dies if
 * it is not valid UTF-8. */
int32_t *corpus_encode(struct arena *arena, const struct corpus *corpus, enum side_name side,
                       const char *line, int *count);
/* corpus_encode that also sets (*word)[count]: the index of each piece's word in the line, from 0;
 * CORPUS_NO_WORD for <eos>. Words are separated by blanks; for raw text they are the tokens of
 * tokenize.h. */
enum { CORPUS_NO_WORD = -1 };
int32_t *corpus_encode_words(struct arena *arena, const struct corpus *corpus, enum side_name side,
                             const char *line, int *count, int32_t **word);
/* Returns the number of words of such a line that train lacks on this side, even if it has their
 * pieces. */
int corpus_unknown_words(const struct corpus *corpus, enum side_name side, const int32_t *id,
                         const int32_t *word, int count);

enum { CORPUS_LINE_PIECES = 512 }; /* maximum for lines that are not of the corpus */
/* Encodes lines of text as a side of a split, in the arena: as many as `split` has sentences. A
 * longer line is cut to its first CORPUS_LINE_PIECES - 1 pieces and <eos>. Returns the number of
 * cut lines; *first is the index of the first cut line. */
int corpus_encode_lines(struct split *split, const struct corpus *corpus, enum side_name side,
                        const char *const *line, int *first, struct arena *arena);
