/* sanlab check: prints the number of parameters and the cost of a model, and checks invariants that
 * hold for every model. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/bench/profile.h"
#include "core/bench/random_corpus.h"
#include "core/check/model_check.h"
#include "core/config/tree_read.h"
#include "core/model/device_choice.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/grid/sections.h"
#include "results/sheet/number_format.h"

enum { LABEL = 11 };

static const char *const plain_keys[] = {"encoder.attention", "encoder.stack", "encoder.shortcut",
                                         "decoder.attention", "decoder.cross"};

/* Returns the sections model, encoder and decoder of the model that the words and --row select.
 * Sets *all to all options. If the model is a row of a grid, prints the row's name. */
static struct tree *check_tree(struct verb_call *call, const struct tree **all)
{
    struct arena *arena = &call->arena;
    const char *const *name = sections_of(arena, SECTION_MODEL, NULL, NULL);
    if (grid_argument_is_grid(call)) {
        const struct grid *grid = grid_argument_read(call);
        const struct grid_row *row = &grid->row[grid_argument_row(call, grid)];
        mask_line(stdout, "%-*s %s", LABEL + 7, "row", row->name);
        *all = row->resolved->options;
    } else {
        if (verb_value(call, "--row"))
            die("check: --row selects a row of a grid; %s is a model", call->word[0]);
        *all = grid_argument_preset(arena, "check", call->word[0], call->word + 1, call->words - 1);
    }
    struct tree *part = tree_new(arena, TREE_MAP, (*all)->location);
    for (; *name; name++) {
        struct tree *section = tree_get(*all, *name);
        if (section) tree_add(arena, part, tree_new_text(arena, (*all)->location, *name), section);
    }
    return tree_copy(arena, part);
}

/* Returns the options of the plain model. It has the same number of encoder layers, and plain
 * attention in every layer. */
static const struct tree *plain_of(struct arena *arena, const struct tree *tree,
                                   const struct translator_options *model)
{
    for (size_t i = 0; i < COUNT_OF(plain_keys); i++)
        tree = tree_without(arena, tree, plain_keys[i]);
    struct tree *plain = tree_copy(arena, tree);
    tree_override(arena, plain, arena_print(arena, "encoder.layers=%d", model->encoder.layers));
    return plain;
}

static struct translator_options *check_options_read(struct arena *arena, const struct tree *model)
{
    struct translator_options *options = ARENA_NEW(arena, struct translator_options);
    translator_options_read(options, model, arena);
    return options;
}

static void print_label(const char *name, const char *verdict)
{
    printf("%-*s %-6s ", LABEL, name, verdict);
}

/* ---- parameters ---- */

static struct model *build(struct arena *arena, const struct translator_options *options, int words)
{
    const int sizes[SIDES] = {words, words};
    return translator_new(arena, device_ops(DEVICE_CPU), options, sizes, .1);
}

/* Blocks of parameters in different layers that have the same role. Example:
 * encoder.1.attention.gate and encoder.2.attention.gate have the role encoder.*.attention.gate. */
struct role {
    const char *name, *block; /* block: the block that was added last */
    int blocks;
    int64_t more; /* number of parameters, minus the number in the plain model under the same
                     paths */
};

static const char *block_of(struct arena *arena, const char *path)
{
    const char *end = path;
    for (int part = 0; part < 4 && *end; part++) end += strcspn(end + (part > 0), ".") + (part > 0);
    return arena_text_range(arena, path, (size_t)(end - path));
}

static int add_role(struct role *role, int roles, struct arena *arena, const char *path,
                    int64_t more)
{
    const char *block = block_of(arena, path), *name = profile_role(arena, block);
    int i = 0;
    if (!more) return roles;
    while (i < roles && strcmp(role[i].name, name) != 0) i++;
    if (i == roles) role[roles++] = (struct role){.name = name, .block = ""};
    role[i].blocks += strcmp(role[i].block, block) != 0;
    role[i].block = block;
    role[i].more += more;
    return roles;
}

static int64_t count_of(const struct parameter *parameter)
{
    return parameter ? (int64_t)parameter->rows * parameter->columns : 0;
}

static void print_parameters(struct arena *arena, const struct translator_options *options,
                             const struct model *model, const struct model *plain, int words)
{
    const struct parameters *all = &model->parameters, *under = &plain->parameters;
    struct role *role = ARENA_ARRAY(arena, struct role, all->count + under->count);
    int roles = 0;
    for (int p = 0; p < all->count; p++) {
        const struct parameter *own = all->item[p];
        roles = add_role(role, roles, arena, own->path,
                         count_of(own) - count_of(parameter_find(under, own->path)));
    }
    for (int p = 0; p < under->count; p++)
        if (!parameter_find(all, under->item[p]->path))
            roles = add_role(role, roles, arena, under->item[p]->path, -count_of(under->item[p]));
    const int64_t body = translator_count_body(options);
    const bool recurs = layers_attending(&options->encoder.stack) < options->encoder.layers;
    print_label("parameters", "");
    printf("%s: %s in the body, %s in tables of %s words; %s adds %s to plain attention\n",
           number_count(arena, (double)all->total), number_count(arena, (double)body),
           number_count(arena, (double)(all->total - body)), number_count(arena, words),
           recurs ? "the encoder" : "attention",
           number_count(arena, (double)(all->total - under->total)));
    for (int i = 0; i < roles; i++) {
        print_label("", "");
        printf("%s in %s", number_count(arena, (double)role[i].more), role[i].name);
        if (role[i].blocks > 1 && role[i].more % role[i].blocks == 0)
            printf(", %d x %s", role[i].blocks,
                   number_count(arena, (double)(role[i].more / role[i].blocks)));
        putchar('\n');
    }
}

