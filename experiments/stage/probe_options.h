/* The section of the stage `probe`: its options, its parts, and what it asks of the stage `encode`.
 *
 * A part is TASK@PATH, and of controls TASK@bag and TASK@PATH@start; of vectors that another
 * program has made TASK@vectors, without controls. A grid's options are spelled out before anything
 * is planned: `layers` becomes the encoder's paths, a file of tasks the tasks in it, and all rows
 * that share an encoder have it keep the paths of all of them, so that its sentences pass through
 * it once. */
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
    const char *vectors; /* "": those of an encoder */
};
extern const struct section probe_section;
extern const struct evaluation evaluation_probe; /* kind_probe.c */

const struct probe_options *probe_options_at(const struct settings *settings);
struct texts probe_parts(const void *fields, struct arena *arena); /* of these options */
const char *probe_group(const void *fields, const char *part);     /* that of its task */
/* Whether files stand for the encoder (struct evaluation). */
bool probe_alone(const void *fields);
#define PROBE_VECTORS "@vectors" /* behind the task, in the name of a part */
/* The lines of a task's file, and about how many pieces it has; 0: it is not there. */
double probe_count_text(const struct probe_task *task, double *pieces);
/* The path of a part that it reads of `encode`. */
const char *probe_path(const char *part, struct arena *arena);
/* Puts a path in its place among others, which are sorted, if it is not there; such a list as the
 * value of an option. */
void probe_add_path(struct texts *paths, const char *path, struct place place, struct arena *arena);
struct tree *probe_paths_tree(const struct texts *paths, struct place place, struct arena *arena);
/* For struct stage_kind. */
void probe_ask(struct grid *grid, struct arena *arena);

/* The section of the stage `encode`, for the kinds that ask for it. */

extern const struct evaluation evaluation_encode;
/* The paths that a point asks for. */
struct texts encode_paths(const struct settings *settings);

/* What a sentence's vector is, for captions: "mean of pieces and end symbol, checkpoint best". */
const char *encode_caption(const struct settings *settings, struct arena *arena);

/* What a stage `probe` says of its classifiers: accuracy of all, by class and by seed; items.tsv,
 * predictions.tsv, of several trainings trainings.tsv; what they chose and what a guess reaches;
 * the online code; how the value was computed. */

void probe_report(struct stage_work *work, const struct probing_job *job,
                  const struct probing *probing);
