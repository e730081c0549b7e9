/* Shared code of tests of figures: a grid of three rows, and checks of a figure's data and
 * drawing. */
#pragma once

#include "plots/figures.h"
#include "tests/support/world.h"

enum { ROWS = 3, SEEDS = 3, KINDS = 3 }; /* kinds: train, score, gates */

/* Makes the rows "3", "<`date`" and "%d{x}_y", each with `seeds` seeds. All stages are new. */
struct world *figures_world(const char *name, int seeds);
/* Finishes a point: the score of three checkpoints around `bleu`, the gates of two layers around
 * `gate`. */
void world_finish(struct world *world, int r, int s, double bleu, double gate);
/* Makes row r a result of the sweep `line`, at one coordinate of an axis. */
void world_place(struct world *world, int r, const char *line, const char *axis, const char *value);
/* Finishes a training with a validation every 100 steps. */
void world_train(struct world *world, int r, int s, int validations, double first, bool bleu);
/* Finishes a training whose loss, a function of step and seed, is logged every `every` steps. */
void world_log(struct world *world, int r, int s, int every, int steps);
/* Returns the first figure of the list, as SVG. */
struct figure_drawing world_draw(struct world *world, const char *yaml);

const char *data_of(const struct figure_drawing *drawing); /* data.dat */
/* Fails the test unless the numbers of data.dat, in order, equal `value`; NAN matches NAN. */
void expect_numbers(const struct figure_drawing *drawing, int count, const double *value);
#define EXPECT_NUMBERS(drawing, ...)                                                               \
    expect_numbers(drawing, (int)COUNT_OF(((double[]){__VA_ARGS__})), (double[]){__VA_ARGS__})
/* Fails the test unless the script assigns this number to the name. */
void expect_assigned(const struct figure_drawing *drawing, const char *name, double value);
/* Fails the test unless the figure shows the text as often, if gnuplot is installed. */
void expect_count(const struct figure_drawing *drawing, const char *text, int count);
/* Fails the test unless both figures have the same points. */
void expect_same_data(const struct figure_drawing *one, const struct figure_drawing *other);
void expect_caption(const struct figure_drawing *drawing, const char *text);
/* Fails the test unless the figure is drawn and shows the text, if gnuplot is installed. */
void expect_drawn(const struct figure_drawing *drawing, const char *text);
