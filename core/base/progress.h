/* Progress of long work, on stderr. On a terminal the progress is one line, rewritten at most five
 * times a second. Elsewhere it is a plain line every ten seconds, and a final line.
 *
 *   train  [#######.............]  1234/3480  35%  loss 3.21  2:10 left */
#pragma once

#include "core/base/base.h"

struct progress;

/* --quiet: shows nothing from now on. */
void progress_quiet(bool quiet);

/* Starts the progress of `total` steps (0: unknown). Copies the label. */
struct progress *progress_open(const char *label, int64_t total);
/* Starts the progress of files that are synced one by one. Returns NULL (shows nothing) if the
 * files are too few to take seconds. */
struct progress *progress_open_synced(const char *label, int64_t total);
/* Shows that `done` steps are done. The first call starts the clock, so that a resumed run has the
 * right rate. `text` replaces the rate (NULL: shows the rate). Cheap enough for every step; does
 * nothing for NULL. */
void progress_step(struct progress *progress, int64_t done, const char *text);
/* Prints the last line: the steps done, `text` (may be NULL) and the time taken. Frees the
 * progress; NULL is fine. */
void progress_close(struct progress *progress, const char *text);

enum { PROGRESS_SPAN = 32 };
/* Prints 1:02:03, 2:10 or 7 s. */
void progress_span(double seconds, char text[PROGRESS_SPAN]);
/* progress_put_bar prints "[#####.....]" with `width` characters, at most 20. progress_put_rate
 * prints "  3.2/s" if rate > 0, and "  2:10 left" if left >= 0. */
void progress_put_bar(double share, int width, FILE *out);
void progress_put_rate(double rate, double left, FILE *out);
/* progress_columns returns the columns of the first `most` characters of UTF-8 text, and sets their
 * bytes; progress_cut cuts the text there. */
int progress_columns(const char *text, int most, size_t *bytes);
int progress_cut(char *text, int most);
