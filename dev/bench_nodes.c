/* Measures the nodes of a training step and compares them with the peak rates of this machine for
 * products and copies. A node that is far below both rates can perhaps be made faster. */
#include <string.h>

#include "dev/bench_parts.h"

/* A line of the printed table: one node, or the sums of all nodes with the same role
 * (profile_role). sum.path is the path of the node, or the role. */
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

static void print_parts(const struct bench *bench, const struct profile *training,
                        const struct step_part *part, int parts)
{
    enum { COLUMNS = 10 };
    static const char *const header[COLUMNS] = {"node",     "nodes",  "forward ms", "backward ms",
                                                "share",    "MFLOP",  "MB",         "GFLOP/s",
                                                "of sgemm", "of copy"};
    struct arena *arena = &bench->call->arena;
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
                        100 * flops / seconds / bench->products);
        }
        if (bytes > 0) {
            bench_cells(arena, sheet, i, 6, "%.1f", bytes / 1e6);
            bench_cells(arena, sheet, i, 9, "%.0f%%", 100 * bytes / seconds / bench->copy);
        }
    }
    sheet_text(sheet, stdout);
}

void bench_nodes(struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    const struct profile training = bench_step(bench);
    struct step_part *part = ARENA_ARRAY(arena, struct step_part, training.nodes);
    const int parts = find_parts(arena, &training, verb_switch(bench->call, "--nodes"), part);
    putchar('\n');
    print_parts(bench, &training, part, parts);
    puts("\nMB: minimum of bytes read and written; \"of copy\" exceeds 100% if the bytes are in "
         "caches");
}
