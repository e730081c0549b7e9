/* One kind of stage alone, on a training that is there (sanlab encode, probe, logic probe): a grid
 * of one point is composed, and planned and run as any other. Its stages have the ids that they
 * have in a grid, so either finds what the other has done.
 *
 *     grid: probe-0123456789ab           the verb and the training's id
 *     title: probe of small/Gate/1       the name that the training was first given
 *     seeds: [1]
 *     rows: [{name: Gate}]
 *     corpus, model, encoder, decoder, train: ..        the training's
 *     evaluate: {encode: {rules: moses}}                how its text is rewritten, as it says
 *
 * What the command line says is put into this document (alone_say). */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "results/table/sample.h"

/* What a verb asks of a model. */
struct alone_model {
    const char *const *kinds; /* that its training may be of: {"train", NULL} */
    const char *section;      /* evaluate.encode: where the checkpoint stands */
};
extern const struct alone_model alone_encoder; /* a training's, with the section evaluate.encode */

/* The document of a model, whose training becomes *train: what `word` means (find_stage.h); what
 * lies in a folder of that path, which is copied into --runs where it is not there yet, with what
 * it reads; or what a file of `export model` is of. Its checkpoint
 * is that of such a file, or --checkpoint. Dies when there is none, and when it is not finished. */
struct tree *alone_document(struct verb_call *call, const char *word,
                            const struct alone_model *model, const struct stage **train);
/* The document without options: what its grid's name ends with, what it is of, its seeds (as a grid
 * has them), and its row, which wants a name. */
struct tree *alone_heading(struct verb_call *call, const char *of, const char *title,
                           const char *seeds, struct tree **row);

/* Puts an option of the verb, if it is given or has a default, into the document as the option
 * `path` of a grid; a path that ends with a point goes on with the option's name. a,b becomes the
 * list [a,b]. Dies if that option is assigned, too. */
void alone_say(struct verb_call *call, struct tree *document, const char *name, const char *path);
/* Plans the document upon the training (NULL: upon nothing), with the call's assignments below
 * evaluate; the others have said which training is meant. */
struct plan *alone_plan(struct verb_call *call, const struct tree *document,
                        const struct stage *train);
/* Runs it as the verb's options say, also what failed earlier; returns the exit status. */
int alone_run(struct verb_call *call, struct plan *plan);
/* A file of a stage for the folder of --out. What is there may be somebody's own, and is kept: dies
 * when `to` is there and is not the same. Copies with `write` alone. */
void alone_hand_out(struct verb_call *call, const char *from, const char *to, bool write);

/* The numbers of a plan's only row, each as the cell of a grid's table (results/table/column.h): so
 * it says in the same words why it has no value. Memory is the call's. */
struct alone_table {
    struct arena *arena;
    const struct plan *plan;
    struct grid summary;
    struct sampler sampler;
};
struct alone_table *alone_table(struct verb_call *call, const struct plan *plan);
/* The column of that name, which there is. */
struct column alone_column(const struct alone_table *table, const char *name);
/* The text of a value at a layer, a head (0: of all) and a class (NULL: of all). Without a value it
 * says why, or with `value` is NULL. */
const char *alone_cell(struct alone_table *table, const char *name, int layer, int head,
                       const char *class, bool value);
/* Prints with the plan's title (verb_print_sheet), . */
void alone_print(struct verb_call *call, struct alone_table *table, struct sheet *sheet);

/* alone_model.c: the training in a run folder that somebody copied from elsewhere, with its inputs,
 * which lie beside it or in --runs. Copies nothing. Dies if the folder's id is not that of its
 * options. */
struct stage *alone_foreign(struct verb_call *call, const char *folder);
/* The same stage below --runs. If it is not there yet, its folder is copied, and those of its
 * inputs, each with the event "copied". A copy appears whole, and only if all digests hold. Dies,
 * naming it, at what is missing or has changed. */
struct stage *alone_copy(struct verb_call *call, const struct stage *foreign);
bool alone_is_export(const char *word); /* a file that ends in .safetensors */
/* The folder of the training with the seed, options, vocabularies and merges that the file says,
 * whose checkpoint has the file's tensors; and in *checkpoint the words of that. Dies when --runs
 * has none, and when its checkpoint is another by now. */
const char *alone_export(struct verb_call *call, const char *path, const char **checkpoint);
