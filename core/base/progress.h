/* How far a long piece of work is, on stderr: on a terminal one line that is rewritten (at most
 * five times a second), elsewhere a plain line every ten seconds and a last one.
 *
 *   train  [#######.............]  1234/3480  35%  loss 3.21  2:10 left */
#pragma once

#include "core/base/base.h"

struct progress;

/* --quiet: nothing is shown from now on. */
void progress_quiet(bool quiet);

/* `total` steps are to be done (0: nobody knows). The label is copied. */
struct progress *progress_open(const char *label, int64_t total);
/* The same of things that are synced one by one, where they are so many that it takes seconds; of
 * fewer NULL: nothing is shown. */
struct progress *progress_open_synced(const char *label, int64_t total);
/* `done` steps of the total are done. The first call is where the clock starts, so that a run that
 * goes on from a checkpoint has the right rate. `text` stands where the rate would (NULL: the
 * rate). Cheap enough for every step; without `progress` (NULL) it does nothing. */
void progress_step(struct progress *progress, int64_t done, const char *text);
/* The last line: the steps done, `text` (may be NULL) and the time that they took. Frees it; NULL
 * is fine. */
void progress_close(struct progress *progress, const char *text);

enum { PROGRESS_SPAN = 32 };
bool progress_can_rewrite(void); /* stderr is a terminal that moves its cursor */
/* 1:02:03, 2:10 or 7 s. */
void progress_span(double seconds, char text[PROGRESS_SPAN]);
/* "[#####.....]" with `width` signs, 20 at most; "  3.2/s" where the rate is known (over 0), and
 * "  2:10 left" where the seconds are (not below 0). */
void progress_put_bar(double share, int width, FILE *out);
void progress_put_rate(double rate, double left, FILE *out);
/* Columns and bytes of the first `most` characters of UTF-8 text; and what cuts the text there. */
int progress_columns(const char *text, int most, size_t *bytes);
int progress_cut(char *text, int most);