/* ---- findings ---- */

/* Prints a line for each finding. Returns the number of failures. */
static int check_print(const struct finding *finding, int count, int width)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        const struct finding *f = &finding[i];
        print_label(f->name, f->ok ? "ok" : "FAILED");
        printf("float, width %d: %lld compared, largest difference %.2g, limit %.2g\n", width,
               (long long)f->compared, f->worst, f->limit);
        if (f->ok) continue;
        failed++;
        print_label("", "");
        puts(f->where);
    }
    return failed;
}

/* ---- cost ---- */

enum { SHORTEST_STEP = 256 };
static const double STEP_FLOPS = 2e10; /* takes a fraction of a second */

static double memory_of(const struct translator_options *options, int words, int tokens,
                        int longest)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct model *model = build(&arena, options, words);
    struct graph *graph = model_list(model, model->arena, GRAPH_TRAIN);
    graph_plan(graph, (struct capacity){{tokens, tokens}, tokens, longest});
    return (double)graph->memory_bytes + (double)graph->fixed_bytes +
           (double)parameters_bytes(&model->parameters, true);
}

/* Returns the shortest time of a training step of one of two models, in seconds. The rounds of the
 * two models alternate. Sets *flops to the model's operations per target token. */
static double best_of(const struct profile *round, int rounds, double *flops)
{
    double best = INFINITY;
    *flops = 0;
    for (int r = 0; r < rounds; r++) best = fmin(best, round[2 * r].seconds / round->batches);
    for (int i = 0; i < round->nodes; i++)
        for (int pass = 0; pass < PROFILE_PASSES; pass++)
            *flops += round->node[i].flops[pass] / (double)round->tokens[SIDE_TARGET];
    return best;
}

static void print_cost(struct verb_call *call, const struct train_options *options,
                       const struct translator_options *model,
                       const struct translator_options *plain)
{
    enum { ROUNDS = 3 };
    struct arena *arena = &call->arena;
    const struct corpus *corpus = random_corpus(arena, 1, &random_multi30k);
    const int words = corpus->vocabulary[SIDE_TARGET].size;
    const int *of_side = corpus->split[SPLIT_TRAIN].longest;
    const int longest =
        of_side[SIDE_SOURCE] > of_side[SIDE_TARGET] ? of_side[SIDE_SOURCE] : of_side[SIDE_TARGET];
    const double pair = translator_train_cost(plain, words, 1, 1).flops;
    struct train_options train = *options;
    const int share = train.batch_tokens / train.accumulate;
    const double wish = fmax(SHORTEST_STEP, STEP_FLOPS / pair);
    train.accumulate = 1;
    train.batch_tokens = wish < share ? (int)wish : share > longest ? share : longest;
    struct profile_job job[2] = {
        {.translating = {device_ops(device_used()), corpus, plain, &train, .seed = 1},
         .batches = 2,
         .rounds = ROUNDS,
         .clock = omp_get_max_threads() > 1 ? clock_seconds : measure_cpu_seconds}};
    job[1] = job[0];
    job[1].translating.model = model;
    struct profile round[2 * ROUNDS];
    profile_race(job, 2, round, arena);
    double plain_flops, flops;
    const double plain_seconds = best_of(round, ROUNDS, &plain_flops);
    const double seconds = best_of(round + 1, ROUNDS, &flops);
    const double memory = memory_of(model, words, train.batch_tokens, longest);
    print_label("cost", "");
    printf("%s FLOP a token pair (x %.3f), %.1f ms a training step (x %.3f), %s (x %.3f)\n",
           number_scaled(arena, flops), flops / plain_flops, 1e3 * seconds, seconds / plain_seconds,
           number_bytes(arena, memory),
           memory / memory_of(plain, words, train.batch_tokens, longest));
    print_label("", "");
    printf("times plain attention; steps of at most %d tokens, %s words, best times of %s\n",
           train.batch_tokens, number_count(arena, words),
           omp_get_max_threads() > 1 ? arena_print(arena, "%d threads", omp_get_max_threads())
                                     : "one thread's processor time");
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const int words = verb_number(call, "--words");
    omp_set_num_threads(verb_number(call, "--threads"));
    const struct tree *options, *tree = check_tree(call, &options);
    struct train_options train;
    section_read(&train_section, tree_get(options, "train"), &train, arena);
    const struct translator_options *model = check_options_read(arena, tree);
    const struct translator_options *plain =
        check_options_read(arena, plain_of(arena, tree, model));
    print_parameters(arena, model, build(arena, model, words), build(arena, plain, words), words);
    struct finding finding[CHECKS];
    const int count = check_model(checks_float, device_used(), "model",
                                  arena_print(arena, "%s\n", tree_text(arena, tree)), finding);
    const int failed = check_print(finding, count, model->model.width);
    fflush(stdout);
    if (!verb_switch(call, "--quick")) print_cost(call, &train, model, plain);
    return failed ? 1 : 0;
}

const struct verb verb_check = {.name = "check", .run = run};
