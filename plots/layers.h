/* A column at a layer. */
#ifndef PLOTS_LAYERS_H
#define PLOTS_LAYERS_H

#include "results/table/column.h"

/* Lines of metrics of that layer, or of a kind with views by layer (offer.h) the part that is that
 * view. */
struct column layers_at(const struct column *column, int layer, struct arena *arena);

#endif
