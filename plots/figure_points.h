/* Collects the points of a figure. A kind of figure adds series and their points, which are values
 * of rows. Then figures.c writes all points to data.tsv, with their names, and to data.dat, series
 * by series. */
#pragma once

#include "plots/canvas.h"
#include "plots/figure.h"
#include "plots/values.h"

/* Summary of the values on one axis, for captions and limits. */
struct figure_side {
    int drawn, least, most; /* number of values; least and greatest number of seeds (or checkpoints)
                               of a value */
    const char *over;       /* set over which deviations are computed: "seeds"; NULL: none */
    const char *label;      /* label of the axis */
    const char *bars;       /* meaning of the bars; NULL: no bars */
    bool reaches;           /* low and high are set. They are the range of the means and of the ends
                               of bars */
    double low, high;
    const char *signature;
    bool mixed; /* the values have different signatures */
};

/* Meaning of the bars of kinds of figures with FIGURE_INTERVALS. */
#define POINTS_INTERVAL "95% t interval of the mean over seeds, for 3 seeds or more"

/* Styles of series. Blocks of data.dat are in this order. */
enum series_style {
    SERIES_SOLID,
    SERIES_DOTTED,  /* dotted line with points: the baseline */
    SERIES_AGAINST, /* line without points: reference values */
    SERIES_LEVEL,   /* horizontal line without points: a row that is not on the axis */
    SERIES_BEFORE,  /* values before training, in the color of the series `of` */
    SERIES_RIGHT,   /* values on the right axis, of the rows of the series `of` */
    SERIES_STYLES
};

struct series {
    const char *name; /* name in the legend and in data.tsv; NULL: not in the legend; data.tsv then
                         has the name of the row */
    enum series_style style;
    bool kept; /* the series has a block even if it has no values */
    int of;    /* SERIES_BEFORE, SERIES_RIGHT: index of the series of the same rows */
    int first; /* index of its first point */
};

enum { FRAMES_ALL = -1 };
struct point {
    int series; /* -1: only in data.tsv */
    int row;    /* index of the row in the grid */
    int frame;  /* index from 1; 0: all frames of its row; FRAMES_ALL: all frames of the figure */
    double x;
    const char *group, *axis,
        *place;       /* cells of data.tsv. group NULL: the name of the series. axis NULL: the axis
                         of the figure. place NULL: an empty cell */
    const char *name; /* name of the column; NULL: the point is not in data.tsv */
    const struct column *column; /* NULL: computed value */
    struct sample value;         /* value with its seeds, for data.tsv; empty: the point has no
                                    seeds */
    double mean, low, high;      /* value, and ends of its bar; NaN: none */
};

/* Tics with names on the horizontal axis. */
struct tics {
    int count;
    const char **name;
    double *x;    /* [count] ascending; NULL: 1, 2, .. */
    bool numeric; /* the names are numbers, drawn to scale; else words at equal distances */
    double lies;  /* height in pixels of each word in the margin next to the data; 0: the words are
                     below the axis */
};

/* A figure in progress. */
struct plot {
    struct canvas *canvas;
    const struct figure *figure;
    struct sampler *reader;
    struct arena *arena;
    const char *axis; /* word for the axis in data.tsv: "layer", "class"; NULL: none */
    struct figure_side left, right;
    int series_count, points;
    struct series *series;
    struct point *point;
    int frames;              /* 0: one frame, or the template draws the frames */
    const char **frame_name; /* [frames] */
    int frame;               /* frame of new points (see struct point) */
    bool lineless;           /* points are not joined by lines */
    struct name_list lacks;  /* values that are not drawn */
    struct tics tics;        /* tics of the horizontal axis; none: without names */
    const char *also;        /* additional entry at the end of the legend; NULL: none */
    const char *what;        /* start of the caption about the left axis; NULL: "Points" */
    struct column checked; /* if no series has a value, sample_check_names checks this column; name
                               NULL: no check */
};

static inline const char *points_row_name(const struct plot *plot, int row)
{
    return plot->reader->grid->row[row].name;
}

/* Returns the name of a row for a legend, without the coordinate of its frame (frames_rest). */
const char *points_line_name(const struct plot *plot, int row);
/* Adds a series. Returns its index. */
int points_series(struct plot *plot, enum series_style style, const char *name, bool kept);
/* Returns the index of the series with this name. If there is none, adds it with `style`. */
int points_series_of(struct plot *plot, enum series_style style, const char *name);
/* Returns a point of the last added series, for a row and without bar. The caller sets x and
 * mean. */
struct point points_plain(const struct plot *plot, int row, const char *name);
/* Reads the value of a row, and updates the summary of the side. */
struct sample points_read(struct plot *plot, struct figure_side *side, const struct column *column,
                          int row);
void points_reach(struct figure_side *side, double at);
/* Adds a point. */
void points_add(struct plot *plot, struct figure_side *side, struct point point);
/* Adds a point with this x and mean on the left axis. If point.place is NULL, its cell `place` in
 * data.tsv is x. */
void points_at(struct plot *plot, struct point point, double x, double mean);
/* Returns the name of the column's measure with a suffix, "gate_sd", if the kind has such a number
 * (offer_number); else NULL. */
