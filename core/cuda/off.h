/* SANLAB_CUDA_OFF: comma-separated parts of a device to disable. */
#pragma once

#include <stdbool.h>

/* True if the variable names this part: graph, fork, epilogue or wmma. */
bool off_names(const char *part);
/* Dies if the variable names another part, which would leave all parts enabled. `device` is named
 * in the message. */
void off_check(const char *device);
