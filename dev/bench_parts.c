/* Implements `sanlab-dev bench`: parses the command line, and runs the bench of one part. */
#include "dev/bench_parts.h"

#include <omp.h>
#include <stdarg.h>
#include <string.h>

#include "core/bench/random_corpus.h"
#include "core/cpu/product_choice.h"
#include "dev/dev_verbs.h"

void bench_cells(struct arena *arena, struct sheet *sheet, int row, int column, const char *format,
                 ...)
{
    va_list list;
    va_start(list, format);
    char *rest = arena_print_list(arena, format, list);
    va_end(list);
    for (const char *cell; (cell = strsep(&rest, "|"));) sheet_set(sheet, row, column++, cell);
}

static void take_model(struct bench *bench)
{
    struct verb_call *call = bench->call;
    if (verb_value(call, "--corpus") && verb_switch(call, "--wmt"))
        die("bench: --corpus and --wmt are both given; expected one of them");
    if (verb_switch(call, "--wmt")) {
        bench->translating.corpus = random_corpus(&call->arena, 1, &random_wmt);
        bench->text = "random tokens of 32,000 words in sentences as long as WMT's";
    }
    bench_take_subject(bench);
    if (verb_number(call, "--beam")) bench->beam.beam = verb_number(call, "--beam");
    if (verb_value(call, "--train")) bench->train_folder = verb_value(call, "--train");
    if (verb_value(call, "--write"))
        random_corpus_write(bench->translating.corpus, verb_value(call, "--write"));
}

static const struct {
    const char *name;
    enum { FILES, GRID, MODEL } takes;
    void (*print)(struct bench *bench);
} parts[] = {
    {"step", MODEL, bench_nodes},
    {"search", MODEL, bench_search},
    {"recurrent", MODEL, bench_recurrent},
    {"pairs", GRID, bench_pairs},
    {"bpe", FILES, bench_bpe},
};

static int run(struct verb_call *call)
{
    const char *names[COUNT_OF(parts) + 1] = {NULL};
    for (size_t i = 0; i < COUNT_OF(parts); i++) names[i] = parts[i].name;
    const int part = verb_word(call, "PART", verb_take_word(call, 0), names);
    struct bench bench = bench_begin(call);
    if (verb_switch(call, "--cpu-time")) {
        if (omp_get_max_threads() > 1)
            die("bench: --cpu-time adds up the time of all threads; use it with --threads 1");
        bench.clock = measure_cpu_seconds;
    }
    if (!call->words) die("usage: sanlab-dev bench %s", call->page.usage);
    if (parts[part].takes == MODEL) take_model(&bench);
    parts[part].print(&bench);
    return 0;
}

const struct verb verb_bench_parts = {.name = "bench", .page = "bench_parts", .run = run};
