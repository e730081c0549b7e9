/* The points of a figure: values of rows, which data.tsv has with their names and data.dat line by
 * line. A kind of figure adds lines and their points; figures.c writes them afterwards. */
#pragma once

#include "plots/canvas.h"
#include "plots/figure.h"
#include "plots/values.h"

/* Values of one axis: what is said of them, and how far they reach. */
struct figure_side {
    int drawn, least, most; /* values; seeds or checkpoints behind one */
    const char *over;       /* what deviations are over, of those that have one */
    bool reaches;           /* values with their bars, from low to high */
    bool bare;              /* without their bars */
    double low, high;
    const char *signature;
    bool mixed; /* several signatures */
    bool level; /* a dotted line at `at` */
    double at;
};

/* In the order in which their blocks are written. */
enum line_style {
    LINE_SOLID,
    LINE_DOTTED,  /* with points: the baseline */
    LINE_AGAINST, /* without points: what others are seen against */
    LINE_LEVEL,   /* without points, at one value: a row that is not on the axis */
    LINE_BEFORE,  /* before training, in the color of the line of the same number */
    LINE_RIGHT,   /* on the right axis */
    LINE_STYLES
};

struct line {
    const char *name; /* in the legend and in data.tsv; NULL: it is not there, its row is here */
    enum line_style style;
    bool kept; /* has a block also without a value */
    int first; /* of its points, at the time when it was made */
};

struct point {
    int line; /* -1: of none, it is in data.tsv alone */
    int row;  /* of the grid */
    double x;
    const char *group, *axis,
        *place;                  /* of data.tsv; NULL: its line's name, the figure's axis, none */
    const char *name;            /* the column; NULL: it is not in data.tsv */
    const struct column *column; /* NULL: it has been computed */
    struct value_of_row value;   /* with the seeds of data.tsv; none: a line without them */
    double mean, low, high;      /* NaN: none */
};

/* Names at places of the horizontal axis. */
struct places {
    int count;
    const char **name;
    double *x;    /* [count] ascending; NULL: 1, 2, .. */
    bool numeric; /* to scale; else words */
    double lies;  /* words may lie beside the data, each so many pixels high; 0: stand below */
};

/* A figure that is being filled. */
struct plot {
    struct canvas *canvas;
    const struct figure *figure;
    struct sampler *reader;
    struct arena *arena;
    const char *axis; /* "layer", "class"; NULL: none */
    struct figure_side left, right;
    int lines, points;
    struct line *line;
    struct point *point;
    struct name_list lacks; /* what is not drawn */
    struct places places;   /* of the horizontal axis; none: it has no names */
    const char *also;       /* at the end of the legend; NULL: nothing */
    const char *seeds;      /* what is said of the seeds: "Means over"; NULL: nothing */
    struct column checked;  /* without any line: its names must be known; a name of NULL: none */
};

static inline const char *points_row_name(const struct plot *plot, int row)
{
    return plot->reader->grid->row[row].name;
}

/* A new line; returns its number. */
int points_line(struct plot *plot, enum line_style style, const char *name, bool kept);
/* A point of the newest line that has been computed for a row, without its place and mean. */
struct point points_plain(const struct plot *plot, int row, const char *name);
/* Reads the value of a row. */
struct value_of_row points_read(struct plot *plot, struct figure_side *side,
                                const struct column *column, int row);
void points_reach(struct figure_side *side, double at);
/* Adds a point. */
void points_add(struct plot *plot, struct figure_side *side, struct point point);
/* The name of the number of the same kind that a column's name and an end make: "gate_sd"; NULL:
 * there is none. */
const char *points_number(const struct plot *plot, const struct column *column, const char *end);
/* Reads the value of a row and adds it to the newest line, with its bar: the interval or the
 * deviation (of one seed the error that its stage says). */
struct value_of_row points_value(struct plot *plot, struct figure_side *side,
                                 const struct column *column, int row, double x, const char *place);
/* Adds a curve to the newest line: against its steps or, where `all` is above 0, against the
 * logarithm of their share of it in per cent. */
void points_curve(struct plot *plot, struct figure_side *side, int row, const struct column *column,
                  const struct value_curve *curve, double all);
/* Takes the newest line away if it has no value; returns whether it stays. */
bool points_keep(struct plot *plot);
/* Adds a line of that style, whose points are those of another one with the values of another
 * metric instead; returns how many have one. */
int points_other(struct plot *plot, enum line_style style, int line, const char *metric,
                 const char *name);
/* Adds such a line for each one, with its values before training (offer.h, start), if any. */
void points_before(struct plot *plot);
/* data.dat and the legend. */
void points_put(struct plot *plot);
/* data.tsv */
void points_record(struct plot *plot);

/* The path of a file that a stage of the left column left, as its digest says; NULL: there is none,
 * and *problem says why. */
const char *points_file(const struct plot *plot, const char *id, const char *name,
                        const char **problem);
/* The figure cannot be drawn for this problem of a row; NULL: there is none. */
void points_refuse(struct plot *plot, int row, const char *problem);

/* Sets x of the places with names: to scale, if all are numbers, which are then sorted; or 1, 2, ..
 */
void points_scale(struct plot *plot);
void points_places(struct plot *plot);
/* Labels of the horizontal and the left axis, if the grid has none; returns the latter. */
const char *points_label(struct plot *plot, const char *x, const char *y);
/* "Mean gate layer 3", "BLEU on dev": of a column. */
const char *points_label_of(const struct plot *plot, const struct column *column);
/* The left axis, and in `dotted` and `middle` the side's line, or that of the left value. */
void points_axis(struct plot *plot);

/* A row's columns, or the columns of one: `count` lines that a figure may have. */
struct points_wanted {
    int row;
    const struct column *column;
    const char *name;
};
int points_wanted(const struct plot *plot, struct points_wanted **wanted);
/* "Bars: BLEU, mean of the 5 best checkpoints, ..", and the signature. */
void points_note_side(struct plot *plot, const struct figure_side *side, const char *what,
                      const char *label);
void points_note_signature(struct plot *plot, const struct figure_side *side, const char *label);
/* "Bars: 95% t interval ..", where there are some, or why there are none. */
void points_note_intervals(struct plot *plot, const char *what, const char *lower);
/* "Dotted: both branches weigh the same." */
void points_note_balance(struct plot *plot);
/* "n = 60 items a point", of the lines that are drawn, or nothing. */
void points_note_counted(struct plot *plot);
/* "12", or "12 to 15". */
const char *points_range(const struct plot *plot, double least, double most);
/* "One seed (1)." or "Means over the seeds 1, 2." */
void points_note_seeds(struct plot *plot);
/* The values that others are seen against (offer.h, against): of one column a dotted line, if half
 * of the height at least is left to the data then; a caption in any case. */
void points_note_against(struct plot *plot);
/* "Not drawn: NAME (running)." */
void points_lack(struct plot *plot, const char *name, int row, const struct column *column);
