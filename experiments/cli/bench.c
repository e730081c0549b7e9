/* sanlab bench: speeds against what the machine can do at most. What is measured is a row of a
 * table; training is what is left. */
#include "experiments/cli/bench.h"

#include <omp.h>

#include "core/bench/random_corpus.h"
#include "core/cpu/products.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/run/worker.h"
#include "experiments/stage/kind_score.h"

static void take_grid(struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    const struct plan *plan = grid_argument_plan(bench->call, 0);
    const struct grid *grid = plan->grid;
    const struct grid_point *point = grid_argument_point(bench->call, grid);
    bench->name = arena_print(arena, "%s, row \"%s\"", grid->name, grid->row[point->row]);
    bench->settings = &point->settings;
    const struct evaluated *score = settings_evaluated(&point->settings, &evaluation_score);
    if (score->asked) bench->beam = ((const struct score_options *)score->fields)->beam;
    const struct plan_point *at = &plan->point[point - grid->point];
    for (int i = 0; i < at->count; i++) {
        const struct stage *stage = &at->task[i]->stage;
        if (stage->kind->settings & SETTINGS_CORPUS && at->task[i]->state == TASK_DONE &&
            stage_has_opened(stage)) {
            bench->translating.corpus = corpus_open(arena, stage->folder);
            bench->text = stage->name;
        }
        if (stage->kind->seeded && at->task[i]->step > 0) bench->train_folder = stage->folder;
    }
}

/* The model and text that the words mean. `apart`: the device is for others to open. */
static void take_subject(struct bench *bench, bool apart)
{
    struct verb_call *call = bench->call;
    const char *folder = verb_value(call, "--corpus");
    bench->beam = (struct beam_options){.beam = 4, .length_penalty = 0.6, .extra = 50};
    if (grid_argument_is_grid(call))
        take_grid(bench);
    else
        bench_take_preset(bench, call->word[0], call->word + 1, call->words - 1);
    if (verb_number(call, "--beam")) bench->beam.beam = verb_number(call, "--beam");
    if (verb_value(call, "--train")) bench->train_folder = verb_value(call, "--train");
    const struct corpus *corpus = bench->translating.corpus;
    const bool wmt = verb_switch(call, "--wmt");
    if (folder && wmt) die("bench: --corpus and --wmt: expected one of them");
    if (wmt) {
        corpus = random_corpus(&call->arena, 1, &random_wmt);
        bench->text = "random tokens of 32,000 words in sentences as long as WMT's";
    }
    if (folder) {
        corpus = corpus_open(&call->arena, folder);
        bench->text = folder;
    }
    if (!corpus) {
        corpus = random_corpus(&call->arena, 1, &random_multi30k);
        bench->text = "random tokens in sentences as long as multi30k's (no prepared corpus)";
    }
    if (verb_value(call, "--write")) random_corpus_write(corpus, verb_value(call, "--write"));
    bench->translating =
        settings_translating(bench->settings, apart ? NULL : bench_table(bench), corpus, 1);
}

static const struct {
    const char *option;
    bool modelless; /* it takes no grid */
    bool own;       /* it takes its grid itself */
    bool apart;     /* it measures in processes of their own (bench_apart) */
    void (*print)(const struct bench *bench);
} benches[] = {
    {"--bpe", .modelless = true, .print = bench_bpe},
    {"--products", .modelless = true, .print = bench_products},
    {"--pairs", .own = true, .print = bench_pairs},
    {"--attention", .print = bench_attention},
    {"--lengths", .apart = true, .print = bench_lengths},
    {"--recurrent", .print = bench_recurrent},
    {"--search", .print = bench_search},
    {"--memory", .apart = true, .print = bench_memory},
    {NULL, .print = bench_training},
};

