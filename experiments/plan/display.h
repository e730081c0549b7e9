/* What a runner shows on stderr: on a terminal one line per running stage, rewritten in place,
 * below the lines that stay; elsewhere plain lines, progress every half minute. */
#ifndef EXPERIMENTS_PLAN_DISPLAY_H
#define EXPERIMENTS_PLAN_DISPLAY_H

#include "core/base/base.h"

struct display_line {
    const char *label;   /* "train-0123456789ab Transformer/1" */
    int64_t done, total; /* total 0: unknown */
    const char *text;    /* "steps, loss 3.210" */
    int64_t first;       /* what was done at its first report */
    double seconds;      /* since then */
};

struct display {
    bool quiet, terminal;
    int drawn;   /* lines of the live part on the screen */
    double last; /* when it was drawn */
};

void display_open(struct display *display, bool quiet);
/* A line that stays. With `important`, also under --quiet. */
void display_say(struct display *display, bool important, const char *format, ...) PRINTF(3, 4);
/* The live part; cheap to call often. */
void display_draw(struct display *display, const struct display_line *line, int count);
void display_close(struct display *display);

#endif
