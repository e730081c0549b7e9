/* Declares the state of the training loop. A run needs this state, the parameters and the moments
 * of the optimizer to resume. It is stored as state.json of a checkpoint. */
#pragma once

#include "core/base/arena.h"

enum { BEST_MOST = 1000, RECENT_MOST = 1000 };

struct ranked_step {
    int64_t step;
    double value; /* lower is better (BLEU is negated) */
};

struct train_state {
    int64_t step;        /* number of finished steps */
    int epoch, batch;    /* indices of the next step: its epoch, and its place in the epoch */
    int64_t journal;     /* length of metrics.jsonl in bytes */
    double loss_sum;     /* sum of the losses of tokens since the last loss row */
    int64_t loss_tokens; /* number of tokens (or pairs) since the last loss row */
    /* The last step of a training logs the loss even if log_every does not require a row. A longer
     * training would not log this row (state_lengthen). `unlogged` is true in this case.
     * unlogged_sum and unlogged_tokens are then loss_sum and loss_tokens before the row. */
    bool unlogged;
    double unlogged_sum;
    int64_t unlogged_tokens;
    int without_better; /* validations since the best validation */
    int bests;
    struct ranked_step best[BEST_MOST];
    bool others; /* true if validations have a second rank; `other` is then its best step */
    struct ranked_step other;
    int recents;
    int64_t recent[RECENT_MOST]; /* newest validated checkpoints, oldest first: for average(N) */
    char numerics[128];          /* ops->numerics(): products, device, library */
    /* Micro-batches per step on a device, which affect the last bits of results; 0 on the host,
     * where train.accumulate is this number. */
    int micros;
};

char *state_print(const struct train_state *state); /* returns JSON; the caller frees it */
/* Parses and checks a state. Dies if a field is impossible after this number of steps; the message
 * names the file, the key, the expected and the found value. state_read cannot compare `batch` with
 * the number of steps of an epoch; train_run does this. */
void state_read(struct train_state *state, const char *text, const char *path);
/* Reads the state of a checkpoint in a training's folder. Returns false if it is missing or
 * invalid. */
bool state_at(struct train_state *state, const char *folder, int64_t step, struct arena *arena);
/* Adds a validated checkpoint to the list `recent`, which then has at most `keep` checkpoints.
 * Checkpoints that only serve to resume (after a signal, or by save_every) must not be added. These
 * checkpoints may depend on when a run was interrupted. */
void state_remember(struct train_state *state, int64_t step, int keep);
/* Inserts a checkpoint into the list of the `keep` best. Returns true if it is the best. */
bool state_rank(struct train_state *state, int64_t step, double value, int keep);
/* Sets `other` to this checkpoint if it is better by the second rank. */
void state_rank_other(struct train_state *state, int64_t step, double value);

enum { STATE_KEPT = BEST_MOST + 1 + RECENT_MOST };
/* Writes the steps of the checkpoints that the state keeps: the best, the best by the second rank,
 * and the newest. A step may occur twice. Returns their number. */
int state_kept(const struct train_state *state, int64_t step[STATE_KEPT]);

/* True if the checkpoint was made by a validation. Other checkpoints only serve to resume. */
bool state_is_validated(const struct train_state *state);
/* True if a validation is due at this step in a training of any length. */
bool state_is_due(const struct train_state *state, int validate_every);
/* Converts the state at the end of a training to the state of a longer training at the same step.
 * The longer training keeps keep_best best and keep_average newest checkpoints. If only the end of
 * the shorter training wrote a loss row, restores the sums before this row. Does not change
 * `journal`. */
void state_lengthen(struct train_state *state, int keep_best, int keep_average);
