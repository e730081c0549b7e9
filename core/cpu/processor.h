/* Detects the instruction sets of this processor. */
#pragma once

#include <stdbool.h>

/* True if the processor has the instructions of the v4 table (AVX-512 F, BW, DQ, VL). */
static inline bool processor_has_v4(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}
