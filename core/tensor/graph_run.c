/* Runs a list: forward and backward passes. Reads losses and values. */
#include <string.h>

#include "core/tensor/graph_run.h"
#include "core/tensor/guard.h"
#include "core/tensor/overwrite.h"

static _Thread_local const char *now;

const char *graph_now(void)
{
    return now;
}

/* Runs a pass of one node. During the pass `now` is the path of the node. */
static void issue(struct graph *graph, struct node *node,
                  void (*pass)(struct graph *graph, struct node *node))
{
    now = node->path;
    pass(graph, node);
    now = NULL;
}

void graph_pack(struct graph *graph)
{
    if (graph->parameters->gradient) return;
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        if (node->multiplies)
            parameter_pack(graph->parameters, node->parameter[0], node->transposed);
    }
}

void graph_fork(struct graph *graph)
{
    graph->fork_tick[graph->forks++] = graph->tick;
    graph->ops->fork();
}

void graph_fork_end(struct graph *graph)
{
    graph->ops->fork_end();
}

/* Waits for all forks except the last `late` forks. */
static void join(struct graph *graph, int late)
{
    if (graph->forks - late <= graph->joined) return;
    graph->ops->join(late);
    graph->joined = graph->forks - late;
}

/* Waits for the forks that the backward pass of node i requires. After FORK_LATE ticks, memory that
 * a fork reads may be reused for another value. If the node adds to the gradient of a parameter,
 * the fork that assigned this gradient must have ended. */
static void join_before(struct graph *graph, int i)
{
    const struct node *node = graph->node[i];
    int late = 0;
    graph->tick = 2 * graph->nodes - 1 - i;
    while (late < graph->forks &&
           graph->fork_tick[graph->forks - 1 - late] + FORK_LATE >= graph->tick)
        late++;
    if (node->waits_backward && late > graph->forks - graph->input_forks)
        late = graph->forks - graph->input_forks;
    for (int k = 0; k < NODE_PARAMETERS && !node->async; k++)
        if (node->add_parameter[k]) late = 0;
    join(graph, late);
}

static void join_all(struct graph *graph)
{
    join(graph, 0);
    graph->forks = graph->joined = graph->input_forks = 0;
}

/* Runs `pass` for all nodes in forward order. */
static void pass_forward(struct graph *graph, void (*pass)(struct graph *graph, int i))
{
    graph->tick = 0;
    if (graph->async_first) graph_fork(graph);
    for (int i = graph->async_first; i < graph->async_end; i++) pass(graph, i);
    if (graph->async_first) graph_fork_end(graph);
    for (int i = 0; i < graph->nodes; i++) {
        graph->tick = i;
        if (graph->node[i]->waits_forward) join_all(graph);
        if (i < graph->async_first || i >= graph->async_end) pass(graph, i);
    }
}

static void forward(struct graph *graph, int i)
{
    guard_before(graph, i, false);
    issue(graph, graph->node[i], graph->node[i]->type->forward);
    overwrite_outputs(graph, graph->node[i]);
    guard_after(graph, i, false);
}

void graph_forward(struct graph *graph)
{
    CHECK(graph->parameters->ops || !graph->parameters->count, "this model is not placed");
    guard_poison(graph);
    pass_forward(graph, forward);
}

void graph_backward(struct graph *graph, bool accumulate)
{
    CHECK(graph->mode == GRAPH_TRAIN, "only a training list has gradients");
    graph->accumulate = accumulate;
    for (int i = graph->nodes - 1; i >= 0; i--) {
        join_before(graph, i);
        guard_before(graph, i, true);
        issue(graph, graph->node[i], graph->node[i]->type->backward);
        guard_after(graph, i, true);
    }
    join_all(graph);
}

