/* Reads the sample of a cell: the values of a column in a row of a grid, one for each seed. Also
 * formats the text of the cell from its sample. */
#pragma once

#include "results/store/value_cache.h"
#include "results/table/layout.h"
#include "experiments/grid/grid.h"

struct control_task;
struct offer;
struct sample_cache;

/* Returns the offer of the kind that trains the rows' models; NULL if no kind does. */
const struct offer *sample_trains(const struct grid *grid);
bool sample_stage_done(const struct value_cache_stage *stage);

struct sample {
    int total, count;       /* number of seeds, and of seeds with a value */
    double *value;          /* [total] NaN: none */
    double *known;          /* [count] the values that exist */
    double mean, deviation; /* of `known`. NaN: too few values */
    const char *over;       /* for a figure: what `known` has one value of, "seeds" or "best
                               checkpoints"; NULL: no deviation */
    const char **why;       /* [total] status of the seed's first stage that is not done; NULL:
                              none */
    const char *signature;  /* how the values were computed; NULL: no signature */
    bool mixed;             /* the values have several signatures, so that no mean is taken */
    bool shared;            /* all values come from one stage (for a mean: one stage per member) */
    int64_t stage;          /* number of this stage (for a mean: the stage of the last member); 0:
                              none */
    double spread;          /* for a speed: (maximum - minimum) / median over its rounds; else 0 */
    const struct grid_seed *seed; /* [total] seeds of the row; NULL: the sample is not from a row */
};

/* Reads samples from the database, and collects the facts that the notes below a table explain. */
struct sampler {
    struct store *store;
    const struct grid *grid;
    struct arena *arena;
    struct value_cache_stage ***stage; /* [rows][seeds][stages] each row is read at its first use */
    struct value_cache *cache;
    bool partial;                 /* some cell has values for only a part of its seeds */
    bool incomparable;            /* some cell prints "n/c" */
    struct sample_cache *samples; /* sample_cache.c: the samples of each column */
    struct control_task *tasks;   /* controls.c: the tasks that were compared with their controls */
};

struct sampler sampler_open(struct store *store, const struct grid *grid, struct arena *arena);

/* sample_stages returns the stages of a row, [seeds][stages] as in the grid. sample_stage_at
 * returns one of them. The status of a stage is "diverged" if it reads a training that diverged. */
struct value_cache_stage *const *sample_stages(struct sampler *sampler, int row);
const struct value_cache_stage *sample_stage_at(struct sampler *sampler,
                                                const struct grid_cursor *at);
/* Returns why a seed of a row that waits for the choice of a trial has no value: its only stage is
 * the choice. */
const char *sample_waits(struct sampler *sampler, int row, int seed);
/* Returns how a column uses seed->stage[stage], in bits. SAMPLE_NEEDS: the value may depend on the
 * stage. Not set only if the column has a part, and the stage has the column's kind but another
 * part. SAMPLE_VALUE: the value is read from the stage, which has the column's kind. For a kind
 * with parts, it is the stage that the part selects, or for COLUMN_CONTROL the control of that
 * stage. A margin reads both stages. */
enum { SAMPLE_NEEDS = 1, SAMPLE_VALUE = 2 };
unsigned sample_use(const struct column *column, const struct grid_seed *seed, int stage);
static inline bool sample_is_of(const struct column *column, const struct grid_seed *seed,
                                int stage)
{
    return sample_use(column, seed, stage) & SAMPLE_VALUE;
}
static inline bool sample_needs(const struct column *column, const struct grid_seed *seed,
                                int stage)
{
    return sample_use(column, seed, stage) & SAMPLE_NEEDS;
}
/* Returns the index of the first seed that does not reach the number of at(..); -1 if none. The
 * values of the other seeds are then a selection. */
int sample_unreached(const struct sample *sample);
/* The two sides of a seed's value at(..). A side has the stages of its checkpoint, and the stages
 * that do not depend on a checkpoint. */
struct sample_sides {
    struct grid_seed seed[2];
    const struct value_cache_stage *stage[2];
    struct checkpoint_at at;
    struct crossing crossing; /* in the validations of the training */
};
/* Splits a seed. Returns false if the column's value is not at(..). */
bool sample_split(struct sampler *sampler, const struct column *column,
                  const struct grid_seed *seed, const struct value_cache_stage *stage,
                  struct sample_sides *sides);
/* Returns an array [stages] for seed `at` of a row. The array is true for each stage on which the
 * column's value depends, according to the inputs of stages in the database. If the database lacks
 * the stage with the value, the array is true for each stage on which the value may depend
 * (sample_needs). */
