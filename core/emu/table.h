/* The emulator's tables: for tests, which link it; the program loads it (core/model/device.h). */
#ifndef CORE_EMU_TABLE_H
#define CORE_EMU_TABLE_H

#include "core/tensor/ops.h"

extern const struct ops emu_fp32, emu_bf16;

#endif
