/* gnuplot is told where each frame stands, so that all have one size. */
#include "plots/panels.h"

#include "plots/names.h"

void panels_put(struct canvas *canvas, const struct panel *panel, const char *const *name,
                int count)
{
    const double width = canvas->width, height = canvas->height;
    static const char *const side[] = {"left", "right", "top", "bottom"};
    canvas_number(canvas, "panels", count);
    for (int p = 0; p < count; p++) {
        const double share[] = {panel[p].left / width, (panel[p].left + panel[p].width) / width,
                                1 - panel[p].top / height,
                                1 - (panel[p].top + panel[p].height) / height};
        for (size_t i = 0; i < COUNT_OF(side); i++)
            canvas_number(canvas, arena_print(canvas->arena, "panel_%s_%d", side[i], p + 1),
                          share[i]);
        canvas_text(canvas, p ? NULL : "panel_name", name[p]);
    }
}

void panels_put_equal(struct canvas *canvas, const char *const *name, int count,
                      const char *const *series, int names)
{
    enum {
        ACROSS = 3,
        LEFT = 70, /* of the page's edge */
        RIGHT = 18,
        BESIDE = 46, /* between frames: the names of tics */
        ABOVE = 24,  /* the name of a frame */
        BELOW = 30,  /* its tics, */
        LABEL = 24,  /* and below the last line the label of the axis */
        HIGH = 150
    };
    const int across = count < ACROSS ? count : ACROSS, lines = (count + across - 1) / across;
    names_put_columns(canvas, "row", series, names);
    const double legend = canvas->around,
                 each = (double)(PANELS_WIDE - LEFT - RIGHT - (ACROSS - 1) * BESIDE) / ACROSS;
    const double wide = count < ACROSS
                            ? (PANELS_WIDE - LEFT - RIGHT - (across - 1) * (double)BESIDE) / across
                            : each;
    const double high = count < ACROSS ? 2 * HIGH : HIGH;
    struct panel *panel = ARENA_ARRAY(canvas->arena, struct panel, count);
    canvas->width = PANELS_WIDE;
    canvas->height = (int)(legend + lines * (ABOVE + high + BELOW) + LABEL);
    for (int p = 0; p < count; p++)
        panel[p] =
            (struct panel){LEFT + (wide + BESIDE) * (p % across),
                           legend + ABOVE + (ABOVE + high + BELOW) * (p / across), wide, high};
    panels_put(canvas, panel, name, count);
    canvas_number(canvas, "across", across);
}
