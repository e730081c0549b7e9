/* Section `logic` of grids with the task logic: options of the pairs of formulas, and of the layers
 * after the encoder. Each of the stages formulas, relate and logic reads a part of the section. */
#pragma once

#include "core/model/pair_classifier.h"
#include "experiments/grid/grid.h"
#include "logic/pairs.h"
#include "experiments/stage/stage.h"
#include "logic/generate.h"

/* Hidden layers of a classifier: their number and widths. Width 0: the width of the model. */
struct logic_hidden {
    int layers, width[PAIR_LAYERS_MOST];
};

struct logic_section {
    /* for the stage formulas */
    const char *data;
    int split, pairs, variables, depth, seed;
    bool disjoint;
    struct texts names; /* names of the variables in the text; empty: a, b, .. */
    /* for the stage relate */
    struct logic_bins bins;
    int dev, features;
    struct numbered pool; /* 0: last, 1: mean, 2: the number of queries */
    struct logic_hidden hidden;
    /* for the stage logic */
    const char *checkpoint;
};
extern const struct option_custom logic_bins_custom; /* for an option of type struct logic_bins */
/* Options that choose the pairs, for a section whose struct has a logic_section at offset `at`. */
#define LOGIC_PAIR_ROWS(at)                                                                        \
    OPTION_TEXT("data", (at) + offsetof(struct logic_section, data), "logic", OPTION_NO_ID,        \
                "folder with train0 to test12, under $SANLAB_DATA or data/ (pairs: 0)",            \
                .when = "pairs = 0"),                                                              \
        OPTION_CHOICE("split", (at) + offsetof(struct logic_section, split), "bowman",             \
                      "bowman|tran", OPTION_ID,                                                    \
                      "splits: bowman: those of the files; tran: each bin is split anew, 80% "     \
                      "train, 10% dev, 10% test. Of generated pairs: see sanlab logic generate "   \
                      "--split"),                                                                  \
        OPTION_INT("pairs", (at) + offsetof(struct logic_section, pairs), "0", 0,                  \
                   LOGIC_MOST_PAIRS, OPTION_ID,                                                    \
                   "number of pairs that are generated instead of read from data (sanlab logic "   \
                   "generate); 0: none"),                                                          \
        OPTION_INT("variables", (at) + offsetof(struct logic_section, variables), "6", 1,          \
                   FORMULA_VARIABLES, OPTION_ID,                                                   \
                   "number of variables of generated pairs, or the most that data has"),           \
        OPTION_INT("depth", (at) + offsetof(struct logic_section, depth), "12", 1,                 \
                   LOGIC_MOST_DEPTH, OPTION_ID,                                                    \
                   "depth of generated pairs (see sanlab logic generate --depth)",                 \
                   .when = "pairs > 0"),                                                           \
        OPTION_INT("seed", (at) + offsetof(struct logic_section, seed), "1", 0, 2147483647,        \
                   OPTION_ID,                                                                      \
                   "random seed of generated pairs, and of the choice of pairs for classifiers "   \
                   "on frozen encoders"),                                                          \
        OPTION_BOOL("disjoint", (at) + offsetof(struct logic_section, disjoint), "false",          \
                    OPTION_ID,                                                                     \
                    "separation of generated splits: no pair, mirrored or not, is in two of them", \
                    .when = "pairs > 0"),                                                          \
        OPTION_TEXTS("names", (at) + offsetof(struct logic_section, names), "[]", OPTION_ID,       \
                     "names of the variables, up to six words; []: a, b, c, d, e, f"),             \
        OPTION_CUSTOM("bins", (at) + offsetof(struct logic_section, bins), "0-6",                  \
                      &logic_bins_custom, OPTION_ID,                                               \
                      "numbers of operators of the training pairs"),                               \
        OPTION_INT(                                                                                \
            "dev", (at) + offsetof(struct logic_section, dev), "10", 2, 1000, OPTION_ID,           \
            "interval N: every N-th training pair is held out as dev, if there is no dev split")
extern const struct section logic_section;
extern const struct evaluation evaluation_logic; /* kind_logic.c */

const struct logic_section *logic_section_at(const struct settings *settings);
/* Returns the model that a point's settings describe. The settings must outlive the result. */
struct pair_options logic_model(const struct settings *settings);

/* Smallest number of operators of tested pairs. */
enum { LOGIC_TESTED = 1 };
/* Name of the file in a stage `formulas` that other stages read. */
#define LOGIC_FILE "formulas.pairs"

/* The pairs of statements of a stage are read from the files in its options, or generated. The
 * following functions use only the options that choose pairs (LOGIC_PAIR_ROWS). */

/* Members find_files and check of struct stage_kind, for a section whose struct begins with a
 * logic_section. The check dies if a required file is empty, or if names of variables are
 * invalid. */
void logic_files_find(struct stage *stage, const struct stage *planned, struct arena *arena);
void logic_files_check(struct kind_check *check);
/* Returns the names of the variables. */
struct formula_names logic_files_names(const struct logic_section *logic);
/* Appends all pairs of the stage to `pairs` (logic/pairs.h). */
void logic_files_read(const struct stage *stage, const struct logic_section *logic,
                      struct logic_pairs *pairs, struct arena *arena);
/* Returns the protocol by which logic_labeled divides the pairs into splits. */
enum logic_protocol logic_files_protocol(const struct logic_section *logic);
