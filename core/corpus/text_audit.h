/* Counts what makes the scores of a corpus misleading: sentences of dev and test that train has,
 * too, and words that are BPE pieces already.
 *
 * Sentences are compared after lower-casing, by a hash of 64 bits. They count as the corpus keeps
 * them. Pairs of train that have too many pieces count until text_audit_keep leaves them out. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"
#include "core/base/buffer.h"
#include "core/corpus/split.h"

struct text_findings {
    int64_t sentences[SPLITS];       /* as read */
    int64_t in_train[SPLITS][SIDES]; /* sentences of dev or test that train has; 0 of train */
    int64_t in_pieces[SIDES];        /* sentences of train with a word in pieces: "ein@@ " */
};

/* A text that is being read; begin with {0}. */
struct text_audit {
    struct buffer lower;
    struct {
        uint64_t *hash; /* [count] of each sentence */
        int count;
        int64_t read; /* sentences that were added */
    } seen[SPLITS][SIDES];
    int64_t in_pieces[SIDES];
};
/* Adds one side of a pair that is kept: `clean` as line_clean leaves it. */
void text_audit_add(struct text_audit *audit, enum split_name split, enum side_name side,
                    const char *clean, size_t bytes);
/* Keeps of the train sentences that were added those with these indices, ascending: the others are
 * not trained on. */
void text_audit_keep(struct text_audit *audit, const int *index, int count);
/* Returns what was found, and frees the rest. */
struct text_findings text_audit_end(struct text_audit *audit);

/* Adds the findings to "splits" of corpus.json, and reads them there. False: the corpus is of a
 * version that recorded none. */
void text_findings_write(const struct text_findings *findings, json_t *splits);
bool text_findings_read(struct text_findings *findings, const json_t *splits);

/* The share of a split's sentences that train has, in percent. */
double text_findings_shared(const struct text_findings *findings, enum split_name split,
                            enum side_name side);
/* "84% of the sources, 90% of the targets": the share of train's sentences in pieces; NULL: hardly
 * any are. */
const char *text_findings_pieces(const struct text_findings *findings, struct arena *arena);
