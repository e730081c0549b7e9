/* Centers and windows position by position, from the files that stages `localness` left
 * (probes/localness.h), for figures of kind scatter and histogram. */
#ifndef PLOTS_POSITIONS_H
#define PLOTS_POSITIONS_H

#include "plots/figure_kind.h"

enum { POSITIONS_LAYERS = 64 }; /* at most */

/* localness.center, of offset (center - position) and window: what a side of such a figure is. */
struct column positions_read(const struct tree *item, struct arena *arena);
/* "Center", "Center - position", "Window". */
const char *positions_label(const struct column *column);

/* All positions of a row in all seeds that are done, heads apart. */
struct positions {
    int row;
    int64_t count;
    const float **number; /* [count] LOCALNESS_COLUMNS each */
    int seeds, layers;    /* layers: the highest one */
};

/* Of each row of the figure; false: none has any. A file that is not what its stage wrote is
 * refused: canvas->refused. */
bool positions_load(struct canvas *canvas, const struct figure *figure, struct value_reader *reader,
                    struct positions *positions);
/* Those of a layer; *count of them, in the arena. */
const float **positions_of_layer(const struct positions *positions, int layer, int64_t *count,
                                 struct arena *arena);
/* What a column says of a position. */
double positions_value(const struct column *column, const float *number);
/* The layers that any row has, ascending; returns how many. */
int positions_layers(const struct positions *positions, int rows, int layer[POSITIONS_LAYERS]);

#endif
