/* A model that `export model` wrote, and the training in --runs that it is of. */
#ifndef EXPERIMENTS_CLI_ALONE_EXPORT_H
#define EXPERIMENTS_CLI_ALONE_EXPORT_H

#include "experiments/cli/verb.h"

bool alone_is_export(const char *word); /* a file that ends in .safetensors */
/* The folder of the training with the seed, options, vocabularies and merges that the file says,
 * whose checkpoint has the file's tensors; and in *checkpoint the words of that. Dies when --runs
 * has none, and when its checkpoint is another by now. */
const char *alone_export(struct verb_call *call, const char *path, const char **checkpoint);

#endif
