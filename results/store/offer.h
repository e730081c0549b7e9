/* The offer of a kind of stage describes the values of its stages, and how tables, figures and
 * lists present them.
 *
 * The file of the kind (experiments/stage/kind_NAME.c) defines the offer as `offer_NAME`; make
 * collects these names. The code for results and figures uses a kind only through its offer. All
 * kinds have the columns KIND.NAME for values in summaries of stages. A kind without an offer has
 * no other columns. */
#pragma once

#include "results/store/dimension.h"

struct observations_job;

/* Reads the observations of the value of a stage, one for each item (observations_read.h). */
typedef void observations_reader(struct observations_job *job);

/* Number format of a column, and which of its values a table prints in bold. */
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

/* A value of the stages of a kind. */
struct measure {
    const char *name;   /* name in the summary of a stage and in its metric rows: "gate" */
    const char *column; /* column name in a table: "bleu"; NULL: only KIND.NAME */
    const char *header; /* header of the column; NULL: its name in the table */
    const char *help;   /* description, if the name is not clear; or NULL */
    enum column_form form;
    int decimals; /* number of decimals of COLUMN_FIXED; above 0, the form is COLUMN_FIXED */
    enum column_best best;
    unsigned traits;     /* bits: dimensions of its metric rows (BY_LAYER ..), RIGHT_OR_WRONG,
                            BASELINE */
    const char *counted; /* name of the things that `n` of its metric rows counts: "gates"; or
                            NULL */
    /* Name of an option: "code". Only stages for which the option is true have this measure. NULL:
     * all stages have the measure. */
    const char *option;
    /* Function that reads the observations of the value. observations_clusters is only for claims
     * within a row (items.h). NULL: the stages have no observations of this measure. */
    observations_reader *observations;
    const char *const *classes; /* classes whose items belong to the measure, NULL-terminated; NULL:
                                   all classes */
    const char *items;          /* name of its items: "sentences"; NULL: "items" */
    const char *signature;      /* key of a text in the summary that describes how the value was
                                   computed; NULL: "signature" */
};

/* Defines a measure by name, header and help. Other members are given by name:
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
/* The items are right or wrong. If both systems have one seed, p is from McNemar's test
 * (significance.h). */
#define RIGHT_OR_WRONG (1u << DIMENSIONS)
/* The value needs no encoder. Claims compare rows with the best of such values and controls. Such
 * values of other kinds are controls, too, if they are about the same test items (controls.c). */
#define BASELINE (1u << (DIMENSIONS + 1))
/* The member `measure` of an offer: VALUES(VALUE(..), VALUE(..)) */
#define VALUES(...)                                                                                \
    .measure = (const struct measure[])                                                            \
    {                                                                                              \
        __VA_ARGS__, VALUE(NULL, NULL, NULL, 0)                                                    \
    }

/* Stages have parts. The columns are KIND.PART.NAME. KIND.PART stands for the first measure of the
 * part. */
#define OFFER_PARTS 1u
/* The values do not depend on device and products (the implementation of matrix products). */
#define OFFER_EXACT 2u
/* The values depend on the machine, for example speeds. Values of different machines are never
 * averaged or compared. */
#define OFFER_MACHINE 4u

/* A signature consists of entries KEY:TEXT, separated by bars. Means over parts ignore the entries
 * whose texts differ between the parts of a kind: task, classifier, items. */

