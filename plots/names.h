/* Where names stand in a figure, so that none covers another or leaves the page: as a legend above
 * the data, or as tics below or beside it. A few short names leave the figure as wide as a paper's
 * column; where they do not fit, the page becomes as wide as a paper's text, and higher.
 *
 * Widths are estimated, rounded up, for DejaVu Sans, the widest of the usual fonts. A name that is
 * still too wide is cut in its middle and gets a number; a caption has it in full. */
#ifndef PLOTS_NAMES_H
#define PLOTS_NAMES_H

#include "plots/canvas.h"

enum {
    NAMES_LETTERS = 13, /* pixels of a letter's height; 480 pixels are 8.4 cm */
    NAMES_SMALL = 11    /* in legends in columns and beside bars that lie */
};

/* In heights of a letter. */
double names_width(const char *text);
/* The text in at most so many heights of a letter; `number` stands before one that is cut, and
 * *full collects those. */
const char *names_cut(struct canvas *canvas, const char *text, double width, int number,
                      const char **full);
/* "In full: 3: ..; 7: ..." where names were cut. */
void names_note(struct canvas *canvas, const char *full);

/* Names of the figure's series, as texts from `key` on: gnuplot's own legend where that fits, with
 * letters of so many pixels, or `legend` lines in columns. */
void names_put_legend(struct canvas *canvas, const char *key, const char *const *text, int count,
                      int letters);
/* The same always in columns, small, on a page as wide as a paper's text. */
void names_put_columns(struct canvas *canvas, const char *key, const char *const *text, int count);

/* Tics 1 to `count` below the data as texts from `name` on, and `lines` and `labeled` for the
 * template; `width` letters stand side by side, `label` is the lines of the axis' label. False:
 * they do not fit, nothing was put. */
bool names_put_upright(struct canvas *canvas, const char *const *text, int count, int width,
                       int label);
/* The same, on a wider page or cut where they do not fit. */
void names_put_below(struct canvas *canvas, const char *const *text, int count, int width,
                     int label);
/* The same of numbers that stand at x, ascending, on an axis that is so long; what would touch the
 * text before it has none. */
void names_put_scale(struct canvas *canvas, const char *const *text, const double *x, int count,
                     double length, int label);
/* The same beside the data, one below another, each so many pixels high: `lying`. */
void names_put_lying(struct canvas *canvas, const char *const *text, int count, double high,
                     int label);

#endif
