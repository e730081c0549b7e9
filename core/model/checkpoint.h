/* Checkpoints: FOLDER/ckpt/step-N/, one folder per saved step. A folder is complete or absent.
 *
 *   model.safetensors             masters by path name, and metadata (below)
 *   adam-m, adam-v .safetensors   moments of the optimizer: only in the newest checkpoints, from
 *                                 which training can continue
 *   state.json                    state of the training loop (core/train defines its content)
 *   MANIFEST                      SHA-256 and size of each file
 *
 * A checkpoint is written into a temporary folder, synced and renamed; then the parent is synced.
 * It is verified when it is read. A damaged checkpoint is moved to ckpt/quarantine/ with a message,
 * and the previous one is used.
 *
 * The metadata of model.safetensors is a map of texts. It contains nothing about the machine or the
 * time, so the same training writes the same bytes:
 *
 *   format           sanlab
 *   format_version   1: CHECKPOINT_FORMAT, raised when an older reader would misread the file
 *   step             number of optimizer steps
 *
 * The caller adds a description of the training. A train stage (stage_frozen.h) adds
 *
 *   seed             of initial values, dropout and the order of sentences
 *   options          JSON, {"corpus":{..},"model":{..},"encoder":{..},"decoder":{..},"train":{..}}:
 *                    every option with its value, defaults included, as in `sanlab help options`,
 *                    without the paths of the text; an attention list has an entry for each layer
 *   source_vocabulary, target_vocabulary, codes, and with a threshold source_pieces, target_pieces
 *                    SHA-256 of the corpus's files (core/corpus/corpus.h)
 *
 * A relate stage (stage_frozen.h) adds seed and options: model, encoder, train and logic.
 *
 * Older files without metadata are read, too.
 *
 * `sanlab export model` writes such a file for other programs. For several checkpoints it contains
 * the mean of the masters and the step of the newest one. It adds
 *
 *   checkpoint       the choice of the user: "average(2)"
 *   steps            JSON, [20,30]: steps of the averaged checkpoints; [] for "start"
 *   symbols          JSON, ["(",")",..]: symbols of a classifier of statement pairs, by id
 *   relations        JSON: classes of this classifier
 *
 * For a translator it also writes the files that map text to ids: FILE.vocabulary for a joint
 * vocabulary, else FILE.vocabulary.source and FILE.vocabulary.target; FILE.codes.bpe; with a
 * threshold FILE.pieces.source and FILE.pieces.target. scripts/load_model.py reads them;
 * scripts/load_pairs.py reads classifiers of pairs. */
#pragma once

#include "core/model/safetensors.h"
#include "core/tensor/parameter.h"

enum { CHECKPOINT_FORMAT = 1 };

struct checkpoint {
    int64_t step;
    const char *path;  /* path of state.json */
    const char *state; /* content of state.json */
    int64_t damaged;   /* set by checkpoint_newest: newest damaged step; -1: none */
};

/* Returns the folder of a step in a folder of steps, for example FOLDER/ckpt. */
const char *checkpoint_folder(struct arena *arena, const char *ckpt, int64_t step);

/* Saves parameters that are placed and have moments. Replaces a checkpoint of the same step. Dies
 * if it cannot be written. `description`: metadata in addition to format and step; NULL: none. */
void checkpoint_save(const char *folder, int64_t step, const struct parameters *parameters,
                     const struct metadata *description, const char *state);
/* Its model.safetensors alone, anywhere: whole or not at all. Dies when it cannot be written. */
void checkpoint_write(const char *path, int64_t step, const struct parameters *parameters,
                      const struct metadata *description);
/* Finds the newest checkpoint that is sound and has its optimizer. Returns false if there is none.
 * Moves damaged checkpoints to quarantine, and removes newer ones that are sound but thinned:
 * training will compute them again. */
bool checkpoint_newest(struct arena *arena, const char *folder, struct checkpoint *checkpoint);
/* Finds the same checkpoint without changing anything; does not report damage. */
bool checkpoint_look(struct arena *arena, const char *folder, struct checkpoint *checkpoint);
/* Loads the masters of a step (with `optimizer` also m and v) into a model that is placed. Dies if
 * tensors are missing or have another shape, or if the format is newer. Ignores additional tensors:
 * an encoder can read a translator's checkpoint. */
void checkpoint_load(const char *folder, int64_t step, struct parameters *parameters,
                     bool optimizer);
/* Loads the mean of the masters of several steps. */
void checkpoint_load_mean(const char *folder, const int64_t *step, int count,
                          struct parameters *parameters);

/* Writes the existing steps, oldest first. Returns their number (at most `limit`). */
int checkpoint_steps(const char *folder, int64_t step[], int limit);
/* Removes the checkpoint of a step; does nothing if it is absent. */
void checkpoint_remove(const char *folder, int64_t step);
/* Keeps the `whole` newest checkpoints unchanged. Removes the older ones that are not in `keep`,
 * and the optimizer files of the others. */
void checkpoint_thin(const char *folder, const int64_t *keep, int keeps, int whole);

/* Returns the reason why a checkpoint does not match its MANIFEST; NULL if it does. Changes
 * nothing. */
const char *checkpoint_fault(struct arena *arena, const char *folder, int64_t step);
/* state.json of a step, as it is; nothing is verified or changed. NULL: it is not there. */
const char *checkpoint_state(struct arena *arena, const char *folder, int64_t step,
                             const char **path);
/* True if the optimizer files of a step exist. */
bool checkpoint_is_whole(const char *folder, int64_t step);
/* Writes the steps that are named ("best", "recent", "other") in the state of the last step before
 * `step` from which training could have continued. Returns their number, at most `limit`. An
 * unreadable state names none. */
int checkpoint_named(const char *folder, int64_t step, int64_t named[], int limit);
/* A step of another training's folder, put into `into` as this one would have
 * written it, with its description and, where `state` is not NULL, that state. Other files become
 * hard links, or copies where the disk has none, so that the other folder may go. Returns what is
 * wrong with the step, or NULL. */
const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state);
/* Returns the bytes of all optimizer files. Only a training that continues needs these files. */
int64_t checkpoint_optimizer_bytes(const char *folder);

enum { CHECKPOINTS_MOST = 4096 };
