/* What this process's device (core/model/device.h) can compute of a grid: precisions, and how
 * wide heads and how long sentences may be. Where the device was named, what it cannot is
 * refused with its place; where auto chose it, such stages wait for another machine. */
#pragma once

#include "experiments/stage/stage.h"

/* What a stage is computed in: by the option `precision` of its section or of its training; else
 * fp32. */
enum precision stage_precision(const struct stage *stage);
/* What the device lacks for a stage, for `missing` of struct stage; NULL: nothing. */
const char *capable_missing(const struct stage *stage);
/* Dies where an option, "train.precision", asks a point for what a named device does not have. */
void capable_check_precision(const struct grid_point *point, const char *option);
/* Dies where a model's heads or a corpus' sentences are more than a named device takes. */
void capable_check_model(const struct grid_point *point);
