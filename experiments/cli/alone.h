/* Runs stages on an existing training, for the verbs encode, probe, analyze and logic probe.
 * Composes a grid of one point, then plans and runs it like any other grid. A stage has the same id
 * as in any other grid. So grids use the results of these verbs, and the verbs use the results of
 * grids.
 *
 *     grid: probe-0123456789ab           the verb and the training's id
 *     title: probe of small/Gate/1       the first name of the training
 *     seeds: [1]
 *     rows: [{name: Gate}]
 *     corpus, model, encoder, decoder, train: ..        options of the training
 *     evaluate: {encode: {rules: moses}}                the training's options that rewrite text
 *
 * alone_say puts options of the command line into this document. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "results/table/sample.h"

/* Requirements of a verb on its model. */
struct alone_model {
    const char *const *kinds; /* kinds of training stages, NULL-terminated: {"train", NULL} */
    const char *section;      /* section with the option `checkpoint`: evaluate.encode */
};
extern const struct alone_model alone_encoder; /* a train stage, with the section evaluate.encode */

/* Returns the grid document for a model, and sets *train to its training. `word` is a stage
 * (find_stage.h) of --runs, and --checkpoint determines its checkpoint. Dies if there is no such
 * training, or if it is not finished. */
struct tree *alone_document(struct verb_call *call, const char *word,
                            const struct alone_model *model, const struct stage **train);
/* Returns the options of evaluate.encode that rewrite text, among the options of a training; NULL
 * if there are none. They belong to the corpus. */
const struct tree *alone_encode(struct arena *arena, const struct tree *options);
/* Returns a document without options. The grid's name is VERB-of, and its title is "VERB of title".
 * `seeds` has the form of this key in a grid's file. Sets *row to the only row. The caller adds the
 * name of the row. */
struct tree *alone_heading(struct verb_call *call, const char *of, const char *title,
                           const char *seeds, struct tree **row);

/* If an option of the verb is given or has a default, sets the grid's option `path` in the document
 * to its value. If `path` ends with a dot, the option's name is appended. The value a,b becomes the
 * list [a,b]. Dies if an assignment of the command line sets the same option of the grid. */
void alone_say(struct verb_call *call, struct tree *document, const char *name, const char *path);
/* Plans the document on the training (NULL: none) with the call's assignments, which set options
 * below `evaluate`. */
struct plan *alone_plan(struct verb_call *call, const struct tree *document,
                        const struct stage *train);
/* Runs the plan with the verb's options. Retries failed stages. Returns the exit status. */
int alone_run(struct verb_call *call, struct plan *plan);
/* If `write` is true, copies the file `from` of a stage to `to`, in the folder of --out. Dies if
 * `to` exists with other content, because it may be a file of the user. */
void alone_hand_out(struct verb_call *call, const char *from, const char *to, bool write);

/* The values of a plan's only row. A value has the same text as a cell of a grid's table
 * (results/table/column.h), so missing values have the same reasons. The call owns the memory. */
struct alone_table {
    struct arena *arena;
    const struct plan *plan;
    struct grid summary;
    struct sampler sampler;
};
struct alone_table *alone_table(struct verb_call *call, const struct plan *plan);

/* A line of a sheet: the stage and the metric rows from which its values are read. */
struct alone_line {
    const char *name;
    const char *section; /* heading above the line; NULL: none */
    const char *part;    /* part of the stage: "Length@encoder.output"; NULL: the kind has none */
    const char *measure; /* measure of the values that name none; NULL: all name one */
    struct dimensions of;
    int values; /* number of leading columns that have a value in the line; 0: all */
};
/* A column of a sheet. */
struct alone_value {
    const char *measure; /* "accuracy", "shut.rise"; NULL: that of the line */
    const char *header;  /* NULL: the header of the measure */
    const char *control; /* the value of this control is shown instead (offer.h); NULL: none */
};
struct alone_sheet {
    const char *kind, *names; /* names: header of the column with the names of lines */
    int lines, values;
    struct alone_line *line;   /* [lines] */
    struct alone_value *value; /* [values] */
};
/* Adds a column, and lines for the layers, heads and classes of its values. A line has at most
 * `most` of these dimensions. Does nothing if there are no values. */
void alone_add(struct alone_table *table, struct alone_sheet *sheet, struct alone_value value,
               int most);
/* Prints a sheet with the plan's title and name (verb_print_sheet). Below it, prints how the values
 * were computed (sample_caption), and the parts that are doubtful. */
void alone_print(struct verb_call *call, struct alone_table *table,
                 const struct alone_sheet *sheet);
