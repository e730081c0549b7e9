/* sanlab bench: measures the speed of a training step and of a beam search. Also measures the
 * limits of the machine: the rates of large matrix products and of copying. */
#include "experiments/cli/bench.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/bench/device_pace.h"
#include "core/bench/random_corpus.h"
#include "core/cpu/blas.h"
#include "core/cpu/product_choice.h"
#include "core/model/device_choice.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"
#include "experiments/run/worker.h"
#include "experiments/stage/rescore.h"

/* ---- the subject ---- */

struct bench bench_begin(struct verb_call *call)
{
    const int threads = verb_number(call, "--threads");
    const char *foreign = worker_foreign_setting();
    if (foreign)
        die("bench: %s is not passed to the workers of `sanlab run`; unset it to measure their "
            "speed",
            foreign);
    if (threads) omp_set_num_threads(threads);
    return (struct bench){
        .call = call, .clock = clock_seconds, .rounds = verb_number(call, "--rounds")};
}

static void take_grid(struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    struct plan *plan = grid_argument_plan(bench->call);
    plan_inspect_all(arena, plan, 0);
    const struct grid *grid = plan->grid;
    const int row = grid_argument_row(bench->call, grid);
    bench->name = arena_print(arena, "%s, row \"%s\"", grid->name, grid->row[row].name);
    bench->settings = grid->row[row].resolved->settings;
    const struct evaluated *score = settings_evaluated(bench->settings, &evaluation_score);
    if (score->asked) bench->beam = ((const struct score_options *)score->fields)->beam;
    const struct plan_point *at = &plan->point[row * grid->seeds];
    for (int i = 0; i < at->count; i++) {
        const struct stage *stage = &at->task[i]->stage;
        if (!bench->translating.corpus && stage->kind->traits & SETTINGS_CORPUS &&
            at->task[i]->state == TASK_DONE && stage_has_opened(stage)) {
            bench->translating.corpus = corpus_open(arena, stage->folder);
            bench->text = stage->name;
        }
        if (stage->kind->traits & KIND_SEEDED && at->task[i]->step > 0)
            bench->train_folder = stage->folder;
    }
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

void bench_take_subject(struct bench *bench)
{
    struct verb_call *call = bench->call;
    const char *folder = verb_value(call, "--corpus");
    products_name(); /* dies if the requested OpenBLAS is missing */
    bench->beam = (struct beam_options){.beam = 4, .length_penalty = 0.6, .extra = 50};
    if (folder) {
        bench->translating.corpus = corpus_open(&call->arena, folder);
        bench->text = folder;
    }
    if (grid_argument_is_grid(call))
        take_grid(bench);
    else
        bench_take_preset(bench, call->word[0], call->word + 1, call->words - 1);
    if (!bench->translating.corpus) {
        bench->translating.corpus = random_corpus(&call->arena, 1, &random_multi30k);
        bench->text = "random tokens in sentences as long as multi30k's (no prepared corpus)";
    }
    bench->translating = settings_translating(bench->settings, NULL, bench->translating.corpus, 1);
}

const struct ops *bench_open_device(struct bench *bench)
{
    return bench->translating.ops =
               device_table(device_used(), (enum precision)bench->settings->train.precision);
}

void bench_print_machine(const struct bench *bench, const struct ops *ops)
{
    const int threads = omp_get_max_threads();
    if (bench->text) printf("text: %s\n", bench->text);
    printf("%d thread%s, %s time, %s, ", threads, threads > 1 ? "s" : "",
           bench->clock == clock_seconds ? "wall" : "processor", ops->name);
    if (strcmp(device_used(), DEVICE_CPU) != 0)
        printf("%s\n", ops->numerics());
    else if (!blas_asked())
        printf("own products %s\n", products_name());
    else
        printf("products of OpenBLAS %s\n", blas_open()->core());
}

/* ---- a training step ---- */

/* Returns the rate of large products: of OpenBLAS if *blas is true, else of sanlab's own products.
 * If OpenBLAS is missing, sets *blas to false. */
static double sgemm_rate(measure_clock *clock, bool *blas)
{
    const double rate =
        *blas ? sgemm_rate_measure(omp_get_max_threads(), clock != clock_seconds, true) : 0;
    *blas = rate > 0;
    return *blas ? rate : products_rate(clock);
}

/* Measures training steps. On a GPU, the limits are measured on the GPU, in the precision of the
 * training. There, whole steps are measured as in training, and separately the nodes one after the
 * other. */
struct profile bench_step(struct bench *bench)
{
    const struct ops *ops = bench_open_device(bench);
    const bool device = ops->mark;
    const struct train_options *train = bench->translating.train;
    const struct profile_job job = {.translating = bench->translating,
                                    .batches = verb_number(bench->call, "--batches"),
                                    .rounds = bench->rounds,
                                    .clock = bench->clock};
    printf("training of %s: steps of at most %d tokens%s\n", bench->name,
           train->batch_tokens / train->accumulate,
           train->accumulate > 1 ? " (one micro-batch)" : "");
    bench_print_machine(bench, ops);
    bool blas = true;
    const struct device_ceilings ceilings =
        device ? device_ceilings(ops) : (struct device_ceilings){0};
    const double before = device ? ceilings.product : sgemm_rate(bench->clock, &blas);
    bench->copy = device ? ceilings.copy : bench->no_floors ? 0 : measure_copy_rate(bench->clock);
    const struct profile training = profile_train(&job, &bench->call->arena);
    const double after = device ? ceilings.product : sgemm_rate(bench->clock, &blas);
    const double flops = training.flops / training.batches;
    bench->products = fmax(before, after);
    if (device)
        printf("floors       products %.1f GFLOP/s (%d x %d x %d)", bench->products / 1e9,
               ceilings.size, ceilings.size, ceilings.size);
    else
        printf("floors       sgemm %.1f GFLOP/s by %s%s (%.1f before, %.1f after)",
               bench->products / 1e9, blas ? "OpenBLAS " : "our own products, without OpenBLAS",
               blas ? blas_best_core() : "", before / 1e9, after / 1e9);
    if (bench->copy > 0)
        printf(", copy %.1f GB/s%s", bench->copy / 1e9, device ? ", both here" : "");
    putchar('\n');
    struct device_pace pace = {.wall = training.seconds,
                               .tokens = {training.tokens[0], training.tokens[1]}};
    int steps = training.batches;
    if (device) pace = device_pace(&bench->translating, job.batches, job.rounds), steps = 1;
    const double seconds = pace.wall / steps;
    printf("step         %.3f ms, %.2f GFLOP\n", 1e3 * seconds, flops / 1e9);
    if (device) {
        double nodes = 0;
        for (int i = 0; i < training.nodes; i++)
            nodes += training.node[i].seconds[0] + training.node[i].seconds[1];
        printf("nodes        %.3f ms, one after the other\n", 1e3 * nodes / training.batches);
        printf("host         %.3f ms, device idle %.1f%%\n", 1e3 * pace.host,
               100 * (1 - pace.device / pace.wall));
    }
    printf("tokens/s     %.0f target, %.0f source (real ones)\n",
           (double)pace.tokens[SIDE_TARGET] / pace.wall,
           (double)pace.tokens[SIDE_SOURCE] / pace.wall);
    printf("utilization  %.1f GFLOP/s, %.1f%% of %s\n", flops / seconds / 1e9,
           100 * flops / seconds / bench->products, device ? "products" : "sgemm");
    if (ops->launches) printf("launches     %s\n", ops->launches());
    printf("medians of %d rounds of %d steps\n", job.rounds, job.batches);
    return training;
}

/* ---- a search ---- */

struct search_pace_job bench_search_job(const struct bench *bench, struct split *split)
{
    const struct translating *translating = &bench->translating;
    const int most = verb_number(bench->call, "--sentences");
    *split = translating->corpus->split[SPLIT_TEST];
    if (!split->sentences) *split = translating->corpus->split[SPLIT_TRAIN];
    if (split->sentences > most) split->sentences = most;
    return (struct search_pace_job){.frozen = {.ops = translating->ops,
                                               .corpus = translating->corpus,
                                               .options = translating->model,
                                               .train_folder = bench->train_folder,
                                               .checkpoint = bench->train_folder ? "last" : "start",
                                               .seed = 1},
                                    .beam = &bench->beam,
                                    .split = split,
                                    .kind = CREW,
                                    .rounds = bench->rounds,
                                    .clock = bench->clock};
}

void bench_print_search(const struct bench *bench, const struct search_pace *pace)
{
    printf(
        "beam search of %s: beam %d, length penalty %g, %d sentences, %d in a batch, %d search%s\n",
        bench->name, bench->beam.beam, bench->beam.length_penalty, pace->sentences, pace->batch,
        pace->searchers, pace->searchers > 1 ? "es at once" : "");
    if (bench->train_folder)
        printf("weights: %s, step %" PRId64 "\n", bench->train_folder, pace->step);
    else
        puts("weights: initial values, with which few hypotheses end by themselves");
    printf("tokens/s     %.0f target, of best hypotheses with <eos>\n",
           pace->tokens / pace->median);
    printf("expanded/s   %.0f hypotheses, rows of the decoder; %.1f in a step\n",
           pace->rows / pace->median, pace->rows / pace->steps);
    printf("sentences/s  %.1f\n", pace->sentences / pace->median);
    printf("GFLOP/s      %.1f of all this time, %.1f GFLOP", pace->flops / pace->median / 1e9,
           pace->flops / 1e9);
    if (bench->products > 0)
        printf(", %.1f%% of products", 100 * pace->flops / pace->median / bench->products);
    printf("\nmedian of %d rounds of %.2f s, %.0f tokens; before them %d of %d batches in %.2f s\n",
           bench->rounds, pace->median, pace->tokens, pace->warm, pace->batches, pace->first);
}

static int run(struct verb_call *call)
{
    struct bench bench = bench_begin(call);
    struct split split;
    bench_take_subject(&bench);
    bench_step(&bench);
    putchar('\n');
    fflush(stdout);
    const struct search_pace_job job = bench_search_job(&bench, &split);
    const struct search_pace pace = search_pace(&job, &call->arena);
    bench_print_search(&bench, &pace);
    return 0;
}

const struct verb verb_bench = {.name = "bench", .run = run};
