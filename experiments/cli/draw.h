/* Draws the figures of a plan into files. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "plots/gnuplot.h"

/* Writes figure N to BASE-N.svg (or .pdf, .png), and prints its path and captions. With `keep`,
 * script and data go to the folder BASE-N. Returns false, after a warning for each, if a figure
 * could not be drawn. */
bool draw_figures(struct verb_call *call, const struct plan *plan, const struct grid *summary,
                  const char *base, enum gnuplot_format format, bool keep);
