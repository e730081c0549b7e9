/* What a grid asks of its table, read from the key `table` and from the rows' own keys.
 *
 *   table:
 *     columns: [parameters, {column: bleu, header: En-De, decimals: 1}, delta(bleu)]
 *         column.h has the names; a map may also say form: exact | scaled (524K) | millions (0.5M),
 *         best: max | min | none (what is bold), once: true, baseline: value | blank (of a delta);
 *         and which metric rows its values are: layer: 3, head: 2, set: 1, class: NOUN. class: all
 *         is a column for each class that stages of the grid have, "HEADER: NOUN"; a class that is
 *         itself called all, or a number, stands in quotes
 *     baseline: Transformer        or a list: each line is compared with the last one of the list
 *                                  that stands at or above it
 *     by: corpus                   columns grouped by a factor: rows that differ only in it are one
 *                                  line; {option: corpus, headings: {wmt-en-de: En-De}}
 *     groups: {Surface: [probe.SeLen, probe.WC]}
 *                                  headings over these columns, and what mean(Surface) is taken of;
 *                                  maps may name dimensions here, too
 *     transpose: true              columns become rows
 *     names: Model                 heading of the rows' names; false: the names are left out
 *     bold: false                  the best of a column is not set in bold
 *     significance: {test: paired-bootstrap, samples: 1000, alpha: [0.05, 0.01], seed: 12345,
 *                    correction: holm, against: baseline, marks: daggers, family: [bleu]}
 *                                  test: or centered-bootstrap, randomization (and its trials);
 *                                  no alpha may be smaller than one sample's share. family: the
 *                                  columns whose cells are compared and marked, and over all of
 *                                  which holm corrects; when absent bleu and what p(COLUMN) is
 *                                  of, or else every column shown that can be compared
 *     paper: {metric: .., data: .., bleu: {Transformer: 27.67, + Gate: {En-De: 28.31}}}
 *                                  comparable: true with signature: .. allows a difference where
 *                                  signatures agree. Of a column with dimensions the key is
 *                                  "gates.gate layer 3", "contrast.accuracy: NOUN"; also in quote
 *     caption: [TEXT, ..]          lines of the grid's own below the table, after all others
 *
 *   rows: a row may say, besides its options,
 *     section: Base model          a heading above it
 *     rule: true                   a line above it
 *     label: BASE                  its name in the table; with `by`, rows of one label are one line
 *     quote: {source: .., metric: .., bleu: 26.3}     values of others, not run here; or by factor:
 *                                  bleu: {En-De: 26.3}
 *     hyp: FILE                    hypotheses of another system, scored here against the grid's
 *                                  references, or with `ref: FILE` against its own; or by factor
 *
 * Everything is checked when it is read, and lives in the arena. */
#ifndef RESULTS_TABLE_LAYOUT_H
#define RESULTS_TABLE_LAYOUT_H

#include "core/config/scalar.h"
#include "results/stats/significance.h"
#include "results/table/column.h"
#include "results/table/summary_grid.h"

/* A file that a row names; its path is relative to the grid's. */
struct layout_file {
    const char *path; /* NULL: none */
    struct place place;
};

/* One line of the table (before transposing). */
struct layout_line {
    const char *name;    /* unique */
    const char *label;   /* as the table shows it */
    const char *section; /* NULL: none */
    bool rule;
    int *row;                 /* [factors] index into the grid's rows; -1: there is none */
    int baseline;             /* the line that it is compared with */
    const struct tree *quote; /* NULL: none */
    struct layout_file *hyp;  /* [factors] hypotheses of a row without a run */
    struct layout_file ref;   /* and what they are scored against, when it is not the grid's text */
};

/* A printed value: of a paper, or of a quoted line. */
struct layout_value {
    const char *column;
    int line, factor; /* factor -1: any */
    const char *text;
    double number; /* NaN: it is none, as 0.4M or n/a */
};

struct layout_paper {
    const char *metric, *data, *signature; /* metric NULL: no paper; the others may be NULL */
    bool comparable;
    int columns;
    struct column *column; /* [columns] of which it has values */
    int left_out;          /* values of rows that a sweep has changed */
};

struct layout_group {
    const char *name;
    int count;
    struct column *member; /* [count] */
};

struct layout_test {
    bool wanted;
    enum column_p p; /* which one sets the marks */
    struct significance_options options;
    int levels;
    double alpha[2]; /* [levels] descending */
    bool holm, arrows;
    int against; /* a line; -1: the baseline */
    int families;
    struct column *family; /* [families] */
};

struct layout {
    int lines;
    struct layout_line *line;
    const char *by; /* NULL: one factor without a name */
    int factors;
    const char **factor, **heading; /* [factors] value and heading */
    int columns;
    struct column *column;
    int groups;
    struct layout_group *group;
    int baselines;
    int *baseline; /* [baselines] lines, ascending */
    bool transpose, bold;
    const char *names; /* NULL: left out */
    struct layout_test test;
    struct layout_paper paper;
    struct texts captions; /* of the grid's own */
    int values, quotes;
    struct layout_value *value, *quoted; /* [values] of the paper, [quotes] of quoted lines */
};

/* layout_arrange.c: fills lines and factors. `by` is the value of table.by, or NULL. */
void layout_arrange(const struct tree *by, const struct summary_grid *grid, struct layout *layout,
                    struct arena *arena);
/* The index of the factor that a scalar names by its value or heading; dies with the nearest one.
 */
int layout_read_factor(const struct tree *scalar, const struct layout *layout, struct arena *arena);
/* The text of an option of a row: of its factors, of what it says, of all its options, of the
 * defaults; or NULL. */
const char *layout_option(const struct summary_grid *grid, const struct summary_row *row,
                          const char *key, struct arena *arena);
/* Dies when no option begins like that (has: what follows it is a path in its value). */
void layout_check_option(struct place place, const char *what, const char *path, bool has,
                         const struct summary_grid *grid, struct arena *arena);
/* Whether a row's options, or their defaults, lead along the path, through every entry of lists on
 * the way. */
bool layout_has(const struct summary_grid *grid, const struct summary_row *row, const char *path);

/* layout_values.c: what the paper says, and what lines quote. */
void layout_read_paper(const struct tree *paper, struct layout *layout,
                       const struct summary_grid *grid, struct arena *arena);
/* Whether a row's name is one that sweeps have made several rows of. */
bool layout_name_is_swept(const char *name, const struct layout *layout,
                          const struct summary_grid *grid);
void layout_read_quotes(struct layout *layout, struct arena *arena);
/* The value of a column at a line and factor, or NULL. */
const struct layout_value *layout_find(const struct layout_value *value, int count,
                                       const char *column, int line, int factor);

/* layout_read.c: everything. `table` may be NULL. */
const struct layout *layout_read(const struct tree *table, const struct summary_grid *grid,
                                 struct arena *arena);
/* A column by its name or map; dies at its place when there is none. */
struct column layout_read_column(const struct tree *item, struct arena *arena);
/* The index of the line that a scalar names; dies with the nearest one. */
int layout_read_line(const struct tree *scalar, const struct layout *layout, struct arena *arena);

#endif
