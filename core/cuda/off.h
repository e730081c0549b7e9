/* SANLAB_CUDA_OFF: comma-separated parts of a device to disable. */
#pragma once

#include <stdbool.h>

/* True if the variable contains this part: graph, fork, epilogue or wmma. */
bool off_names(const char *part);
/* Dies if the variable contains an unknown part, which would disable nothing. `device` is for the
 * message. */
void off_check(const char *device);
