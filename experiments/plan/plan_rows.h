/* Prints the stages of a plan as a table. */
#pragma once

#include "experiments/plan/plan_missing.h"

/* What a table has that a note explains. */
enum { PLAN_SUMMED = 1, PLAN_BOUNDED = 2, PLAN_ABOUT = 4, PLAN_UNKNOWN = 8 };

/* Prints a line for each stage. Without PLAN_ALL, more than 60 stages are summed up: a line for
 * each kind of stage of a row. `show`: PLAN_TODO, PLAN_ALL. Returns what needs a note. */
unsigned plan_print_rows(struct arena *arena, const struct plan *plan,
                         const struct plan_missing *missing, unsigned show, FILE *out);
/* Prints a line for each of them. */
void plan_rows_notes(unsigned notes, FILE *out);
