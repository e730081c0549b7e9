/* Counts causes of misleading scores: sentences of dev and test that are also in train, and words
 * that were split into BPE pieces before.
 *
 * Sentences are compared by a 64-bit hash of their text as cleaned for the corpus, in lower case.
 * Pairs of train with too many pieces are included until text_audit_keep drops them. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"
#include "core/base/buffer.h"
#include "core/corpus/split.h"

struct text_findings {
    int64_t sentences[SPLITS];       /* number of sentences read */
    int64_t in_train[SPLITS][SIDES]; /* sentences of dev or test that are in train; 0 for train */
    int64_t in_pieces[SIDES];        /* sentences of train with words in pieces, such as "ein@@ " */
};

/* State of an audit; starts as {0}. */
struct text_audit {
    struct buffer lower;
    struct {
        uint64_t *hash; /* [count] hash of each sentence */
        int count;
        int64_t read; /* number of sentences added */
    } seen[SPLITS][SIDES];
    int64_t in_pieces[SIDES];
};
/* Adds one side of a pair that is kept. `clean` is the text as from line_clean. */
void text_audit_add(struct text_audit *audit, enum split_name split, enum side_name side,
                    const char *clean, size_t bytes);
/* Keeps only the train sentences with these indices (ascending). The other sentences of train are
 * ignored. */
void text_audit_keep(struct text_audit *audit, const int *index, int count);
/* Returns the findings, and frees the audit. */
struct text_findings text_audit_end(struct text_audit *audit);

/* Writes the findings to "splits" of corpus.json, and reads them. The second function returns false
 * if the corpus has no findings, because it was made by an older version. */
void text_findings_write(const struct text_findings *findings, json_t *splits);
bool text_findings_read(struct text_findings *findings, const json_t *splits);

/* Returns the percentage of a split's sentences that are also in train. */
double text_findings_shared(const struct text_findings *findings, enum split_name split,
                            enum side_name side);
/* Returns the percentages of train's sentences with words in pieces, as a text: "84% of the
 * sources, 90% of the targets". Returns NULL if both percentages are below 1%. */
const char *text_findings_pieces(const struct text_findings *findings, struct arena *arena);
