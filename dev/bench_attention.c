/* Measures the cost of compositions of attention. Compares training steps of each composition with
 * training steps of global attention alone. Also compares one block of a window with one block of
 * global attention, by sentence length. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "attention/attention.h"
#include "dev/bench_block.h"
#include "core/config/tree_read.h"
#include "dev/bench_parts.h"

/* The compositions, in the layers in which the papers use them. Directions and windows of HySAN are
 * in all layers. Local patterns and hybrids (Xu et al.) are in the lowest third. Localness (Yang et
 * al., layers 1-3 of 6) is in the lower half. */
struct composition {
    const char *name, *layers, *entry;
};
#define E1 "branches: [global, forward, backward, {window: 5}], fusion: "
static const struct composition compositions[] = {
    {"window", "lower(1/3)", "branches: [{window: 1}]"},
    {"hybrid gate", "lower(1/3)", "branches: [global, {window: 1}], fusion: gate"},
    {"hybrid concat", "lower(1/3)", "branches: [global, {window: 1}], fusion: concat"},
    {"HySAN e1 sum", "all", E1 "sum"},
    {"HySAN e1 squeeze", "all", E1 "squeeze"},
    {"HySAN e1 concat", "all", E1 "concat"},
    {"localness", "lower(1/2)", "terms: [localness]"},
    {"localness + relpos", "lower(1/2)", "terms: [localness, relpos]"},
};

/* Returns the options of the model with one composition in its encoder. */
static struct translator_options *compose(const struct bench *bench, const char *layers,
                                          const char *entry)
{
    struct arena *arena = &bench->call->arena;
    if (!bench->options)
        die("bench: expected a model preset, got the grid \"%s\"", bench->call->word[0]);
    struct translator_options *options = ARENA_NEW(arena, struct translator_options);
    struct tree *line = tree_parse(
        arena, "bench", arena_print(arena, "encoder.attention: [{layers: %s, %s}]", layers, entry));
    translator_options_read(options, tree_merge(arena, bench->options, line), arena);
    return options;
}

/* Returns the number of the first encoder layer with attention, counted from 1. Dies if there is
 * none; the message names `part`, the part of the bench. */
static int attending_layer(const struct translator_options *options, const char *part)
{
    for (int l = 1; l <= options->encoder.layers; l++)
        if (layers_group(&options->encoder.stack, l)->kind == LAYER_SAN) return l;
    die("bench: %s: the encoder has no layer of attention; expected at least one", part);
}

/* Racers, the models that are compared: global attention and one composition. They run alternately.
 * Their profiles are [rounds][RACERS]. */
enum { GLOBAL, COMPOSED, RACERS };

/* Returns the operations per second and core of the encoder's attention nodes, the median over
 * rounds. `round` is the first round of the racer. */
static double kernel_rate(const struct profile *round, int rounds, enum profile_pass pass)
{
    double rate[MEASURE_ROUNDS];
    for (int r = 0; r < rounds; r++, round += RACERS) {
        double seconds = 0, flops = 0;
        for (int i = 0; i < round->nodes; i++) {
            const struct profile_node *node = &round->node[i];
            if (strcmp(node->type, "attention") || strncmp(node->path, "encoder.", 8)) continue;
            seconds += node->seconds[pass];
            flops += node->flops[pass];
        }
        rate[r] = flops / seconds / omp_get_max_threads();
    }
    return measure_median(rate, rounds);
}

static void print_race(const struct bench *bench, struct sheet *sheet, int row,
                       const struct profile *round, int which)
{
    struct arena *arena = &bench->call->arena;
    double seconds[MEASURE_ROUNDS], ratio[MEASURE_ROUNDS];
    for (int r = 0; r < bench->rounds; r++) {
        const struct profile *racer = &round[r * RACERS];
        seconds[r] = racer[which].seconds / racer[which].batches;
        ratio[r] = racer[which].seconds / racer[GLOBAL].seconds;
    }
    const double share = measure_median(ratio, bench->rounds);
    bench_cells(arena, sheet, row, 2, "%.1f", 1e3 * measure_median(seconds, bench->rounds));
    if (which != GLOBAL) bench_cells(arena, sheet, row, 3, "%.3f", share);
    bench_cells(arena, sheet, row, 4, "%.1f|%.1f",
                kernel_rate(round + which, bench->rounds, PROFILE_FORWARD) / 1e9,
                kernel_rate(round + which, bench->rounds, PROFILE_BACKWARD) / 1e9);
}

