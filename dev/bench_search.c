/* Measures one beam search with all threads, by op. Then measures the searches of a translation
 * (core/decode/crew.h), and prints them if they differ or the device has marks. */
#include <inttypes.h>

#include "core/base/file.h"
#include "core/bench/bench_ops.h"
#include "dev/bench_parts.h"

static void write_hypotheses(const struct search_pace *pace, const char *path)
{
    struct file_writer writer = file_create(path);
    for (int s = 0; s < pace->sentences; s++) {
        for (int t = 0; t < pace->found[s].count; t++)
            fprintf(writer.stream, "%s%d", t ? " " : "", pace->found[s].token[t]);
        fputc('\n', writer.stream);
    }
    file_commit(&writer);
}

static void print_ops(struct arena *arena, double seconds)
{
    int count, rows = 0;
    const struct bench_op *op = bench_ops_read(&count);
    static const char *const header[] = {"op", "calls", "ms", "share"};
    struct sheet *sheet = sheet_headed(arena, count + 1, 4, header, 1);
    double rest = seconds;
    sheet->missing = "";
    for (int i = 0; i <= count; i++) {
        const double part = i < count ? op[i].seconds : rest;
        if (i < count && !op[i].calls) continue;
        rest -= part;
        bench_cells(arena, sheet, rows, 0, "%s", i < count ? op[i].name : "the search itself");
        if (i < count) bench_cells(arena, sheet, rows, 1, "%" PRId64, op[i].calls);
        bench_cells(arena, sheet, rows++, 2, "%.1f|%.1f%%", 1e3 * part, 100 * part / seconds);
    }
    sheet->rows = rows;
    sheet_text(sheet, stdout);
}

void bench_search(struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    const char *path = verb_value(bench->call, "--hypotheses");
    const struct ops *ops = bench_open_device(bench);
    struct split split;
    struct search_pace_job job = bench_search_job(bench, &split);
    job.batch = verb_number(bench->call, "--batch");
    job.kind = CREW_OF_ONE;
    job.frozen.ops = bench_ops(ops, bench->clock, NULL);
    bench_print_machine(bench, ops);
    fflush(stdout);
    struct search_pace pace = search_pace(&job, arena);
    print_ops(arena, pace.all);
    putchar('\n');
    bench_print_search(bench, &pace);
    if (path) write_hypotheses(&pace, path);
    job.kind = CREW;
    job.frozen.ops = ops;
    pace = search_pace(&job, arena);
    if (pace.searchers == 1 && !ops->mark) return;
    puts(ops->mark ? "\nwithout marks between ops:" : "\none thread per search:");
    bench_print_search(bench, &pace);
}
