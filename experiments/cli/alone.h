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
/* Returns the column of this name, which must exist. */
struct column alone_column(const struct alone_table *table, const char *name);
/* Returns the text of a value at a layer, a head (0: all) and a class (NULL: all). If there is no
 * value, returns NULL if `value` is true, else the reason. */
const char *alone_cell(struct alone_table *table, const char *name, int layer, int head,
                       const char *class, bool value);
/* Prints a sheet with the plan's title and name (verb_print_sheet). */
void alone_print(struct verb_call *call, struct alone_table *table, struct sheet *sheet);
