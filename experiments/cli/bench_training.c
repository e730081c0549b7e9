/* Where a step's time goes, against two floors: how fast this machine multiplies, and how fast it
 * copies. What is far from both is worth a look. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/cpu/blas.h"
#include "core/bench/device_pace.h"
#include "core/cpu/products.h"
#include "experiments/cli/bench.h"
#include "experiments/plan/sgemm_rate.h"

/* A row of the table: one node, or the sums of all nodes of one role, its path. */
struct step_part {
    int count;
    struct profile_node sum;
};

static int find_parts(struct arena *arena, const struct profile *training, bool nodes,
                      struct step_part *part)
{
    int parts = 0;
    for (int i = 0; i < training->nodes; i++) {
        const struct profile_node *node = &training->node[i];
        const char *name = nodes ? node->path : profile_role(arena, node->path);
        int p = 0;
        while (p < parts && strcmp(part[p].sum.path, name) != 0) p++;
        if (p == parts) part[parts++].sum.path = name;
        part[p].count++;
        for (int pass = 0; pass < PROFILE_PASSES; pass++) {
            part[p].sum.seconds[pass] += node->seconds[pass];
            part[p].sum.flops[pass] += node->flops[pass];
            part[p].sum.bytes[pass] += node->bytes[pass];
        }
    }
    return parts;
}

struct floors {
    double sgemm, copy; /* operations and bytes per second; of a device large products */
};

static void print_parts(struct arena *arena, const struct profile *training,
                        const struct step_part *part, int parts, struct floors floors)
{
    enum { COLUMNS = 10 };
    static const char *const header[COLUMNS] = {"node",     "nodes",  "forward ms", "backward ms",
                                                "share",    "MFLOP",  "MB",         "GFLOP/s",
                                                "of sgemm", "of copy"};
    struct sheet *sheet = sheet_headed(arena, parts, COLUMNS, header, 1);
    sheet->missing = "";
    for (int i = 0; i < parts; i++) {
        const struct profile_node *sum = &part[i].sum;
        const double forward = sum->seconds[PROFILE_FORWARD] / training->batches;
        const double backward = sum->seconds[PROFILE_BACKWARD] / training->batches;
        const double seconds = forward + backward, step = training->seconds / training->batches;
        const double flops = (sum->flops[0] + sum->flops[1]) / training->batches;
        const double bytes = (sum->bytes[0] + sum->bytes[1]) / training->batches;
        bench_cells(arena, sheet, i, 0, "%s|%d|%.2f", sum->path, part[i].count, 1e3 * forward);
        if (backward > 0) bench_cells(arena, sheet, i, 3, "%.2f", 1e3 * backward);
        bench_cells(arena, sheet, i, 4, "%.1f%%", 100 * seconds / step);
        if (flops > 0) {
            bench_cells(arena, sheet, i, 5, "%.0f", flops / 1e6);
            bench_cells(arena, sheet, i, 7, "%.1f|%.0f%%", flops / seconds / 1e9,
                        100 * flops / seconds / floors.sgemm);
        }
        if (bytes > 0) {
            bench_cells(arena, sheet, i, 6, "%.1f", bytes / 1e6);
            bench_cells(arena, sheet, i, 9, "%.0f%%", 100 * bytes / seconds / floors.copy);
        }
    }
    sheet_text(sheet, stdout);
}

/* The best that is known of large products: OpenBLAS's or, where it is not there, our own. */
static double sgemm_rate(measure_clock *clock, bool *blas)
{
    const double rate =
        *blas ? sgemm_rate_measure(omp_get_max_threads(), clock != clock_seconds, true) : 0;
    *blas = rate > 0;
    return *blas ? rate : products_rate(clock);
}

/* On a device: its own ceilings, in the run's precision; and steps as they are trained, where nodes
 * are timed one behind the other. */
