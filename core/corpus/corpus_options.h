/* Options of the section `corpus` of a grid: the files of the text, and how the text is read,
 * filtered and split into pieces.
 *
 * The text of a split is a list of parts, which are read one after the other (reader.h describes
 * the formats). A part has two files, one for each side. With the format `fields`, it has one file
 * for both sides. A path of a part may contain {A|B}: the source file has A in this place, and the
 * target file has B. A path without braces gets the suffix .LANGUAGE:
 *   train/news.de-en                  train/news.de-en.de, train/news.de-en.en
 *   test/news-{src.de|ref.en}.sgm     test/news-src.de.sgm, test/news-ref.en.sgm */
#pragma once

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/corpus/split.h"

enum corpus_text_kind {
    CORPUS_TOKENS, /* words between blanks; metrics compare these words */
    CORPUS_RAW     /* running text, tokenized reversibly by sanlab; metrics compare running text */
};

enum corpus_bad_utf8 { BAD_UTF8_ERROR, BAD_UTF8_DROP_PAIR };

struct corpus_options {
    const char *source, *target; /* languages */
    struct texts part[SPLITS];   /* paths of the parts; see corpus_has_split */
    int format[SPLITS];          /* enum reader_format */
    const char *separator;       /* separator of fields, for the format `fields` */
    /* index of the field of each side, for the format `fields` (reader_layout.field) */
    int field[SIDES];
    /* files of further references of the test, one reference per line */
    struct texts references;
    const char *origin;  /* source of the files, printed if some are missing */
    int dev_every;       /* every N-th kept pair of train goes to dev; 0: none */
    int limit[SPLITS];   /* maximum number of pairs; 0: no limit */
    const char *codes;   /* file of merges; "": merges are learned */
    int merges;          /* maximum number of merges to learn */
    bool joint;          /* one vocabulary for both sides */
    int threshold;       /* pieces with a smaller count in train are split again */
    int max_length;      /* maximum number of pieces, <eos> included */
    int max_words;       /* maximum number of words per side; 0: no limit */
    int train_max_words; /* the same for pairs of train; 0: no limit */
    /* maximum of words of the longer side / words of the shorter side; 0: no limit */
    double train_max_ratio;
    int text, bad_utf8; /* enum corpus_text_kind, enum corpus_bad_utf8 */
    bool segmented, lowercase;
};
extern const struct section corpus_section;

/* True if the options name text for the split, or take dev from train (dev_every). */
bool corpus_has_split(const struct corpus_options *options, enum split_name split);
