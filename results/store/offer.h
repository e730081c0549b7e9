/* The offer of a kind of stage: its numbers, and how tables, figures and lists present them.
 *
 * The file of the kind (experiments/stage/kind_NAME.c) defines the offer as `offer_NAME`; make
 * collects these names. Results and figures depend on nothing else of a kind. A kind without an
 * offer has only the columns KIND.NAME of its stages' summaries, which every kind has. */
#pragma once

#include "results/store/dimension.h"

struct observations_job;

/* Reads the observations of a stage's value, item by item (observations_read.h). */
typedef void observations_reader(struct observations_job *job);

/* Number format of a table's column, and which of its values is set in bold. */
enum column_form {
    COLUMN_FIXED,    /* 36.12 */
    COLUMN_EXACT,    /* 3,681,280 */
    COLUMN_SHORT,    /* up to 5 digits */
    COLUMN_SCALED,   /* 3 digits: 3.68M, 524K */
    COLUMN_MILLIONS, /* 88.0M */
    COLUMN_SECONDS
};
#define COLUMN_FORMS "fixed|exact|digits|scaled|millions|time" /* names in a grid */

enum column_best { COLUMN_NONE, COLUMN_MOST, COLUMN_LEAST };
#define COLUMN_BESTS "none|max|min"

/* A number of the stages of a kind. */
struct measure {
    const char *name;   /* in the summary of a stage and in its metric rows: "gate" */
    const char *column; /* column name in a table: "bleu"; NULL: only KIND.NAME */
    const char *header; /* NULL: the name in the table */
    const char *help;   /* description, if the name is not clear; or NULL */
    enum column_form form;
    int decimals; /* of COLUMN_FIXED, the form if decimals > 0 */
    enum column_best best;
    unsigned traits;     /* dimensions of its metric rows: BY_LAYER ..; RIGHT_OR_WRONG */
    const char *counted; /* the unit that `n` of its rows counts: "gates"; or NULL */
    /* The option that a stage must have for this measure: "code". NULL: all stages have the
     * measure. */
    const char *option;
    /* Reader of the value's observations; observations_clusters: only for claims within a row
     * (items.h). NULL: the measure has only values of seeds. */
    observations_reader *observations;
    const char *const *classes; /* classes whose items belong to the measure, NULL-terminated;
                                   NULL: all */
    const char *items;          /* name of its items: "sentences"; NULL: "items" */
    const char *signature;      /* key of the text that tells how it was computed, in the summary;
                                   NULL: "signature" */
};

/* A value of a kind: name, header, help, and other fields by name:
 *
 *   VALUE("window", "Mean window", "D, in tokens", .decimals = 2, .traits = BY_LAYER) */
#define VALUE(name_, header_, help_, ...)                                                          \
    {                                                                                              \
        .name = name_, .header = header_, .help = help_, __VA_ARGS__                               \
    }
#define BY_LAYER (1u << DIMENSION_LAYER)
#define BY_HEAD (1u << DIMENSION_HEAD)
#define BY_SET (1u << DIMENSION_SET)
#define BY_CLASS (1u << DIMENSION_CLASS)
/* The items are right or wrong: with one seed each, p is McNemar's (significance.h). */
#define RIGHT_OR_WRONG (1u << DIMENSIONS)
/* The kind's values, in an offer: VALUES(VALUE(..), VALUE(..)) */
#define VALUES(...)                                                                                \
    .measure = (const struct measure[])                                                            \
    {                                                                                              \
        __VA_ARGS__, VALUE(NULL, NULL, NULL, 0)                                                    \
    }

/* Stages have parts: columns are KIND.PART.NAME; KIND.PART is the first measure of the part. */
#define OFFER_PARTS 1u
/* The values do not depend on device and products. */
#define OFFER_EXACT 2u
/* The values depend on the machine, as a speed does. Values of different machines are never
 * mixed. */
#define OFFER_MACHINE 4u

/* Keys of a signature, KEY:TEXT between bars, that differ between the parts of a stage with views.
 * Means over parts ignore these keys. */
#define OFFER_OF_PART "task classifier items"

