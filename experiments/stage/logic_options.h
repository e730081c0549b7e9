/* The section `logic`: the pairs of a grid of the task logic, and what its models have behind their
 * encoder. The stages formulas, relate and logic read it, each its part. */
#ifndef EXPERIMENTS_STAGE_LOGIC_OPTIONS_H
#define EXPERIMENTS_STAGE_LOGIC_OPTIONS_H

#include "core/model/pair_classifier.h"
#include "experiments/grid/grid.h"
#include "logic/pairs.h"

/* The widths of a classifier's layers, 0: the model's. */
struct logic_hidden {
    int layers, width[PAIR_LAYERS_MOST];
};
struct logic_pool {
    int queries; /* 0: it is pooled */
    enum pooling pooling;
};

struct logic_section {
    /* of formulas */
    const char *data;
    int split, pairs, variables, depth, seed;
    bool disjoint;
    /* of relate */
    struct logic_bins bins;
    int dev, features;
    struct logic_pool pool;
    struct logic_hidden hidden;
    /* of logic */
    const char *checkpoint;
};
extern const struct section logic_section;
extern const struct option_custom logic_bins_custom; /* a field of struct logic_bins */
extern const struct evaluation evaluation_logic;     /* kind_logic.c */

const struct logic_section *logic_section_at(const struct settings *settings);
/* The model that a point's settings mean; they live as long as it. */
struct pair_options logic_model(const struct settings *settings);

/* Bins that are tested; what has no operator is not. */
enum { LOGIC_TESTED = 1 };
/* The file of a stage `formulas` that the others read. */
#define LOGIC_FILE "formulas.pairs"

#endif
