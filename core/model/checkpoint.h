/* Writes, verifies and loads checkpoints. Each saved step has a folder FOLDER/ckpt/step-N/, which
 * is complete or absent:
 *
 *   model.safetensors             masters, named by the paths of parameters; metadata (below)
 *   adam-m, adam-v .safetensors   moments of the optimizer; only in the newest checkpoints, from
 *                                 which training can continue
 *   state.json                    state of the training loop (core/train defines its content)
 *   MANIFEST                      SHA-256 and size of each file
 *
 * A checkpoint is written into a temporary folder, synced and renamed; then the parent is synced.
 * It is verified when it is read. When a training resumes, it moves damaged checkpoints to
 * ckpt/quarantine/, with a message, and uses the newest sound checkpoint. Other readers die.
 *
 * The metadata of model.safetensors is a map of texts. It contains nothing about the machine or the
 * time, so the same training writes the same bytes:
 *
 *   format           sanlab
 *   format_version   CHECKPOINT_FORMAT, which is raised when older programs would misread the file
 *   step             number of optimizer steps
 *
 * The caller adds a description of the training. A train stage (stage_frozen.h) adds
 *
 *   seed             seed of initial values, dropout and the order of sentences
 *   options          JSON, {"corpus":{..},"model":{..},"encoder":{..},"decoder":{..},"train":{..}}.
 *                    Every option has a value, which may be its default (`sanlab help options`).
 *                    Paths of text files are absent. Attention lists have one entry per layer
 *   source_vocabulary, target_vocabulary, codes, and with a threshold source_pieces, target_pieces
 *                    SHA-256 of the corpus's files (core/corpus/corpus_folder.h)
 *
 * A relate stage (stage_frozen.h) adds seed and options: model, encoder, train and logic.
 *
 * Older files without metadata can also be read.
 *
 * `sanlab export model` writes a model.safetensors for other programs. For several checkpoints it
 * contains the mean of the masters and the step of the newest checkpoint. Its metadata also has
 *
 *   checkpoint       checkpoint that the user chose: "average(2)"
 *   steps            JSON, [20,30]: steps of the averaged checkpoints; [] for "start"
 *   encode           YAML, options of evaluate.encode that rewrite text; {}: none
 *   symbols          JSON, ["(",")",..]: symbols of a classifier of statement pairs, by id
 *   relations        JSON: names of the classes of this classifier, by id
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

/* Saves a checkpoint. The parameters must be placed for training. Replaces a checkpoint of the same
 * step. Dies if the checkpoint cannot be written. `description`: metadata in addition to format and
 * step; NULL: none. */
void checkpoint_save(const char *folder, int64_t step, const struct parameters *parameters,
                     const struct metadata *description, const char *state);
/* Writes only a model.safetensors, to any path. The file is then either complete or absent. Dies if
 * it cannot be written. */
void checkpoint_write(const char *path, int64_t step, const struct parameters *parameters,
                      const struct metadata *description);
/* Makes a file of `sanlab export model` the only checkpoint of a folder, without optimizer files.
 * It is the best and the last one. */
void checkpoint_take(const char *file, const char *folder, int64_t step);
/* Dies if the metadata of a file have another CHECKPOINT_FORMAT. */
void checkpoint_check_format(const char *path, const struct tensors *tensors);
/* Finds the newest checkpoint that matches its MANIFEST and has optimizer files. Returns false if
 * there is none. Moves newer damaged checkpoints to quarantine. Removes newer sound checkpoints
 * without optimizer files (thinned), because training will compute them again. */
bool checkpoint_newest(struct arena *arena, const char *folder, struct checkpoint *checkpoint);
/* Finds the same checkpoint, but changes no file and does not set `damaged`. */
bool checkpoint_look(struct arena *arena, const char *folder, struct checkpoint *checkpoint);
/* Loads the masters of a step (with `optimizer` also m and v) into a model that is placed. Dies if
 * tensors are missing or have another shape, or if the format is newer. Ignores additional tensors,
 * so an encoder can load the checkpoint of a translator. */
void checkpoint_load(const char *folder, int64_t step, struct parameters *parameters,
                     bool optimizer);
/* Loads the mean of the masters of several steps. */
void checkpoint_load_mean(const char *folder, const int64_t *step, int count,
                          struct parameters *parameters);

/* Writes the existing steps, oldest first. Returns their number (at most `limit`). */
int checkpoint_steps(const char *folder, int64_t step[], int limit);
/* Removes the checkpoint of a step; does nothing if it is absent. */
void checkpoint_remove(const char *folder, int64_t step);
/* Keeps the `whole` newest checkpoints unchanged. Removes each older checkpoint that is not in
 * `keep`. Removes the optimizer files of each older checkpoint that is in `keep`. */
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
/* Copies a step of another training, in folder `from`, to the folder of steps `into`. The copy has
 * the given description and, unless `state` is NULL, the given state. Its other files are hard
 * links, or copies if the disk does not support links. So the other folder may be removed later.
 * Returns the reason why the step cannot be used; NULL on success. */
const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state);
/* Returns the bytes of all optimizer files. These files are needed only to resume a training. */
int64_t checkpoint_optimizer_bytes(const char *folder);

enum { CHECKPOINTS_MOST = 4096 };
