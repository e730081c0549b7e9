/* The points of a figure: values of rows, which are written to data.tsv with their names and to
 * data.dat line by line. A kind of figure adds series and their points; figures.c writes them
 * afterwards. */
#pragma once

#include "plots/canvas.h"
#include "plots/figure.h"
#include "plots/values.h"

/* Summary of the values on one axis, for captions and limits. */
struct figure_side {
    int drawn, least, most; /* number of values; number of seeds or checkpoints of a value */
    const char *over;       /* set over which deviations are computed, if any */
    bool reaches;           /* low and high are set, bars included */
    bool bare;              /* limits without bars */
    bool errors;            /* some bars are errors recorded by the stage of one seed */
    double low, high;
    const char *signature;
    bool mixed; /* several signatures */
    bool level; /* a dotted line at `at` */
    double at;
};

/* Styles of series, in the order of their blocks. */
enum series_style {
    SERIES_SOLID,
    SERIES_DOTTED,  /* with points: the baseline */
    SERIES_AGAINST, /* without points: reference values */
    SERIES_LEVEL,   /* without points, at one value: a row that is not on the axis */
    SERIES_BEFORE,  /* values before training, in the color of the series of the same number */
    SERIES_RIGHT,   /* on the right axis */
    SERIES_STYLES
};

struct series {
    const char *name; /* in the legend and in data.tsv; NULL: not in the legend, and the row's
                         name in data.tsv */
    enum series_style style;
    bool kept; /* has a block even without values */
    int of;    /* SERIES_BEFORE: the line of the same color */
    int first; /* index of its first point */
};

enum { FRAMES_ALL = -1 };
struct point {
    int series; /* -1: only in data.tsv */
    int row;    /* of the grid */
    int frame;  /* from 1; 0: the frames of its row; FRAMES_ALL */
    double x;
    const char *group, *axis,
        *place;       /* of data.tsv; NULL: the name of the series, the figure's axis, none */
    const char *name; /* of the column; NULL: not in data.tsv */
    const struct column *column; /* NULL: computed value */
    struct value_of_row value;   /* with the seeds of data.tsv; none: a series without seeds */
    double mean, low, high;      /* NaN: none */
};

/* Tics with names on the horizontal axis. */
struct tics {
    int count;
    const char **name;
    double *x;    /* [count] ascending; NULL: 1, 2, .. */
    bool numeric; /* to scale; else words */
    double lies;  /* pixels of height of each word in the margin beside the data; 0: words are
                     below the axis */
};

/* A figure in progress. */
struct plot {
    struct canvas *canvas;
    const struct figure *figure;
    struct sampler *reader;
    struct arena *arena;
    const char *axis; /* "layer", "class"; NULL: none */
    struct figure_side left, right;
    int series_count, points;
    struct series *series;
    struct point *point;
    int frames; /* 0: one frame, without a name */
    const char *const *frame_name;
    int frame;              /* of new points (see struct point) */
    bool lineless;          /* points are not joined by lines */
    struct name_list lacks; /* values that are not drawn */
    struct tics tics;       /* tics of the horizontal axis; none: without names */
    const char *also;       /* at the end of the legend; NULL: none */
    const char *seeds;      /* text about the seeds: "Means over"; NULL: none, or printed */
    struct column checked;  /* column whose names are checked if there is no series; a name of
                               NULL: none */
};

static inline const char *points_row_name(const struct plot *plot, int row)
{
    return plot->reader->grid->row[row].name;
}

/* Returns the name of a row in a legend: without its frame. */
const char *points_line_name(const struct plot *plot, int row);
/* Adds a series. Returns its index. */
int points_series(struct plot *plot, enum series_style style, const char *name, bool kept);
/* Returns the line of that name; if new, adds it with `style`. */
int points_series_of(struct plot *plot, enum series_style style, const char *name);
/* Returns a point of the newest series for a computed value of a row, without its x and mean. */
struct point points_plain(const struct plot *plot, int row, const char *name);
/* Reads the value of a row. */
struct value_of_row points_read(struct plot *plot, struct figure_side *side,
                                const struct column *column, int row);
void points_reach(struct figure_side *side, double at);
/* Adds a point. */
void points_add(struct plot *plot, struct figure_side *side, struct point point);
/* Adds a point on the left axis, whose place is x if it has none. */
void points_at(struct plot *plot, struct point point, double x, double mean);
/* Returns the name of the number of the same kind that consists of a column's name and a suffix:
 * "gate_sd"; NULL: none. */
const char *points_number(const struct plot *plot, const struct column *column, const char *end);
/* Sets the bar of a point: `half` below and above its mean, within the limits of the value. */
void points_bar(struct point *point, const struct column *column, double half);
/* Reads the value of a row and adds it to the newest series, with its bar: the interval or the
 * deviation (for one seed the error recorded by its stage). */
