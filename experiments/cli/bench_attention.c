/* What a composition of attention costs: whole training steps beside those of global attention
 * alone, and one block with a window by the length of its sentences. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/config/tree_read.h"
#include "experiments/cli/bench.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

/* Where papers put them: directions and windows of HySAN in all layers, local patterns and hybrids
 * in the lowest third (Xu et al.), localness in the lower half (Yang et al.: 1-3 of 6). */
struct composition {
    const char *name, *layers, *entry;
    double target; /* largest share of global attention's step time; 0: none was set */
};
#define E1 "branches: [global, forward, backward, {window: 5}], fusion: "
static const struct composition compositions[] = {
    {"window", "lower(1/3)", "branches: [{window: 1}]", 0},
    {"hybrid gate", "lower(1/3)", "branches: [global, {window: 1}], fusion: gate", 0},
    {"hybrid concat", "lower(1/3)", "branches: [global, {window: 1}], fusion: concat", 0},
    {"HySAN e1 sum", "all", E1 "sum", 1.1},
    {"HySAN e1 squeeze", "all", E1 "squeeze", 1.1},
    {"HySAN e1 concat", "all", E1 "concat", 0},
    {"localness", "lower(1/2)", "terms: [localness]", 1.1},
    {"localness + relpos", "lower(1/2)", "terms: [localness, relpos]", 0},
};

static void only_presets(const struct verb_call *call, const struct bench_subject *subject)
{
    if (!subject->options)
        die("bench: compositions are laid over a model preset, got the grid \"%s\"", call->word[0]);
}

/* The model with one composition in its encoder. */
static struct translator_options *compose(struct arena *arena, const struct bench_subject *subject,
                                          const char *layers, const char *entry)
{
    struct translator_options *options = ARENA_NEW(arena, struct translator_options);
    struct tree *line = tree_parse(
        arena, "bench", arena_print(arena, "encoder.attention: [{layers: %s, %s}]", layers, entry));
    translator_options_read(options, tree_merge(arena, subject->options, line), arena);
    return options;
}

/* Operations per second and core of the attention kernel in the encoder's layers. */
static double kernel_rate(const struct bench_training *round, int rounds, int jobs,
                          enum bench_pass pass)
{
    double rate[BENCH_ROUNDS];
    for (int r = 0; r < rounds; r++) {
        double seconds = 0, flops = 0;
        for (int i = 0; i < round[r * jobs].nodes; i++) {
            const struct bench_node *node = &round[r * jobs].node[i];
            if (strcmp(node->type, "attention") || strncmp(node->path, "encoder.", 8)) continue;
            seconds += node->seconds[pass];
            flops += node->flops[pass];
        }
        rate[r] = flops / seconds / omp_get_max_threads();
    }
    return bench_median(rate, rounds);
}

/* Global attention and one composition, round by round. */
enum { GLOBAL, COMPOSED, RACERS };

static void print_race(struct arena *arena, struct sheet *sheet, int row,
                       const struct bench_training *round, int rounds, int which, double target)
{
    double seconds[BENCH_ROUNDS], ratio[BENCH_ROUNDS];
    for (int r = 0; r < rounds; r++) {
        const struct bench_training *global = &round[r * RACERS + GLOBAL];
        const struct bench_training *composed = &round[r * RACERS + which];
        seconds[r] = composed->seconds / composed->batches;
        ratio[r] = composed->seconds / global->seconds;
    }
    const double share = bench_median(ratio, rounds);
    sheet_set(sheet, row, 2, number_fixed(arena, 1e3 * bench_median(seconds, rounds), 1));
    if (which != GLOBAL) sheet_set(sheet, row, 3, number_fixed(arena, share, 3));
    if (target > 0) {
        sheet_set(sheet, row, 4, number_fixed(arena, target, 2));
        sheet_set(sheet, row, 5, share <= target ? "yes" : "no");
    }
    for (int pass = 0; pass < BENCH_PASSES; pass++)
        sheet_set(sheet, row, 6 + pass,
                  number_fixed(arena, kernel_rate(round + which, rounds, RACERS, pass) / 1e9, 1));
}

