/* The figures of a grid: the key `figures`, a list of maps
 *
 *   figures:
 *   - kind: window           one of the kinds below
 *     title: ..              outside of the figure; the grid's title when absent
 *     axis: window           for lines: the axis of the sweep that is drawn, by its key. For heat
 *                            also layer or class, and `down` is the vertical axis
 *     frame: layers          a frame for each value of an axis; row: for each row before the sweep
 *     x, y, y2: ..           labels of the axes (left and right), with their units; x, y: log, or
 *                            [log, LABEL], for logarithmic axes
 *     left, right: ..        columns on the axes: columns of the grid's table (bleu,
 *                            gates.gate, {column: gates.gate, layer: 3}: layout.h) or, in a
 *                            curve, metrics of training (dev_bleu, dev_loss); right: none.
 *                            The default of `right` is omitted if it equals `left`.
 *                            For layers and shares, left may be a list, for one row, or the
 *                            name of a kind with parts, which stands for all its parts: probe
 *     from, to, dotted: ..   limits of the left axis, and a dotted line across it
 *     rows: [..]             names of rows; all that have a run when absent
 *
 *   window   bars (left) and a line with points (right) for each row: Xu et al. 2019, figure 2
 *   bars     bars alone
 *   layers   a measure by layer (gates.gate), a line for each row: Xu et al. 2019, figure 3. For a
 *            kind whose parts have views by layer (probe.Tense@encoder.2), the layers are the
 *            views. There is a line for each row, or for each task of one row. For one task the
 *            majority is a dotted line if it leaves half of the height to the data
 *   shares   accuracy by share of tr, on a logarithmic axis, of the classifiers that the online
 *            code trains; lines as for layers
 *   classes  a measure by class (of a task, of words), points for each row, with the deviation over
 *            seeds, or for one seed the standard error recorded by its stage; classes in the
 *            order of the stages. For gates, layers and classes have hollow points: the values
 *            before training: Xu et al. 2019, figure 4
 *   profile  a measure by class if classes are sizes, such as numbers of operators: Hao et al.
 *            2019, figure 1. There is a line for each row, with a band for three seeds or more. The
 *            reference value (majority) is dotted, the end of the trained range dashed
 *   heads    a measure by layer of one row, a line for each head: Yang et al. 2018, figure 2
 *   scatter  centers of gauss terms against their windows at random positions (`points`, `seed`),
 *            a frame for each layer; left: localness.offset, centers less positions: Yang et al.
 *            2018, figure 3
 *   histogram  frequency of window widths, a frame for each layer: the same figure, below
 *   map      attention weights of one sentence (`sentence`), a frame for each branch, rows one
 *            below another: Song et al. 2018, figure 5
 *   ngrams   precision of n-grams of 1 to 8 words less that of a row (`baseline`), with a bootstrap
 *            band over sentences: Yang et al. 2018, figure 4
 *   lines    a value against an axis of the sweep. A line goes through the means of each group of
 *            rows that differ only in this axis. Each seed is a dot. Three seeds or more have the
 *            95% interval of the mean (Student's t). Numbers are to scale, words in the order of
 *            the grid. A row that is not on the axis is a line across, dotted or dashed. The
 *            table's baseline, if on the axis, is a dotted line with points
 *   heat     a value in gray cells of two axes: of the sweep, layer, class, or the rows
 *   curve    learning curves against optimizer steps: Song et al. 2018, figure 4
 *
 * Values come from the store. Missing values are named in the captions and not drawn; a figure
 * without any value has a text in its frame. Many rows or long names make the page wider and higher
 * (style.gp), so that texts do not overlap and half of the height is left for the data. A kind is
 * an entry in figures.c, its `fill` and a gnuplot template (figure.h). */
#pragma once

#include "plots/figure.h"
#include "plots/gnuplot.h"
#include "results/table/summary.h"

/* Reads `list` (NULL: no figures) of a grid. Requires the grid's rows. Exits with an error at the
 * location of an invalid value. Everything lives in the arena. */
struct figure_list figure_read(const struct tree *list, const struct grid *grid,
                               struct arena *arena);
/* Prints the keys and the kinds, for --help. */
void figure_help(FILE *out);

struct figure_drawing {
    const char *failure; /* reason in one line; NULL: drawn */
    const char *image;   /* for SVG: text that ends with a NUL, from "<?xml" on */
    size_t bytes;
    bool wide; /* wider than a paper's column */
    int captions;
    const char **caption;
    int files; /* script.gp and its data, also if the figure could not be drawn */
    const struct gnuplot_file *file;
};

/* Draws the figure. The database must be up to date (collector.h). */
struct figure_drawing figure_draw(struct store *store, const struct grid *grid,
                                  const struct figure *figure, enum gnuplot_format format,
                                  struct arena *arena);
