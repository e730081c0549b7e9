/* The kinds of figures that there are. */
#include "plots/kind.h"

extern const struct figure_kind figure_window, figure_bars, figure_layers, figure_classes,
    figure_curve;

const struct figure_kind *const figure_kinds[FIGURE_KINDS] = {
    &figure_window, &figure_bars, &figure_layers, &figure_classes, &figure_curve};
