/* A figure of a grid, and the kind of a figure. figures.h reads and draws figures. A kind is an
 * entry of kinds.def and has a gnuplot template. */
#pragma once

#include <string.h>

#include "core/config/scalar.h"
#include "results/table/column.h"

struct plot;
struct grid;
struct grid_coordinate;
struct figure;

/* A column that only one kind of figure has. */
struct figure_column {
    const char *name, *header, *kind, *value; /* as in struct column */
};
enum { FIGURE_KNOWN = 4 };

typedef void figure_check(const struct figure *figure, const struct grid *grid,
                          struct arena *arena);
typedef void figure_fill(struct plot *plot);

/* A kind is an entry of kinds.def. */
struct figure_kind {
    const char *name, *help, *template_name; /* template_name: the template is
                                                plots/TEMPLATE_NAME.gp; NULL: plots/NAME.gp */
    const char *note;                        /* caption about the marks of the figure; NULL: none */
    const char *axis; /* word for the horizontal axis in data.tsv: "layer"; NULL: the key axis */
    /* Default columns of the left and right axes. left NULL: the grid must name a column. right
     * NULL: no column by default. */
    const char *left, *right;
    const char *keys;  /* keys in the grid that only some kinds accept, such as FIGURE_LIMITS; NULL:
                          none */
    unsigned traits;   /* FIGURE_PAIR .. */
    enum dimension by; /* dimension of metric rows on the horizontal axis, or FIGURE_SHARE;
                          DIMENSIONS: none */
    /* The columns that this kind accepts. The name of the first is NULL: the columns that
     * figure_read_column accepts for `by`. */
    struct figure_column known[FIGURE_KNOWN + 1];
    /* Exits with an error at figure->at_left if the grid cannot have the values of the figure.
     * NULL: no check. */
    figure_check *check;
    /* Adds the numbers, texts, series with their points, and captions of a figure. */
    figure_fill *fill;
};
enum {
    FIGURE_LINES = 1 << 0,   /* a name of the kind lines with its axis */
    FIGURE_PAIR = 1 << 1,    /* the figure may have a right axis */
    FIGURE_AXIS = 1 << 2,    /* the horizontal axis is an axis of the sweep, which the grid names */
    FIGURE_CELLS = 1 << 3,   /* each axis is an axis of the sweep, a dimension, or the rows */
    FIGURE_SINGLE = 1 << 4,  /* points are single values, not means over seeds */
    FIGURE_SEVERAL = 1 << 5, /* the key `left` may have several columns. The name of a kind of
                                  stage, such as probe, then stands for one column per part */
    FIGURE_VIEWS = 1 << 6,   /* a column of a part with views by layer (offer.h) has a point for
                                  each view */
    FIGURE_INTERVALS = 1 << 7, /* bars show 95% intervals, not standard deviations */
    FIGURE_BANDS = 1 << 8      /* intervals are drawn as bands */
};
figure_check along_check_heads, budget_check, curve_check, figure_check_layers, heat_check,
    lines_check_crossings, map_check, shares_check;
figure_fill along_fill, bars_fill, budget_fill, curve_fill, heat_fill, lines_fill, map_fill,
    ngrams_fill, positions_fill;

#define FIGURE_LIMITS "frame from to dotted y:log" /* keys of figures with lines */
/* Value of `by`: the share of the training items (SHARE_OF, offer.h). */
#define FIGURE_SHARE ((enum dimension)(DIMENSIONS + 1))
enum { FIGURE_FRAMES = 18 };          /* maximum number of frames on a page */
#define FIGURE_LAYERS "Encoder layer" /* label of an axis of layers */
#define FIGURE_ROW "row"              /* value of the key `down`: the rows */
#define NGRAMS_CUMULATIVE "ngrams.cumulative"

struct figure {
    const struct figure_kind *kind;
    struct column left, right; /* column of each axis; name NULL: the axis has no column */
    int columns; /* number of columns on the left axis. If it is above 1, there are no more rows
                    than frames */
    const struct column *column; /* [columns] the first is `left` */
    int rows;
    const int *row; /* [rows] indices into the grid's rows */
    int baseline;   /* for ngrams: index of the row with which the others are compared; -1: the grid
                       does not name it */
    /* Values of the keys in the grid. */
    int number;
    const char *title, *x, *y, *y2;         /* title of the figure, and labels of the axes; label
                                               "": the default of the kind */
    bool log_x, log_y;                      /* logarithmic axes */
    struct location at_x, at_y, at_frame;   /* locations of the keys x, y and frame */
    struct location at_left;                /* location of the key left, else of the figure */
    const char *axis;                       /* horizontal axis of lines or heat; else "" */
    const char *down;                       /* vertical axis of a heat map; default FIGURE_ROW */
    const char *frame;                      /* axis with one frame per value; "": one frame */
    int frames;                             /* number of frames; 0: one frame, without a name */
    const char **frame_value, **frame_name; /* [frames] value of the axis, "1", and title of the
                                               frame, "window 1" */
    double from, to, dotted; /* limits of the left axis (0, 0: none), and height of a dotted line */
    int points, seed;        /* for scatter: number of points for each row in each layer, and random
                                seed */
    int sentence;            /* for map: number of the sentence in the split; 0: the first available
                                sentence */
    const char *given_baseline;
    const struct tree *given_left, *given_right; /* NULL: the kind's default */
    struct texts given_rows, given_x, given_y;
};

