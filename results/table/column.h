/* The columns of a grid's table: where a column's values come from and how they are printed.
 *
 *   bleu               a value that a kind of stage offers under this name (offer.h)
 *   KIND.NAME          any value of the stages of a kind
 *   KIND.PART.NAME     the same for a kind whose stages have parts, such as probing tasks
 *   KIND.PART          the first value of the part. If a row has several views of the part,
 *                      PART@VIEW, the view is the first of offer.views
 *   scored.NAME        a training metric, such as dev_loss, at the checkpoint that was scored: the
 *                      mean over the checkpoints of mean_of_best(N). Absent for average(N), whose
 *                      model was never validated
 *   margin(COLUMN)     the value minus the value of its control `start`, seed by seed.
 *                      margin(COLUMN, CONTROL) takes another control that the kind offers
 *                      (offer.h, controls). margin(mean(GROUP)) is the mean of the margins. A kind
 *                      without parts offers the control as a measure of its own (offer_control)
 *   mean(GROUP)        the mean over the columns of a group, seed by seed
 *   mean($AXIS)        the mean of bleu, seed by seed, over the rows that differ only on one axis
 *                      of a sweep (axis.h); mean($AXIS, COLUMN): of COLUMN. Rows that are not on
 *                      the axis have no value
 *   delta(COLUMN)      the difference from the baseline
 *   p(COLUMN)          the p of that difference; centered(..) and swapped(..) are other tests
 *   has(..), option(..), wall, number
 *
 * A value is read from the summary of a stage. If the column names dimensions, the value is read
 * from the stage's metric rows that have exactly these dimensions, at the last step. column_help
 * prints all columns. */
#pragma once

#include "core/config/tree.h"
#include "results/store/offer.h"

enum column_source {
    COLUMN_VALUE,  /* a value of a stage */
    COLUMN_SCORED, /* the validation of the checkpoint that was scored */
    COLUMN_WALL,
    COLUMN_MEAN,
    COLUMN_P,
    COLUMN_HAS,
    COLUMN_OPTION,
    COLUMN_NUMBER
};

enum { COLUMN_CLASSES_MOST = 1000 }; /* number of different classes of one measure */

enum column_p { COLUMN_KOEHN, COLUMN_CENTERED, COLUMN_SWAPPED };

struct column_group;

struct column {
    const char *name; /* as written, "delta(bleu)"; with dimensions "gates.gate layer 3" */
    enum column_source source;
    const char *kind;  /* VALUE, P: kind of the stage; SCORED: kind of the stage that scores */
    const char *part;  /* VALUE, P: part of the stage; NULL: the kind has no parts */
    const char *label; /* name of the part in headers, with its view if rows have several views */
    const char
        *value; /* VALUE, P: name of the value; SCORED: name of the training metric; MEAN, and
                          P of a mean: name of the group; HAS, OPTION: path of options */
    const struct column_group *group; /* MEAN: its columns, set by layout_find_group; else NULL */
    const struct column_group *of_control; /* margin of a mean: the columns of the controls */
    const char *over;              /* axis over whose points the mean is taken; NULL: no mean */
    const struct measure *measure; /* VALUE, P: description by the kind (offer.h); NULL: none */
    const char *unit;              /* VALUE, P: unit of its differences: "BLEU" */
    const char *header;
    bool headed; /* the grid sets the header */
    enum column_form form;
    int decimals;
    enum column_best best;       /* selects the value that is printed in bold */
    enum column_p p;             /* P: the test */
    const struct column *tested; /* P: the column in its brackets */
    const char *control;         /* VALUE, P, MEAN: name of the control of the part; NULL: none */
    bool margin;          /* with `control`: value minus control; without margin: the control */
    bool always;          /* a stage that diverged has the value, too */
    bool of_training;     /* value of the kind that trains the row's model: parameters, steps, .. */
    bool delta;           /* difference from the baseline */
    int absolute;         /* with `delta`: the baseline's own cell has its value */
    bool once;            /* in a table with table.by: one column before the groups */
    struct dimensions of; /* VALUE, P: dimensions of the metric rows; none: the summary */
    struct location location; /* location in the grid */
    const char *lacks;        /* set by column_find when a function does not accept a column: why */
};

/* The columns of mean(GROUP). */
struct column_group {
    const char *name;
    int count;
    struct column *member; /* [count] */
};

/* The default column of tables, tests and claims. */
#define COLUMN_MAIN "bleu"

/* Returns false if no column has this name. *nearest is then a similar name, or NULL, and
 * column->lacks is a reason ("parameters is a size"), or NULL. */
bool column_find(const char *name, struct column *column, const char **nearest,
                 struct arena *arena);

/* column_read.c: reads a column of a grid, a name or a map {column: bleu, header: En-De}. Dies at
 * its location if the column is unknown. */
struct column column_read(const struct tree *item, struct arena *arena);
/* Dies at `item` with the message `why` if the column has class: all. */
void column_refuse_every(const struct column *column, const struct tree *item, const char *why);
void column_help(FILE *out); /* the keys of such a map, and all names */

/* True if a column's `part` selects a stage whose part is `of`: equal names, or `of` is a view of
 * `part`. Tense selects Tense and Tense@encoder.2, not Tense@encoder.2@start. */
bool column_is_part(const char *part, const char *of);
/* True if `of` is a view of the part and no control. */
bool column_is_view(const char *part, const char *of, const struct offer *offer);

/* True if the part `of` is the control with this name of `part`. `nearer`: the control of the view
 * (Tense@out@start for Tense@out), else the control of the task (Tense@start). */
bool column_is_control(const char *of, const char *part, const char *control, bool nearer);
/* A margin is the first column minus the second one. */
struct column column_own(const struct column *margin);
struct column column_control(const struct column *margin);

/* True if two columns have the same values, or the p of the same values. column_covers is also true
 * if `wide` has class: all and `one` is one of these classes. */
bool column_is_same(const struct column *a, const struct column *b);
bool column_covers(const struct column *wide, const struct column *one);
/* Returns the argument of a column of p; other columns are returned as they are. */
struct column column_tested(const struct column *column);
/* Returns the reason why differences of a column cannot be tested, such as "parameters is a size";
 * NULL if they can. */
const char *column_untested(const struct column *column, struct arena *arena);
/* Returns the column for one class of a column with class: all, "gates.gate: NOUN". */
struct column column_of_class(const struct column *every, const char *class, struct arena *arena);
/* Returns the unit of a column's differences with its dimensions: "BLEU", "Accuracy: NOUN". */
const char *column_unit(const struct column *column, struct arena *arena);

/* Returns the reader of the items from which a column's values are computed (observations.h). NULL
 * if there are none, as for the values of a layer, a head or a set, and for a mean over an axis. */
observations_reader *column_observations(const struct column *column);

/* True for mean(GROUP), its margin, and the p of either. */
bool column_is_group(const struct column *column);
/* True if the column is measured on runs: a value, wall, or a mean of these. */
bool column_is_measured(const struct column *column);
/* True if the column is measured or a p. False for has, option and number, which describe a row. */
bool column_is_number(const struct column *column);
/* True if the form is that of a size, such as parameters. If all seeds have the same size, no
 * deviation is printed. */
bool column_is_size(const struct column *column);

/* "global" of "encoder.attention.branches.global". */
const char *column_last_word(const char *path);
const char *column_text(const struct column *column, double value, struct arena *arena);

/* Returns all names except KIND.NAME, NULL-terminated. */
const char *const *column_names(struct arena *arena);
void column_help_names(FILE *out);
