/* What tests of figures share: a world of three rows, and what a figure of it holds. */
#pragma once

#include "plots/figures.h"
#include "tests/support/world.h"

enum { ROWS = 3, SEEDS = 3, KINDS = 3 }; /* kinds: train, score, gates */

/* The rows "3", "<`date`" and "%d{x}_y", of so many seeds; all stages are new. */
struct world *figures_world(const char *name, int seeds);
/* Score of three checkpoints around `bleu`, gates of two layers around `gate`. */
void world_finish(struct world *world, int r, int s, double bleu, double gate);
/* A training with a validation every 100 steps. */
void world_train(struct world *world, int r, int s, int validations, double first, bool bleu);
/* One that logs its loss, the step and the seed, every so many steps. */
void world_log(struct world *world, int r, int s, int every, int steps);
/* The first figure of the list, as SVG. */
struct figure_drawing world_draw(struct world *world, const char *yaml);

const char *data_of(const struct figure_drawing *drawing); /* data.dat */
/* All numbers of data.dat in a row; NAN stands for itself. */
void expect_numbers(const struct figure_drawing *drawing, int count, const double *value);
#define EXPECT_NUMBERS(drawing, ...)                                                               \
    expect_numbers(drawing, (int)COUNT_OF(((double[]){__VA_ARGS__})), (double[]){__VA_ARGS__})
/* Of two figures of the same points. */
void expect_same_data(const struct figure_drawing *one, const struct figure_drawing *other);
void expect_caption(const struct figure_drawing *drawing, const char *text);
/* Where gnuplot is, the figure is drawn and shows the text. */
void expect_drawn(const struct figure_drawing *drawing, const char *text);
