/* The files of one figure for gnuplot: a script that begins with numbers and goes on with the fixed
 * templates style.gp and that of its kind (compiled into the program), and two data files. A third
 * one is for other programs.
 *
 *   data.dat   numbers, columns separated by tabs; NaN where there is none; blocks are separated by
 *              two empty lines
 *   text.dat   one text per line and its place on an axis; the templates find them in the arrays T
 *              and X, and lay them out
 *   data.tsv   what is drawn, with names: a header, a line for each seed of each point
 *
 * Text that a user wrote reaches gnuplot only through text.dat, where it is read and never executed
 * (ecosystem report, part 5): quotes and backslashes are octal escapes, control characters question
 * marks, and nothing is "enhanced", so that it appears as typed. */
#pragma once

#include "core/base/arena.h"
#include "plots/gnuplot.h"

enum {
    CANVAS_WIDTH = 480,     /* pixels: 8.4 cm, the column of a paper */
    CANVAS_TEXT_MOST = 120, /* bytes of a text; a figure has no room for more */
    CANVAS_NAME = 38        /* heights of a letter of a name; a page has room for two */
};

struct canvas {
    struct arena *arena;
    struct arena_stream head, data, text, table; /* the files, until canvas_close */
    int texts, names, blocks;
    const char *template_name; /* plots/NAME.gp */
    const char *refused;       /* why it cannot be drawn, in one line; or NULL */
    int captions;
    const char **caption; /* what a reader must know, one sentence or several per entry */
};

struct canvas *canvas_open(struct arena *arena, const char *template_name);

/* name = value, for the templates. */
void canvas_number(struct canvas *canvas, const char *name, double value);
/* name = the text's place in T; NULL: no name, for the ones that follow a named one. A text that is
 * too long is cut. */
void canvas_text(struct canvas *canvas, const char *name, const char *text);
/* `count` texts from `name` on with their places on an axis (NULL: 1, 2, ..). One of more than
 * `width` heights of a letter is cut in its middle and gets a number; a caption has it in full. */
void canvas_names(struct canvas *canvas, const char *name, const char *const *text, const double *x,
                  int count, double width);
/* Begins a block of data.dat; a row of it. */
void canvas_block(struct canvas *canvas);
void canvas_row(struct canvas *canvas, const double *value, int count);
/* 1, 2 or 5 times a power of ten, at least `least`. */
double canvas_step(double least);
/* NAME_low, NAME_high, NAME_step: round numbers around the values from `low` to `high`, with so
 * much of their span left free below and above. Not below 0 when they are not. Returns whether 0
 * is on the axis. */
bool canvas_axis(struct canvas *canvas, const char *name, double low, double high, double below,
                 double above);
void canvas_caption(struct canvas *canvas, const char *format, ...) PRINTF(2, 3);

/* A line of data.tsv: row, group, axis, place, column, seed; value, mean, low, high. NULL and NaN
 * are empty cells; numbers have all their digits. */
enum { CANVAS_WORDS = 6, CANVAS_VALUES = 4, CANVAS_FILES = 4 };
void canvas_record(struct canvas *canvas, const char *const word[CANVAS_WORDS],
                   const double value[CANVAS_VALUES]);
/* A number that is the place of a record, in the arena. */
const char *canvas_place(struct canvas *canvas, double value);

/* The files of the figure, [CANVAS_FILES] in the arena. */
struct gnuplot_file *canvas_close(struct canvas *canvas, enum gnuplot_format format);
