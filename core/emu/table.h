/* The emulator's tables: for tests, which link it; the program loads it (core/model/device.h). */
#pragma once

#include "core/tensor/ops.h"

extern const struct ops emu_fp32, emu_bf16;
/* That of floats, whose products round their operands to tf32. */
const struct ops *emu_tf32(void);

/* Whether products do what they can do besides (core/cuda/products.h): unless SANLAB_CUDA_OFF names
 * `epilogue`. */
bool emu_does_epilogues(void);
/* What decides on bits, until the next call. */
const char *emu_numerics(const char *precision);

/* Bytes that there are: SANLAB_EMU_MEMORY; dies when it is none. A small one makes a training cut
 * its steps. */
size_t emu_memory(void);
/* Bytes that all tables and scratch have taken, at most at once since it was said to begin; so many
 * more are taken, or given back. */
void emu_memory_begin(void);
size_t emu_memory_most(void);
void emu_memory_takes(int64_t bytes);
