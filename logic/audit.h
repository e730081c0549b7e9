/* Audits pairs of statements. An audit counts the pairs of each bin and relation, and the
 * duplicates. It also counts the pairs of valid and test that overlap with the training pairs.
 * Without these numbers, an accuracy cannot be interpreted. */
#pragma once

#include "logic/pairs.h"

struct logic_count {
    int pairs, relation[RELATIONS];
    int duplicates; /* pairs that also occur earlier in the same split */
    /* Overlap with the trained bins, for valid and test: */
    int repeated; /* pairs that are also training pairs */
    int mirrored; /* pairs whose mirror (sides exchanged) is a training pair */
    int familiar; /* pairs whose two statements both occur in training pairs */
};
struct logic_audit {
    struct logic_count count[LOGIC_SPLITS][LOGIC_BINS];
    bool there[LOGIC_SPLITS][LOGIC_BINS]; /* true if the file of the bin was read */
};
/* Audits pairs. `trained` are the bins of train from which models learn. Their pairs are the
 * training pairs. */
struct logic_audit logic_audit(const struct logic_pairs *pairs, struct logic_bins trained);

/* Adds `more` to `sum`. Used to sum the counts of all bins. */
void logic_count_add(struct logic_count *sum, const struct logic_count *more);
/* Returns the most frequent relation; in a tie, the first one. */
enum logic_relation logic_majority(const struct logic_count *count);
