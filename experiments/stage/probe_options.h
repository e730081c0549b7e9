/* Section `evaluate.probe` of the stage `probe`: options, parts, and requests to the stage
 * `encode`.
 *
 * A part is TASK@PATH, and for controls TASK@bag and TASK@PATH@start. For vectors of another
 * program it is TASK@vectors, without controls. The options of a grid are expanded before planning:
 * `layers` becomes the encoder's paths, and a file of tasks its tasks. All rows that share an
 * encoder request the paths of all these rows, so that the encoder reads the sentences once. */
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
/* True if files are used instead of the encoder (struct evaluation). */
bool probe_alone(const void *fields);
#define PROBE_VECTORS "@vectors" /* suffix of a part */
/* Returns the lines of a task's file and the estimated number of its pieces; 0 if missing. */
double probe_count_text(const struct probe_task *task, double *pieces);
/* Returns the path, of `encode`, that a part reads. */
const char *probe_path(const char *part, struct arena *arena);
/* probe_add_path inserts a path into a sorted list unless it is there. probe_paths_tree returns
 * such a list as the value of an option. */
void probe_add_path(struct texts *paths, const char *path, struct location location,
                    struct arena *arena);
struct tree *probe_paths_tree(const struct texts *paths, struct location location,
                              struct arena *arena);
/* For struct stage_kind: expands the options of a grid's rows. */
void probe_ask(struct grid *grid, struct arena *arena);

/* Section `evaluate.encode` of the stage `encode`, for kinds that request vectors. */

extern const struct evaluation evaluation_encode;
/* Returns the paths that a point requests. */
struct texts encode_paths(const struct settings *settings);

/* Returns a description of the sentence vectors for captions: "mean of the pieces and the end
 * symbol, checkpoint best". */
const char *encode_caption(const struct settings *settings, struct arena *arena);

/* Writes the results of a stage `probe`. The values are the accuracy in all, by class and by seed,
 * the chosen settings, the baselines, the online code and the signature. The files are items.tsv,
 * predictions.tsv and, for several trainings, trainings.tsv. */

void probe_report(struct stage_work *work, const struct probing_job *job,
                  const struct probing *probing);
