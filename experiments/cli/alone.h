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
 * list [a,b]. An assignment of the command line that sets the same option goes before. */
void alone_say(struct verb_call *call, struct tree *document, const char *name, const char *path);
/* Plans the document on the training (NULL: none) with the call's assignments, which set options
 * below `evaluate`. */
struct plan *alone_plan(struct verb_call *call, const struct tree *document,
                        const struct stage *train);
/* Runs the plan with the verb's options. Retries failed stages. Returns the exit status. */
int alone_run(struct verb_call *call, struct plan *plan);
/* If `write` is true, copies the files of the plan's stages of a kind to the folder of --out, and
 * prints their number. Returns the number. Dies if a file exists there with other content, because
 * it may be a file of the user. */
int alone_hand_out(struct verb_call *call, const struct plan *plan, const char *kind, bool write);

/* Prints the values of the plan's stages of a kind. There is a line for each part of the kind, and
 * for the layers, heads and classes of its values. Values with more than `most` of these dimensions
 * have no line. There is a column for each measure in the NULL-terminated list that has values. A
 * value has the same text as a cell of a grid's table, so missing values have the same reasons.
 * Below, prints how the values were computed (sample_caption), and the parts that are doubtful. */
void alone_print(struct verb_call *call, const struct plan *plan, const char *kind,
                 const char *const *measure, int most);
