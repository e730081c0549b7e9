/* The columns that a grid's table can have: where their values come from and how they are printed.
 *
 * Names are those that kinds of stages offer (offer.h: parameters, dev_loss, bleu, ..), those that
 * column_find.c has beside them (wall, delta(COLUMN), ..) and KIND.NAME, any value that a stage of
 * that kind has in its summary; column_help prints all with what they mean. KIND.PART.NAME is the
 * same of a kind whose stages are of parts, and KIND.PART its first value. Where a row has a part
 * in several views, NAME@VIEW, KIND.NAME is that of offer.main_view.
 *
 * scored.NAME is a metric of training, such as dev_loss, at the step of the checkpoint that was
 * scored: the mean over those of mean_of_best(N), nothing of average(N), which nobody validated.
 *
 * margin(COLUMN) is the value of a part less that of its control, seed by seed: of the control
 * `start`, or margin(COLUMN, CONTROL) of another one that the kind offers (offer.h, controls). That
 * of mean(GROUP) is the mean of the margins. A kind without parts may offer the control's value as
 * a measure of its own (offer.h, control): margin(KIND.NAME) is what lies between.
 *
 * mean($AXIS) is the main metric's mean over the rows that differ from a line's in that axis of a
 * sweep alone, seed by seed (axis.h), and mean($AXIS, COLUMN) any column's; rows that lack the axis
 * have none.
 *
 * A column that names dimensions has the values of the metric rows of a stage that have these and
 * no others, of the last step where there are steps, and not those of its summary. */
#pragma once

#include "core/config/tree.h"
#include "results/store/offer.h"

enum column_source {
    COLUMN_VALUE,  /* of a stage's summary */
    COLUMN_SCORED, /* of the validation of the checkpoint that was scored */
    COLUMN_WALL,
    COLUMN_MEAN,
    COLUMN_P,
    COLUMN_HAS,
    COLUMN_OPTION,
    COLUMN_NUMBER
};

enum { COLUMN_CLASSES_MOST = 1000 }; /* different classes of one measure */

enum column_p { COLUMN_KOEHN, COLUMN_CENTERED, COLUMN_SWAPPED };

struct column_group;

struct column {
    const char *name; /* as written, "delta(bleu)"; with dimensions "gates.gate layer 3" */
    enum column_source source;
    const char *kind;  /* VALUE, P: of the stage; SCORED: of that which scores */
    const char *part;  /* VALUE, P: of the stage, whose kind has parts; else NULL */
    const char *label; /* of a part: its name in headers, with the view that it means where rows
                          have several */
    const char *value; /* VALUE, P: its name in that stage's summary; SCORED: the metric of its
                          training; MEAN, P of one: the group; HAS, OPTION: the path of options */
    const struct column_group *group; /* of a mean: its columns, by layout_find_group; or NULL */
    const struct column_group *of_control; /* of the margin of a mean: those of the controls */
    const char *over; /* the axis over whose points it is the mean; NULL: of the row alone */
    const struct measure *measure; /* VALUE, P: what its kind says of it (offer.h); NULL: nothing */
    const char *unit;              /* VALUE, P: what its differences are of: "BLEU" */
    const char *header;
    bool headed; /* the grid gives the header */
    enum column_form form;
    int decimals;
    enum column_best best;       /* which value of the column is set in bold */
    enum column_p p;             /* P: which one */
    const struct column *tested; /* P: what stands in its brackets */
    const char *control; /* VALUE, P, MEAN: the value is that of this control of the part; NULL: its
                            own */
    bool margin;         /* with `control`: the part's own less that */
    bool always;         /* known also of a stage that diverged */
    bool of_training;    /* of whatever kind trains the row's model: parameters, steps, .. */
    bool delta;          /* the difference against the baseline */
    int absolute;        /* with `delta`: the baseline's own cell has its value */
    bool once;           /* in a table that is arranged by a factor: stands before its groups */
    struct dimensions of; /* VALUE, P: which metric rows; none: the summary */
    struct place place;   /* where the grid asks for it */
    const char *lacks;    /* of none: why a function has no value of a column that there is */
};

/* What mean(GROUP) is of. */
struct column_group {
    const char *name;
    int count;
    struct column *member; /* [count] */
};

/* What a table shows and tests, and what claims are of, when a grid names nothing. */
#define COLUMN_MAIN "bleu"

/* False when there is no such column; then *nearest is the one that may be meant, or NULL, and
 * column->lacks says what is wrong ("parameters is a size"), or is NULL. */
bool column_find(const char *name, struct column *column, const char **nearest,
                 struct arena *arena);

/* column_read.c: a column as a grid writes it, its name or a map {column: bleu, header: En-De};
 * dies at its place when there is none. */
struct column column_read(const struct tree *item, struct arena *arena);
/* Of a column that must have one value a row: dies, saying why, where it has class: all. */
void column_refuse_every(const struct column *column, const struct tree *item, const char *why);
void column_help(FILE *out); /* the keys of such a map, and all names */

/* Whether the part that a column says may be that of a stage: Tense is the part Tense, and each of
 * its views, Tense@encoder.2, but no view of a view, Tense@encoder.2@start: that must be written
 * out. */
bool column_is_part(const char *part, const char *of);
/* True if `of` is a view of the part and none of the controls of its kind. */
bool column_is_view(const char *part, const char *of, const struct offer *offer);

/* Whether a part is the control of that name of another one: the nearer one, Tense@out@start of
 * Tense@out, or the one of the whole task, Tense@bag. */
bool column_is_control(const char *of, const char *part, const char *control, bool nearer);
/* The two columns whose difference a margin is: the value itself, and that of the control. */
struct column column_own(const struct column *margin);
struct column column_control(const struct column *margin);

/* Whether two columns have the same values, or p of them; and whether `wide` has those of `one`,
 * itself or as one of the classes of class: all. */
bool column_is_same(const struct column *a, const struct column *b);
bool column_covers(const struct column *wide, const struct column *one);
/* The column of values of which a column of p is; another column is itself. */
struct column column_tested(const struct column *column);
/* Why no difference of a column's values can be tested, such as "parameters is a size"; or NULL. */
const char *column_untested(const struct column *column, struct arena *arena);
/* A class of a column of class: all, "gates.gate: NOUN". */
struct column column_of_class(const struct column *every, const char *class, struct arena *arena);
/* "BLEU", "Accuracy: NOUN": what the differences of a column's values are of. */
const char *column_unit(const struct column *column, struct arena *arena);

/* What reads what stands behind a column's values; NULL: nothing does. Behind those of a layer, a
 * head or one set stands none, nor behind a mean over an axis. */
observations_reader *column_observations(const struct column *column);

/* Whether it is of a group: mean(GROUP), its margin, or p of these. */
bool column_is_group(const struct column *column);
/* Whether its numbers are measured on runs: a value, wall, or a mean of such. */
bool column_is_measured(const struct column *column);
/* Whether the column has numbers over seeds, measured or p; the others (has, option, number) are of
 * a row. */
bool column_is_number(const struct column *column);
/* Whether its form is that of a size, as of parameters: no statistic where all seeds have one. */
bool column_is_size(const struct column *column);

/* "global" of "encoder.attention.branches.global". */
const char *column_last_word(const char *path);
const char *column_text(const struct column *column, double value, struct arena *arena);

/* NULL-terminated; besides these, KIND.NAME. */
const char *const *column_names(struct arena *arena);
void column_help_names(FILE *out);
