/* sanlab-dev bench: parses the command line and runs the bench of one part. */
#include "dev/bench.h"

#include <omp.h>
#include <stdarg.h>
#include <string.h>

#include "core/bench/random_corpus.h"
#include "core/cpu/products.h"
#include "dev/verbs.h"

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
        die("bench: --corpus and --wmt: expected one of them");
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
    enum { NOTHING, FILES, GRID, MODEL } takes;
    void (*print)(struct bench *bench);
} parts[] = {
    {"step", MODEL, bench_nodes},          {"search", MODEL, bench_search},
    {"memory", MODEL, bench_memory},       {"attention", MODEL, bench_attention},
    {"lengths", MODEL, bench_lengths},     {"recurrent", MODEL, bench_recurrent},
    {"pairs", GRID, bench_pairs},          {"bpe", FILES, bench_bpe},
    {"products", NOTHING, bench_products},
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
    if (parts[part].takes == NOTHING && call->words)
        die("bench: %s takes no word, got \"%s\"", names[part], call->word[0]);
    if (parts[part].takes != NOTHING && !call->words)
        die("usage: sanlab-dev bench %s", call->verb->usage);
    if (parts[part].takes == MODEL) take_model(&bench);
    parts[part].print(&bench);
    return 0;
}

const struct verb verb_bench_parts = {
    .name = "bench",
    .usage = "PART [GRID.yaml|MODEL [key=value ...] | FILE ...]",
    .help = "how fast single parts are, and how much memory they take",
    .heading = "dev: check and measure the parts of sanlab",
    .run = run,
    .device = true,
    .option =
        {VERB_VALUE("--row", "NAME",
                    "of the grid, the first one by default; attention: only this composition"),
         VERB_VALUE("--corpus", "FOLDER",
                    "a prepared corpus; the grid's own when it is ready, else random tokens"),
         VERB_SWITCH("--wmt", "random tokens of 32,000 words in sentences as long as WMT's"),
         VERB_VALUE("--write", "FOLDER",
                    "writes the training text for other programs (scripts/twin/bench_gpu.py)"),
         VERB_VALUE("--train", "FOLDER",
                    "train stage whose last checkpoint searches; the grid's own when it has one"),
         VERB_NUMBER("--threads", "0", 0, 256, "of OpenMP; 0: its default"),
         VERB_SWITCH("--cpu-time",
                     "processor time of one thread instead of wall time, for a busy machine"),
         VERB_NUMBER("--rounds", "3", 1, MEASURE_ROUNDS,
                     "times are medians over so many rounds, after one that warms up; products: "
                     "the best of so many, or of as many as a minute has"),
         VERB_SWITCH("--nodes", "step: every node of the list instead of sums by role"),
         VERB_NUMBER("--batches", "4", 1, 1000, "step: optimizer steps of a round"),
         VERB_NUMBER("--sentences", "256", 1, 1e9, "search: so many of the test split"),
         VERB_NUMBER("--batch", "0", 0, 1e5,
                     "search: at most so many sentences a batch; 0: as many as suit the device"),
         VERB_NUMBER("--beam", "0", 0, 64,
                     "search: hypotheses that are kept alive; 0: the grid's, of a preset 4"),
         VERB_VALUE("--hypotheses", "FILE", "search: writes the ids that it found"),
         VERB_NUMBER("--merges", "8000", 1, 1e7, "bpe: so many are learned")},
    .text = {"bench_parts"},
};
