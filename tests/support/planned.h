/* Shared code of tests of grids and plans: a small text, grids over it, and files in stage
 * folders. */
#pragma once

#include "experiments/plan/plan.h"
#include "tests/support/here.h"

/* Beginning of a grid's YAML: a corpus of two files per split, and a small model. */
#define PLANNED                                                                                    \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"                                  \
    "encoder: {layers: 2}\n"                                                                       \
    "decoder: {layers: 1}\n"

extern const char *runs;

/* Makes a new folder with the text; run folders go there, too. */
void planned_open(void);
/* planned_grid returns the grid of a YAML text, with arguments of the command line. planned
 * returns its plan, without arguments. */
struct grid *planned_grid(const char *text, int words, const char *const *word);
struct plan *planned(const char *text);
/* Returns the names of a grid's rows, one per line. */
const char *planned_rows(const struct grid *grid);
void planned_put(const struct task *task, const char *file, const char *text);
