/* What the training loop remembers between steps: everything that a run continues from, beside
 * parameters and optimizer. Stored as state.json of a checkpoint. */
#pragma once

#include "core/base/arena.h"

enum { BEST_MOST = 1000, RECENT_MOST = 1000 };

struct train_state {
    int64_t step;        /* steps done */
    int epoch, batch;    /* the next batch: batch number within epoch */
    int64_t journal;     /* length of metrics.jsonl */
    double loss_sum;     /* of each step since the training loss was last logged: loss * tokens */
    int64_t loss_tokens; /* their tokens, or other units of the loss */
    /* The end of a training logs the loss even where log_every does not ask for it; a longer
     * training would not (state_lengthen). Then `unlogged`, and these two are the sums before. */
    bool unlogged;
    double unlogged_sum;
    int64_t unlogged_tokens;
    int without_better; /* validations since the best one */
    int bests;
    struct {
        int64_t step;
        double value; /* lower is better (BLEU is negated) */
    } best[BEST_MOST];
    bool others; /* a second rank: the best checkpoint by it */
    struct {
        int64_t step;
        double value;
    } other;
    int recents;
    int64_t recent[RECENT_MOST]; /* newest validated checkpoints, oldest first: average(N) */
    char numerics[128];          /* ops->numerics(): what multiplied decides the bits */
    int micros; /* that a device cut a step into, which does, too; on the host 0: accumulate */
};

char *state_print(const struct train_state *state); /* JSON; the caller frees */
/* Dies with the file, the key, what was expected and what stands there, unless every field is one
 * that a training of so many steps can have. What an epoch's batches are only the learner says:
 * train_run checks `batch` against it. */
void state_read(struct train_state *state, const char *text, const char *path);
/* The state of a checkpoint of a training's folder. False: it is not there, or not as a training
 * writes it. */
bool state_at(struct train_state *state, const char *folder, int64_t step, struct arena *arena);
/* Remembers a validated checkpoint as the newest of at most `keep`. Checkpoints that only serve to
 * continue (a signal, save_every) are not among them: they depend on when a run was disturbed. */
void state_remember(struct train_state *state, int64_t step, int keep);
/* Puts a checkpoint into the list of the `keep` best; true when it is the very best. */
bool state_rank(struct train_state *state, int64_t step, double value, int keep);
/* The same by the second rank, whose best checkpoint alone is kept. */
void state_rank_other(struct train_state *state, int64_t step, double value);

/* Whether it was made by a validation; other checkpoints only serve to continue. */
bool state_is_validated(const struct train_state *state);
/* Whether a validation is due there, of whatever length the training is. */
bool state_is_due(const struct train_state *state, int validate_every);
/* The state as a longer training that keeps so many of the best and newest has it there, but for
 * `journal`: less the row that only the end of this one has written. */
void state_lengthen(struct train_state *state, int keep_best, int keep_average);
