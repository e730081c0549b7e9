/* Declares the op tables of the emulator. Tests link the tables; the program loads them as a
 * plug-in (core/model/device_choice.h). */
#pragma once

#include "core/tensor/ops.h"

extern const struct ops emu_fp32, emu_bf16;
/* Returns the table with float activations whose products round operands to tf32. */
const struct ops *emu_tf32(void);

/* True if products compute epilogues (core/cuda/products.h). False if SANLAB_CUDA_OFF names
 * `epilogue`. */
bool emu_does_epilogues(void);
/* Returns a text with everything on which the bits of results depend: precision, version of the
 * kernels, disabled features. The text is valid until the next call. */
const char *emu_numerics(const char *precision);

/* Returns the size of the device memory in bytes: SANLAB_EMU_MEMORY, by default 16 GiB. Dies if the
 * variable is invalid. If the value is small, a training divides its steps into micro-batches. */
size_t emu_memory(void);
/* Count the bytes that all tables have allocated, with scratch memory. emu_memory_takes adds bytes;
 * a negative number is released memory. emu_memory_begin resets the peak to the current value.
 * emu_memory_most returns the peak. */
void emu_memory_begin(void);
size_t emu_memory_most(void);
void emu_memory_takes(int64_t bytes);
