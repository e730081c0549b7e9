/* From parallel text to a prepared corpus (corpus.h): the section `corpus` of a grid, and the stage
 * that it describes.
 *
 *   text ─► pairs that are kept ─► words ─► BPE ─► vocabularies ─► token ids, references
 *
 * A split's text is a list of parts, read one after the other (reader.h has the formats). A part
 * is two files, or with format `fields` one that holds both sides. The path of a part becomes that
 * of a side's file by what stands in braces, source before target, or else by .LANGUAGE:
 *   train/news.de-en                  train/news.de-en.de, train/news.de-en.en
 *   test/news-{src.de|ref.en}.sgm     test/news-src.de.sgm, test/news-ref.en.sgm
 *
 * What is left out is counted in corpus.json, never silent:
 *   empty    train: a side without words. dev, test: kept, an empty side is just <eos>
 *   words    a side with more than max_words words, signs included (every split; train:
 *            train_max_words, too)
 *   ratio    train: a side with more than train_max_ratio times the words of the other
 *   invalid  a line that is not UTF-8 (every split), when bad_utf8 says drop-pair
 *   overlong train: a side with more than max_length pieces. dev, test: kept, cut to max_length */
#ifndef CORE_TEXT_PREPARE_H
#define CORE_TEXT_PREPARE_H

#include "core/base/digest.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/text/corpus.h"
#include "core/text/reader.h"

enum corpus_text_kind {
    CORPUS_TOKENS, /* words stand between blanks; scored on words */
    CORPUS_RAW     /* tokenized here, reversibly; scored as text, against the text */
};

enum corpus_bad_utf8 { BAD_UTF8_ERROR, BAD_UTF8_DROP_PAIR };

struct corpus_options {
    const char *source, *target; /* languages */
    struct texts part[SPLITS];   /* paths; corpus_has_split says whether there are any */
    int format[SPLITS];          /* enum reader_format */
    const char *separator;       /* of fields */
    int field[SIDES];            /* of fields: reader_layout.field */
    const char *origin;          /* where a user gets the files from; said when some are missing */
    int dev_every;               /* every so many pairs kept of train one goes to dev; 0: none */
    int limit[SPLITS];           /* pairs that are taken at most; 0: all */
    const char *codes;           /* file of ready merges; "": learn them */
    int merges;                  /* that are learned at most */
    bool joint;                  /* one vocabulary for both sides */
    int threshold;               /* pieces that are rarer in train are split again */
    int max_length;              /* pieces of a sentence with <eos> */
    int max_words;               /* 0: any */
    int train_max_words;         /* 0: any */
    double train_max_ratio;      /* words of the longer side to those of the shorter; 0: any */
    int text, bad_utf8;          /* enum corpus_text_kind, enum corpus_bad_utf8 */
    bool segmented, lowercase;
};
extern const struct section corpus_section;

/* Whether the options give a split any text. */
bool corpus_has_split(const struct corpus_options *options, enum split_name split);

/* A file that the corpus is made from. */
struct corpus_input {
    const char *name;         /* "train.source", of the second part "train.source.2"; "codes" */
    const char *path;         /* as the options have it */
    const char *file;         /* where it is: a relative path under $SANLAB_DATA, else under data/,
                               * the first where there is one; NULL: missing */
    char digest[DIGEST_TEXT]; /* of its content; empty when missing or not asked for */
};
/* Parallel text: one file for each side, or the same one twice. */
struct corpus_part {
    enum split_name split;
    const struct corpus_input *side[SIDES];
};
struct corpus_sources {
    int inputs, parts;
    struct corpus_input *input;       /* [inputs] */
    struct corpus_part *part;         /* [parts] in the order in which they are read */
    const struct corpus_input *codes; /* ready merges, or NULL */
};
/* Where a file of text is: a relative path under $SANLAB_DATA, else under data/; NULL: nowhere. */
const char *corpus_find_file(struct arena *arena, const char *path);
/* What the corpus is made from; for reading, for identities, and to say what is missing. Dies when
 * the options contradict each other. `digest` is digest_file, or one that remembers, or NULL. */
struct corpus_sources corpus_sources(const struct corpus_options *options, struct arena *arena,
                                     void (*digest)(const char *path, char text[DIGEST_TEXT]));
/* How the files of a side of a split are read. */
struct reader_layout corpus_layout(const struct corpus_options *options, enum split_name split,
                                   enum side_name side);
/* One line that names every file that is missing, says where they are looked for and where to get
 * them; NULL when all are there. */
const char *corpus_missing(const struct corpus_options *options,
                           const struct corpus_sources *sources, struct arena *arena);

/* Makes the corpus in `folder`, which is there. corpus.json is written last: without it there is no
 * corpus. `progress` is told the sentences that are done, of how many; it may be NULL. */
void corpus_prepare(const struct corpus_options *options, const char *folder,
                    void (*progress)(void *context, int64_t done, int64_t total), void *context);

#endif