void bench_attention(struct bench *bench)
{
    enum { COLUMNS = 6 };
    static const char *const header[COLUMNS] = {"composition", "layers",  "step ms",
                                                "of global",   "forward", "backward"};
    struct arena *arena = &bench->call->arena;
    const struct ops *ops = bench_open_device(bench);
    const struct train_options *train = bench->translating.train;
    const char *names[COUNT_OF(compositions) + 1] = {NULL};
    const char *only = verb_value(bench->call, "--row");
    for (size_t i = 0; i < COUNT_OF(compositions); i++) names[i] = compositions[i].name;
    const int chosen = only ? verb_word(bench->call, "--row", only, names) : -1;
    struct profile_job job[RACERS] = {{.translating = bench->translating,
                                       .batches = verb_number(bench->call, "--batches"),
                                       .rounds = bench->rounds,
                                       .spread = true,
                                       .clock = bench->clock}};
    job[GLOBAL].translating.model = compose(bench, "all", "branches: [global]");
    attending_layer(job[GLOBAL].translating.model, "attention");
    job[COMPOSED] = job[GLOBAL];
    printf("training of %s: steps of at most %d tokens\n", bench->name,
           train->batch_tokens / train->accumulate);
    bench_print_machine(bench, ops);
    putchar('\n');
    struct sheet *sheet =
        sheet_headed(arena, only ? 2 : (int)COUNT_OF(compositions) + 1, COLUMNS, header, 2);
    sheet->missing = "";
    sheet_group(arena, sheet, 4, 2, "kernel, GFLOP/s per core");
    int row = 0;
    bench_cells(arena, sheet, row, 0, "global|all");
    for (int i = 0; i < (int)COUNT_OF(compositions); i++) {
        const struct composition *composition = &compositions[i];
        if (only && i != chosen) continue;
        struct profile round[MEASURE_ROUNDS * RACERS];
        job[COMPOSED].translating.model = compose(bench, composition->layers, composition->entry);
        profile_race(job, RACERS, round, arena);
        if (!row) print_race(bench, sheet, row, round, GLOBAL);
        bench_cells(arena, sheet, ++row, 0, "%s|%s", composition->name, composition->layers);
        print_race(bench, sheet, row, round, COMPOSED);
    }
    sheet_text(sheet, stdout);
    printf("\nwhole training steps; \"of global\": ratio to global attention alone; medians over "
           "%d rounds, each of %d step%s with both\n",
           job->rounds, job->batches, job->batches > 1 ? "s" : "");
}

struct timed_attention {
    const struct attention_spec *spec;
    int heads;
};

static struct value *build_attention(struct graph *graph, struct value *x, const void *of)
{
    const struct timed_attention *block = of;
    return attention_self(graph, x, block->heads, false, block->spec, 0, "attention");
}

/* Argument of functions that run in a child process. Each child opens the device itself. */
struct apart_block {
    struct bench *bench;
    struct bench_block block;
};

static double run_block(void *context)
{
    struct apart_block *apart = context;
    apart->block.ops = bench_open_device(apart->bench);
    return apart->block.sentences ? bench_block_seconds(&apart->block) : 0;
}

static double print_machine(void *context)
{
    struct bench *bench = ((struct apart_block *)context)->bench;
    bench_print_machine(bench, bench_open_device(bench));
    return 0;
}

/* Measures one block over a constant number of tokens, in sentences of increasing length. Time and
 * memory per token are constant if the cost is linear in the length. */
void bench_lengths(struct bench *bench)
{
    enum { TOKENS = 4000, COLUMNS = 6 };
    static const char *const header[COLUMNS] = {"tokens/sentence", "sentences", "us/token", "MB",
                                                "us/token",        "MB"};
    static const int length[] = {250, 500, 1000, 2000};
    static const char *const entry[] = {"branches: [{window: 5}]", "branches: [global]"};
    struct arena *arena = &bench->call->arena;
    const struct translator_options *options[COUNT_OF(entry)];
    for (size_t e = 0; e < COUNT_OF(entry); e++) options[e] = compose(bench, "all", entry[e]);
    const int layer = attending_layer(options[0], "lengths");
    printf("one block of self-attention of %s, forward and backward, %d tokens\n", bench->name,
           TOKENS);
    bench->text = NULL; /* unused in this part */
    bench_apart(print_machine, &(struct apart_block){.bench = bench});
    putchar('\n');
    struct sheet *sheet = sheet_headed(arena, COUNT_OF(length), COLUMNS, header, 0);
    for (int e = 0; e < (int)COUNT_OF(entry); e++) {
        const struct timed_attention of = {&options[e]->encoder.attention.of_layer[layer - 1],
                                           options[e]->model.heads};
        struct apart_block apart = {bench,
                                    {.build = build_attention,
                                     .of = &of,
                                     .width = options[e]->model.width,
                                     .rounds = bench->rounds,
                                     .clock = bench->clock}};
        struct bench_block *block = &apart.block;
        const double before = bench_apart(run_block, &apart).peak;
        for (int i = 0; i < (int)COUNT_OF(length); i++) {
            int each[TOKENS];
            block->sentences = TOKENS / length[i];
            for (int b = 0; b < block->sentences; b++) each[b] = length[i];
            block->length = each;
            const struct bench_apart run = bench_apart(run_block, &apart);
            bench_cells(arena, sheet, i, 0, "%d|%d", length[i], block->sentences);
            bench_cells(arena, sheet, i, 2 + 2 * e, "%.2f|%.1f", 1e6 * run.value / TOKENS,
                        (run.peak - before) / 1e6);
        }
    }
    sheet_group(arena, sheet, 2, 2, "window 5");
    sheet_group(arena, sheet, 4, 2, "global");
    sheet_text(sheet, stdout);
    printf("\nmedians of %d rounds; MB without those of an idle process\n", bench->rounds);
}
