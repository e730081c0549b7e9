/* A figure of a grid (figures.h reads and draws it), and its kind: a word of the list in figures.c
 * and a template of gnuplot. */
#pragma once

#include "core/config/scalar.h"
#include "results/table/column.h"

struct plot;
struct grid;
struct figure;

struct figure_kind {
    const char *name, *help, *template_name; /* NULL: its name */
    /* The columns that are drawn when the grid names none; left NULL: it must say it, right NULL:
     * nothing. */
    const char *left, *right;
    const char *keys;  /* of the map, that not all kinds have: FIGURE_LIMITS; NULL: none */
    bool pair;         /* may have a right axis */
    bool axis;         /* is drawn against an axis of the sweep, which the grid names */
    bool single;       /* its points are single values, and no means */
    bool several;      /* may have several columns on the left: a list, or KIND for all its parts */
    bool views;        /* draws each view by layer of a part (offer.h) */
    bool intervals;    /* bars are 95% intervals, and not deviations; */
    bool bands;        /* they are drawn as bands */
    enum dimension by; /* is along a dimension; DIMENSIONS: of none */
    /* The columns that this kind alone has, up to a name of NULL; what a name of them is; and what
     * is wrong with another one. */
    const struct column *known;
    const char *name_of, *unknown;
    /* Reads the column of an axis, a name or a map; dies at the place of what this kind cannot
     * draw. NULL: one of `known`, or else a column that has values along `by`. */
    struct column (*read)(const struct tree *item, struct arena *arena);
    /* Dies at the place where the grid has nothing for it. NULL: there is nothing to check. */
    void (*check)(const struct figure *figure, const struct grid *grid, struct place place,
                  struct arena *arena);
    /* Writes numbers, texts, lines with their points, and captions. */
    void (*fill)(struct plot *plot);
};
#define FIGURE_LIMITS "from to dotted" /* of the left axis */

struct figure {
    const struct figure_kind *kind;
    struct column left, right;   /* what the axes show; a name of NULL: nothing */
    int columns;                 /* of a kind that draws several of one row; else 1 */
    const struct column *column; /* [columns] the first is `left` */
    int rows;
    const int *row; /* [rows] indices into the grid's rows */
    int baseline;   /* of ngrams: the row that others are compared with; -1: not named */
    /* The keys of the map, as the grid has them. */
    int number;
    const char *title, *x, *y, *y2; /* labels: "" for the kind's own */
    const char *axis;               /* of the sweep, for lines; else "" */
    double from, to, dotted;        /* limits of the left axis and a line across; 0, 0: none */
    int points, seed;               /* of scatter: drawn of each row in each layer, and which */
    int sentence; /* of map: its number in the split; 0: the first one that there is */
    const char *given_baseline;
    const struct tree *given_left, *given_right; /* NULL: the kind's own */
    struct texts given_rows;
};

/* What a figure shows of a value beyond its column. NULL: nothing. */
struct figure_words {
    const char *axis;    /* label of the axis; NULL: the header */
    const char *points;  /* what a point is; NULL: what the axis says */
    const char *layers;  /* which layers its rows are of: "Encoder layer"; NULL: "Layer" */
    const char *against; /* the value of the same stage that it is shown against: "majority" */
    const char *balance; /* what the dotted line says */
    const char *sized;   /* what its classes count, which are numbers: "Number of operators" */
    /* An option of the kind, FIRST-LAST: of its classes, which are numbers, those that were
     * trained. A figure along them marks where they end. */
    const char *learned;
    double low, high, middle; /* limits of the values, and a dotted line; 0, 0: none */
};
struct figure_words figure_words(const struct column *column); /* by its value */

/* A column that has one value a row. */
struct column figure_read_value(const struct tree *item, struct arena *arena);
/* For a figure along a dimension: a measure that has such lines, or that no kind offers. Other
 * dimensions may be named. */
struct column figure_read_by(const struct tree *item, enum dimension by, struct arena *arena);

struct figure_list {
    int count;
    const struct figure *figure; /* [count] */
};
