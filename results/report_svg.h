/* A gnuplot figure inside a page. Drawings may hold scripts, links and styles of their own, so only
 * what gnuplot's svg terminal writes is let through: its elements, its attributes, references
 * within the drawing. Everything else is a reason to refuse the whole. */
#ifndef RESULTS_REPORT_SVG_H
#define RESULTS_REPORT_SVG_H

#include "core/base/arena.h"

/* The drawing as an element of a page. Its ids begin with `prefix`, so that several can stand in
 * one page; `label` is what programs that read pages aloud say; titles and descriptions of
 * gnuplot's own are left out. NULL, with the reason in *complaint, when it is refused. */
const char *report_svg(struct arena *arena, const char *svg, const char *prefix, const char *label,
                       const char **complaint);

#endif
