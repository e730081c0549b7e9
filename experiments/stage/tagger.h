/* A program that tags text: sentences are lines on its standard input, tokens between single
 * blanks, and it prints a line of tags for each. It is run once, without a shell, and what it says
 * of errors goes where ours goes. */
#ifndef EXPERIMENTS_STAGE_TAGGER_H
#define EXPERIMENTS_STAGE_TAGGER_H

#include "core/base/arena.h"
#include "core/config/scalar.h"

/* The file of a word of the command, on which what it prints depends: of the first one the program,
 * found as the system finds it, of others a file of that name. NULL: it names none. */
const char *tagger_file(const struct texts *command, int word, struct arena *arena);
/* All that it prints. Dies when it cannot be started, and when it ends with another status than
 * 0. */
char *tagger_run(const struct texts *command, const char *const *sentence, int sentences,
                 size_t *bytes, struct arena *arena);

#endif