/* Sums the losses over rows into the outcome. If `add` is true, adds to the outcome's losses. */
static void sum_losses(const struct graph *graph, bool add)
{
    CHECK(graph->loss && graph->loss->kept, "the losses of this list are not kept");
    const int T = graph_rows(graph->loss);
    const int32_t *rows = graph_counted(graph->loss);
    graph->ops->sum(graph->loss->data, T, rows, add, &graph->outcome->loss);
    graph->ops->sum(graph->likelihood->data, T, rows, add, &graph->outcome->likelihood);
}

/* Sums the losses in a fork, because nothing in the backward pass reads the sums. */
static void sum_losses_async(struct graph *graph, bool add)
{
    graph->tick = graph->nodes;
    if (graph->ops->fork) graph_fork(graph);
    sum_losses(graph, add);
    if (graph->ops->fork) graph_fork_end(graph);
}

struct learning {
    struct graph *graph;
    void (*finish)(void *context);
    void *context;
};

static void issue_learning(void *context)
{
    const struct learning *learning = context;
    struct graph *graph = learning->graph;
    const bool accumulate = graph->accumulate;
    graph_forward(graph);
    sum_losses_async(graph, accumulate);
    graph_backward(graph, accumulate);
    if (learning->finish) learning->finish(learning->context);
}

void graph_learn(struct graph *graph, bool accumulate, void (*finish)(void *context), void *context)
{
    struct learning learning = {graph, finish, context};
    struct run_key key;
    graph->accumulate = accumulate;
    if (!graph->ops->run) {
        issue_learning(&learning);
        return;
    }
    memset(&key, 0, sizeof key); /* clears the padding, too */
    key.list = graph;
    key.accumulate = accumulate;
    key.finishes = finish != NULL;
    for (int k = 0; k < graph->kinds; k++) {
        key.launched[k] = graph->rows[k]->launched;
        key.groups[k] = graph->rows[k]->launched_groups;
        key.longest[k] = graph->rows[k]->longest;
    }
    graph->ops->run(&key, issue_learning, &learning);
}

static void forward_most(struct graph *graph, int i)
{
    graph->node[i]->type->forward(graph, graph->node[i]);
}

static void issue_most(void *context)
{
    struct graph *graph = context;
    pass_forward(graph, forward_most);
    join_all(graph);
    if (graph->mode != GRAPH_TRAIN) return;
    if (graph->loss) sum_losses_async(graph, false);
    for (int i = graph->nodes - 1; i >= 0; i--)
        graph->node[i]->type->backward(graph, graph->node[i]);
    join_all(graph);
    if (graph->parameters->gradient) /* for the norm at the end of a step */
        graph->ops->sum_of_squares(graph->parameters->gradient, graph->parameters->slab,
                                   &graph->outcome->squares);
}

void graph_reserve(struct graph *graph)
{
    if (!graph->ops->reserve || graph->mode == GRAPH_STEP) return;
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        rows->count = rows->launched = rows->capacity;
        rows->groups = rows->launched_groups = rows->group_capacity;
        rows->longest = graph_whole_longest(graph, rows, graph->capacity.longest);
    }
    graph->ops->reserve(issue_most, graph);
}

double graph_flops(const struct graph *graph)
{
    double sum = 0;
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        if (node->type->flops) sum += node->type->flops(node);
    }
    return sum;
}

double graph_work(const struct graph *graph)
{
    double sum = graph_flops(graph);
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        if (node->slower > 0) sum += (node->slower - 1) * node->type->flops(node);
    }
    return sum;
}

struct outcome graph_outcome(const struct graph *graph)
{
    struct outcome outcome;
    graph->ops->download(&outcome, graph->outcome, sizeof outcome);
    return outcome;
}

struct outcome graph_losses(const struct graph *graph)
{
    sum_losses(graph, false);
    return graph_outcome(graph);
}

void graph_read(const struct graph *graph, const struct value *value, real *to)
{
    const int rows = value->rows->count;
    CHECK(value->kept, "%s is not kept", value->path);
    if (value->real) {
        graph->ops->download(to, value->data, (size_t)rows * (size_t)value->columns * sizeof(real));
        return;
    }
    graph->ops->read_act(value->data, rows, value->columns, value->ld, to);
}
