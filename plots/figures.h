/* The figures of a grid: the key `figures`, a list of maps
 *
 *   figures:
 *     - kind: window           one of those below
 *       title: ..              beside the figure, never in it; the grid's title when absent
 *       axis: window           of lines: the axis of the sweep that is drawn, by its key
 *       x, y, y2: ..           labels of the axes (left and right), with their units
 *       left, right: ..        what is drawn on them: columns of the grid's table (bleu,
 *                              gates.gate, {column: gates.gate, layer: 3}: layout.h) or, in a
 *                              curve, metrics of training (dev_bleu, dev_loss); right: none.
 *                              When `right` is absent nothing stands there that stands left.
 *                              Of layers and shares, left may be a list, of one row, or the name
 *                              of a kind with parts, all of whose parts are meant: probe
 *       from, to, dotted: ..   limits of the left axis, and a dotted line across it
 *       rows: [..]             names of rows; all that have a run when absent
 *
 *   window   bars (left) and a line with points (right) for each row: Xu et al. 2019, figure 2
 *   bars     bars alone
 *   layers   a measure by layer (gates.gate), a line for each row: Xu et al. 2019, figure 3. Of a
 *            kind whose parts have views by layer (probe.Tense@encoder.2): these, a line for each
 *            row or for each task of one; of one task the majority is a dotted line if it leaves
 *            half of the height to the data
 *   shares   accuracy by share of tr, on a logarithmic scale, of classifiers that the online code
 *            trains; lines as of layers
 *   classes  a measure by class (of a task, of words), points for each row, with the deviation over
 *            seeds, or of one seed the error that its stage says; classes stand in the order in
 *            which stages have them. Of gates, layers and classes have a dashed line of what they
 *            were before training: Xu et al. 2019, figure 4
 *   profile  a measure by class where classes are sizes, as numbers of operators: a line for each
 *            row, a band where it has three seeds or more, what the measure is seen against (the
 *            majority) dotted, the end of what was trained dashed: Hao et al. 2019, figure 1
 *   heads    a measure by layer of one row, a line for each head: Yang et al. 2018, figure 2
 *   scatter  centers of gauss terms against their windows at random positions (`points`, `seed`),
 *            a frame for each layer; left: localness.offset, centers less positions: Yang et al.
 *            2018, figure 3
 *   histogram  how often windows are so wide, a frame for each layer: the same figure, below
 *   map      attention weights of one sentence (`sentence`), a frame for each branch, rows one
 *            below another: Song et al. 2018, figure 5
 *   ngrams   precision of n-grams of 1 to 8 words less that of a row (`baseline`), with a band by
 *            bootstrap over sentences: Yang et al. 2018, figure 4
 *   lines    a value against an axis of the sweep: a line through the means of each group of rows
 *            that differ in nothing else, a point for each seed, from three seeds on the 95%
 *            interval of the mean (Student's t). Numbers stand to scale, words in the order of the
 *            grid. A row that is not on the axis is a line across, dotted or dashed; the table's
 *            baseline, if it is on the axis, a dotted line with points
 *   curve    learning curves against optimizer steps: Song et al. 2018, figure 4
 *
 * Values come from the store. What has none yet is named in the captions and not drawn; a figure
 * without any value says so in its frame. Many rows or long names make the page wider and higher
 * (style.gp), so that no text covers another and half of the height is left for the data. A kind is
 * a word in figures.c, its `fill` and a gnuplot template (figure.h). */
#pragma once

#include "plots/figure.h"
#include "plots/gnuplot.h"
#include "results/table/summary.h"

/* Reads `list` (NULL: no figures) of a grid whose rows are there. Dies at the place of what is
 * wrong. Everything lives in the arena. */
struct figure_list figure_read(const struct tree *list, const struct grid *grid,
                               struct arena *arena);
/* For --help: the keys and the kinds. */
void figure_help(FILE *out);

struct figure_drawing {
    const char *failure; /* one line, or NULL: drawn */
    const char *image;   /* SVG: text that ends with a NUL, from "<?xml" on */
    size_t bytes;
    bool wide; /* wider than a paper's column */
    int captions;
    const char **caption;
    int files; /* script.gp and its data, also of a figure that could not be drawn */
    const struct gnuplot_file *file;
};

/* The figure from a database that the collector has brought up to date. */
struct figure_drawing figure_draw(struct store *store, const struct grid *grid,
                                  const struct figure *figure, enum gnuplot_format format,
                                  struct arena *arena);
