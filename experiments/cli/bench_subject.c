/* What every measurement says first: the machine; and the model of a preset. */
#include <omp.h>
#include <string.h>

#include "core/config/tree_read.h"
#include "core/cpu/blas.h"
#include "core/cpu/products.h"
#include "core/model/device.h"
#include "experiments/cli/bench.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/sections.h"

void bench_print_machine(double (*clock)(void))
{
    const int threads = omp_get_max_threads();
    printf("%d thread%s, %s time, %s, ", threads, threads > 1 ? "s" : "",
           clock == clock_seconds ? "wall" : "processor", device_ops(device_used())->name);
    if (strcmp(device_used(), DEVICE_CPU) != 0)
        printf("%s\n", device_ops(device_used())->numerics());
    else if (!blas_asked())
        printf("own products %s\n", products_name());
    else
        printf("products of OpenBLAS %s\n", blas_open()->core());
}

void bench_take_preset(struct arena *arena, const char *name, const char *const *change,
                       int changes, struct bench_subject *subject)
{
    struct tree *options = tree_merge(arena, NULL, grid_preset(arena, "model", name));
    for (int i = 0; i < changes; i++) tree_override(arena, options, change[i]);
    tree_only_keys(options, "bench", sections_of(arena, SECTION_TRAINED, NULL, NULL));
    struct settings *settings = ARENA_NEW(arena, struct settings);
    translator_options_read(&settings->translator, options, arena);
    section_read(&train_section, tree_get(options, "train"), &settings->train, arena);
    subject->name = arena_print(arena, "preset %s", name);
    subject->options = options;
    subject->model = &settings->translator;
    subject->train = &settings->train;
}
