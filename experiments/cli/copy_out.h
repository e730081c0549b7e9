/* Files of a stage that a verb hands out in a folder of its user's (--out DIR). */
#ifndef EXPERIMENTS_CLI_COPY_OUT_H
#define EXPERIMENTS_CLI_COPY_OUT_H

/* Files that are there may be somebody's own, and are kept: dies when `to` is there and is not the
 * same as `from`, which this command wrote earlier. */
void copy_out_check(const char *verb, const char *from, const char *to);

#endif
