/* What kinds of stages add to the options of a point: a section for each that is asked for. */
#ifndef EXPERIMENTS_GRID_EVALUATION_H
#define EXPERIMENTS_GRID_EVALUATION_H

#include "core/config/option.h"
#include "core/config/scalar.h"

/* The section of a kind of stage: what it does at the points that have it. It stands in the file of
 * the kind, as `evaluation_KIND`; make finds it there. */
struct evaluation {
    const struct section *section; /* "evaluate.gates", or of a task of its own a word: "logic" */
    /* Of its fields, those that most have, or -1: the split (an int) whose text the corpus must
     * have; the words of checkpoints (a text) that training must keep. */
    int split, checkpoint;
    /* Of a kind with parts, which is a stage for each: their names (letters, digits, - and _), each
     * with the place where it is asked for. */
    struct texts (*parts)(const void *fields, struct arena *arena);
};

/* All of them, in the order of their kinds; NULL-terminated. */
extern const struct evaluation *const evaluations[];
int evaluations_count(void);
/* Names of their sections, NULL-terminated: those below `evaluate`, without that word, or those
 * that stand beside it. */
const char *const *evaluations_sections(struct arena *arena, bool below);

#endif
