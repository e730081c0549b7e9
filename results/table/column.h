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

/* How the values of a column are computed: an entry of column_entries. */
enum column_function {
    COLUMN_VALUE,   /* a value of a stage */
    COLUMN_CONTROL, /* of the stage that is the control `word` of that stage */
    COLUMN_WALL,
    COLUMN_NUMBER,
    COLUMN_SCORED, /* the validation of the checkpoint that was scored */
    COLUMN_DELTA,
    COLUMN_MARGIN, /* the first argument minus the second, its control `word` */
    COLUMN_GROUP,  /* mean of the arguments, the columns of the group `word`: layout_find_group */
    COLUMN_AXIS,   /* mean over the axis `word` */
    COLUMN_P,
    COLUMN_P_CENTERED,
    COLUMN_P_SWAPPED,
    COLUMN_HAS,
    COLUMN_OPTION,
    COLUMN_FUNCTIONS
};

enum { COLUMN_CLASSES_MOST = 1000 }; /* number of different classes of one measure */

enum column_p { COLUMN_KOEHN, COLUMN_CENTERED, COLUMN_SWAPPED };

/* Set by the grid, or by the function. */
#define COLUMN_HEADED 1u   /* the header is the grid's */
#define COLUMN_ONCE 2u     /* in a table with table.by: one column before the groups */
#define COLUMN_ABSOLUTE 4u /* of DELTA: the baseline's own cell has its value */

/* A filter of values and a function over them. The arguments have the same filter: that of the
 * outer column counts (column_argument). Only the columns of a group have their own. */
struct column {
    const char *name; /* as written, "delta(bleu)"; with dimensions "gates.gate layer 3" */
    enum column_function function;
    const char *word; /* of the function: its group, axis, control, or path of options; or NULL */
    int arguments;
    const struct column *argument; /* [arguments] */
    const char *kind;  /* of the stages; SCORED: the kind that scores; NULL: no filter */
    const char *part;  /* part of the stage; NULL: the kind has no parts */
    const char *label; /* name of the part or group with its view, if rows have several; or NULL */
    const char *value; /* name of the value or training metric */
    struct dimensions of; /* of the metric rows; none: the summary */
    /* Form, decimals and better direction; `header` is the unit of differences, "BLEU". It is the
     * kind's own description, or a copy that the grid or a function has changed. */
    const struct measure *measure;
    const char *header;
    unsigned set;             /* COLUMN_HEADED, .. */
    struct location location; /* location in the grid */
};

struct sample;
struct sampler;

/* Why there is no column of a name. */
struct column_miss {
    const char *nearest; /* a similar name; NULL: none */
    const char *lacks;   /* a reason: "parameters is a size"; NULL: none */
};

/* A function of columns. */
struct column_entry {
    const char *name, *help; /* "delta(COLUMN)"; NULL: column_find.c finds such columns */
    struct measure measure;  /* description of its values if it has no arguments */
    unsigned set;
    /* Reads the text in its brackets. *column has the name, and the function's header and measure.
     * Returns false if the text is not valid. */
    bool (*find)(const char *text, struct column *column, struct column_miss *miss,
                 struct arena *arena);
    /* Reads the values of a row (sample.h). NULL: the column is not measured on runs. */
    struct sample (*sample)(struct sampler *sampler, const struct column *column, int row);
};
extern const struct column_entry column_entries[COLUMN_FUNCTIONS]; /* column_functions.c */

/* The default column of tables, tests and claims. */
#define COLUMN_MAIN "bleu"

/* Returns false if no column has this name; *miss then has the reason (NULL: not wanted). */
bool column_find(const char *name, struct column *column, struct column_miss *miss,
                 struct arena *arena);

/* Returns an argument of a column, with the filter of the column. */
struct column column_argument(const struct column *column, int index);
/* Returns the column itself or the first of its arguments, of their arguments .., that is computed
 * by the function; NULL: none. Does not look into the columns of a group. */
const struct column *column_has(const struct column *column, enum column_function function);
bool column_is_p(const struct column *column);
/* Returns the control of a column, which is a value or a mean of values. */
struct column column_control(const struct column *column, const char *control, struct arena *arena);
/* Adds the control of its first argument to a margin. */
void column_take_control(struct column *margin, struct arena *arena);
/* Returns the kind's own description of the values; of a group, of its first column. NULL: the kind
 * does not offer the value. */
const struct measure *column_offered(const struct column *column);
/* Replaces the description by a copy, to be changed. */
struct measure *column_describe(struct column *column, struct arena *arena);

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
/* True if two columns have the same values, or the p of the same values. column_covers is also true
 * if `wide` has class: all and `one` is one of these classes. */
bool column_is_same(const struct column *a, const struct column *b);
bool column_covers(const struct column *wide, const struct column *one);
/* Returns the column without an outer delta or p. */
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

/* True if the column is measured on runs: a value, wall, or a mean of these. */
bool column_is_measured(const struct column *column);
/* True if the form is that of a size, such as parameters. If all seeds have the same size, no
 * deviation is printed. */
bool column_is_size(const struct column *column);

/* "global" of "encoder.attention.branches.global". */
const char *column_last_word(const char *path);
/* Returns a header with a label instead of the name of its part or group. */
const char *column_labelled(const struct column *column, const char *header, struct arena *arena);

/* Returns all names except KIND.NAME, NULL-terminated. */
const char *const *column_names(struct arena *arena);
void column_help_names(FILE *out);