void bench_print_attention(struct verb_call *call, const struct bench_subject *subject,
                           double (*clock)(void))
{
    enum { COLUMNS = 8 };
    static const char *const header[COLUMNS] = {"composition", "layers", "step ms", "of global",
                                                "target",      "met",    "forward", "backward"};
    struct arena *arena = &call->arena;
    const char *names[COUNT_OF(compositions) + 1] = {NULL}, *only = verb_value(call, "--row");
    for (size_t i = 0; i < COUNT_OF(compositions); i++) names[i] = compositions[i].name;
    const int chosen = only ? verb_word(call, "--row", only, names) : -1;
    only_presets(call, subject);
    printf("training of %s: steps of at most %d tokens\n", subject->name,
           subject->train->batch_tokens / subject->train->accumulate);
    printf("text: %s\n", subject->text);
    bench_print_machine(clock);
    putchar('\n');
    struct sheet *sheet =
        sheet_headed(arena, only ? 2 : (int)COUNT_OF(compositions) + 1, COLUMNS, header, 2);
    sheet->missing = "";
    sheet_group(arena, sheet, 6, 2, "kernel, GFLOP/s a core");
    struct bench_job job[RACERS] = {
        {.translating = {.ops = subject->ops,
                         .corpus = subject->corpus,
                         .model = compose(arena, subject, "all", "branches: [global]"),
                         .train = subject->train,
                         .seed = 1},
         .batches = verb_number(call, "--batches"),
         .rounds = verb_number(call, "--rounds"),
         .spread = true,
         .clock = clock}};
    job[COMPOSED] = job[GLOBAL];
    int row = 0;
    sheet_set(sheet, row, 0, "global");
    sheet_set(sheet, row, 1, "all");
    for (int i = 0; i < (int)COUNT_OF(compositions); i++) {
        const struct composition *composition = &compositions[i];
        if (only && i != chosen) continue;
        struct bench_training round[BENCH_ROUNDS * RACERS];
        job[COMPOSED].translating.model =
            compose(arena, subject, composition->layers, composition->entry);
        bench_race(job, RACERS, round, arena);
        if (!row) print_race(arena, sheet, row, round, job->rounds, GLOBAL, 0);
        sheet_set(sheet, ++row, 0, composition->name);
        sheet_set(sheet, row, 1, composition->layers);
        print_race(arena, sheet, row, round, job->rounds, COMPOSED, composition->target);
    }
    sheet_text(sheet, stdout);
    printf(
        "\nwhole training steps; \"of global\": medians over %d rounds, each %d step%s with global "
        "attention alone and the same with the composition\n",
        job->rounds, job->batches, job->batches > 1 ? "s" : "");
}

static double run_block(void *context)
{
    const struct bench_block *block = context;
    return block->sentences ? bench_attention_block(block) : 0;
}

/* One block over the same number of tokens in longer and longer sentences: what is linear in their
 * length keeps its time and memory per token. */
void bench_print_lengths(struct verb_call *call, const struct bench_subject *subject,
                         double (*clock)(void))
{
    enum { TOKENS = 4000, COLUMNS = 6 };
    static const char *const header[COLUMNS] = {
        "tokens a sentence", "sentences", "us a token", "MB", "us a token", "MB"};
    static const int length[] = {250, 500, 1000, 2000};
    static const char *const entry[] = {"branches: [{window: 5}]", "branches: [global]"};
    struct arena *arena = &call->arena;
    only_presets(call, subject);
    printf("one block of self-attention of %s, forward and backward, %d tokens\n", subject->name,
           TOKENS);
    bench_print_machine(clock);
    putchar('\n');
    struct sheet *sheet = sheet_headed(arena, COUNT_OF(length), COLUMNS, header, 0);
    for (int which = 0; which < (int)COUNT_OF(entry); which++) {
        const struct translator_options *options = compose(arena, subject, "all", entry[which]);
        struct bench_block block = {.ops = subject->ops,
                                    .spec = &options->encoder.attention.of_layer[0],
                                    .width = options->model.width,
                                    .heads = options->model.heads,
                                    .rounds = verb_number(call, "--rounds"),
                                    .clock = clock};
        const double before = bench_apart(run_block, &block).peak;
        for (int i = 0; i < (int)COUNT_OF(length); i++) {
            block.length = length[i];
            block.sentences = TOKENS / length[i];
            const struct bench_apart run = bench_apart(run_block, &block);
            sheet_set(sheet, i, 0, number_fixed(arena, length[i], 0));
            sheet_set(sheet, i, 1, number_fixed(arena, block.sentences, 0));
            sheet_set(sheet, i, 2 + 2 * which, number_fixed(arena, 1e6 * run.value / TOKENS, 2));
            sheet_set(sheet, i, 3 + 2 * which, number_fixed(arena, (run.peak - before) / 1e6, 1));
        }
    }
    sheet_group(arena, sheet, 2, 2, "window 5");
    sheet_group(arena, sheet, 4, 2, "global");
    sheet_text(sheet, stdout);
    printf("\nmedians of %d rounds; MB beyond those of a process that does nothing\n",
           verb_number(call, "--rounds"));
}
