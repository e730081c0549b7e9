/* The figures of a grid: the key `figures`, a list of maps
 *
 *   figures:
 *   - kind: window           one of the kinds below
 *     title: ..              title, printed outside of the figure; default: the grid's title
 *     axis: window           for lines and heat: key of the axis of the sweep on the horizontal
 *                            axis. It may also be layer or class, and for lines share. For heat,
 *                            `down` names the vertical axis
 *     frame: layers          an axis: the figure has a frame for each of its values.
 *     x, y, y2: ..           labels of the horizontal, left and right axes, with units. x and y may
 *                            also be log or [log, LABEL], for a logarithmic axis
 *     left, right: ..        columns on the left and right axis. They are columns of a table, such
 *                            as bleu, gates.gate or {column: gates.gate, layer: 3} (layout.h). In a
 *                            curve they are metrics of training, such as dev_bleu. There is no
 *                            right axis with `right: none`, or if the default of `right` equals
 *                            `left`. For the kinds layers and shares, `left` may be a list of
 *                            columns if each frame has only one row. The name of a kind of stage
 *                            with parts, such as probe, stands for a column for each part
 *     from, to, dotted: ..   limits of the left axis (heat: of the scale), and height of a
 *                            dotted horizontal line
 *     rows: [..]             names of rows; default: all rows with a run
 *
 *   window   a bar (left axis) and a point on a line (right axis) for each row: Xu et al. 2019,
 *            figure 2
 *   bars     only the bars
 *   layers   a measure by layer (gates.gate), a line for each row: Xu et al. 2019, figure 3. If the
 *            parts of a kind have views by layer (probe.Tense@encoder.2), each view is a point.
 *            There is a line for each row, or for each task of one row. For one task, the majority
 *            is a dotted line if at least half of the height then remains for the data
 *   shares   accuracy of the probing classifiers of an online code by the share of the training
 *            items (tr), on a logarithmic axis. There is a line for each row, or for each task of
 *            one row
 *   classes  a measure by class (of a task or of words), a point for each row and class. Classes
 *            are in the order of the stages. Bars show the deviation over seeds, or for one seed
 *            the standard error that its stage recorded: Xu et al. 2019, figure 4. Gates by layer
 *            or by class also have hollow points, the values before training
 *   profile  a measure by class for classes that are numbers, such as numbers of operators: Hao et
 *            al. 2019, figure 1. There is a line for each row, with a band if it has at least three
 *            seeds. A dotted line shows the reference value (majority). A dashed line marks the
 *            end of the range of classes on which the models were trained
 *   heads    a measure of one row by layer, a line for each head: Yang et al. 2018, figure 2
 *   scatter  centers and windows of gauss terms at random positions (`points`, `seed`), a frame for
 *            each layer: Yang et al. 2018, figure 3. With `left: localness.offset`, the center
 *            minus the position
 *   histogram  frequency of window widths, a frame for each layer: Yang et al. 2018, figure 3,
 *            lower part
 *   map      attention weights of one sentence (`sentence`), a frame for each branch, one line of
 *            frames for each row: Song et al. 2018, figure 5
 *   ngrams   n-gram precision for n = 1 to 8, minus the precision of one row (`baseline`): Yang et
 *            al. 2018, figure 4. A band has the middle 95% of bootstrap samples of sentences
 *   lines    a value by an axis of the sweep. Rows that differ only on this axis are a group. A
 *            line connects the means of a group. Each seed is a dot. With at least three seeds, a
 *            bar shows the 95% interval of the mean (Student's t). Axis values that are numbers are
 *            drawn to scale. Axis values that are words have equal distances, in the order of the
 *            grid. A row that is not on the axis is a horizontal line, dotted or dashed. If the
 *            table's baseline is on the axis, its line is dotted and has points
 *   heat     a value by two axes, as a gray cell for each combination of coordinates. An axis is an
 *            axis of the sweep, layer, class, or the rows
 *   curve    learning curves by optimizer step: Song et al. 2018, figure 4
 *
 * Values come from the store. Missing values are not drawn; the captions name them. A figure
 * without any value has a text in its frame. If there are many rows or long names, the page is
 * wider and higher (style.gp). So texts do not overlap, and half of the height remains for the
 * data. A kind is an entry of kinds.def, its `fill` and a gnuplot template (figure.h). */
#pragma once

#include "plots/figure.h"
#include "plots/gnuplot.h"
#include "results/table/summary.h"

/* Reads the list of figures of a grid (NULL: no figures). Requires the grid's rows. Exits with an
 * error at the location of an invalid value. Everything lives in the arena. */
struct figure_list figure_read(const struct tree *list, const struct grid *grid,
                               struct arena *arena);
/* Prints the keys and the kinds, for --help. */
void figure_help(FILE *out);

struct figure_drawing {
    const char *failure; /* reason in one line why the figure could not be drawn; NULL: it was
                            drawn */
    const char *image;   /* bytes of the image; an SVG begins with "<?xml" and ends with a NUL */
    size_t bytes;
    int captions;
    const char **caption;
    int files; /* script.gp and its data, also if the figure could not be drawn */
    const struct gnuplot_file *file;
};

/* Draws the figure. The database must be up to date (collector.h). */
struct figure_drawing figure_draw(struct store *store, const struct grid *grid,
                                  const struct figure *figure, enum gnuplot_format format,
                                  struct arena *arena);
