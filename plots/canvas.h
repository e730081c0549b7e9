/* Writes the files from which gnuplot draws a figure: a script and two data files. A third data
 * file is for other programs. The script consists of assigned numbers, the template style.gp and
 * the template of the figure's kind. The templates are compiled into the program.
 *
 *   data.dat   rows of numbers separated by tabs; a missing number is NaN; two empty lines separate
 *              blocks
 *   text.dat   one text and its coordinate on an axis per line. The templates read the texts into
 *              the array T and the coordinates into the array X
 *   data.tsv   the drawn values with their names: a header, and a line for each seed of each point
 *
 * Text from a user is written only to text.dat, which gnuplot reads but does not execute. Quotes
 * and backslashes are written as octal escapes, control characters as question marks. gnuplot's
 * markup ("enhanced" text) is off, so marks such as _ and ^ are drawn as typed. */
#pragma once

#include "core/base/arena.h"
#include "plots/gnuplot.h"

enum {
    CANVAS_WIDTH = 480,     /* width in pixels of a figure of 8.4 cm, the width of a column of a
                               paper */
    CANVAS_TEXT_MOST = 120, /* maximum length of a text in bytes; a figure has no room for longer
                               texts */
    CANVAS_NAME = 38        /* maximum width of a name, in multiples of the font size; a page has
                               room for two such names */
};

struct canvas {
    struct arena *arena;
    struct arena_stream head, data, text, table; /* streams of the script's numbers, data.dat,
                                                    text.dat and data.tsv; canvas_close closes
                                                    them */
    int texts, names, blocks;
    const char *template_name; /* plots/NAME.gp */
    const char *refused;       /* reason in one line why the figure cannot be drawn; or NULL */
    int captions;
    const char **caption; /* captions of one or several sentences */
};

struct canvas *canvas_open(struct arena *arena, const char *template_name);

/* Writes the assignment name = value to the script, for the templates. */
void canvas_number(struct canvas *canvas, const char *name, double value);
/* Writes a text, cut after CANVAS_TEXT_MOST bytes. Assigns its index in T to `name`. If `name` is
 * NULL, the template finds the text after the previous text. */
void canvas_text(struct canvas *canvas, const char *name, const char *text);
/* Writes `count` texts with their coordinates x on an axis (NULL: 1, 2, ..). Assigns the index of
 * the first text in T to `name`. If a text is wider than `width` times the font size, an ellipsis
 * replaces its end, and a number precedes it. A caption shows the whole text. */
void canvas_names(struct canvas *canvas, const char *name, const char *const *text, const double *x,
                  int count, double width);
/* canvas_block: begins a block of data.dat. canvas_row: writes a row of the block. */
void canvas_block(struct canvas *canvas);
void canvas_row(struct canvas *canvas, const double *value, int count);
/* Returns the smallest number >= `least` that is 1, 2 or 5 times a power of ten. */
double canvas_step(double least);
/* Assigns NAME_low, NAME_high and NAME_step, the limits and tic distance of an axis, as round
 * numbers. The values are from `low` to `high`. The axis leaves at least the fractions `below` and
 * `above` of high - low free below and above the values. Exception: NAME_low is negative only if
 * `low` is. Returns true if 0 is on the axis. */
bool canvas_axis(struct canvas *canvas, const char *name, double low, double high, double below,
                 double above);
/* Assigns the same numbers for a logarithmic axis. The limits are 1, 2 or 5 times a power of ten.
 * Returns NAME_low. */
double canvas_log(struct canvas *canvas, const char *name, double low, double high);
void canvas_caption(struct canvas *canvas, const char *format, ...) PRINTF(2, 3);

/* Writes a line of data.tsv. `word` has row, group, axis, place, column and seed. `value` has
 * value, mean, low and high. NULL, NaN and infinite numbers become empty cells. Numbers are written
 * with all digits. */
enum { CANVAS_WORDS = 6, CANVAS_VALUES = 4, CANVAS_FILES = 4 };
void canvas_record(struct canvas *canvas, const char *const word[CANVAS_WORDS],
                   const double value[CANVAS_VALUES]);
/* Returns a number as a text for the cell `place` of canvas_record, in the arena. */
const char *canvas_place(struct canvas *canvas, double value);

/* Returns the files of the figure, [CANVAS_FILES], in the arena. */
struct gnuplot_file *canvas_close(struct canvas *canvas, enum gnuplot_format format);
