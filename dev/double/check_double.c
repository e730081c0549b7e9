/* The list of checks in double, for programs in float. */
#include "dev/double/check_double.h"

#include "core/model/device.h"

static const struct check checks[] = {{"values", check_values}, {"gradients", check_gradients},
                                      {"alone", check_alone},   {"causality", check_causality},
                                      {"steps", check_steps},   {0}};

static int check(const char *name, const char *yaml, struct finding finding[CHECKS])
{
    return check_model(checks, DEVICE_CPU, name, yaml, finding);
}

static double *logits(const char *name, const char *yaml, struct arena *arena, int64_t *count)
{
    return check_logits(DEVICE_CPU, name, yaml, arena, count);
}

const struct check_double check_double = {check, logits};
