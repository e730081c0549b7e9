/* What tests of grids and plans share: a small text, a grid over it, what lies in the folder of a
 * stage. */
#pragma once

#include "experiments/plan/plan.h"
#include "tests/support/here.h"

/* The begin of a grid: a corpus of two files per split, and a small model. */
#define PLANNED                                                                                    \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"                                  \
    "encoder: {layers: 2}\n"                                                                       \
    "decoder: {layers: 1}\n"

extern const char *runs;

/* Makes a new folder with the text, in which the runs will lie. */
void planned_open(void);
/* A grid of that text, with words of the command line; its plan, without any. */
struct grid *planned_grid(const char *text, int words, const char *const *word);
struct plan *planned(const char *text);
/* The names of a grid's rows, one a line. */
const char *planned_rows(const struct grid *grid);
void planned_put(const struct task *task, const char *file, const char *text);
