/* Builds a residual stack. Layer normalization comes before each sub-layer, comes after each
 * residual sum, or is absent. */
#include "core/model/stack.h"

void stack_open(struct stack *stack, struct value *x, const char *first)
{
    stack->stream = stack->input = x;
    if (stack->options->norm != NORM_PRE) return;
    stack->input = residual_norm_build(stack->graph, x, NULL, 0, first,
                                       arena_print(stack->graph->arena, "%s.norm", first))
                       .normed;
}

void stack_add(struct stack *stack, struct value *s, const char *path, const char *next)
{
    const bool post = stack->options->norm == NORM_POST;
    struct arena *arena = stack->graph->arena;
    const double dropout = stack->options->dropout;
    const char *sum = arena_print(arena, "%s.residual", path);
    const bool none = stack->options->norm == NORM_NONE;
    if (none || (!post && !next)) {
        stack->stream = residual_sum_build(stack->graph, stack->stream, s, dropout, sum);
        stack->input = none ? stack->stream : NULL;
        return;
    }
    struct residual residual =
        residual_norm_build(stack->graph, stack->stream, s, dropout, sum,
                            arena_print(arena, "%s.norm", post ? path : next));
    stack->stream = post ? residual.normed : residual.sum;
    stack->input = residual.normed;
}

void stack_feed_forward(struct stack *stack, const char *path, const char *next)
{
    const struct model_options *options = stack->options;
    stack_add(stack,
              feed_forward_build(stack->graph, stack->input, options->feedforward,
                                 options->relu_dropout, path),
              path, next);
}
