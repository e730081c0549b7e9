/* What is to be known of pairs before an accuracy on them means anything: how many there are of
 * each bin and relation, which are there twice, and how much of a test the training text tells. */
#pragma once

#include "logic/pairs.h"

struct logic_count {
    int pairs, relation[RELATIONS];
    int duplicates; /* pairs that stood in the same split before */
    /* But for train, pairs of which the trained bins have */
    int repeated; /* themselves, */
    int mirrored; /* the pair with its sides exchanged, */
    int familiar; /* both statements, in any pairs */
};
struct logic_audit {
    struct logic_count count[LOGIC_SPLITS][LOGIC_BINS];
    bool there[LOGIC_SPLITS][LOGIC_BINS]; /* whether its file was read */
};
/* `trained`: the bins of train that a training would read. */
struct logic_audit logic_audit(const struct logic_pairs *pairs, struct logic_bins trained);

/* Adds one to the other: bins to all. */
void logic_count_add(struct logic_count *sum, const struct logic_count *more);
/* The most frequent relation, of several the first. */
enum logic_relation logic_majority(const struct logic_count *count);
