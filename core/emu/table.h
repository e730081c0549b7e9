/* Op tables of the emulator. Tests link them; the program loads them as a plug-in
 * (core/model/device_choice.h). */
#pragma once

#include "core/tensor/ops.h"

extern const struct ops emu_fp32, emu_bf16;
/* Returns the table of floats whose products round operands to tf32. */
const struct ops *emu_tf32(void);

/* True if products compute epilogues (core/cuda/products.h). False if SANLAB_CUDA_OFF names
 * `epilogue`. */
bool emu_does_epilogues(void);
/* Returns a text of all facts that determine bits. The text is valid until the next call. */
const char *emu_numerics(const char *precision);

/* Returns the device memory in bytes: SANLAB_EMU_MEMORY. Dies if the variable is invalid. A small
 * value makes a training cut its steps. */
size_t emu_memory(void);
/* Memory counter of all tables and scratch memory. emu_memory_begin resets the peak to the current
 * value. emu_memory_most returns the peak. emu_memory_takes adds bytes (negative: released). */
void emu_memory_begin(void);
size_t emu_memory_most(void);
void emu_memory_takes(int64_t bytes);
