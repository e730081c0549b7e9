/* Checkpoints: FOLDER/ckpt/step-N/, one folder per saved step, complete or not there at all.
 *
 *   model.safetensors             masters by path name, and what they are (below)
 *   adam-m, adam-v .safetensors   the optimizer's part: only in the newest ones, from which
 *                                 training can go on
 *   state.json                    what the training loop remembers (core/train owns its meaning)
 *   MANIFEST                      SHA-256 and size of each file
 *
 * Written into a temporary folder, synced, renamed, the parent synced. Whoever reads verifies; a
 * damaged one is moved to ckpt/quarantine/ and the one before it is taken, which is said.
 *
 * model.safetensors says in its metadata, a map of texts, what it is; nothing there is of a machine
 * or a moment, so the same training writes the same bytes:
 *
 *   format           sanlab
 *   format_version   1: CHECKPOINT_FORMAT, raised when an older reader would read it wrongly
 *   step             optimizer steps done
 *
 * and what the training is, as whoever runs it says; a train stage (stage_frozen.h) says
 *
 *   seed             of start values, dropout and the order of sentences
 *   options          JSON, {"corpus":{..},"model":{..},"encoder":{..},"decoder":{..},"train":{..}}:
 *                    every option with its value, defaults too, as `sanlab help options` has them,
 *                    but where the text lies; an attention list has an entry for each layer
 *   source_vocabulary, target_vocabulary, codes, and with a threshold source_pieces, target_pieces
 *                    SHA-256 of the corpus's files (core/corpus/corpus.h)
 *
 * a relate stage (stage_frozen.h) says seed and options: model, encoder, train and logic.
 *
 * Files from before that was written lack all of it, and are read like others.
 *
 * `sanlab export model` writes such a file for other programs. Of several checkpoints it has the
 * mean of the masters, and its step is that of the newest one. It adds
 *
 *   checkpoint       the words that it was asked for: "average(2)"
 *   steps            JSON, [20,30]: of the checkpoints that it is made of; [] of none ("start")
 *   symbols          JSON, ["(",")",..]: of a classifier of pairs of statements, by their ids
 *   relations        JSON: its classes
 *
 * and puts beside the FILE of a translator what turns text into its ids: FILE.vocabulary of a joint
 * vocabulary, else FILE.vocabulary.source and FILE.vocabulary.target; FILE.codes.bpe; with a
 * threshold FILE.pieces.source and FILE.pieces.target. scripts/load_model.py reads them, and
 * scripts/load_pairs.py classifiers of pairs. */
#pragma once

#include "core/model/safetensors.h"
#include "core/tensor/parameter.h"

enum { CHECKPOINT_FORMAT = 1 };

struct checkpoint {
    int64_t step;
    const char *path;  /* of state.json */
    const char *state; /* its text */
    int64_t damaged;   /* of checkpoint_newest: the newest step that was damaged; -1: none */
};

/* Where a step's files lie, in a folder of steps: FOLDER/ckpt, or what becomes one. */
const char *checkpoint_folder(struct arena *arena, const char *ckpt, int64_t step);

/* Of parameters that are placed and have moments. Replaces a checkpoint of the same step; dies when
 * it cannot be written. `description`: what model.safetensors says beside format and step; NULL:
 * nothing. */
void checkpoint_save(const char *folder, int64_t step, const struct parameters *parameters,
                     const struct metadata *description, const char *state);
/* What its model.safetensors says. */
struct metadata checkpoint_metadata(struct arena *arena, int64_t step,
                                    const struct metadata *description);
/* Its model.safetensors alone, anywhere: whole or not at all. Dies when it cannot be written. */
void checkpoint_write(const char *path, int64_t step, const struct parameters *parameters,
                      const struct metadata *description);
/* The newest one that is sound and can be continued; false when there is none. Damaged ones go to
 * quarantine, sound ones that are newer but thinned are removed: they will be computed again. */
bool checkpoint_newest(struct arena *arena, const char *folder, struct checkpoint *checkpoint);
/* The same one, but changes nothing, and does not say what is damaged. */
bool checkpoint_look(struct arena *arena, const char *folder, struct checkpoint *checkpoint);
/* Masters (and m, v with `optimizer`) of a step, of a model that is placed. Dies when tensors lack
 * or do not fit, and of a later format; further tensors are left: an encoder alone reads a
 * translator's. */
void checkpoint_load(const char *folder, int64_t step, struct parameters *parameters,
                     bool optimizer);
/* The mean of the masters of several steps. */
void checkpoint_load_mean(const char *folder, const int64_t *step, int count,
                          struct parameters *parameters);

/* Steps that are there, oldest first; returns how many (at most `limit`). */
int checkpoint_steps(const char *folder, int64_t step[], int limit);
/* Removes the checkpoint of a step; fine if it is absent. */
void checkpoint_remove(const char *folder, int64_t step);
/* Leaves the `whole` newest as they are. Of those before, removes what is not among `keep`, and the
 * optimizer's part of the rest. */
void checkpoint_thin(const char *folder, const int64_t *keep, int keeps, int whole);

/* What is wrong with a checkpoint, by its MANIFEST, or NULL; changes nothing. */
const char *checkpoint_fault(struct arena *arena, const char *folder, int64_t step);
/* The same of the folder of a step, wherever it lies. */
const char *checkpoint_fault_at(struct arena *arena, const char *path);
/* state.json of a step, as it is; nothing is verified or changed. NULL: it is not there. */
const char *checkpoint_state(struct arena *arena, const char *folder, int64_t step,
                             const char **path);
/* Whether the optimizer's part of a step is there. */
bool checkpoint_is_whole(const char *folder, int64_t step);
/* The steps that are named ("best", "recent", "other") where training could have gone on from last
 * before `step`; how many, at most `limit`. What cannot be read there names none. */
int checkpoint_named(const char *folder, int64_t step, int64_t named[], int limit);
/* checkpoint_adopt.c: a step of another training's folder, put into `into` as this one would have
 * written it, with its description and, where `state` is not NULL, that state. Other files become
 * hard links, or copies where the disk has none, so that the other folder may go. Returns what is
 * wrong with the step, or NULL. */
const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state);
/* Bytes of all optimizers' parts, which only a training that goes on needs. */
int64_t checkpoint_optimizer_bytes(const char *folder);

enum { CHECKPOINTS_MOST = 4096 };
