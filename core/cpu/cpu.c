#include "core/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

const struct ops *cpu_ops(void)
{
#ifdef SANLAB_DOUBLE
    return &cpu_table_f64;
#else
    __builtin_cpu_init();
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    const char *wish = getenv("SANLAB_ISA");
    if (!wish) return v4 ? &cpu_table_v4 : &cpu_table_v3;
    if (!strcmp(wish, "v3")) return &cpu_table_v3;
    if (strcmp(wish, "v4")) die("SANLAB_ISA: expected v3 or v4, got \"%s\"", wish);
    if (!v4) die("SANLAB_ISA=v4: this processor has no AVX-512 (F, BW, DQ, VL)");
    return &cpu_table_v4;
#endif
}