static void print_device(const struct bench *bench, const struct profile *training,
                         struct device_ceilings ceilings)
{
    const struct ops *ops = bench->translating.ops;
    const struct device_pace pace =
        device_pace(&bench->translating, verb_number(bench->call, "--batches"), bench->rounds);
    const double flops = training->flops / training->batches;
    double nodes = 0;
    for (int i = 0; i < training->nodes; i++)
        nodes += training->node[i].seconds[0] + training->node[i].seconds[1];
    printf("floors       products %.1f GFLOP/s (%d x %d x %d), copy %.1f GB/s, both here\n",
           ceilings.product / 1e9, ceilings.size, ceilings.size, ceilings.size,
           ceilings.copy / 1e9);
    printf("step         %.3f ms, %.2f GFLOP\n", 1e3 * pace.wall, flops / 1e9);
    printf("nodes        %.3f ms, one behind the other\n", 1e3 * nodes / training->batches);
    printf("host         %.3f ms, device idle %.1f%%\n", 1e3 * pace.host,
           100 * (1 - pace.device / pace.wall));
    printf("tokens/s     %.0f target, %.0f source (real ones)\n",
           (double)pace.tokens[SIDE_TARGET] / pace.wall,
           (double)pace.tokens[SIDE_SOURCE] / pace.wall);
    printf("utilization  %.1f GFLOP/s, %.1f%% of products\n", flops / pace.wall / 1e9,
           100 * flops / pace.wall / ceilings.product);
    if (ops->launches) printf("launches     %s\n", ops->launches());
}

void bench_training(const struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    const struct profile_job job = {.translating = bench->translating,
                                    .batches = verb_number(bench->call, "--batches"),
                                    .rounds = bench->rounds,
                                    .clock = bench->clock};
    const struct train_options *train = bench->translating.train;
    printf("training of %s: steps of at most %d tokens%s\n", bench->name,
           train->batch_tokens / train->accumulate,
           train->accumulate > 1 ? " (one micro-batch)" : "");
    printf("text: %s\n", bench->text);
    bench_print_machine(bench, bench_table(bench));
    bool blas = true;
    const bool device = bench->translating.ops->mark;
    const struct device_ceilings ceilings =
        device ? device_ceilings(bench->translating.ops) : (struct device_ceilings){0};
    const double before = device ? 0 : sgemm_rate(bench->clock, &blas);
    struct floors floors = {.copy = device ? ceilings.copy : measure_copy_rate(bench->clock)};
    const struct profile training = profile_train(&job, arena);
    const double after = device ? ceilings.product : sgemm_rate(bench->clock, &blas);
    floors.sgemm = fmax(before, after);
    struct step_part *part = ARENA_ARRAY(arena, struct step_part, training.nodes);
    const int parts = find_parts(arena, &training, verb_switch(bench->call, "--nodes"), part);
    putchar('\n');
    print_parts(arena, &training, part, parts, floors);
    printf("\nper step: medians of %d rounds of %d steps; MB is the least that must be read and "
           "written; \"of copy\" may exceed 100%% where caches hold it\n",
           job.rounds, job.batches);
    if (device) {
        print_device(bench, &training, ceilings);
        return;
    }
    printf("floors       sgemm %.1f GFLOP/s by %s%s (%.1f before, %.1f after), copy %.1f GB/s\n",
           floors.sgemm / 1e9, blas ? "OpenBLAS " : "our own products, without OpenBLAS",
           blas ? blas_best_core() : "", before / 1e9, after / 1e9, floors.copy / 1e9);
    printf("step         %.1f ms, %.2f GFLOP\n", 1e3 * training.seconds / training.batches,
           training.flops / training.batches / 1e9);
    printf("tokens/s     %.0f target, %.0f source (real ones)\n",
           (double)training.tokens[SIDE_TARGET] / training.seconds,
           (double)training.tokens[SIDE_SOURCE] / training.seconds);
    printf("utilization  %.1f GFLOP/s, %.1f%% of sgemm\n", training.flops / training.seconds / 1e9,
           100 * training.flops / training.seconds / floors.sgemm);
}
