/* Draws the figures of a plan into files. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "plots/gnuplot.h"

/* Writes figure N to BASE-N.svg (or .pdf, .png), and prints its path, title and captions. If `keep`
 * is true, also writes its script and data to the folder BASE-N. Warns of each figure that could
 * not be drawn, and then returns false. */
bool draw_figures(struct verb_call *call, const struct plan *plan, const struct grid *summary,
                  const char *base, enum gnuplot_format format, bool keep);
