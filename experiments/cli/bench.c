/* sanlab bench: speeds against what the machine can do at most. */
#include "experiments/cli/bench.h"

#include <omp.h>
#include <string.h>

#include "core/cpu/products.h"
#include "core/model/device.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/kind_score.h"

static void take_grid(struct verb_call *call, struct bench_subject *subject)
{
    struct arena *arena = &call->arena;
    const struct plan *plan = grid_argument_plan(call, false);
    const struct grid *grid = plan->grid;
    const struct point *point = grid_argument_point(call, grid);
    subject->name = arena_print(arena, "%s, row \"%s\"", grid->name, grid->row[point->row]);
    subject->model = &point->settings.translator;
    subject->train = &point->settings.train;
    const struct score_options *score = settings_evaluation(&point->settings, &evaluation_score);
    if (settings_evaluates(&point->settings, &evaluation_score)) subject->beam = score->beam;
    const struct plan_point *at = &plan->point[point - grid->point];
    for (int i = 0; i < at->count; i++) {
        const struct stage *stage = &at->task[i]->stage;
        if (stage->kind->settings & SETTINGS_CORPUS && at->task[i]->state == TASK_CACHED) {
            subject->corpus = corpus_open(arena, stage->folder);
            subject->text = stage->name;
        }
        if (stage->kind->seeded && at->task[i]->step > 0) subject->train_folder = stage->folder;
    }
}

static struct bench_subject subject_of(struct verb_call *call)
{
    struct bench_subject subject = {.beam = {.beam = 4, .length_penalty = 0.6, .extra = 50}};
    const char *corpus = verb_value(call, "--corpus");
    if (grid_argument_is_grid(call))
        take_grid(call, &subject);
    else
        bench_take_preset(&call->arena, call->word[0], call->word + 1, call->words - 1, &subject);
    subject.ops = device_table(device_used(), (enum precision)subject.train->precision);
    if (verb_value(call, "--train")) subject.train_folder = verb_value(call, "--train");
    if (corpus) {
        subject.corpus = corpus_open(&call->arena, corpus);
        subject.text = corpus;
    }
    if (!subject.corpus) {
        subject.corpus = bench_corpus(&call->arena, 1);
        subject.text = "random tokens in sentences as long as multi30k's (no prepared corpus)";
    }
    return subject;
}

static int run(struct verb_call *call)
{
    const int threads = verb_number(call, "--threads");
    if (threads) omp_set_num_threads(threads);
    if (verb_switch(call, "--cpu-time") && omp_get_max_threads() > 1)
        die("bench: --cpu-time adds up the time of all threads; use it with --threads 1");
    double (*clock)(void) = verb_switch(call, "--cpu-time") ? bench_cpu_seconds : clock_seconds;
    if (verb_switch(call, "--bpe")) {
        if (call->words) die("bench: --bpe takes no grid, got \"%s\"", call->word[0]);
        bench_print_bpe(call, clock);
        return 0;
    }
    if (verb_switch(call, "--products")) {
        if (call->words) die("bench: --products takes no grid, got \"%s\"", call->word[0]);
        bench_print_products(call, clock);
        return 0;
    }
    if (!call->words) die("usage: sanlab bench %s", call->verb->usage);
    products_name(); /* OpenBLAS that is asked for and not there: nothing is measured */
    const struct bench_subject subject = subject_of(call);
    if (verb_switch(call, "--attention"))
        bench_print_attention(call, &subject, clock);
    else if (verb_switch(call, "--lengths"))
        bench_print_lengths(call, &subject, clock);
    else if (verb_switch(call, "--search"))
        bench_print_search(call, &subject, clock);
    else if (verb_switch(call, "--memory"))
        bench_print_memory(call, &subject);
    else
        bench_print_training(call, &subject, clock);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--attention",
     .help = "training with compositions of attention beside global attention alone"},
    {.name = "--lengths",
     .help = "a window beside global attention by the length of sentences: time and memory"},
    {.name = "--search", .help = "beam search instead of training"},
    {.name = "--memory", .help = "peak memory of a short training, against what plan says"},
    {.name = "--products",
     .help = "our own products beside OpenBLAS's, by shape, and the errors of both; "
             "SANLAB_ISA=v3 OPENBLAS_CORETYPE=Haswell: those for AVX2"},
    {.name = "--bpe",
     .value = "FILE",
     .help = "learning and applying merges instead; may be given several times"},
    {.name = "--row",
     .value = "NAME",
     .help = "of the grid, the first one by default; attention: only this composition"},
    {.name = "--corpus",
     .value = "FOLDER",
     .help = "a prepared corpus; the grid's own when it is ready, else random tokens"},
    {.name = "--train",
     .value = "FOLDER",
     .help = "train stage whose last checkpoint searches; the grid's own when it has one"},
    {.name = "--threads",
     .value = "NUMBER",
     .fallback = "0",
     .low = 0,
     .high = 256,
     .help = "of OpenMP; 0: its default"},
    {.name = "--cpu-time",
     .help = "processor time of one thread instead of wall time, for a busy machine"},
    {.name = "--rounds",
     .value = "NUMBER",
     .fallback = "3",
     .low = 1,
     .high = BENCH_ROUNDS,
     .help = "times are medians over so many, behind one that warms up; products: the best of so "
             "many, or of as many as a minute has"},
    {.name = "--nodes", .help = "training: every node of the list instead of sums by role"},
    {.name = "--batches",
     .value = "NUMBER",
     .fallback = "4",
     .low = 1,
     .high = 1000,
     .help = "training: optimizer steps of a round"},
    {.name = "--sentences",
     .value = "NUMBER",
     .fallback = "256",
     .low = 1,
     .high = 1e9,
     .help = "search: so many of the test split"},
    {.name = "--hypotheses", .value = "FILE", .help = "search: writes the ids that it found"},
    {.name = "--merges",
     .value = "NUMBER",
     .fallback = "8000",
     .low = 1,
     .high = 1e7,
     .help = "BPE: so many are learned"},
};

const struct verb verb_bench = {
    .name = "bench",
    .usage = "GRID.yaml|MODEL [key=value ...] | --bpe FILE | --products",
    .help = "how fast it is, node by node, against what the machine can do at most",
    .run = run,
    .device = true,
    .option = options,
    .options = COUNT_OF(options),
    .words_most = VERB_WORDS,
};
