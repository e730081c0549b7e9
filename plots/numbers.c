/* A stage of somebody else may have left anything. */
#include "plots/points.h"

#include "results/store/kept_file.h"

bool numbers_open(struct plot *plot, int row, int seed, const char *name,
                  const struct numbers_column *column, int columns, struct npy *npy,
                  const char **id)
{
    const char *kind = plot->figure->left.kind, *problem = NULL;
    *id = value_stage(plot->reader, row, seed, &plot->figure->left);
    if (!*id) return false;
    const char *path =
        kept_file(plot->reader->sampler.store, kind, *id, name, &problem, plot->arena);
    if (path) {
        *npy = npy_open(path);
        if (npy->columns != columns)
            problem = arena_print(plot->arena, "%s has %lld columns, expected %d", path,
                                  (long long)npy->columns, columns);
        else if (!npy->rows)
            problem = arena_print(plot->arena, "%s has no rows", path);
    }
    for (int64_t i = 0; !problem && i < npy->rows * columns; i++) {
        const double value = (double)npy->number[i], least = column[i % columns].least,
                     most = column[i % columns].most;
        if (!(value >= least && value <= most))
            problem = arena_print(
                plot->arena, "%s: row %lld has %g in column %d, expected %g to %g", path,
                (long long)(i / columns) + 1, value, (int)(i % columns) + 1, least, most);
    }
    if (problem)
        plot->canvas->refused =
            arena_print(plot->arena, "%s: %s", points_row_name(plot, row), problem);
    return !problem;
}
