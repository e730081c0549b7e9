/* Reads SANLAB_CUDA_OFF, a comma-separated list of the parts of a device that are disabled. */
#pragma once

#include <stdbool.h>

/* True if the variable contains this part. The parts are graph (recorded steps), fork (second
 * stream), epilogue (gradients of biases by cuBLASLt) and wmma (tensor cores for attention). */
bool off_names(const char *part);
/* Dies if the variable contains an unknown part, so that a misspelled part is not ignored. The
 * message names `device`. */
void off_check(const char *device);
