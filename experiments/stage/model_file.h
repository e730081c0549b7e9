/* Takes a file of `sanlab export model` into a runs folder. The model becomes a finished stage
 * `train` with one checkpoint, whose input is a finished stage `corpus` with the vocabularies and
 * merges, but without sentences. So everything that reads a trained model also reads the file. */
#pragma once

#include "core/base/arena.h"

/* Key of the metadata of such a file: the options of evaluate.encode that rewrite text, as YAML.
 * "{}" if the training has none. Files of older programs lack the key. */
#define MODEL_FILE_ENCODE "encode"

/* Name of the input file of such a train stage. Other train stages read no file. */
#define MODEL_FILE "model"

#define MODEL_FILE_ENDING ".safetensors"

/* Returns the name of the folder of the train stage, "train-0123456789ab". Its id has the digests
 * of all files. So it is written only once. `path` ends in MODEL_FILE_ENDING. Dies if the file is
 * not a translation model, or if a file next to it is missing or belongs to another model. */
const char *model_file_take(const char *path, const char *runs, struct arena *arena);