const bool *sample_inputs(struct sampler *sampler, const struct column *column, int row, int at);
/* Lists the classes of the column in the order in which they first appear, and returns their
 * number. Reads the metric rows with the column's layer, head and set, in all stages of the grid
 * that are done. For mean(GROUP), reads those of its first column. */
int sample_classes(struct sampler *sampler, const struct column *column, const char ***class);
/* Returns a copy of the grid whose table has one column per class instead of a column with class:
 * all. Returns the grid itself if no column has class: all. */
const struct grid *sample_expand(struct store *store, const struct grid *grid, struct arena *arena);
/* Checks a column with dimensions and without any value, or each member of mean(GROUP). Exits with
 * an error at its location in these cases:
 *   - stages of the grid are done, but none has the column's class (the message has the nearest
 *     class)
 *   - all stages are done, and none has metric rows with the column's dimensions and class */
void sample_check_names(struct sampler *sampler, const struct column *column);

/* sample_caption.c: returns how a row's values of a kind were computed: "test, checkpoint best,
 * beam 4, length penalty 0.6". A note of the row's first done stage follows (offer_note). Returns
 * NULL if there is nothing to print. */
const char *sample_caption(struct sampler *sampler, const struct offer *offer, int row);
/* Lists the parts of a row that are doubtful (offer.h, doubt) and from which the columns read
 * values. Returns "" for a kind without parts; NULL: nothing is doubtful. */
const char *sample_doubts(struct sampler *sampler, const struct offer *offer,
                          const struct column *const *column, int count, int row);
/* Returns the fields of a signature that are equal for all parts of the column's kind. If `own` is
 * true, returns the fields that belong to the column's part instead (offer.h). NULL if there are
 * none. */
const char *sample_signature(const char *signature, const struct column *column, bool own,
                             struct arena *arena);

/* Return the id of the training of a seed, or of a row's first seed; NULL if there is none. */
const char *sample_training(const struct grid_seed *seed);
const char *sample_training_of(const struct grid_row *row);
/* Returns the number of leading stages of a seed on which the column may depend. It is the index of
 * the last stage that the column reads, plus 1. */
int sample_depends(const struct column *column, const struct grid_seed *seed);

/* The values of a training metric by step, without missing values. */
struct sample_curve {
    int count;
    const struct value_cache_line *at; /* [count] in ascending order of the steps */
};
struct sample_curve sample_curve(struct sampler *sampler, int64_t stage, const char *metric);

/* Returns a sample of a row without values. sample_new, sample_add and sample_stage_values do not
 * set count, known, mean and deviation. */
struct sample sample_new(struct sampler *sampler, int row);
/* Adds one of `count` samples to their mean, seed by seed. Only seeds with a value in every sample
 * have a mean. */
void sample_add(struct sample *mean, const struct sample *one, int count);
/* Reads the sample of a column without arguments, or of residual(COLUMN), from the stages of a
 * row. */
struct sample sample_stage_values(struct sampler *sampler, const struct column *column, int row);
/* Sets count, known, mean and deviation according to the values. */
void sample_settle(struct sampler *sampler, struct sample *sample);
/* Reads the sample of a column that is measured (column_is_measured) in a row. */
struct sample sample_row(struct sampler *sampler, const struct column *column, int row);

/* True if the values of several seeds come from one stage and so are one observation. Example:
 * vectors from another program, which have no seed. */
bool sample_is_one(const struct sample *sample);

/* Returns the text of a value. If `sign` is true, a positive value has a plus sign, as in a
 * difference. */
const char *sample_number(const struct measure *measure, double value, bool sign,
                          struct arena *arena);
/* Returns the text of a cell: "36.12 ± 0.21 (3)", "36.12 (1/3, 1 failed)", "running"; NULL if the
 * cell is empty. `each`: some seed did not learn (learned.h). Then the text lists the values in the
 * order of the seeds, "59, 86, 60", instead of their mean. If `seeds` is not NULL, the number of
 * seeds is not a part of the text "36.12 ± 0.21", and *seeds is this number. *seeds is -1 if seeds
 * lack a value, and 0 if the text is no mean over seeds. */
const char *sample_text(struct sampler *sampler, const struct column *column,
                        const struct sample *sample, bool each, int *seeds);
/* Returns the text of the mean difference over the seeds that both samples have. If a sample
 * belongs to a file of hypotheses, which has no seed, the means are subtracted. NULL if there is no
 * common seed. */
const char *sample_delta(struct sampler *sampler, const struct column *column,
                         const struct sample *ours, const struct sample *theirs);
/* Returns why seeds have no value: "2 failed, 1 running". Returns one word if all seeds have the
 * same status; NULL if no status is known. */
const char *sample_why(struct sampler *sampler, const struct sample *sample);
bool sample_same_signature(const struct sample *a, const struct sample *b);
