/* A figure of a grid (figures.h reads and draws it), and its kind: an entry of the list in
 * figures.c with a gnuplot template. */
#pragma once

#include <string.h>

#include "core/config/scalar.h"
#include "results/table/column.h"

struct plot;
struct grid;
struct grid_coordinate;
struct figure;

struct figure_kind {
    const char *name, *help, *template_name; /* template_name NULL: the kind's name */
    /* Default columns. left NULL: the grid must name a column; right NULL: no right axis. */
    const char *left, *right;
    const char *keys;  /* keys of the map that not all kinds accept: FIGURE_LIMITS; NULL: none */
    bool pair;         /* may have a right axis */
    bool axis;         /* is drawn against an axis of the sweep, named by the grid */
    bool cells;        /* is drawn against two axes: of the sweep, or dimensions */
    bool single;       /* points are single values, not means */
    bool several;      /* accepts several columns on the left: a list, or KIND for all its parts */
    bool views;        /* draws each view by layer of a part (offer.h) */
    bool intervals;    /* bars are 95% intervals, not deviations */
    bool bands;        /* intervals are drawn as bands */
    enum dimension by; /* dimension of the horizontal axis; DIMENSIONS: none */
    /* The only columns of this kind, terminated by a name of NULL; how a message calls them; and
     * the message for other columns. */
    const struct column *known;
    const char *name_of, *unknown;
    /* Reads the column of an axis, a name or a map. Exits with an error at the location of a column
     * that this kind cannot draw. NULL: the column is one of `known`, or else has values along
     * `by`. */
    struct column (*read)(const struct tree *item, struct arena *arena);
    /* Exits with an error at the location if the grid lacks the values of the figure. NULL: no
     * check. */
    void (*check)(const struct figure *figure, const struct grid *grid, struct location location,
                  struct arena *arena);
    /* Writes numbers, texts, lines with their points, and captions. */
    void (*fill)(struct plot *plot);
};
#define FIGURE_LIMITS "from to dotted y:log" /* of the left axis */
enum { FIGURE_FRAMES = 18 };                 /* maximum number on a page */
#define FIGURE_ROW "row"                     /* word of `frame` and `down`: the rows */
/* A column of `known`. */
#define FIGURE_COLUMN(name_, header_, kind_, value_)                                               \
    {                                                                                              \
        .name = name_, .header = header_, .kind = kind_, .value = value_                           \
    }

struct figure {
    const struct figure_kind *kind;
    struct column left, right;   /* columns of the axes; a name of NULL: empty */
    int columns;                 /* of a kind that draws several columns of one row; else 1 */
    const struct column *column; /* [columns] the first is `left` */
    int rows;
    const int *row; /* [rows] indices into the grid's rows */
    int baseline;   /* for ngrams: the row with which others are compared; -1: not named */
    /* The keys of the map, as the grid has them. */
    int number;
    const char *title, *x, *y, *y2;         /* labels: "" for the kind's default */
    bool log_x, log_y;                      /* logarithmic axes */
    struct location at_x, at_y;             /* of the keys */
    const char *axis;                       /* of the sweep, for lines; else "" */
    const char *down;                       /* vertical axis of a heat map; else "" */
    const char *frame;                      /* axis of the frames; "": one frame */
    int frames;                             /* 0: one frame, without a name */
    const char **frame_value, **frame_name; /* [frames] "1"; and "window 1" */
    double from, to, dotted; /* limits of the left axis and a line across; 0, 0: none */
    int points, seed;        /* for scatter: number drawn for each row in each layer, and
                                       random seed */
    int sentence;            /* for map: its number in the split; 0: the first available */
    const char *given_baseline;
    const struct tree *given_left, *given_right; /* NULL: the kind's default */
    struct texts given_rows, given_x, given_y;
};

/* Presentation of a value beyond its column. NULL: absent. */
struct figure_words {
    const char *axis;    /* label of the axis; NULL: the header */
    const char *points;  /* meaning of a point; NULL: that of the axis */
    const char *layers;  /* the layers of its rows: "Encoder layer"; NULL: "Layer" */
    const char *against; /* reference value of the same stage: "majority" */
    const char *balance; /* meaning of the dotted line */
    const char *sized;   /* unit of its classes, if they are numbers: "Number of operators" */
    /* An option of the kind, FIRST-LAST: the range of its numeric classes that were trained. A
     * figure along the classes marks the end of the range. */
    const char *learned;
    double low, high, middle; /* limits of the values, and a dotted line; 0, 0: none */
};
struct figure_words figure_words(const struct column *column); /* by its value */

/* Reads a column with one value per row. */
struct column figure_read_value(const struct tree *item, struct arena *arena);
/* Reads a column of a figure along a dimension: a measure with lines by this dimension, or a
 * measure that no kind offers. Other dimensions may be named. */
struct column figure_read_by(const struct tree *item, enum dimension by, struct arena *arena);
/* For a kind with views: exits with an error if no row has a layer's view of one of the columns,
 * such as the part "probe.Tense@encoder.3". */
void figure_check_layers(const struct figure *figure, const struct grid *grid,
                         struct location location, struct arena *arena);

/* Writes the different values of an option of those of the rows that run, in their order, with a
 * final NULL. Returns their number. */
int figure_options(const struct grid *grid, const int *row, int rows, const char *key,
                   const char ***text, struct arena *arena);

/* True for the words of axes of a heat map that are dimensions of metric rows. */
static inline bool figure_dimension(const char *axis)
{
    return !strcmp(axis, dimension_names[DIMENSION_LAYER]) ||
           !strcmp(axis, dimension_names[DIMENSION_CLASS]);
}

/* frames.c: finds the frames of the rows. Exits with an error if there are too many. */
void frames_read(struct figure *figure, struct location location, const struct grid *grid,
                 struct arena *arena);
/* Returns the frame of a row at a place, from 1; 0: the row is in all frames. */
int frames_of(const struct figure *figure, const struct grid *grid, int row, int place);
/* True if a row is in a frame at any of its places. */
bool frames_show(const struct figure *figure, const struct grid *grid, int row, int frame);
/* Returns the name of a row at a place without its frame and without the axis of `without` (NULL:
 * none); or the header of the figure's column, if nothing is left. */
const char *frames_rest(const struct figure *figure, const struct grid *grid, int row, int place,
                        const struct grid_coordinate *without, struct arena *arena);

struct figure_list {
    int count;
    const struct figure *figure; /* [count] */
};