/* Labels and limits of a measure in figures. struct column has the other properties of the measure.
 * A member that is NULL is absent. */
struct figure_words {
    const char *axis;    /* label of the axis; NULL: the header */
    const char *points;  /* meaning of a point; NULL: the meaning of the axis */
    const char *against; /* name of a reference value of the same stage: "majority" */
    const char *balance; /* meaning of the dotted line */
    const char *sized;   /* meaning of the measure's classes, if they are numbers: "Number of
                            operators" */
    /* Name of an option of the measure's kind of stage, such as "bins". Its value is FIRST-LAST,
     * the range of numeric classes on which the model was trained. A figure of kind profile marks
     * the end of the range. */
    const char *learned;
    double low, high, middle; /* least and greatest possible value (0, 0: none; high may be
                                 infinite), and height of a dotted line */
};
struct figure_words figure_words(const struct column *column); /* found by kind and measure */

/* Reads a column of a figure with the dimension `by` on its horizontal axis. If `item` is a map, it
 * may fix other dimensions. With DIMENSIONS, the column must have one value per row. */
struct column figure_read_column(const struct tree *item, enum dimension by, struct arena *arena);
/* True if a column, or each column of a group, has values by a dimension. Also true if the kinds do
 * not offer the value. */
bool figure_has(const struct column *column, enum dimension by);
/* Exits with an error at the column's location unless figure_has. The message lists the values by
 * this dimension. */
void figure_check_by(const struct column *column, enum dimension by, struct arena *arena);
/* Writes the distinct values of the option `key` to *text, in the order of the rows,
 * NULL-terminated. Skips rows without a run (struct grid_row). Returns the number of values. */
int figure_options(const struct grid *grid, const int *row, int rows, const char *key,
                   const char ***text, struct arena *arena);

/* True if the axis of a heat map is a dimension of metric rows: "layer" or "class". */
static inline bool figure_dimension(const char *axis)
{
    return !strcmp(axis, dimension_names[DIMENSION_LAYER]) ||
           !strcmp(axis, dimension_names[DIMENSION_CLASS]);
}
/* True if the figure names the dimension as its axis or `down`. */
static inline bool figure_is_along(const struct figure *figure, enum dimension dimension)
{
    return !strcmp(figure->axis, dimension_names[dimension]) ||
           !strcmp(figure->down, dimension_names[dimension]);
}

/* Sets `frames`, `frame_value` and `frame_name` of a figure from its rows. Exits with an error if
 * there are more than FIGURE_FRAMES. */
void frames_read(struct figure *figure, const struct grid *grid, struct arena *arena);
/* True if no two rows of a figure are in the same frame. */
bool frames_alone(const struct figure *figure, const struct grid *grid);
/* Returns the frame of a row at a place, from 1; 0: the row is in all frames. */
int frames_of(const struct figure *figure, const struct grid *grid, int row, int place);
/* True if a place of the row is in the frame, or if no place of the row is in any frame. */
bool frames_show(const struct figure *figure, const struct grid *grid, int row, int frame);
/* Returns the name of a row at a place. Omits the coordinates on the axis of frames and on the axis
 * of `without` (NULL: none). If nothing remains, returns the
 * header of the left column. */
const char *frames_rest(const struct figure *figure, const struct grid *grid, int row, int place,
                        const struct grid_coordinate *without, struct arena *arena);

/* A place of a row in a heat map. */
struct frame_cell {
    int row, frame;
    const char *at[2]; /* coordinates on `axis` and `down`; "" if the axis is layer or class */
};
/* Finds the cell of a row at a place. Returns false if the row does not compute the value, or is
 * not on both axes. */
bool frames_cell(const struct figure *figure, const struct grid *grid, int row, int place,
                 struct frame_cell *cell, struct arena *arena);

struct figure_list {
    int count;
    const struct figure *figure; /* [count] */
};
