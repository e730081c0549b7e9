/* State of the training loop: all that a run needs to resume, except parameters and optimizer.
 * Stored as state.json of a checkpoint. */
#pragma once

#include "core/base/arena.h"

enum { BEST_MOST = 1000, RECENT_MOST = 1000 };

struct ranked_step {
    int64_t step;
    double value; /* lower is better (BLEU is negated) */
};

struct train_state {
    int64_t step;        /* number of finished steps */
    int epoch, batch;    /* next batch: index within the epoch */
    int64_t journal;     /* bytes of metrics.jsonl */
    double loss_sum;     /* sum of loss * tokens since the training loss was last logged */
    int64_t loss_tokens; /* sum of tokens (or other units of the loss) since then */
    /* The last step of a training logs the loss even if log_every does not require a row; a longer
     * training would not log it (state_lengthen). `unlogged` marks this case, and these are the
     * sums before the row. */
    bool unlogged;
    double unlogged_sum;
    int64_t unlogged_tokens;
    int without_better; /* validations since the best validation */
    int bests;
    struct ranked_step best[BEST_MOST];
    bool others; /* true if there is a second rank; then its best checkpoint */
    struct ranked_step other;
    int recents;
    int64_t recent[RECENT_MOST]; /* newest validated checkpoints, oldest first: for average(N) */
    char numerics[128];          /* ops->numerics(): products, device, library */
    /* micro-batches per step on a device, which also change bits; 0 on the host: accumulate */
    int micros;
};

char *state_print(const struct train_state *state); /* returns JSON; the caller frees it */
/* Parses and checks a state. Dies with file, key, expected and found value if a field is impossible
 * for a training of this many steps. The number of batches of an epoch is not checked here:
 * train_run checks `batch` against the learner. */
void state_read(struct train_state *state, const char *text, const char *path);
/* Reads the state of a checkpoint in a training's folder. Returns false if it is missing or
 * invalid. */
bool state_at(struct train_state *state, const char *folder, int64_t step, struct arena *arena);
/* Adds a validated checkpoint as the newest of at most `keep`. Checkpoints that only serve to
 * resume (a signal, save_every) are excluded, because they depend on when a run was interrupted. */
void state_remember(struct train_state *state, int64_t step, int keep);
/* Inserts a checkpoint into the list of the `keep` best. Returns true if it is the best. */
bool state_rank(struct train_state *state, int64_t step, double value, int keep);
/* Ranks a checkpoint by the second rank. Only the best checkpoint is kept. */
void state_rank_other(struct train_state *state, int64_t step, double value);

enum { STATE_KEPT = BEST_MOST + 1 + RECENT_MOST };
/* Writes the steps of the checkpoints that the state keeps: the best, the best by the second rank,
 * and the newest. A step may occur twice. Returns their number. */
int state_kept(const struct train_state *state, int64_t step[STATE_KEPT]);

/* True if the checkpoint was made by a validation. Other checkpoints only serve to resume. */
bool state_is_validated(const struct train_state *state);
/* True if a validation is due at this step in a training of any length. */
bool state_is_due(const struct train_state *state, int validate_every);
/* Converts a state to the state of a longer training that keeps these numbers of best and newest
 * checkpoints. Removes the effect of the loss row that only the end of the shorter training wrote.
 * Does not change `journal`. */
void state_lengthen(struct train_state *state, int keep_best, int keep_average);
