/* Provides common options and output for stages that analyze a frozen encoder position by position.
 * Their tables of numbers are written as NAME.npy, and as NAME.tsv with a header line. */
#pragma once

#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_work.h"

/* The common options. This struct must be the first member of the struct of a kind's section. */
struct analysis_options {
    int split;              /* enum split_name */
    const char *checkpoint; /* checkpoint choice that means a single encoder */
    int sentences;          /* number of sentences, counted from the first; 0: all */
    const char *text;       /* with ANALYSIS_TEXT: a file that replaces the split; "": none */
};
#define ANALYSIS_ROWS                                                                              \
    OPTION_CHOICE("split", offsetof(struct analysis_options, split), "dev", SECTION_SPLITS,        \
                  OPTION_ID, "split that is analyzed", .when = "not text != ''"),                  \
        OPTION_ENCODER(offsetof(struct analysis_options, checkpoint)),                             \
        OPTION_INT("sentences", offsetof(struct analysis_options, sentences), "0", 0, 2e9,         \
                   OPTION_ID, "number of sentences, from the first; 0: all")
/* Additional option, for analyses that do not read translations. */
#define ANALYSIS_TEXT                                                                              \
    OPTION_TEXT(                                                                                   \
        "text", offsetof(struct analysis_options, text), "", OPTION_NO_ID,                         \
        "file of sentences instead of the split: lines of tokens, or a treebank (.conllu)")

/* Member `lacks` of struct stage_kind, for kinds that analyze attention. */
const char *analysis_lacks_attention(const struct settings *settings);
/* Members check and find_files of struct stage_kind. find_files adds the file of option `text`. */
void analysis_check(struct kind_check *check);
void analysis_find_files(struct stage *stage, const struct stage *planned, struct arena *arena);
/* Returns the sentences to analyze. Sets *frozen to the loaded encoder. */
struct split analysis_open(struct stage_work *work, struct frozen **frozen);
/* Writes number[rows][columns] as NAME.npy and NAME.tsv, which become outputs of the stage. */
void analysis_write(struct stage_work *work, const char *name, const char *const *header,
                    int columns, const float *number, int64_t rows);
