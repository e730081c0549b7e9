/* Exports the checks in double to programs in float. */
#include "dev/double/double_checks.h"

static const struct check checks[] = {{"values", check_values}, {"gradients", check_gradients},
                                      {"alone", check_alone},   {"causality", check_causality},
                                      {"steps", check_steps},   {0}};
const struct check_double check_double = {checks, check_model, check_logits};
