/* Draws of values for the trials of a tuned row (tune.h). A value is a function of the seed of the
 * draws, the path of the option and the number of the trial. So another trial, option or row
 * changes no value. */
#pragma once

#include "core/config/tree.h"

enum draw_kind { DRAW_LOGUNIFORM, DRAW_UNIFORM, DRAW_INT, DRAW_LIST, DRAW_MAP };

/* The space of an option:
 *   loguniform(a, b), uniform(a, b)   a number from a to b, rounded to 4 significant digits
 *   int(a, b)                         an integer from a to b, both included
 *   a list                            one of its values
 *   a map {label: value}              one of its values */
struct draw {
    const char *path; /* of the option: "train.rate" */
    const struct tree *written;
    enum draw_kind kind;
    double low, high; /* of the first three kinds */
};

/* Reads the space of the option `path`. Dies with the location of an error. */
struct draw draw_read(const char *path, const struct tree *written, struct arena *arena);
/* True for the first three kinds. */
bool draw_is_range(const struct draw *draw);
/* Number of values of a list or map; 2 for a range, whose values are its ends. draw_value returns
 * the value with this index. The result is in the arena, with the location of the space. */
int draw_values(const struct draw *draw);
struct tree *draw_value(const struct draw *draw, int index, struct arena *arena);
/* Returns the value of a trial (from 1). */
struct tree *draw_trial(const struct draw *draw, uint32_t draws, int trial, struct arena *arena);
/* True if a value is at the edge of its space. In a range, this is the outer tenth at each end (of
 * logarithms, for loguniform), or outside. In a list of at least three ascending or descending
 * numbers, it is the first or last one, or outside. False for NULL. */
bool draw_is_edge(const struct draw *draw, const struct tree *value);
