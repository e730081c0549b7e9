/* Shows the progress of long work on stderr. On a terminal the progress is one line, rewritten at
 * most five times a second. Elsewhere a plain line is printed every ten seconds, and a last line at
 * the end.
 *
 *   verify  [#######.............]  1234/3480  35%  3.2/s  2:10 left */
#pragma once

#include "core/base/base.h"

struct progress;

/* If `quiet` is true (--quiet), shows no progress from now on. */
void progress_quiet(bool quiet);

/* Starts the progress of work with `total` steps (0: unknown). Copies the label. */
struct progress *progress_open(const char *label, int64_t total);
/* Like progress_open, for `total` files that are synced one by one. Returns NULL if the files are
 * so few that they take no more than a moment. The functions below show nothing for NULL. */
struct progress *progress_open_synced(const char *label, int64_t total);
/* Shows that `done` steps are done. The rate is computed from the first call on, so that it is
 * right for a resumed run. The function is cheap enough for every step. */
void progress_step(struct progress *progress, int64_t done);
/* Prints the last line: the steps done and the time taken. Frees the progress. */
void progress_close(struct progress *progress);

enum { PROGRESS_SPAN = 32 };
/* Prints a time span, such as "1:02:03", "2:10" or "7 s". */
void progress_span(double seconds, char text[PROGRESS_SPAN]);
/* progress_put_bar prints "[#####.....]" with `width` characters in the brackets, at most 20.
 * progress_put_rate prints the rate ("3.2/s") if rate > 0, and `left` seconds ("2:10 left") if left
 * >= 0, each after two blanks. */
void progress_put_bar(double share, int width, FILE *out);
void progress_put_rate(double rate, double left, FILE *out);
/* progress_columns returns the number of characters of a UTF-8 text, but at most `most`. *bytes is
 * the length of these characters. progress_cut cuts the text after `most` characters, and returns
 * the number of characters that remain. Each character counts as one column. */
int progress_columns(const char *text, int most, size_t *bytes);
int progress_cut(char *text, int most);
