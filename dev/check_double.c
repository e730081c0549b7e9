/* Implements `sanlab-dev check`. The checked model is a twin of the user's model with a small
 * width. Compares the twin in double with equations and finite differences, and its logits in float
 * with double. */
#include <math.h>
#include <omp.h>

#include "core/config/tree_read.h"
#include "core/cpu/blas.h"
#include "core/model/device_choice.h"
#include "dev/double/double_checks.h"
#include "dev/dev_verbs.h"
#include "experiments/cli/check.h"

enum { TWIN_WIDTH = 32, DIVISIBLE = 16 };

/* Compares logits of the float build with those of the double build; they may differ only by
 * rounding. */
static struct finding compare_builds(struct arena *arena, const char *yaml)
{
    struct finding finding = {.name = "rounding", .limit = 1e-5};
    int64_t count;
    const double *exact = check_double.logits(DEVICE_CPU, "twin", yaml, arena, &count);
    const double *rounded = check_logits(device_used(), "twin", yaml, arena, &count);
    double norm = 0;
    for (int64_t i = 0; i < count; i++) norm += exact[i] * exact[i] / (double)count;
    for (int64_t i = 0; i < count; i++)
        if (finding_add(&finding, fabs(rounded[i] - exact[i]) / sqrt(norm)))
            snprintf(finding.where, sizeof finding.where, "logit %lld: %.9g, in double %.9g",
                     (long long)i, rounded[i], exact[i]);
    return finding;
}

/* True if a width is a multiple of the number of heads and of ON-LSTM's chunk size. */
static bool suits(const struct translator_options *model, int width)
{
    const struct layer_stack *stack = &model->encoder.stack;
    for (int g = 0; g < stack->groups; g++)
        if (stack->group[g].kind == LAYER_ONLSTM && width % stack->group[g].chunk) return false;
    return width % model->model.heads == 0;
}

/* Returns the same model with a small width, so that thousands of losses take about a second.
 * Without --width, the width is a multiple of 16, of the number of heads and of ON-LSTM's chunk
 * size, but not above the model's width. Dropout is on, so that its backward pass is checked. */
static const struct tree *twin_of(struct verb_call *call, const struct tree *tree,
                                  const struct translator_options *model)
{
    struct arena *arena = &call->arena;
    const int wish = verb_number(call, "--width"), width = model->model.width;
    int narrow = wish ? wish : TWIN_WIDTH;
    while (!wish && narrow < width && !suits(model, narrow)) narrow += DIVISIBLE;
    if (!wish && narrow > width) narrow = width;
    struct tree *twin = tree_copy(arena, tree);
    tree_override(arena, twin, arena_print(arena, "model.width=%d", narrow));
    tree_override(arena, twin, arena_print(arena, "model.feedforward=%d", narrow));
    tree_override(arena, twin, "model.dropout=0.2");
    tree_override(arena, twin, "model.attention_dropout=0.1");
    tree_override(arena, twin, "model.relu_dropout=0.1");
    return twin;
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    omp_set_num_threads(verb_number(call, "--threads"));
    blas_open(); /* products in double need OpenBLAS; dies if it cannot be opened */
    const struct tree *options, *tree = check_tree(call, &options);
    const struct tree *narrow = twin_of(call, tree, check_options_read(arena, tree));
    die_at_about("in the narrow twin that is checked in double; --width N sets its width");
    const int width = check_options_read(arena, narrow)->model.width;
    die_at_about(NULL);
    struct finding finding[CHECKS];
    const char *yaml = arena_print(arena, "%s\n", tree_text(arena, narrow));
    const int count = check_double.model(check_double.list, DEVICE_CPU, "twin", yaml, finding);
    int failed = check_print(finding, count, "double", width);
    finding[0] = compare_builds(arena, yaml);
    failed += check_print(finding, 1, "float", width);
    return failed ? 1 : 0;
}

const struct verb verb_check_double = {.name = "check", .page = "check_double", .run = run};
