/* The files of one figure for gnuplot: a script, which consists of numbers and the templates
 * style.gp and that of the kind (compiled into the program), and two data files. A third data file
 * is for other programs.
 *
 *   data.dat   numbers, columns separated by tabs; NaN for missing numbers; blocks are separated by
 *              two empty lines
 *   text.dat   one text per line and its coordinate on an axis; the templates read them into the
 *              arrays T and X, and lay them out
 *   data.tsv   the drawn values with their names: a header, a line for each seed of each point
 *
 * Text from a user reaches gnuplot only through text.dat, where it is read and never executed.
 * Quotes and backslashes become octal escapes and control characters question marks. Text is never
 * "enhanced", so it appears as typed. */
#pragma once

#include "core/base/arena.h"
#include "plots/gnuplot.h"

enum {
    CANVAS_WIDTH = 480,     /* pixels: 8.4 cm, the column of a paper */
    CANVAS_TEXT_MOST = 120, /* bytes of a text; a figure has no room for longer texts */
    CANVAS_NAME = 38        /* letter heights of a name; a page has room for two names */
};

struct canvas {
    struct arena *arena;
    struct arena_stream head, data, text, table; /* files in progress, until canvas_close */
    int texts, names, blocks;
    const char *template_name; /* plots/NAME.gp */
    const char *refused;       /* reason in one line why it cannot be drawn; or NULL */
    int captions;
    const char **caption; /* captions, one sentence or several per entry */
};

struct canvas *canvas_open(struct arena *arena, const char *template_name);

/* Writes name = value, for the templates. */
void canvas_number(struct canvas *canvas, const char *name, double value);
/* Writes name = the text's index in T; NULL: no name, for texts that follow a named one. A text
 * that is too long is cut. */
void canvas_text(struct canvas *canvas, const char *name, const char *text);
/* Writes `count` texts from `name` on with their coordinates on an axis (NULL: 1, 2, ..). A text of
 * more than `width` letter heights is cut in its middle and gets a number; a caption has the whole
 * text. */
void canvas_names(struct canvas *canvas, const char *name, const char *const *text, const double *x,
                  int count, double width);
/* Begin a block of data.dat; and write a row of the block. */
void canvas_block(struct canvas *canvas);
void canvas_row(struct canvas *canvas, const double *value, int count);
/* Returns the smallest number >= `least` that is 1, 2 or 5 times a power of ten. */
double canvas_step(double least);
/* Writes NAME_low, NAME_high, NAME_step: round numbers around the values from `low` to `high`, with
 * `below` and `above` of their span left free. NAME_low is not negative unless `low` is. Returns
 * true if 0 is on the axis. */
bool canvas_axis(struct canvas *canvas, const char *name, double low, double high, double below,
                 double above);
/* The same for a logarithmic axis: powers of ten times 1, 2 or 5. Returns NAME_low. */
double canvas_log(struct canvas *canvas, const char *name, double low, double high);
void canvas_caption(struct canvas *canvas, const char *format, ...) PRINTF(2, 3);

/* Writes a line of data.tsv: row, group, axis, place, column, seed; value, mean, low, high. NULL
 * and NaN are empty cells; numbers have all their digits. */
enum { CANVAS_WORDS = 6, CANVAS_VALUES = 4, CANVAS_FILES = 4 };
void canvas_record(struct canvas *canvas, const char *const word[CANVAS_WORDS],
                   const double value[CANVAS_VALUES]);
/* Returns a number as the place of a record, in the arena. */
const char *canvas_place(struct canvas *canvas, double value);

/* Returns the files of the figure, [CANVAS_FILES], in the arena. */
struct gnuplot_file *canvas_close(struct canvas *canvas, enum gnuplot_format format);
