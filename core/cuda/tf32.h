/* Makes the op table of tf32. It is a copy of the fp32 table, but products may round operands to
 * tf32. core/cuda/table.c and core/emu/table.c include this file. */
#pragma once

#include "core/cuda/products.h"

#ifndef DEVICE_BF16

static const struct ops *tf32_floats;

static void tf32_gemm(const struct gemm *g)
{
    DEVICE(library_tf32)(true);
    tf32_floats->gemm(g);
    DEVICE(library_tf32)(false);
}

static void tf32_gemm_weight(const struct gemm_weight *g)
{
    DEVICE(library_tf32)(true);
    tf32_floats->gemm_weight(g);
    DEVICE(library_tf32)(false);
}

static const struct ops *tf32_table(const struct ops *floats, const char *name,
                                    const char *(*numerics)(void))
{
    static struct ops tf32;
    tf32_floats = floats;
    tf32 = *floats;
    tf32.name = name, tf32.numerics = numerics;
    tf32.gemm = tf32_gemm, tf32.gemm_weight = tf32_gemm_weight;
    return &tf32;
}

#endif
