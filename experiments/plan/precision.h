/* What stages are computed in (enum precision), and whether this process's device can. */
#ifndef EXPERIMENTS_PLAN_PRECISION_H
#define EXPERIMENTS_PLAN_PRECISION_H

#include "experiments/plan/stage.h"

enum precision stage_precision(const struct stage *stage);
/* What the device lacks for a stage, for `missing` of struct stage; NULL: nothing. */
const char *precision_missing(const struct stage *stage);
/* Dies at the place of an option, "train.precision", of any point where it asks for what the device
 * that was named (core/model/device.h) does not have. */
void precision_check_grid(const struct grid *grid, const char *option);

#endif
