#include "core/cpu/processor.h"

#include <cblas.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *const core_variable = "OPENBLAS_CORETYPE";
static const char *const chosen_variable = "SANLAB_CORE_CHOSEN"; /* by us, for who starts next */

/* Instructions that a core's kernels use: 0 SSE, 1 AVX, 2 AVX2, 3 AVX-512. A name that is not here
 * is newer than this list, and trusted. */
enum { RANK_AVX2 = 2, RANK_AVX512 = 3 };
static int core_rank(const char *core)
{
    static const struct {
        const char *core;
        int rank;
    } table[] = {
        {"Unknown", 0},     {"Katmai", 0},       {"Coppermine", 0}, {"Northwood", 0},
        {"Prescott", 0},    {"Banias", 0},       {"Atom", 0},       {"Core2", 0},
        {"Penryn", 0},      {"Dunnington", 0},   {"Nehalem", 0},    {"Athlon", 0},
        {"Opteron", 0},     {"Opteron_SSE3", 0}, {"Barcelona", 0},  {"Nano", 0},
        {"Bobcat", 0},      {"Sandybridge", 1},  {"Bulldozer", 1},  {"Piledriver", 1},
        {"Steamroller", 1}, {"Excavator", 2},    {"Haswell", 2},    {"Zen", 2},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (!strcasecmp(core, table[i].core)) return table[i].rank;
    return RANK_AVX512;
}

const char *processor_core(void)
{
    return openblas_get_corename();
}

const char *processor_library(void)
{
    return openblas_get_config();
}

const char *processor_best_core(void)
{
    __builtin_cpu_init();
    const char *now = processor_core();
    int rank = core_rank(now);
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx512 && rank < RANK_AVX512) return "SkylakeX";
    return avx2 && rank < RANK_AVX2 ? "Haswell" : now;
}

enum processor_origin processor_core_origin(void)
{
    const char *core = getenv(core_variable), *chosen = getenv(chosen_variable);
    if (!core) return CORE_OF_LIBRARY;
    return chosen && !strcmp(core, chosen) ? CORE_OF_PREPARE : CORE_OF_USER;
}

void processor_prepare(char **argv)
{
    const char *mode = getenv("SANLAB_CORE");
    if (mode && strcmp(mode, "auto") && strcmp(mode, "env"))
        die("SANLAB_CORE: expected auto or env, got \"%s\"", mode);
    if (getenv(core_variable) || (mode && !strcmp(mode, "env"))) return;
    const char *best = processor_best_core();
    if (!strcmp(best, processor_core())) return;
    trace("processor", "OpenBLAS runs %s, starting again with %s", processor_core(), best);
    setenv(core_variable, best, 1); /* so the next one returns above */
    setenv(chosen_variable, best, 1);
    execv("/proc/self/exe", argv);
    unsetenv(core_variable);
    unsetenv(chosen_variable);
    warn("OpenBLAS runs kernels of %s on a processor that can do %s; set %s=%s", processor_core(),
         best, core_variable, best);
}

bool processor_blas_is_openmp(void)
{
    return openblas_get_parallel() == OPENBLAS_OPENMP;
}

double processor_sgemm_rate(double (*clock)(void))
{
    enum { M = 2048, N = 2048, K = 512, TIMES = 5 };
    float *a = heap_alloc(sizeof(float) * M * K), *b = heap_alloc(sizeof(float) * K * N);
    float *c = heap_alloc(sizeof(float) * M * N);
    for (int i = 0; i < M * K; i++) a[i] = (float)(i % 7) - 3;
    for (int i = 0; i < K * N; i++) b[i] = (float)(i % 5) - 2;
    int threads = openblas_get_num_threads(), team = omp_get_max_threads();
    openblas_set_num_threads(team);
    double best = 0;
    for (int time = 0; time <= TIMES; time++) { /* the first warms up */
        double begin = clock();
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1, a, K, b, N, 0, c, N);
        double rate = 2. * M * N * K / (clock() - begin);
        if (time && rate > best) best = rate;
    }
    openblas_set_num_threads(threads);
    omp_set_num_threads(team); /* which the line above has set, too */
    free(a);
    free(b);
    free(c);
    return best;
}
