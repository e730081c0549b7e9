/* What every measurement says first: the machine; and the model of a preset. */
#include <omp.h>
#include <stdarg.h>
#include <string.h>

#include "core/cpu/blas.h"
#include "core/cpu/products.h"
#include "core/model/device.h"
#include "experiments/cli/bench.h"
#include "experiments/cli/grid_argument.h"

void bench_cells(struct arena *arena, struct sheet *sheet, int row, int column, const char *format,
                 ...)
{
    va_list list;
    va_start(list, format);
    char *rest = arena_print_list(arena, format, list);
    va_end(list);
    for (const char *cell; (cell = strsep(&rest, "|"));) sheet_set(sheet, row, column++, cell);
}

const struct ops *bench_table(const struct bench *bench)
{
    return device_table(device_used(), (enum precision)bench->settings->train.precision);
}

void bench_print_machine(const struct bench *bench, const struct ops *ops)
{
    const int threads = omp_get_max_threads();
    printf("%d thread%s, %s time, %s, ", threads, threads > 1 ? "s" : "",
           bench->clock == clock_seconds ? "wall" : "processor", ops->name);
    if (strcmp(device_used(), DEVICE_CPU) != 0)
        printf("%s\n", ops->numerics());
    else if (!blas_asked())
        printf("own products %s\n", products_name());
    else
        printf("products of OpenBLAS %s\n", blas_open()->core());
}

void bench_take_preset(struct bench *bench, const char *name, const char *const *change,
                       int changes)
{
    struct arena *arena = &bench->call->arena;
    struct tree *options = grid_argument_preset(arena, "bench", name, change, changes);
    struct settings *settings = ARENA_NEW(arena, struct settings);
    translator_options_read(&settings->translator, options, arena);
    section_read(&train_section, tree_get(options, "train"), &settings->train, arena);
    bench->name = arena_print(arena, "preset %s", name);
    bench->options = options;
    bench->settings = settings;
}
