/* Describes the columns of a grid's table: the source of their values and the format of their
 * numbers. A column has one of these names:
 *
 *   bleu               a value that a kind of stage offers under this name (offer.h)
 *   KIND.NAME          any value of the stages of a kind
 *   KIND.PART.NAME     the same for a kind whose stages have parts, such as probing tasks
 *   KIND.PART          the main value of the part, offer.measure[0]. If a row has several views of
 *                      the part, PART@VIEW, the view is the first of offer.views
 *   margin(COLUMN)     the value minus the value of its control `start`, seed by seed.
 *                      margin(COLUMN, CONTROL) takes another control that the kind offers
 *                      (offer.h, controls). margin(mean(GROUP)) is the mean of the margins. For a
 *                      kind without parts, the control is another measure of the kind
 *                      (offer_control)
 *   mean(GROUP)        the mean over the columns of a group, seed by seed, without probing tasks
 *                      that are not above their controls (controls.h)
 *   mean($AXIS)        the mean of bleu, seed by seed, over the rows that differ only on one axis
 *                      of a sweep (axis.h). mean($AXIS, COLUMN) is the same mean of COLUMN. Rows
 *                      that are not on the axis have no value
 *   delta(COLUMN)      the difference from the baseline
 *   p(COLUMN)          the p value of this difference. centered(COLUMN) and swapped(COLUMN) are the
 *                      p values of two other tests
 *   residual(COLUMN)   for a value at(..): the distance of the nearer checkpoint, in the unit of
 *                      at(..)
 *   has(..), option(..), tuned(..), wall and number (see column_functions.c)
 *
 * A value is read from the summary of a stage. If the column names dimensions, the value is read
 * from the metric rows of the stage that have exactly these dimensions, at the last step.
 * column_help prints all columns. */
#pragma once

#include "core/config/tree.h"
#include "results/store/offer.h"

/* The function that computes the values of a column: an index into column_entries. */
enum column_function {
    COLUMN_VALUE,   /* a value of a stage */
    COLUMN_CONTROL, /* the same value of another stage, which is the control `word` of the first */
    COLUMN_WALL,
    COLUMN_NUMBER,
    COLUMN_DELTA,
    COLUMN_MARGIN, /* first argument minus second argument, which is its control `word` */
    COLUMN_GROUP,  /* mean of the arguments: the columns of the group `word` (layout_find_group) */
    COLUMN_AXIS,   /* mean of the argument over the points of the axis `word` */
    COLUMN_P,
    COLUMN_P_CENTERED,
    COLUMN_P_SWAPPED,
    COLUMN_RESIDUAL, /* distance of the nearer checkpoint of at(..) */
    COLUMN_EXPECTED, /* the expected best trial of a budget (expected.h) */
    COLUMN_HAS,
    COLUMN_OPTION,
    COLUMN_TUNED, /* an option that tuning has chosen */
    COLUMN_FUNCTIONS
};

enum { COLUMN_CLASSES_MOST = 1000 }; /* maximum number of different classes of one measure */

enum column_p { COLUMN_KOEHN, COLUMN_CENTERED, COLUMN_SWAPPED };

/* A column has a filter, which selects values of stages, and a function of these values. The filter
 * consists of kind, part, label, value and `of`. The arguments use the filter of the outer column
 * (column_argument). Exception: the columns of a group have their own filters. */
struct column {
    const char *name; /* as written, "delta(bleu)"; with dimensions "gates.gate layer 3" */
    enum column_function function;
    const char *word; /* argument of the function that is not a column: a group, axis, control or
                         path of options; NULL: none */
    int arguments;
    const struct column *argument; /* [arguments] */
    const char *kind;              /* kind of the stages; NULL: no filter */
    const char *part;              /* part of the stage; NULL: the kind has no parts */
    const char *label; /* name of the part or group with its view, if rows have several views; NULL:
                          none */
    const char *value; /* name of the value */
    struct dimensions of; /* dimensions of the metric rows; none: the value is in the summary */
    /* Number format, decimals and better direction of the values; measure->header is the unit of
     * differences, "BLEU". The kind owns the measure, or it is a copy that the grid or a function
     * has changed. */
    const struct measure *measure;
    const char *header;
    const struct tree *item; /* the column in the grid: a name, or a map (column_read.c); NULL: the
                                column is not written in the grid */
};

struct sample;
struct sampler;

/* The reason why column_find has found no column. */
struct column_miss {
    const char *nearest; /* a similar name; NULL: none */
    const char *lacks;   /* a reason: "parameters is a size"; NULL: none */
};

/* A function of columns, such as delta(COLUMN). */
struct column_entry {
    const char *name, *help; /* "delta(COLUMN)"; NULL: columns without a function name, such as
                                bleu */
    struct measure measure;  /* description of the values; `find` may replace it */
    bool once; /* with table.by: printed once, before the groups of columns, unless the grid's map
                  of the column states `once` */
    /* Reads the text in the brackets of the name. *column already has the name, and the header and
     * measure of the function. Returns false if the text is not valid. NULL: the name has no
     * brackets. */
    bool (*find)(const char *text, struct column *column, struct column_miss *miss,
                 struct arena *arena);
    /* Reads the values of a row (sample.h). NULL: the column is not measured on runs. */
    struct sample (*sample)(struct sampler *sampler, const struct column *column, int row);
};
extern const struct column_entry column_entries[COLUMN_FUNCTIONS]; /* column_functions.c */

