/* Lines of what a measure was before training (offer.h, start), beside those of the trained
 * encoders: a dashed line for each row, one name for all of them. */
#ifndef PLOTS_UNTRAINED_H
#define PLOTS_UNTRAINED_H

#include "plots/figure_kind.h"

#define UNTRAINED_NAME "Before training"

/* The points of one row's line. */
struct untrained_line {
    int row, points;
    const struct column *at;          /* [points] of the trained encoder */
    const struct figure_place *place; /* [points] */
};

/* Writes a series of place and value for each line, and the number `untrained`: how many; none
 * where no line has a value. Returns it. */
int untrained_put(struct canvas *canvas, struct figure_side *side, struct value_reader *reader,
                  const struct untrained_line *line, int lines);

#endif
