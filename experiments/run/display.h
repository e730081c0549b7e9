/* Prints the progress of a runner to stderr, and of `watch` to standard output.
 *
 *   bar     permanent lines, and below them the live part: one line per running stage and one line
 *           for the grid. The live part is rewritten in place, so it needs a terminal
 *   plain   permanent lines only. Progress is printed every half minute
 *   json    one line per event, with a JSON object. All objects have "time" (seconds since 1970)
 *           and "event". The objects of a stage also have "stage", "kind", "row" and "seed". These
 *           are the events, and the further members of their objects:
 *             start     "reason", "threads"; "device" if there are several GPUs
 *             progress  "done", "total", "text", "rate" (per second), "left" (seconds or null)
 *             done      "seconds", and the main value of the stage ("bleu": 36.1)
 *             failed    "message". If a worker failed, also "seconds" and "log" (a path)
 *             diverged  "seconds"
 *             stop      "seconds", "reason": the stage ended before it was done. It can be resumed
 *             lost      "seconds", "reason": another runner has taken over the stage
 *             wait      "reason": another runner computes the stage, or its lease cannot be taken
 *             hold      "memory", "available" (bytes): the stage waits until another one ends
 *             skip      "reason": the stage will not start. It failed earlier, or a file is missing
 *             grid      "to_do", "running", "elsewhere", "done", "failed", "left"
 *             program   "kind", "stages", "words": a program that stages start, by the grid's file
 *             gpu       "device", "reason": a GPU no longer works
 *             stopping  "reason"
 *             end       "reason", the members of the event "grid", and "exit" (the exit status)
 *
 * Control characters in text of users, such as names of rows, are masked (core/base/mask.h). */
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
    const char *label; /* such as "train Transformer/1" */
    json_t *about; /* event `progress` with the members that identify the stage; only for json */
    int64_t done, total; /* total 0: unknown */
    const char *text;    /* text after the numbers, such as "steps, loss 3.210" */
    double rate, left;   /* units per second, seconds left; negative: unknown */
};

/* Numbers of stages of the grid. */
struct display_grid {
    int to_do, running, elsewhere, done, failed;
    double left; /* seconds; negative: unknown */
};

struct display {
    enum display_form form;
    bool quiet;
    FILE *out;
    int drawn;   /* number of lines of the live part that are on the screen */
    double last; /* clock_seconds of the last drawing */
};

/* Opens a display on `out`: stderr or standard output. */
void display_open(struct display *display, enum display_form form, bool quiet, FILE *out);
/* Prints a permanent line (bar, plain), or the event (json). Takes ownership of `event`. With
 * --quiet, prints only if `important` is true. */
void display_say(struct display *display, bool important, json_t *event, const char *format, ...)
    PRINTF(4, 5);
/* True if it is time for the next display_draw. Call this function first, because collecting the
 * lines for display_draw is more expensive. */
bool display_due(struct display *display);
/* Draws the live part (bar). Otherwise prints the progress of `count` stages and of the grid. */
void display_draw(struct display *display, const struct display_line *line, int count,
                  const struct display_grid *grid);
/* Removes the live part. */
void display_clear(struct display *display);
/* Prints "1 to do, 2 running, 1 done, 0 failed; about 2:10 left". */
void display_put_grid(const struct display_grid *grid, FILE *out);

/* Returns {"event": event, "to_do": ..}. */
json_t *display_grid_json(const char *event, const struct display_grid *grid);