struct offer {
    const char *kind;
    unsigned traits; /* OFFER_PARTS, .. */
    /* Names of views, for parts PART@VIEW, NULL-terminated; NULL: a part has no views. The first
     * name is the main view, "encoder.output". If a row has several views of a part, a column
     * KIND.PART shows the main view. In a grid without the main view, the column must name a view.
     * Views by layer are "encoder.1", .. The other names are controls, with which a part can be
     * compared (margin in column.h). The control `start` of TASK@VIEW is TASK@VIEW@start or, if
     * absent, TASK@start. A kind without parts has the values of controls among its measures
     * (START_OF). */
    const char *const *views;
    const struct measure *measure; /* VALUES(..); the last has the name NULL. NULL: none */
    /* Names of other values of the kind's stages, in summaries and metric rows, separated by
     * blanks. A word that ends in . or _ is a prefix of names. A column with another name is
     * refused. NULL: all names are accepted. */
    const char *numbers;
    /* Names of values that describe a stage in lists, best first, separated by blanks: "bleu". A
     * list shows the first value that the stage has. NULL: none. */
    const char *telling;
    const char *section; /* section of its options, "evaluate.bleu"; or NULL */
    /* Form of the line below a table that describes how the values were computed. It has a title,
     * then options of the section with words before them. After a semicolon, it has the key of a
     * text in the summary of a stage:
     *
     *   "Translations: {split}, beam {beam}; blank"
     *
     * Options and texts that a row lacks are left out. Parts have the same text. If a kind has
     * parts and the text is missing, there is no line. NULL: no line. */
    const char *caption;
    /* Returns an addition to this line for a stage of an older program, which recorded less; NULL:
     * none. */
    const char *(*unrecorded)(const char *folder, struct arena *arena);
    /* A condition on a summary value, NAME > LIMIT or NAME < LIMIT, under which a result is
     * doubtful. After a colon follows a text. The note of a table has this text and then the rows
     * and parts for which the condition holds. Example: "undertrained > 0: Undertrained probes". A
     * condition NAME < LIMIT applies only to columns of the first name in `telling`. NULL: none. */
    const char *doubt;
};

/* All offers in the order of the kinds; NULL-terminated. */
const struct offer *const *offers(void);
const struct offer *offer_of(const char *kind); /* NULL if the kind has no offer */
/* Returns the measures of a kind; the last one has the name NULL. For NULL, the list is empty. */
const struct measure *offer_measures(const struct offer *offer);
const struct measure *offer_measure(const char *kind, const char *name);
const char *offer_title(const struct offer *offer, struct arena *arena); /* title in its caption */
const char *offer_note(const struct offer *offer);  /* key of the caption's text; or NULL */
const char *offer_doubt(const struct offer *offer); /* text of its doubt, which it must have */
/* Prefix of a control: the measure "start_NAME" is the control `start` of the measure NAME of the
 * same stage. The items of the control are in start.tsv. */
#define START_OF "start_"
bool offer_is_control(const struct measure *measure);                    /* false for NULL */
const struct measure *offer_control(const char *kind, const char *name); /* NULL: none */
/* Prefix of a learning curve. The measure "share_NAME" is the measure NAME after training on a
 * share of the items. The step of its metric row is the number of these items. */
#define SHARE_OF "share_"
const struct measure *offer_share(const char *kind, const char *name); /* NULL: none */
/* True if stages of a kind may have this value although it is not a measure of the kind. */
bool offer_may_have(const struct offer *offer, const char *value);
/* Returns `name` with the suffix `end` if this name is in `numbers` of the kind; else NULL. Names
 * and suffixes:
 *   NAME_sd         the standard deviation of the values of which the metric row is the mean
 *   NAME_se         the standard error of a metric row of a class
 *   NAME_start      the value of the initial parameters of a training
 *   spread          of a speed: (most - least) / median of the rounds
 *   unknown_words   percentage of words that are not in the training text. The metric rows of a
 *                   class have the number of these words */
const char *offer_number(const char *kind, const char *name, const char *end, struct arena *arena);
/* True if the last digits depend on device and products. Values of different devices or products
 * are not paired. */
bool offer_is_numeric(const struct offer *offer); /* false for NULL */
/* True for the measure "parameters", a size, which a diverged stage also has. */
bool offer_is_size(const struct measure *measure);
/* Returns the key of the measure's signature; "signature" for NULL. */
const char *offer_signature(const struct measure *measure);
/* The metric of validations; lower is better. A kind with this measure is a kind of training.
 * `counted` of the measure, "tokens", is the unit for all losses of the kind. If the stage has
 * dev_accuracy, claims use it instead to judge the progress of training (training.h). */
#define OFFER_VALIDATION "dev_loss"
/* Limit of OFFER_VALIDATION at the last validation. A training with a higher value has diverged,
 * even if the value is finite. */
#define OFFER_VALIDATION_MOST 20.
bool offer_trains(const struct offer *offer); /* false for NULL */
const struct offer *offer_that_trains(void);  /* the first kind that trains; or NULL */
/* Returns the first measure with this reader of observations, and sets *kind to its kind; NULL:
 * none. */
const struct measure *offer_read_by(observations_reader *reader, const char **kind);
