/* A grid: one YAML file per table or figure of a paper, read into points (row by seed), every one
 * of them checked before anything starts.
 *
 *   grid, title, source     its name (letters, digits, - and _) and where it comes from
 *   corpus, model           options, or the name of a preset, or both: {preset: small6, dropout:
 * 0.2} encoder, decoder, train, evaluate.bleu     options (sanlab plan --help lists them) seeds a
 * list; 1 when absent rows                    named rows, each with options of its own, in the
 * paper's order; or sweep                   {a.b: [..], c.d: [..]}: the cross product table
 * columns, baseline row, the paper's values (results/summary.h)
 *
 * What is laid over what: preset of the corpus, preset of the model (the last one named wins), the
 * grid's own sections, the row, the command line. A preset NAME is experiments/corpora/NAME.yaml or
 * experiments/models/NAME.yaml beside the executable, or a path relative to the grid's file. */
#ifndef EXPERIMENTS_PLAN_GRID_H
#define EXPERIMENTS_PLAN_GRID_H

#include "experiments/plan/settings.h"
#include "results/summary.h"

struct point {
    int row; /* index into the grid's rows */
    uint32_t seed;
    const struct tree *options; /* everything merged */
    struct settings settings;
};

struct grid {
    const char *name, *title, *source, *path;
    int rows;
    const char **row;            /* [rows] names */
    const struct tree **entry;   /* [rows] as written; NULL: of a sweep */
    int seeds;
    uint32_t *seed;              /* [seeds] */
    struct point *point;         /* [rows * seeds], row by row */
    const struct tree *table, *claims, *figures; /* as written, for whoever reads them; or NULL */
    struct summary_grid summary; /* what results needs to know; the plan fills in the stages */
};

/* `override` holds the command line's assignments ("a.b=c"; "seeds=1,2" replaces the seeds,
 * "seeds=+3,4" adds to them). Everything lives in the arena. Dies at the place of what is wrong. */
struct grid *grid_read(struct arena *arena, const char *path, const char *const *override,
                       int overrides);

/* Dies where a row asks for gates (evaluate.gates) and has none, or when none has (kind_gates.c). */
void grid_check_gates(const struct grid *grid);

/* The fragment of a grid that a preset of the section "corpus" or "model" stands for. */
const struct tree *grid_preset(struct arena *arena, const char *section, const char *name);

#endif
