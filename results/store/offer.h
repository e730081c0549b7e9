/* What a kind of stage offers to tables, figures and lists: its numbers, and what is said of them.
 *
 * It stands in the file of the kind (experiments/stage/kind_NAME.c), as `offer_NAME`, and make
 * finds it there. Results and figures know nothing else of a kind. A kind without one has the
 * columns KIND.NAME of its stages' summaries, as every kind does. */
#pragma once

#include "results/store/dimension.h"

struct observations;
struct store;

/* Reads what stands behind a value of a stage, item by item (observations.h). */
typedef const struct observations *observations_reader(struct store *store, const char *kind,
                                                       const char *id, const char *value,
                                                       const char *class);

/* How a table prints its column, and which value is set in bold. */
enum column_form {
    COLUMN_FIXED,    /* 36.12 */
    COLUMN_EXACT,    /* 3,681,280 */
    COLUMN_SHORT,    /* up to 5 digits */
    COLUMN_SCALED,   /* 3 digits: 3.68M, 524K */
    COLUMN_MILLIONS, /* 88.0M */
    COLUMN_SECONDS
};
#define COLUMN_FORMS "fixed|exact|digits|scaled|millions|time" /* as a grid names them */

enum column_best { COLUMN_NONE, COLUMN_MOST, COLUMN_LEAST };
#define COLUMN_BESTS "none|max|min"

/* A number that the stages of a kind have. */
struct measure {
    const char *name;   /* in the summary of a stage and in its metric rows: "gate" */
    const char *column; /* its name in a table: "bleu"; NULL: KIND.NAME alone */
    const char *header; /* NULL: the name in the table */
    const char *help;   /* what it is, where the name leaves that open; or NULL */
    enum column_form form;
    int decimals; /* of COLUMN_FIXED, which is the form when there are any */
    enum column_best best;
    unsigned traits;     /* BY_LAYER ..: which dimensions its metric rows have; RIGHT_OR_WRONG */
    const char *counted; /* what `n` of its rows counts: "gates"; or NULL */
    /* The option of the kind without which its stages do not have it: "code". NULL: all have it. */
    const char *option;
    /* What reads what stands behind a value; observations_clusters: for claims within a row alone
     * (items.h). NULL: values of seeds are all there is. */
    observations_reader *observations;
    const char *const *classes; /* whose items alone are its, NULL-terminated; NULL: all */
    const char *items;          /* what these are called: "sentences"; NULL: "items" */
    const char *signature;      /* in the summary: how it was computed; NULL: "signature" */
};

/* A line of a kind's table of values: name, header and help, then by name what few values have:
 *
 *     VALUE("window", "Mean window", "D, in tokens", .decimals = 2, .traits = BY_LAYER), */
#define VALUE(name_, header_, help_, ...)                                                          \
    {                                                                                              \
        .name = name_, .header = header_, .help = help_, __VA_ARGS__                               \
    }
#define BY_LAYER (1u << DIMENSION_LAYER)
#define BY_HEAD (1u << DIMENSION_HEAD)
#define BY_SET (1u << DIMENSION_SET)
#define BY_CLASS (1u << DIMENSION_CLASS)
/* Its items are: of one seed each p is McNemar's (significance.h). */
#define RIGHT_OR_WRONG (1u << DIMENSIONS)
/* The table as the fields of an offer. */
#define VALUES(table) .measures = COUNT_OF(table), .measure = (table)

