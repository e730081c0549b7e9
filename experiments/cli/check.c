/* sanlab check: prints the number of parameters and the cost of a model, and checks invariants that
 * hold for every model. */
#include <omp.h>
#include <string.h>

#include "core/base/mask_output.h"
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

/* Returns the sections model, encoder and decoder of the model that the words and --row select. If
 * the model is a row of a grid, prints the row's name. */
static struct tree *check_tree(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const char *const *name = sections_of(arena, SECTION_MODEL, NULL, NULL);
    const struct tree *all;
    if (grid_argument_is_grid(call)) {
        const struct grid *grid = grid_argument_read(call);
        const struct grid_row *row = &grid->row[grid_argument_row(call, grid)];
        mask_line(stdout, "%-*s %s", LABEL + 7, "row", row->name);
        all = row->resolved->options;
    } else {
        if (verb_value(call, "--row"))
            die("check: --row selects a row of a grid; %s is a model", call->word[0]);
        all = grid_argument_preset(arena, "check", call->word[0], call->word + 1, call->words - 1);
    }
    struct tree *part = tree_new(arena, TREE_MAP, all->location);
    for (; *name; name++) {
        struct tree *section = tree_get(all, *name);
        if (section) tree_add(arena, part, tree_new_text(arena, all->location, *name), section);
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

static void print_parameters(struct arena *arena, const struct translator_options *options,
                             const struct translator_options *plain, int words)
{
    const int64_t all = translator_count(options, words, words),
                  body = translator_count_body(options);
    const bool recurs = layers_attending(&options->encoder.stack) < options->encoder.layers;
    print_label("parameters", "");
    printf("%s: %s in the body, %s in tables of %s words; %s adds %s to plain attention\n",
           number_count(arena, (double)all), number_count(arena, (double)body),
           number_count(arena, (double)(all - body)), number_count(arena, words),
           recurs ? "the encoder" : "attention",
           number_count(arena, (double)(all - translator_count(plain, words, words))));
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

static void print_cost(struct arena *arena, const struct translator_options *options,
                       const struct translator_options *plain, int words)
{
    const struct translator_cost own = translator_train_cost(options, words, 1, 1),
                                 other = translator_train_cost(plain, words, 1, 1);
    print_label("cost", "");
    printf("%s FLOP a token pair (x %.3f), estimated time of a training step x %.3f, compared with "
           "plain attention\n",
           number_scaled(arena, own.flops), own.flops / other.flops, own.work / other.work);
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const int words = verb_number(call, "--words");
    omp_set_num_threads(verb_number(call, "--threads"));
    const struct tree *tree = check_tree(call);
    const struct translator_options *model = check_options_read(arena, tree);
    const struct translator_options *plain =
        check_options_read(arena, plain_of(arena, tree, model));
    struct finding finding[CHECKS];
    const int count = check_model(checks_float, device_used(), "model",
                                  arena_print(arena, "%s\n", tree_text(arena, tree)), finding);
    print_parameters(arena, model, plain, words);
    const int failed = check_print(finding, count, model->model.width);
    if (!verb_switch(call, "--quick")) print_cost(arena, model, plain, words);
    return failed ? 1 : 0;
}

const struct verb verb_check = {.name = "check", .run = run};