static int run(struct verb_call *call)
{
    struct bench bench = {
        .call = call, .clock = clock_seconds, .rounds = verb_number(call, "--rounds")};
    const int threads = verb_number(call, "--threads");
    const char *foreign = worker_foreign_setting();
    if (foreign)
        die("bench: %s: the workers of `run` do not get it; unset it, to measure what they do",
            foreign);
    if (threads) omp_set_num_threads(threads);
    if (verb_switch(call, "--cpu-time")) {
        if (omp_get_max_threads() > 1)
            die("bench: --cpu-time adds up the time of all threads; use it with --threads 1");
        bench.clock = measure_cpu_seconds;
    }
    int i = 0;
    while (benches[i].option && !verb_switch(call, benches[i].option)) i++;
    for (int k = i + 1; k < (int)COUNT_OF(benches) - 1; k++)
        if (verb_switch(call, benches[k].option))
            die("bench: %s and %s: expected one of them", benches[i].option, benches[k].option);
    if (benches[i].modelless && call->words)
        die("bench: %s takes no grid, got \"%s\"", benches[i].option, call->word[0]);
    if (!benches[i].modelless) {
        if (!call->words) die("usage: sanlab bench %s", call->verb->usage);
        products_name(); /* OpenBLAS that is asked for and not there: nothing is measured */
        if (!benches[i].own) take_subject(&bench, benches[i].apart);
    }
    benches[i].print(&bench);
    return 0;
}

const struct verb verb_bench = {
    .name = "bench",
    .usage = "GRID.yaml|MODEL [key=value ...] | --bpe FILE | --products",
    .help = "how fast it is, node by node, against what the machine can do at most",
    .group = VERB_MODELS,
    .run = run,
    .device = true,
    .option =
        {VERB_SWITCH("--attention",
                     "training with compositions of attention beside global attention alone"),
         VERB_SWITCH(
             "--lengths",
             "a window beside global attention by the length of sentences: time and memory"),
         VERB_SWITCH("--recurrent", "an LSTM and an ON-LSTM layer of the model's width alone"),
         VERB_SWITCH("--pairs", "training steps of a grid of the task logic"),
         VERB_SWITCH("--search", "beam search instead of training"),
         VERB_SWITCH("--memory", "peak memory of a short training, against what plan says"),
         VERB_SWITCH("--products",
                     "our own products beside OpenBLAS's, by shape, and the errors of both; "
                     "SANLAB_ISA=v3 OPENBLAS_CORETYPE=Haswell: those for AVX2"),
         VERB_VALUE("--bpe", "FILE",
                    "learning and applying merges instead; may be given several times"),
         VERB_VALUE("--row", "NAME",
                    "of the grid, the first one by default; attention: only this composition"),
         VERB_VALUE("--corpus", "FOLDER",
                    "a prepared corpus; the grid's own when it is ready, else random tokens"),
         VERB_SWITCH("--wmt", "random tokens of 32,000 words in sentences as long as WMT's"),
         VERB_VALUE("--write", "FOLDER",
                    "writes the training text for others' programs (scripts/twin/bench_gpu.py)"),
         VERB_VALUE("--train", "FOLDER",
                    "train stage whose last checkpoint searches; the grid's own when it has one"),
         VERB_NUMBER("--threads", "0", 0, 256, "of OpenMP; 0: its default"),
         VERB_SWITCH("--cpu-time",
                     "processor time of one thread instead of wall time, for a busy machine"),
         VERB_NUMBER("--rounds", "3", 1, MEASURE_ROUNDS,
                     "times are medians over so many, behind one that warms up; products: the "
                     "best of so many, or of as many as a minute has"),
         VERB_SWITCH("--nodes", "training: every node of the list instead of sums by role"),
         VERB_NUMBER("--batches", "4", 1, 1000, "training: optimizer steps of a round"),
         VERB_NUMBER("--sentences", "256", 1, 1e9, "search: so many of the test split"),
         VERB_NUMBER("--batch", "0", 0, 1e5,
                     "search: at most so many sentences a batch; 0: as many as suit the device"),
         VERB_NUMBER("--beam", "0", 0, 64,
                     "search: hypotheses that are kept alive; 0: the grid's, of a preset 4"),
         VERB_VALUE("--hypotheses", "FILE", "search: writes the ids that it found"),
         VERB_NUMBER("--merges", "8000", 1, 1e7, "BPE: so many are learned")},
    .words = {0, VERB_WORDS},
};
