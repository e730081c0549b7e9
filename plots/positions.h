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

/* A frame for each layer that any row has, in each a series for every row that has positions. */
struct positions_frames {
    struct positions *positions; /* [rows of the figure] */
    bool *drawn;                 /* [rows of the figure] */
    const char **name, **panel;  /* [series] of rows; [layers] */
    int series, layers, layer[POSITIONS_LAYERS];
    bool any;
};
/* Of the figure. A file that is not what its stage wrote is refused: canvas->refused. */
struct positions_frames positions_frames(struct canvas *canvas, const struct figure *figure,
                                         struct value_reader *reader);
/* Calls `put` for each series of each frame, in their order, to write it. */
void positions_each(struct canvas *canvas, const struct positions_frames *frames, int rows,
                    void (*put)(void *context, const struct positions *of_row, int layer),
                    void *context);

/* Those of a layer; *count of them, in the arena. */
const float **positions_of_layer(const struct positions *positions, int layer, int64_t *count,
                                 struct arena *arena);
/* What a column says of a position. */
double positions_value(const struct column *column, const float *number);

#endif