struct offer {
    const char *kind;
    /* Its stages are of parts: columns are KIND.PART.NAME; KIND.PART is its first measure. */
    bool parts;
    /* Views by layer of the part NAME are called NAME@ this, and the layer's number; or NULL. */
    const char *layer_view;
    /* A row may have a part in several views. Then a column KIND.PART is the view PART@ this, and a
     * grid without this view must name one. NULL: rows have one view of a part. */
    const char *main_view;
    /* A further view after the last layer's, NAME@ this, where an option of the row is true; NULL:
     * none. */
    const struct offer_end {
        const char *view, *option; /* {"encoder.output", "encoder.shortcut"} */
        const char *tic, *note;    /* what a figure calls it; what its caption says of it */
    } * end;
    /* Which controls a part may have, that its value can be compared with (column.h, margin), by
     * their words, NULL-terminated. That of the part TASK@VIEW called `start` is the part
     * TASK@VIEW@start, or where there is none TASK@start. NULL: none. A kind without parts has its
     * control's values among its measures (measure.control). */
    const char *const *controls;
    /* Of a kind with parts: which fields of a signature, KEY:TEXT between bars, are those of one
     * part, which other parts have others of: keys between blanks. They do not keep means of parts
     * from being taken. NULL: none. */
    const char *of_part;
    int measures;
    const struct measure *measure; /* [measures] */
    /* The other numbers of its stages, in summaries and metric rows, between blanks; a word that
     * ends in . or _ begins names. A column of another name is refused. NULL: any is accepted. */
    const char *numbers;
    /* Names of values by which one knows a stage in lists, the first one that it has: "bleu"; words
     * between blanks. NULL: none. */
    const char *telling;
    /* Device and products decide its last digits: values of different ones are not paired. */
    bool numeric;
    /* What of its environment its values are values of, as a speed is of a host: keys,
     * NULL-terminated. NULL: a value is the same wherever it was computed. */
    const char *const *measured_on;
    /* Of a kind that trains: the metric of its validations, of which less is better. Claims judge
     * by dev_accuracy how far it has come (training.h), if it has that. NULL: it does not train.
     * What its losses are per: "token". */
    const char *validation, *loss_per;
    /* How its values came about, in a line below the table: "Translations: test, beam 4". */
    const char *caption;
    /* A text in a stage's summary that says more of that, the same of all parts; or NULL. */
    const char *caption_key;
    /* More words for that line, about a stage of a program that recorded less; NULL: none. */
    const char *(*unrecorded)(const char *folder, struct arena *arena);
    /* The same as caption_key, of stages that have it: the line is printed without it, too. */
    const char *note_key;
    /* A value of the summary that is above 0 where a value is to be doubted, and what a table calls
     * such rows and parts; or NULL. */
    const char *doubt, *doubted;
    /* Not 0: the value is to be doubted below it instead, in tables with the first of `telling`. */
    double doubt_below;
    const char *section; /* of the options in it */
    struct offer_option {
        const char *key, *words; /* {"beam", "beam "} */
    } option[6];                 /* up to a key of NULL */
};

/* In the order of the kinds; NULL-terminated. */
const struct offer *const *offers(void);
const struct offer *offer_of(const char *kind); /* NULL: it has none */
const struct measure *offer_measure(const char *kind, const char *name);
/* A measure START_OF NAME is the control `start` of the measure NAME of the same stage; its items
 * are in start.tsv. */
#define START_OF "start_"
bool offer_is_control(const struct measure *measure);                    /* false of NULL */
const struct measure *offer_control(const char *kind, const char *name); /* NULL: there is none */
/* A measure SHARE_OF NAME is the same of what has learned from a share of the items, their number
 * as step. */
#define SHARE_OF "share_"
/* NAME with an ending, if it is among the numbers of the kind without a header; else NULL. Values
 * are told by them: NAME_sd is the standard deviation of what a row is the mean of; with it NAME_se
 * the standard error of a row of a class; NAME_start the same of the parameters that training began
 * with; `spread` of a speed (most - least) / median of the rounds; `unknown_words` the per cent of
 * the words, which rows of a class count, that the train text lacks. */
const char *offer_number(const char *kind, const char *name, const char *end, struct arena *arena);
/* True of a size, which a stage has that diverged, too. */
bool offer_is_size(const struct measure *measure);
const char *offer_signature(const struct measure *measure); /* its key; of NULL "signature" */
/* Whether a stage of the kind that ended well diverged by its last validation, finite as it is. */
#define OFFER_VALIDATION_MOST 20.
bool offer_diverged(const struct offer *offer, double validation);
const struct offer *offer_that_trains(void); /* the first with validations; or NULL */
/* The first measure that such a reader is offered for, and its kind; NULL: there is none. */
const struct measure *offer_read_by(observations_reader *reader, const char **kind);
