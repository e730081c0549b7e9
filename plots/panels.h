/* Several frames on one page, each with a name above it: a layer, or a branch of attention. */
#ifndef PLOTS_PANELS_H
#define PLOTS_PANELS_H

#include "plots/canvas.h"

enum { PANELS_WIDE = 994 /* pixels: 17.4 cm, a paper's text */ };

struct panel {
    double left, top, width, height; /* of its frame, in pixels from the page's upper left corner */
};

/* Numbers panels, and panel_left_1, panel_right_1, panel_bottom_1, panel_top_1, .. as shares of the
 * page, whose size is known; the names are texts from `panel_name` on. */
void panels_put(struct canvas *canvas, const struct panel *panel, const char *const *name,
                int count);
/* The same of equal frames, three side by side, below a legend of `series` names, on a page as wide
 * as a paper's text. */
void panels_put_equal(struct canvas *canvas, const char *const *name, int count,
                      const char *const *series, int names);

#endif
