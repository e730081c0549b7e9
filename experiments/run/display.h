/* What a runner shows on stderr, and `watch` on standard output.
 *
 *   bar     on a terminal: a line per running stage and one for the grid, rewritten in place below
 *           the lines that stay; colors unless NO_COLOR is set
 *   plain   lines that stay, progress every half minute
 *   json    one object per line and event. Each has "time" (seconds since 1970) and "event"; those
 *           about a stage have "stage", "kind", "row" and "seed" as well:
 *             start     "reason", "threads"
 *             progress  "done", "total", "text", "rate" (per second), "left" (seconds or null)
 *             done      "seconds", and the value by which one knows it ("bleu": 36.1)
 *             failed    "message" and, of a worker, "seconds", "log" (a path); also diverged
 *             stop      "seconds", "reason": saved or ended before it was done; to be continued
 *             lost      "seconds", "reason": another runner took it over
 *             wait      "reason": another runner works on it, or its lease cannot be taken for now
 *             hold      "memory", "available" (bytes): waits until another stage has ended
 *             skip      "reason": not to be started, an earlier failure or a missing file
 *             grid      "to_do", "running", "elsewhere", "done", "failed", "left"
 *             program   "kind", "stages", "words": what the grid's file lets stages start
 *             stopping  "reason"
 *             end       "reason", the counts of "grid" and "exit" (the exit status)
 *
 * What users wrote (names of rows) is masked: nothing reaches the terminal raw. */
#pragma once

#include <jansson.h>

#include "core/base/base.h"

enum display_form {
    DISPLAY_AUTO, /* a bar on a terminal, else plain */
    DISPLAY_BAR,
    DISPLAY_PLAIN,
    DISPLAY_JSON,
    DISPLAY_FORMS
};
extern const char *const display_forms[DISPLAY_FORMS + 1]; /* their names; NULL at the end */

struct display_line {
    const char *label;   /* "train Transformer/1" */
    const json_t *about; /* "stage" and so on, for json */
    int64_t done, total; /* total 0: unknown */
    const char *text;    /* "steps, loss 3.210" */
    double rate, left;   /* per second, seconds; negative: unknown */
};

/* Stages of the grid. */
struct display_grid {
    int to_do, running, elsewhere, done, failed;
    double left; /* seconds; negative: unknown */
};

struct display {
    enum display_form form;
    bool quiet, color;
    FILE *out;
    int drawn;   /* lines of the live part on the screen */
    double last; /* when it was drawn */
};

/* On `out`: stderr, or standard output. */
void display_open(struct display *display, enum display_form form, bool quiet, FILE *out);
/* A line that stays, or the event (which is taken over). With `important`, also under --quiet. */
void display_say(struct display *display, bool important, json_t *event, const char *format, ...)
    PRINTF(4, 5);
/* Whether display_draw would show something: what it shows costs more to find out than to ask. */
bool display_due(struct display *display);
/* The live part. */
void display_draw(struct display *display, const struct display_line *line, int count,
                  const struct display_grid *grid);
void display_close(struct display *display);

/* {"event": event, "to_do": ..} */
json_t *display_grid_json(const char *event, const struct display_grid *grid);
