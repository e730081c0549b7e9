/* The section `corpus` of a grid: the text, how it is read, filtered and split into pieces.
 *
 * A split's text is a list of parts, read one after the other (reader.h has the formats). A part is
 * two files, or one file with both sides in the format `fields`. The file of a side is the path of
 * the part with one half of the braces, source before target. A path without braces gets .LANGUAGE
 * as a suffix:
 *   train/news.de-en                  train/news.de-en.de, train/news.de-en.en
 *   test/news-{src.de|ref.en}.sgm     test/news-src.de.sgm, test/news-ref.en.sgm */
#pragma once

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/corpus/split.h"

enum corpus_text_kind {
    CORPUS_TOKENS, /* words between blanks; scored on words */
    CORPUS_RAW     /* tokenized here, reversibly; scored as text */
};

enum corpus_bad_utf8 { BAD_UTF8_ERROR, BAD_UTF8_DROP_PAIR };

struct corpus_options {
    const char *source, *target; /* languages */
    struct texts part[SPLITS];   /* paths; see corpus_has_split */
    int format[SPLITS];          /* enum reader_format */
    const char *separator;       /* for format fields */
    int field[SIDES];            /* for format fields: reader_layout.field */
    struct texts references;     /* more references of the test, each a file of lines */
    const char *origin;          /* source of the files, printed if some are missing */
    int dev_every;               /* every N-th kept pair of train goes to dev; 0: none */
    int limit[SPLITS];           /* maximum number of pairs; 0: no limit */
    const char *codes;           /* file of merges; "": merges are learned */
    int merges;                  /* maximum number of merges to learn */
    bool joint;                  /* one vocabulary for both sides */
    int threshold;               /* pieces with a smaller count in train are split again */
    int max_length;              /* maximum number of pieces, <eos> included */
    int max_words;               /* 0: any */
    int train_max_words;         /* 0: any */
    double train_max_ratio;      /* words of the longer side / words of the shorter; 0: any */
    int text, bad_utf8;          /* enum corpus_text_kind, enum corpus_bad_utf8 */
    bool segmented, lowercase;
};
extern const struct section corpus_section;

/* True if the options name text for the split. */
bool corpus_has_split(const struct corpus_options *options, enum split_name split);
