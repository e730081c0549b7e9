/* Checkpoints: FOLDER/ckpt/step-N/, one folder per saved step. A folder is complete or absent.
 *
 *   model.safetensors             masters by path name, and metadata (below)
 *   adam-m, adam-v .safetensors   moments of the optimizer; only in the newest checkpoints, from
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
 *   seed             seed of initial values, dropout and the order of sentences
 *   options          JSON, {"corpus":{..},"model":{..},"encoder":{..},"decoder":{..},"train":{..}}.
 *                    Every option has its value, defaults included, as in `sanlab help options`.
 *                    Paths of the text are absent. An attention list has an entry for each layer
 *   source_vocabulary, target_vocabulary, codes, and with a threshold source_pieces, target_pieces
 *                    SHA-256 of the corpus's files (core/corpus/corpus_folder.h)
 *
 * A relate stage (stage_frozen.h) adds seed and options: model, encoder, train and logic.
 *
 * Older files without metadata are read, too.
 *
 * `sanlab export model` writes such a file for other programs. For several checkpoints the file
 * contains the mean of the masters and the step of the newest checkpoint. Its metadata also has
 *
 *   checkpoint       the choice of the user: "average(2)"
 *   steps            JSON, [20,30]: steps of the averaged checkpoints; [] for "start"
 *   symbols          JSON, ["(",")",..]: symbols of a classifier of statement pairs, by id
 *   relations        JSON: classes of this classifier
 *
 * For a translator it also writes the files that map text to ids. These are FILE.vocabulary for a
 * joint vocabulary, else FILE.vocabulary.source and FILE.vocabulary.target; FILE.codes.bpe; and
 * with a threshold FILE.pieces.source and FILE.pieces.target. scripts/load_model.py reads these
 * files. scripts/load_pairs.py reads classifiers of pairs. */
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
/* Writes only a model.safetensors, to any path. The file appears whole or not at all. Dies if it
 * cannot be written. */
void checkpoint_write(const char *path, int64_t step, const struct parameters *parameters,
                      const struct metadata *description);
/* Finds the newest checkpoint that is sound and has its optimizer. Returns false if there is none.
 * Moves damaged checkpoints to quarantine. Removes newer checkpoints that are sound but thinned,
 * because training will compute them again. */
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
/* Keeps the `whole` newest checkpoints unchanged. Removes older checkpoints that are not in `keep`,
 * and the optimizer files of the other older checkpoints. */
void checkpoint_thin(const char *folder, const int64_t *keep, int keeps, int whole);

/* Returns the reason why a checkpoint does not match its MANIFEST; NULL if it does. Changes
 * nothing. */
const char *checkpoint_fault(struct arena *arena, const char *folder, int64_t step);
/* Returns state.json of a step, without verifying the step; NULL if it does not exist. Changes
 * nothing. */
const char *checkpoint_state(struct arena *arena, const char *folder, int64_t step,
                             const char **path);
/* True if the optimizer files of a step exist. */
bool checkpoint_is_whole(const char *folder, int64_t step);
/* Writes the steps in "best", "recent" and "other" of a state: the state of the last step before
 * `step` from which training could have continued. Returns their number, at most `limit`; 0 if the
 * state is unreadable. */
int checkpoint_named(const char *folder, int64_t step, int64_t named[], int limit);
/* Copies a step from the folder of another training into `into`, with the description and, unless
 * NULL, the state of this training. Other files become hard links, or copies if the disk does not
 * support links, so that the other folder may be removed. Returns the reason why the step cannot be
 * used; NULL on success. */
const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state);
/* Returns the bytes of all optimizer files. Only a training that continues needs these files. */
int64_t checkpoint_optimizer_bytes(const char *folder);

enum { CHECKPOINTS_MOST = 4096 };
