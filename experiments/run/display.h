/* The progress display of a runner on stderr, and of `watch` on standard output.
 *
 *   bar     on a terminal: a line per running stage and one for the grid, rewritten in place below
 *           the permanent lines; colors unless NO_COLOR is set
 *   plain   permanent lines, progress every half minute
 *   json    one object per line and event. Each has "time" (seconds since 1970) and "event"; events
 *           of a stage also have "stage", "kind", "row" and "seed":
 *             start     "reason", "threads"
 *             progress  "done", "total", "text", "rate" (per second), "left" (seconds or null)
 *             done      "seconds", and the main value of the stage ("bleu": 36.1)
 *             failed    "message" and, from a worker, "seconds", "log" (a path); also diverged
 *             stop      "seconds", "reason": saved or ended before it was done; can be continued
 *             lost      "seconds", "reason": another runner took it over
 *             wait      "reason": another runner works on it, or its lease cannot be taken for now
 *             hold      "memory", "available" (bytes): waits until another stage has ended
 *             skip      "reason": will not start: an earlier failure or a missing file
 *             grid      "to_do", "running", "elsewhere", "done", "failed", "left"
 *             program   "kind", "stages", "words": a program that the grid's file lets stages start
 *             stopping  "reason"
 *             end       "reason", the counts of "grid" and "exit" (the exit status)
 *
 * Text of users (names of rows) is masked: no raw text reaches the terminal. */
#pragma once

#include <jansson.h>

#include "core/base/base.h"

enum display_form {
    DISPLAY_AUTO, /* a bar on a terminal, otherwise plain */
    DISPLAY_BAR,
    DISPLAY_PLAIN,
    DISPLAY_JSON,
    DISPLAY_FORMS
};
extern const char *const display_forms[DISPLAY_FORMS + 1]; /* names of the forms; NULL-terminated */

struct display_line {
    const char *label;   /* such as "train Transformer/1" */
    const json_t *about; /* "stage" and other members of the JSON event */
    int64_t done, total; /* total 0: unknown */
    const char *text;    /* "steps, loss 3.210" */
    double rate, left;   /* per second, seconds; negative: unknown */
};

/* Numbers of stages of the grid. */
struct display_grid {
    int to_do, running, elsewhere, done, failed;
    double left; /* seconds; negative: unknown */
};

struct display {
    enum display_form form;
    bool quiet, color;
    FILE *out;
    int drawn;   /* lines of the live part on the screen */
    double last; /* clock_seconds of the last drawing */
};

/* Opens a display on `out`: stderr or standard output. */
void display_open(struct display *display, enum display_form form, bool quiet, FILE *out);
/* Prints a permanent line, or the event, whose ownership it takes. `important`: also under
 * --quiet. */
void display_say(struct display *display, bool important, json_t *event, const char *format, ...)
    PRINTF(4, 5);
/* True if display_draw would print. Call it first, because collecting the lines is more
 * expensive. */
bool display_due(struct display *display);
/* Draws the live part. */
void display_draw(struct display *display, const struct display_line *line, int count,
                  const struct display_grid *grid);
void display_close(struct display *display);

/* Returns {"event": event, "to_do": ..}. */
json_t *display_grid_json(const char *event, const struct display_grid *grid);
