/* The section `corpus` of a grid: which text, how it is read, what is left out, how it is cut into
 * pieces.
 *
 * A split's text is a list of parts, read one after the other (reader.h has the formats). A part
 * is two files, or with format `fields` one that holds both sides. The path of a part becomes that
 * of a side's file by what stands in braces, source before target, or else by .LANGUAGE:
 *   train/news.de-en                  train/news.de-en.de, train/news.de-en.en
 *   test/news-{src.de|ref.en}.sgm     test/news-src.de.sgm, test/news-ref.en.sgm */
#pragma once

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/corpus/split.h"

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
    struct texts references;     /* of the test, beside its target side: a file each, lines */
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
