#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/cpu/blas.h"
#include "core/cpu/products.h"
#include "experiments/cli/bench.h"
#include "experiments/plan/sgemm_rate.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

const char *bench_role(struct arena *arena, const char *path)
{
    char *role = arena_text(arena, path), *to = role;
    for (const char *from = path; *from;) {
        const size_t digits = strspn(from, "0123456789");
        const bool alone =
            (from == path || from[-1] == '.') && (!from[digits] || from[digits] == '.');
        if (digits && alone) {
            *to++ = '*';
            from += digits;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
    return role;
}

/* A row of the table: one node, or all nodes of one role. */
struct part {
    const char *name;
    int count;
    double seconds[BENCH_PASSES], flops, bytes;
};

static int add_part(struct part *part, int parts, const struct part *more)
{
    int i = 0;
    while (i < parts && strcmp(part[i].name, more->name) != 0) i++;
    if (i == parts) {
        part[parts] = *more;
        return parts + 1;
    }
    part[i].count += more->count;
    part[i].flops += more->flops;
    part[i].bytes += more->bytes;
    for (int pass = 0; pass < BENCH_PASSES; pass++) part[i].seconds[pass] += more->seconds[pass];
    return parts;
}

static int find_parts(struct arena *arena, const struct bench_training *training, bool nodes,
                      struct part *part)
{
    int parts = 0;
    for (int i = 0; i < training->nodes; i++) {
        const struct bench_node *node = &training->node[i];
        const struct part one = {
            .name = nodes ? node->path : bench_role(arena, node->path),
            .count = 1,
            .seconds = {node->seconds[BENCH_FORWARD], node->seconds[BENCH_BACKWARD]},
            .flops = node->flops[BENCH_FORWARD] + node->flops[BENCH_BACKWARD],
            .bytes = node->bytes[BENCH_FORWARD] + node->bytes[BENCH_BACKWARD]};
        parts = add_part(part, parts, &one);
    }
    part[parts++] = (struct part){.name = "optimizer",
                                  .count = 1,
                                  .seconds = {training->adam},
                                  .bytes = training->adam_bytes};
    part[parts++] = (struct part){.name = "norm of the gradient",
                                  .count = 1,
                                  .seconds = {training->norm},
                                  .bytes = training->norm_bytes};
    part[parts++] =
        (struct part){.name = "batches, sums of losses", .count = 1, .seconds = {training->rest}};
    return parts;
}

struct floors {
    double sgemm, copy; /* operations and bytes per second */
};

static void print_parts(struct arena *arena, const struct bench_training *training,
                        const struct part *part, int parts, struct floors floors)
{
    enum { COLUMNS = 10 };
    static const char *const header[COLUMNS] = {"node",     "nodes",  "forward ms", "backward ms",
                                                "share",    "MFLOP",  "MB",         "GFLOP/s",
                                                "of sgemm", "of copy"};
    struct sheet *sheet = sheet_headed(arena, parts, COLUMNS, header, 1);
    sheet->missing = "";
    for (int i = 0; i < parts; i++) {
        const struct part *p = &part[i];
        const double steps = training->batches;
        const double seconds = p->seconds[BENCH_FORWARD] + p->seconds[BENCH_BACKWARD];
        sheet_set(sheet, i, 0, p->name);
        sheet_set(sheet, i, 1, number_fixed(arena, p->count, 0));
        sheet_set(sheet, i, 2, number_fixed(arena, 1e3 * p->seconds[BENCH_FORWARD] / steps, 2));
        if (p->seconds[BENCH_BACKWARD] > 0)
            sheet_set(sheet, i, 3,
                      number_fixed(arena, 1e3 * p->seconds[BENCH_BACKWARD] / steps, 2));
        sheet_set(sheet, i, 4, arena_print(arena, "%.1f%%", 100 * seconds / training->seconds));
        if (p->flops > 0) {
            sheet_set(sheet, i, 5, number_fixed(arena, p->flops / steps / 1e6, 0));
            sheet_set(sheet, i, 7, number_fixed(arena, p->flops / seconds / 1e9, 1));
            sheet_set(sheet, i, 8,
                      arena_print(arena, "%.0f%%", 100 * p->flops / seconds / floors.sgemm));
        }
        if (p->bytes > 0) {
            sheet_set(sheet, i, 6, number_fixed(arena, p->bytes / steps / 1e6, 1));
            sheet_set(sheet, i, 9,
                      arena_print(arena, "%.0f%%", 100 * p->bytes / seconds / floors.copy));
        }
    }
    sheet_text(sheet, stdout);
}

/* The best that is known of large products: OpenBLAS's or, where it is not there, our own. */
static double sgemm_rate(double (*clock)(void), bool *blas)
{
    const double rate =
        *blas ? sgemm_rate_of_blas(omp_get_max_threads(), clock != clock_seconds) : 0;
    *blas = rate > 0;
    return *blas ? rate : products_rate(clock);
}

void bench_print_training(struct verb_call *call, const struct bench_subject *subject,
                          double (*clock)(void))
{
    struct arena *arena = &call->arena;
    const struct bench_job job = {.translating = {.ops = subject->ops,
                                                  .corpus = subject->corpus,
                                                  .model = subject->model,
                                                  .train = subject->train,
                                                  .seed = 1},
                                  .batches = verb_number(call, "--batches"),
                                  .rounds = verb_number(call, "--rounds"),
                                  .clock = clock};
    const int tokens = subject->train->batch_tokens / subject->train->accumulate;
    printf("training of %s: steps of at most %d tokens%s\n", subject->name, tokens,
           subject->train->accumulate > 1 ? " (one micro-batch)" : "");
    printf("text: %s\n", subject->text);
    bench_print_machine(clock);
    bool blas = true;
    const double before = sgemm_rate(clock, &blas);
    struct floors floors = {.copy = bench_copy_rate(clock)};
    const struct bench_training training = bench_train(&job, arena);
    const double after = sgemm_rate(clock, &blas);
    floors.sgemm = fmax(before, after);
    struct part *part = ARENA_ARRAY(arena, struct part, training.nodes + 3);
    const int parts = find_parts(arena, &training, verb_switch(call, "--nodes"), part);
    putchar('\n');
    print_parts(arena, &training, part, parts, floors);
    printf("\nper step: medians of %d rounds of %d steps; MB is the least that must be read and "
           "written; \"of copy\" may exceed 100%% where caches hold it\n",
           job.rounds, job.batches);
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
