/* Runs one kind of stage on an existing training (sanlab encode, probe, logic probe). It composes a
 * grid of one point, then plans and runs it like any other grid. Its stages have the same ids as in
 * a grid. So a grid finds their results, and the verb finds the results of a grid.
 *
 *     grid: probe-0123456789ab           the verb and the training's id
 *     title: probe of small/Gate/1       the first name of the training
 *     seeds: [1]
 *     rows: [{name: Gate}]
 *     corpus, model, encoder, decoder, train: ..        options of the training
 *     evaluate: {encode: {rules: moses}}                its options that rewrite text
 *
 * Options of the command line are put into this document (alone_say). */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "results/table/sample.h"

/* Requirements of a verb on its model. */
struct alone_model {
    const char *const *kinds; /* kinds of its training, NULL-terminated: {"train", NULL} */
    const char *section;      /* section with the option `checkpoint`: evaluate.encode */
};
extern const struct alone_model alone_encoder; /* a train stage, with the section evaluate.encode */

/* Returns the document of a model; *train: its training. `word` is a stage (find_stage.h), the path
 * of a stage's folder, or a file of `export model`. A folder, and those of its inputs, are copied
 * into --runs if they are not there yet. The checkpoint is that of the file, or --checkpoint. Dies
 * if there is no such training, or if it is not finished. */
struct tree *alone_document(struct verb_call *call, const char *word,
                            const struct alone_model *model, const struct stage **train);
/* Returns a document without options. `of` is the end of the grid's name, `title` its subject.
 * `seeds` are written as in a grid. *row is the row of the grid. The caller adds its name. */
struct tree *alone_heading(struct verb_call *call, const char *of, const char *title,
                           const char *seeds, struct tree **row);

/* Puts an option of the verb, if it is given or has a default, into the document as the grid's
 * option `path`. If `path` ends with a dot, the option's name is appended. a,b becomes the list
 * [a,b]. Dies if the option is also assigned. */
void alone_say(struct verb_call *call, struct tree *document, const char *name, const char *path);
/* Plans the document on the training (NULL: none) with the call's assignments below `evaluate`.
 * Other assignments have already selected the training. */
struct plan *alone_plan(struct verb_call *call, const struct tree *document,
                        const struct stage *train);
/* Runs the plan with the verb's options. Retries failed stages. Returns the exit status. */
int alone_run(struct verb_call *call, struct plan *plan);
/* Copies a file of a stage to the folder of --out if `write`. Dies if `to` exists with other bytes,
 * because it may be the user's own file. */
void alone_hand_out(struct verb_call *call, const char *from, const char *to, bool write);

/* Values of a plan's only row, each as the cell of a grid's table (results/table/column.h), so
 * missing values have the same reasons. Memory is the call's. */
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
 * value, returns the reason, or NULL if `value`. */
const char *alone_cell(struct alone_table *table, const char *name, int layer, int head,
                       const char *class, bool value);
/* Prints a sheet with the plan's title and name (verb_print_sheet). */
void alone_print(struct verb_call *call, struct alone_table *table, struct sheet *sheet);

/* alone_model.c: returns the training in a run folder that was copied from elsewhere. Its inputs
 * are next to it or in --runs. Copies nothing. Dies if the folder's id is not that of its
 * options. */
struct stage *alone_foreign(struct verb_call *call, const char *folder);
/* Returns the copy of a foreign stage in --runs. If there is none yet, copies its folder and those
 * of its inputs, each with the event "copied". A copy appears complete, and only if all digests
 * hold. Dies at a missing or changed file, and names it. */
struct stage *alone_copy(struct verb_call *call, const struct stage *foreign);
bool alone_is_export(const char *word); /* true for a file that ends in .safetensors */
/* Returns the folder of the training that has the seed, options, vocabularies and merges of the
 * file, and whose checkpoint has its tensors. *checkpoint: the words of the checkpoint. Dies if
 * --runs has no such training, or if its checkpoint has changed. */
const char *alone_export(struct verb_call *call, const char *path, const char **checkpoint);