/* The default column of tables, tests and claims. */
#define COLUMN_MAIN "bleu"

/* Finds a column by its name. Returns false if no column has the name. Then *miss is the reason;
 * `miss` may be NULL. */
bool column_find(const char *name, struct column *column, struct column_miss *miss,
                 struct arena *arena);

/* Returns an argument of a column, with the filter of the column. */
struct column column_argument(const struct column *column, int index);
/* Searches the column, its first argument, the first argument of this argument, and so on. Returns
 * the first of these columns that has the function; NULL: none. The columns of a group are not
 * searched. */
const struct column *column_has(const struct column *column, enum column_function function);
/* Returns the first column of a group, for mean(GROUP) and margin(mean(GROUP)); else the column. */
const struct column *column_first(const struct column *column);
bool column_is_p(const struct column *column);
/* Returns a column with the control of each value. `column` must be a value or a mean of values. */
struct column column_control(const struct column *column, const char *control, struct arena *arena);
/* Gives a margin its second argument: the control of its first argument. */
void column_take_control(struct column *margin, struct arena *arena);
/* Returns the description that the kind offers, without changes by the grid or a function. For a
 * group: the description of its first column. NULL: the kind does not offer the value. */
const struct measure *column_offered(const struct column *column);
/* Replaces column->measure by a copy, and returns the copy, which the caller may change. */
struct measure *column_describe(struct column *column, struct arena *arena);

/* column_read.c: reads a column of a grid: a name, or a map {column: bleu, header: En-De}. Exits
 * with an error at its location if the column is unknown. */
struct column column_read(const struct tree *item, struct arena *arena);
/* Returns the location of the column's name in the grid; file NULL: none. */
struct location column_location(const struct column *column);
/* True if the column is printed once (column_entry). */
bool column_is_once(const struct column *column);
/* True if the baseline's own cell in delta(COLUMN) has its value, not a blank. */
bool column_shows_baseline(const struct column *column);
/* Exits with the message `why`, at the key `class` of `item`, if the column has class: all. */
void column_refuse_every(const struct column *column, const struct tree *item, const char *why);
void column_help(FILE *out); /* prints the keys of this map, and all names of columns */

/* True if `part` of a column selects a stage whose part is `of`. The names must be equal, or `of`
 * must be `part` with one suffix, a view or a control. Example: Tense selects Tense,
 * Tense@encoder.2 and Tense@start, but not Tense@encoder.2@start. */
bool column_is_part(const char *part, const char *of);
/* True if `of` is `part` with the name of a view as suffix, not of a control. */
bool column_is_view(const char *part, const char *of, const struct offer *offer);

/* True if the part `of` is the control `control` of `part`. If `nearer` is true, the control
 * belongs to the view (Tense@out@start for Tense@out), else to the task (Tense@start). */
bool column_is_control(const char *of, const char *part, const char *control, bool nearer);
/* True if two columns have the same values. An outer delta or p is ignored. column_covers is also
 * true if `wide` has class: all and `one` has a single class. */
bool column_is_same(const struct column *a, const struct column *b);
bool column_covers(const struct column *wide, const struct column *one);
/* Returns the column without an outer delta or p. */
struct column column_tested(const struct column *column);
/* Returns the reason why differences of a column cannot be tested, such as "parameters is a size";
 * NULL if they can. */
const char *column_untested(const struct column *column, struct arena *arena);
/* Returns the column of one class, for a column with class: all, "gates.gate: NOUN". */
struct column column_of_class(const struct column *every, const char *class, struct arena *arena);
/* Returns the unit of a column's differences with its dimensions: "BLEU", "Accuracy: NOUN". */
const char *column_unit(const struct column *column, struct arena *arena);

/* Returns the reader of the items from which a column's values are computed (observations.h). NULL:
 * there are no items. Values of a layer, a head or a set, and means over an axis, never have
 * items. */
observations_reader *column_observations(const struct column *column);

/* True if the column is computed from runs: values of stages, wall, and means and differences of
 * these. */
bool column_is_measured(const struct column *column);
/* True if the values are sizes, such as parameters, according to the number format. If all seeds
 * have the same size, no deviation is printed. */
bool column_is_size(const struct column *column);

/* True for columns of options: has(..), option(..) and tuned(..). */
static inline bool column_is_option(const struct column *column)
{
    return column->function >= COLUMN_HAS && column->function <= COLUMN_TUNED;
}
/* Returns the text after the last point: "global" for "encoder.attention.branches.global". */
const char *column_last_word(const char *path);
/* Returns `header` with column->label in place of the name of the part or group. */
const char *column_labelled(const struct column *column, const char *header, struct arena *arena);

/* Returns all names of columns except names of the form KIND.NAME; NULL-terminated. */
const char *const *column_names(struct arena *arena);
void column_help_names(FILE *out);
