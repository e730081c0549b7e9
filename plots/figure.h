/* What a figure shows (figures.h reads and draws it). */
#ifndef PLOTS_FIGURE_H
#define PLOTS_FIGURE_H

#include "results/table/column.h"

struct figure_kind;

struct figure {
    const struct figure_kind *kind;
    const char *title, *x, *y, *y2; /* labels: "" for the kind's own */
    const char *axis;               /* of the sweep, for lines; else "" */
    struct column left, right;      /* what the axes show; a name of NULL: nothing */
    int columns;                    /* of a kind that draws several of one row; else 1 */
    const struct column *column;    /* [columns] the first is `left` */
    int points;                     /* of scatter: drawn of each row in each layer */
    unsigned seed;                  /* of which */
    int baseline; /* of ngrams: the row that others are compared with; -1: not named */
    int sentence; /* of map: its number in the split; 0: the first one that there is */
    int rows;
    const int *row; /* [rows] indices into the grid's rows */
};

struct figure_list {
    int count;
    const struct figure *figure; /* [count] */
};

#endif