struct offer {
    const char *kind;
    unsigned traits; /* OFFER_PARTS, .. */
    /* Words of views, PART@VIEW, NULL-terminated; NULL: rows have one view of a part. The first
     * word is the main view, "encoder.output". A column KIND.PART means the main view if a row has
     * the part in several views. A grid without the main view must name a view. Views by layer are
     * "encoder.1", .. The other words are controls, with which a part can be compared (column.h,
     * margin). The control `start` of TASK@VIEW is TASK@VIEW@start or, if absent, TASK@start. A
     * kind without parts has the values of controls among its measures (START_OF). */
    const char *const *views;
    const struct measure *measure; /* VALUES(..), ended by a name of NULL; NULL: no table */
    /* Other numbers of the kind's stages, in summaries and metric rows, separated by blanks. A word
     * that ends in . or _ is a prefix of names. Columns of other names are refused. NULL: any name
     * is accepted. */
    const char *numbers;
    /* Names of values that describe a stage in lists, best first, separated by blanks: "bleu". A
     * list shows the first value that the stage has. NULL: none. */
    const char *telling;
    const char *section; /* of its options, "evaluate.bleu"; or NULL */
    /* The line below a table about how its values were computed. The text has a name, and options
     * of the section with words before them. After a semicolon follows the key of a text in a
     * stage's summary:
     *
     *   "Translations: {split}, beam {beam}; blank"
     *
     * Options and texts that a row lacks are left out. The text is equal for all parts. A line of
     * parts without the text is left out. NULL: no line. */
    const char *caption;
    /* Returns a supplement of that line for a stage whose program recorded less; NULL: none. */
    const char *(*unrecorded)(const char *folder, struct arena *arena);
    /* A summary value that makes a result dubious, NAME > LIMIT or NAME < LIMIT, and the words for
     * rows and parts with it in a table. Example: "undertrained > 0: Undertrained probes". NAME <
     * LIMIT is only about columns of the first name of `telling`. NULL: none. */
    const char *doubt;
};

/* All offers in the order of the kinds; NULL-terminated. */
const struct offer *const *offers(void);
const struct offer *offer_of(const char *kind); /* NULL: the kind has no offer */
/* Returns the values of a kind, ended by a name of NULL. For NULL the list is empty. */
const struct measure *offer_measures(const struct offer *offer);
const struct measure *offer_measure(const char *kind, const char *name);
const char *offer_title(const struct offer *offer, struct arena *arena); /* name in its caption */
const char *offer_note(const struct offer *offer); /* key of the caption's text; or NULL */
/* Prefix of a control: the measure START_OF NAME is the control `start` of the measure NAME of the
 * same stage. Its items are in start.tsv. */
#define START_OF "start_"
bool offer_is_control(const struct measure *measure);                    /* false for NULL */
const struct measure *offer_control(const char *kind, const char *name); /* NULL: none */
/* Prefix of a learning curve. The measure SHARE_OF NAME is the measure NAME after learning from a
 * share of the items. Its step is the number of these items. */
#define SHARE_OF "share_"
/* Returns NAME with a suffix if it is among the kind's numbers without a header; else NULL. These
 * numbers are:
 *   NAME_sd         the standard deviation of the values whose mean is the row
 *   NAME_se         the standard error of a row of a class
 *   NAME_start      the value of the initial parameters of a training
 *   spread          of a speed: (most - least) / median of the rounds
 *   unknown_words   per cent of the words that the train text lacks. The rows of a class have the
 *                   counts of these words
 */
const char *offer_number(const char *kind, const char *name, const char *end, struct arena *arena);
/* True if the last digits depend on device and products. Values of different devices or products
 * are not paired. */
bool offer_is_numeric(const struct offer *offer); /* false for NULL */
/* True for a size, which a diverged stage also has. */
bool offer_is_size(const struct measure *measure);
const char *offer_signature(const struct measure *measure); /* its key; "signature" for NULL */
/* The metric of validations, lower is better. A kind with this name among its measures trains. The
 * unit that the measure counts, "tokens", is that of all losses of the kind. Claims judge progress
 * by dev_accuracy (training.h), if present. */
#define OFFER_VALIDATION "dev_loss"
/* Limit of the last validation: a higher value, although finite, means that the training
 * diverged. */
#define OFFER_VALIDATION_MOST 20.
bool offer_trains(const struct offer *offer); /* false for NULL */
const struct offer *offer_that_trains(void);  /* the first kind that trains; or NULL */
/* Returns the first measure with that reader, and sets *kind to its kind; NULL: none. */
const struct measure *offer_read_by(observations_reader *reader, const char **kind);
