/* SANLAB_CUDA_OFF, words between commas: what a device is told to do without. */
#pragma once

#include <stdbool.h>

/* Whether it names this part: graph, fork, epilogue or wmma. */
bool off_names(const char *part);
/* Dies when it names anything else, which would leave all parts on; the device is named. */
void off_check(const char *device);
