/* `sanlab score`: files of hypotheses against files of references, one sentence per line.
 *
 * Only a line feed ends a line. Files of unequal line counts (both counts are said), invalid UTF-8
 * and NUL bytes (file, line, byte) and empty files are refused. */
#ifndef CORE_DECODE_SCORE_H
#define CORE_DECODE_SCORE_H

#include "core/base/arena.h"
#include "core/decode/bleu.h"

/* The sentences of a file, in the arena. */
struct score_lines {
    const char *path;
    const char **line; /* [count] */
    int count;
};
struct score_lines score_read(struct arena *arena, const char *path);

/* Prints a line per hypothesis file, led by the file's name and a tab when there are several. */
void score_files(const struct bleu_options *options, const char *const *reference, int references,
                 const char *const *hypothesis, int hypotheses, FILE *out);

#endif