struct value_of_row points_value(struct plot *plot, struct figure_side *side,
                                 const struct column *column, int row, double x, const char *place);
/* Adds a curve to the newest series: against its steps or, if `all` is above 0, against the
 * logarithm of their share of `all` in per cent. */
void points_curve(struct plot *plot, struct figure_side *side, int row, const struct column *column,
                  const struct value_curve *curve, double all);
/* True if a line has a value or is kept. */
bool points_has(const struct plot *plot, int series);
/* Returns the last point of a series that has a value; NULL: none. */
const struct point *points_last(const struct plot *plot, int series);
/* Returns another metric of the stages and the dimensions of a point. */
struct value_of_row points_metric(const struct plot *plot, const struct point *point,
                                  const char *metric);
/* Adds a series of that style with the points of another series, but with the values of another
 * metric. Returns the number of points with a value. */
int points_other(struct plot *plot, enum series_style style, int series, const char *metric,
                 const char *name);
/* Adds for each series a series with its values before training (NAME_start, offer.h), if any. */
void points_before(struct plot *plot);
/* Replaces x by its logarithm, with tics. Refuses the figure if an x is not above 0. */
void points_log_x(struct plot *plot);
/* Writes data.dat and the legend: a block for each series in each frame. Lines of the same name and
 * style in several frames are one series. */
void points_put(struct plot *plot);
/* Writes data.tsv. */
void points_record(struct plot *plot);

/* Returns the path of an output file of a stage of the left column, after a check of its digest;
 * NULL: none, and *problem is the reason, or it was set before. */
const char *points_file(const struct plot *plot, const char *id, const char *name,
                        const char **problem);
/* Marks the figure as impossible to draw because of a row's problem; no effect if NULL. */
void points_refuse(struct plot *plot, int row, const char *problem);

/* Returns the index of the tic of that name; if new, adds it. */
int points_tic(struct plot *plot, const char *name);
/* Sets x of the tics with names: to scale if all are numbers, which are then sorted; else 1, 2,
 * .. */
void points_scale(struct plot *plot);
void points_tics(struct plot *plot);
/* Writes the labels of the horizontal and the left axis, with defaults x and y. Returns the label
 * of the left axis. */
const char *points_label(struct plot *plot, const char *x, const char *y);
/* Returns the default label of a column: "Mean gate layer 3", "BLEU on dev". */
const char *points_label_of(const struct plot *plot, const struct column *column);
/* Writes the range of the left axis around the values from `low` to `high`, as canvas_axis does. A
 * logarithmic axis has its own limits; the figure is refused if a value is not above 0. Returns
 * true if 0 is on the axis. */
bool points_left(struct plot *plot, double low, double high, double below, double above);
/* Writes the left axis, and in `dotted` and `middle` the dotted line of the side or of the left
 * value. */
void points_axis(struct plot *plot);

/* A candidate series of a figure: one of a row's columns, or a column of one row. */
struct points_wanted {
    int row;
    const struct column *column;
    const char *name;
    int places; /* number of leading places that it has, for `at` */
};
int points_wanted(const struct plot *plot, struct points_wanted **wanted);
/* Adds the candidates that have values, with a point at each of plot->tics where `at` returns a
 * column with a name. Names the others and, if the kind draws views, the places where a part has no
 * value. */
typedef struct column points_column(struct plot *plot, const struct points_wanted *line, int place);
void points_along(struct plot *plot, const struct points_wanted *wanted, int count,
                  points_column *at);
/* Adds "Bars: BLEU, mean of the 5 best checkpoints, ..", and the signature. */
void points_note_side(struct plot *plot, const struct figure_side *side, const char *what,
                      const char *label);
void points_note_signature(struct plot *plot, const struct figure_side *side, const char *label);
/* Adds "Bars: 95% t interval .." if there are intervals, or the reason why there are none. */
void points_note_intervals(struct plot *plot, const char *what, const char *lower);
/* Adds "Dotted: both branches weigh the same." */
void points_note_balance(struct plot *plot);
/* Returns "12", or "12 to 15". */
const char *points_range(const struct plot *plot, double least, double most);
/* Adds "One seed (1)." or "Means over the seeds 1, 2.", once. */
void points_note_seeds(struct plot *plot);
/* Adds reference values (figure.h, against). By class: a line, if they are equal for all rows. For
 * parts also "n = 60 items a point": for one column a dotted line, if half of the height or more is
 * then left to the data; a caption in any case. */
void points_note_against(struct plot *plot);
/* Adds "Not drawn: NAME (running)." */
void points_lack(struct plot *plot, const char *name, int row, const struct column *column);
