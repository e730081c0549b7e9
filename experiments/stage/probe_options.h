/* Section `evaluate.probe`: options of the stages `probe`, their parts, and the vectors that they
 * request from the stage `encode`.
 *
 * A part has the name TASK@PATH. The controls are TASK@bag and TASK@PATH@start. For vectors of
 * another program, the parts are those whose views the folder has (probe_vectors.h). If it has none
 * of the paths, the part is TASK@vectors. The options of a grid are
 * expanded before planning: `layers` becomes the paths of the encoder's layers, and a file of tasks
 * becomes its tasks. If several rows have the same encoder, each of them requests the paths of all
 * of them. So the encoder reads the sentences only once. */
#pragma once

#include "experiments/grid/grid.h"
#include "probes/tasks.h"
#include "experiments/grid/sections.h"
#include "experiments/stage/stage_work.h"
#include "probes/probing.h"

struct probe_options {
    struct tasks tasks;
    struct texts path, controls;
    int protocol, word_content, seeds, folds;
    bool standardize, code;
    const char *vectors; /* folder with vectors of another program; "": vectors of an encoder */
};
extern const struct section probe_section;
extern const struct evaluation evaluation_probe; /* kind_probe.c */

const struct probe_options *probe_options_at(const struct settings *settings);
struct texts probe_parts(const void *fields, struct arena *arena);
const char *probe_group(const void *fields, const char *part);
/* True if vectors are read from files, without an encoder (struct evaluation, alone). */
bool probe_alone(const void *fields);
/* Returns the number of lines of a task's file, and sets *pieces to the estimated number of BPE
 * pieces. Both are 0 if the file is missing. */
double probe_count_text(const struct probe_task *task, double *pieces);
/* Returns the path in the stage `encode` whose vectors a part reads. */
const char *probe_path(const char *part, struct arena *arena);
/* Returns the value of an option `what` with the asked paths, each once, in their order or sorted.
 * `layers` is replaced by the paths of the layers. Dies if the encoder lacks a path. */
struct tree *probe_paths_tree(const struct texts *asked, const struct settings *settings,
                              const char *what, bool sorted, struct location location,
                              struct arena *arena);
/* Member `ask` of struct stage_kind: expands the options of a grid's rows. */
void probe_ask(struct grid *grid, struct arena *arena);

/* Section `evaluate.encode` of the stage `encode`, for other kinds that need its options. */

extern const struct evaluation evaluation_encode;
/* Returns the paths whose vectors a point requests. */
struct texts encode_paths(const struct settings *settings);

/* Returns a description of the sentence vectors for captions: "mean of the pieces and the end
 * symbol, checkpoint best". */
const char *encode_caption(const struct settings *settings, struct arena *arena);

/* Writes the results of a stage `probe`. The values are the accuracy (over all items, by class and
 * by seed), the chosen settings, the baselines, the online code and the signature. The files are
 * items.tsv, predictions.tsv and, if there are several trainings, trainings.tsv. */

void probe_report(struct stage_work *work, const struct probing_job *job,
                  const struct probing *probing);
