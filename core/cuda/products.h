/* Matrix products by the device's library: cuBLASLt's (core/cuda), their twin in plain loops
 * (core/emu). All that they are launched for is there: rows of A and C behind the count may hold
 * anything, those that are summed over are zero. Matrices have their rows, and a bias begins, at
 * whole 16 bytes. */
#pragma once

#include "core/cuda/device.h"

/* Of a device's tables: their row_multiple; ld_multiple, 16 bytes of bf16; mask_multiple, of bits
 * that a word has. */
enum { ROWS_MULTIPLE = 64, LD_MULTIPLE = 8, MASK_MULTIPLE = 32 };

/* Masks nothing. */
C_NAME void DEVICE(library_gemm)(const struct gemm *g);
/* Whether it has summed B's columns into the bias, too: not where that is to be added to what
 * stands there, nor where the library has no such product, or SANLAB_CUDA_OFF names `epilogue`. */
C_NAME bool DEVICE(library_gemm_weight)(const struct gemm_weight *g);
/* Whether from here on operands that are floats may be rounded to tf32, ten bits behind the point,
 * as the table of that precision has it. */
C_NAME void DEVICE(library_tf32)(bool on);