const char *points_number(const struct plot *plot, const struct column *column, const char *end);
/* Sets the bar of a point, from mean - half to mean + half. Cuts the bar at the least and greatest
 * possible value (struct figure_words), except for margins. */
void points_bar(struct point *point, const struct column *column, double half);
/* Reads the value of a row and adds it to the last added series, with its bar. The bar shows the
 * 95% interval if the kind of figure has FIGURE_INTERVALS, else the standard deviation over seeds.
 * There are two exceptions. If the kind has FIGURE_VIEWS and the stages recorded a standard
 * deviation (NAME_sd), the bar shows its root mean square over seeds. In a figure by class, the bar
 * of a single seed is the standard error that its stage recorded. */
struct sample points_value(struct plot *plot, struct figure_side *side, const struct column *column,
                           int row, double x, const char *place);
/* Adds a curve to the last added series. x is the step. If `all` is above 0, x is 100 step /
 * all. */
void points_curve(struct plot *plot, struct figure_side *side, int row, const struct column *column,
                  const struct value_curve *curve, double all);
/* True if a series has a value or is marked as `kept`. */
bool points_has(const struct plot *plot, int series);
/* Returns the last point of a series that has a value; NULL: none. */
const struct point *points_last(const struct plot *plot, int series);
/* Returns the value of another metric, for the same stages and dimensions as a point. */
struct sample points_metric(const struct plot *plot, const struct point *point, const char *metric);
/* Adds a series with the style `style`. It has the points of the series `series`, with the values
 * of the metric `metric`. Returns the number of points with a value. */
int points_other(struct plot *plot, enum series_style style, int series, const char *metric,
                 const char *name);
/* Adds for each series a second series with the values before training (NAME_start, offer.h), if
 * there are such values. */
void points_before(struct plot *plot);
/* Makes the horizontal axis logarithmic. Refuses the figure if an x is not above 0. */
void points_log_x(struct plot *plot);
/* Writes data.dat and the legend: a block for each series in each frame. Series of the same name
 * and style in several frames share one entry of the legend. Omits frames without points. */
void points_put(struct plot *plot);
/* Writes data.tsv. */
void points_record(struct plot *plot);

/* Returns the path of an output file of a stage of the left column, after a check of its digest. If
 * the check fails, returns NULL and sets *problem to the reason. If *problem is already set,
 * returns NULL. */
const char *points_file(const struct plot *plot, const char *id, const char *name,
                        const char **problem);
/* Refuses to draw the figure because of the problem of a row. If problem is NULL, does nothing. */
void points_refuse(struct plot *plot, int row, const char *problem);

/* Refuses to draw the figure because of a key of the grid, at its location: "frame: .." */
void points_refuse_at(struct plot *plot, struct location at, const char *text);

/* Returns the index of the tic with this name. If there is none, adds it. */
int points_tic(struct plot *plot, const char *name);
/* Sets x of the tics. If all names are numbers, sorts the names, and x is the number. Otherwise x
 * is 1, 2, .. */
void points_scale(struct plot *plot);
void points_tics(struct plot *plot);
/* Writes the labels of the horizontal and the left axis; x and y are the defaults. */
void points_label(struct plot *plot, const char *x, const char *y);
/* Returns the default label of a column: "Mean gate layer 3", "BLEU on dev". */
const char *points_label_of(const struct plot *plot, const struct column *column);
/* Replaces the range of the values by the limits that the grid gives. Returns false if it gives
 * none. If values are outside, adds a caption. */
bool points_given(struct plot *plot, double *low, double *high);
/* Writes the range of the left axis, which the grid may limit, for values from `low` to `high`, as
 * canvas_axis does. For a logarithmic axis, the lower limit is computed from the points, and the
 * figure is refused if a value is not above 0. Returns true if 0 is on the axis. */
bool points_left(struct plot *plot, double low, double high, double below, double above);
/* Writes the left axis. Assigns `dotted`, which is 1 if there is a dotted line, and its height
 * `middle`. The line shows the grid's key `dotted`, or
 * figure_words.middle. */
void points_axis(struct plot *plot);

/* along.c: a line of the kind lines along a dimension. */
struct along_line {
    int row;
    const struct column *column;
    const char *name;
    int places; /* number of layers with values */
};
/* Adds a point at each share of the training items, from the curve of the line. Then shares_tics
 * sets the tics. */
void shares_put(struct plot *plot, const struct along_line *line);
void shares_tics(struct plot *plot);
/* Sets the tics, one for each class. Returns the label of the axis. */
const char *classes_read(struct plot *plot);
/* Adds what is drawn in addition to the lines: values before training, the end of trained classes,
 * reference values. */
void classes_mark(struct plot *plot);
/* Adds the captions about the values, their signatures, the kind of figure and the seeds. */
void points_note(struct plot *plot);
/* Returns "12", or "12 to 15". */
const char *points_range(const struct plot *plot, double least, double most);
/* Adds a name to plot->lacks, for the caption "Not drawn: NAME (running)." */
void points_lack(struct plot *plot, const char *name, int row, const struct column *column);
