/* The names of splits and sides, as files and options have them. */
#include "core/corpus/split.h"

#include <stddef.h>

const char *const split_names[SPLITS + 1] = {"train", "dev", "test", NULL};
const char *const side_names[SIDES + 1] = {"source", "target", NULL};
