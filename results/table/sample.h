/* One column's values of one row of a grid, over its seeds, and how a cell says them. */
#pragma once

#include "results/store/relation.h"
#include "results/table/layout.h"
#include "experiments/grid/grid.h"

struct offer;
struct family;

/* What the database knows of a stage; its status is "diverged" behind a training that diverged. */
#define sample_stage relation_stage
/* What the kind offers that trains the rows' models; NULL: none does. */
const struct offer *sample_trains(const struct grid *grid);
bool sample_stage_done(const struct relation_stage *stage);

struct sample {
    int total, count;             /* seeds; those that have a value */
    double *value;                /* [total] NaN: none, and then why not */
    const char **why;             /* [total] a status */
    const char *signature;        /* how the values were computed; NULL: nothing to say */
    bool mixed;                   /* several signatures: no mean is taken */
    bool shared;                  /* all values are of one stage (a mean's: one a member), */
    int64_t stage;                /* this one (the last member's); 0: of none */
    double spread;                /* of a speed: (most - least) / median of its rounds; or 0 */
    const struct grid_seed *seed; /* [total] NULL: not of a row with seeds */
};

/* Asks the database; remembers what the captions must explain. */
struct sampler {
    struct store *store;
    const struct grid *grid;
    struct arena *arena;
    struct relation_stage ***stage; /* [rows][seeds][stages], rows filled when asked for */
    struct relation *relation;
    bool partial, incomparable;
    struct family *family; /* family.c: the samples of each column */
};

struct sampler sampler_open(struct store *store, const struct grid *grid, struct arena *arena);

/* [seeds][stages] of a row, as in the grid; and one of them. */
struct relation_stage *const *sample_stages(struct sampler *sampler, int row);
const struct relation_stage *sample_stage_at(struct sampler *sampler, const struct grid_place *at);
/* Whether a column's value of a seed is that of its stage number `stage`: of the column's kind and,
 * of a kind with parts, the only one that its part means, or the control of that; of a margin
 * both. */
bool sample_is_of(const struct column *column, const struct grid_seed *seed, int stage);
/* Whether it may depend on that stage: on no other part of its own kind. */
bool sample_needs(const struct column *column, const struct grid_seed *seed, int stage);
/* [stages] of a row at a seed (its index): those that a column's value comes of, as the database
 * has their inputs; while a stage that has the value is not there, those that it may depend on. */
const bool *sample_behind(struct sampler *sampler, const struct column *column, int row, int at);
/* The value of a column that names dimensions at a stage; NaN: it has no such row. */
double sample_metric(struct sampler *sampler, int64_t stage, const struct column *column);
/* The classes that a column's metric rows have in the grid's stages that are done, beside its other
 * dimensions, in the order in which they first appear; returns how many. */
int sample_classes(struct sampler *sampler, const struct column *column, const char ***class);
/* A grid whose table has a column for each class in the place of class: all; the grid itself where
 * nothing asks for that, or no stage is done that tells. */
const struct grid *sample_expand(struct store *store, const struct grid *grid, struct arena *arena);
/* Of a column without any value: dies at its place where stages of the grid are done and have no
 * rows by a dimension that it names, or not its class (with the nearest one), or where all are done
 * and none has such rows. */
void sample_check_dimensions(struct sampler *sampler, const struct column *column);

/* KIND.NAME may be misspelled, and only the stages know their names: dies at the column's place
 * when stages of that kind are done but none, of any grid, has such a number. Of mean(GROUP) each
 * member is looked at, of dimensions what sample_check_dimensions looks at. */
void sample_check_names(struct sampler *sampler, const struct column *column);
/* The same of scored.NAME and the metrics of trainings. */
void sample_check_scored(struct sampler *sampler, const struct column *column);

/* sample_caption.c: how a row's values of a kind came about: "test, checkpoint best, beam 4, length
 * penalty 0.6", and what its stages tell; NULL: it has none. */
const char *sample_caption(struct sampler *sampler, const struct offer *offer, int row);
/* The fields of a column's signature that all parts of its kind have alike, or those that are its
 * part's own (offer.h, of_part). NULL: it has none. */
const char *sample_signature(const char *signature, const struct column *column, bool own,
                             struct arena *arena);

/* The steps of its training that a score stage scored, ascending; returns how many, 0 when nothing
 * tells. Both are numbers of stages that are done. */
int sample_scored(struct sampler *sampler, int64_t score, int64_t train, const int64_t **step);
/* The kinds that train and score; false: there are no such. */
bool sample_scored_kinds(const struct offer **train, const char **score);
/* The stages of a seed that are of these, numbers; false: not both are done. */
bool sample_scored_pair(const struct grid_seed *seed, const struct relation_stage *stage,
                        int64_t *train, int64_t *score);
/* A metric of the training at the steps that were scored, their mean; NaN: it has none of one, or
 * what was scored is an average of several. */
double sample_scored_metric(struct sampler *sampler, const char *metric, int64_t train,
                            int64_t score);
/* The words of the checkpoint that a score is of: "best", "average(5)". */
const char *sample_scored_words(struct sampler *sampler, int64_t score);
/* The step of a training's last value of a metric; -1: it has none. */
int64_t sample_last_step(struct sampler *sampler, int64_t train, const char *metric);

/* The id of a seed's training; NULL: it has none. */
const char *sample_training(const struct grid_seed *seed);
/* How many of a seed's stages a column depends on: those up to the last one that has its value. */
int sample_depends(const struct column *column, const struct grid_seed *seed);

/* For columns that are numbers, and none of COLUMN_P. */
struct sample sample_row(struct sampler *sampler, const struct column *column, int row);

/* Whether several seeds are one replicate: their values are of one stage, as of vectors without a
 * seed. */
bool sample_is_one(const struct sample *sample);

/* "36.12 ± 0.21 (3)", "36.12 (1/3, 1 failed)", "running"; NULL when there is nothing to say. */
const char *sample_text(struct sampler *sampler, const struct column *column,
                        const struct sample *sample);
/* Of the values that there are; NaN when there are none. */
double sample_mean(const struct sample *sample);
/* Mean difference over the seeds that both have; of the means where one has no seeds. */
const char *sample_delta(struct sampler *sampler, const struct column *column,
                         const struct sample *ours, const struct sample *theirs);
/* "2 failed, 1 running" of the seeds without a value, or one word when all say the same; NULL. */
const char *sample_why(struct sampler *sampler, const struct sample *sample);
bool sample_same_signature(const struct sample *a, const struct sample *b);
