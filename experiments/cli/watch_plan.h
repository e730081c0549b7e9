/* The progress of all runners of a plan, here and on other machines. Writes nothing. */
#pragma once

#include "experiments/plan/plan.h"
#include "experiments/run/display.h"

enum { WATCH_SECONDS = 2 }; /* between two inspections */

struct watch {
    struct arena *arena;
    struct arena look[2]; /* memory for the last two inspections of open tasks */
    int looks, lines;
    struct plan *plan;
    struct display *display;
    struct display_grid grid;  /* states of all stages, and the time left */
    struct display_line *line; /* [lines] the running stages */
    enum task_state *before;   /* [tasks of the plan] states at the previous inspection */
};

/* Inspects and estimates the tasks of the plan. `display`: prints a line for every start, end and
 * failure; NULL: nothing. */
struct watch *watch_open(struct arena *arena, struct plan *plan, struct display *display);
/* Inspects the plan again. The lines are valid until the next call. */
void watch_look(struct watch *watch);
void watch_close(struct watch *watch);
