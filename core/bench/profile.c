/* Profiles training steps. Each node's type is replaced by a copy, whose functions measure the time
 * of the original functions. So the measured step is the step of training. */
#include "core/bench/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bench/bench_ops.h"
#include "core/train/step.h"

static const char ADAM[] = "adam", NORM[] = "sum_of_squares"; /* ops outside of nodes */

struct timed_node {
    struct node_type type; /* first member: node->type points to it */
    const struct node_type *inner;
    struct profile_node *sum; /* sums of this round */
    measure_clock *clock;
};

static const struct timed_node *timed_of(const struct node *node)
{
    return (const struct timed_node *)(const void *)node->type;
}

/* The first two of the free marks (bench_ops.h): of a whole step. */
enum { STEP_MARK };

static double count_of(const struct value *value)
{
    return value ? (double)graph_rows(value) * value->columns : 0;
}

/* Returns the number of elements of a parameter that one pass reads. These are all elements, with
 * one exception. For an embedding table, the parameter of a node without inputs, it is at most one
 * row per token. */
static double count_read(const struct node *node, int parameter)
{
    const struct parameter *p = node->parameter[parameter];
    double rows = p ? p->rows : 0;
    if (!node->in[0] && rows > 1) rows = fmin(rows, graph_rows(node->out[0]));
    return p ? rows * p->columns : 0;
}

static double forward_bytes(const struct graph *graph, const struct node *node)
{
    double count = 0;
    for (int k = 0; k < NODE_INPUTS; k++) {
        const struct value *in = node->in[k];
        count += count_of(in);
        if (in && in->in_place) count += count_of(in);
    }
    for (int k = 0; k < NODE_OUTPUTS; k++) count += count_of(node->out[k]);
    for (int k = 0; k < NODE_PARAMETERS; k++) count += count_read(node, k);
    return count * (double)graph->ops->act_bytes;
}

static double backward_bytes(const struct graph *graph, const struct node *node)
{
    const unsigned reads = node->type->backward_reads;
    double count = 0;
    for (int k = 0; k < NODE_INPUTS; k++) {
        const struct value *in = node->in[k];
        if (reads & READS_IN(k)) count += count_of(in);
        if (in && in->gradient && !in->in_place) count += (node->add_in[k] ? 2 : 1) * count_of(in);
    }
    for (int k = 0; k < NODE_OUTPUTS; k++) {
        const struct value *out = node->out[k];
        if (reads & READS_OUT(k)) count += count_of(out);
        if (out && out->gradient && !out->real) count += count_of(out);
    }
    for (int k = 0; k < NODE_PARAMETERS; k++) {
        const struct parameter *p = node->parameter[k];
        if (p && node->in[0]) count += count_read(node, k);
        if (p && node->add_parameter[k]) count += 2 * count_read(node, k);
        if (p && !node->add_parameter[k]) count += (double)p->rows * p->columns;
    }
    return count * (double)graph->ops->act_bytes;
}

static void timed_forward(struct graph *graph, struct node *node)
{
    const struct timed_node *timed = timed_of(node);
    const double begin = bench_mark_begin(graph->ops, timed->clock);
    timed->inner->forward(graph, node);
    bench_mark_end(graph->ops, timed->clock, begin, &timed->sum->seconds[PROFILE_FORWARD]);
    const double flops = timed->inner->flops ? timed->inner->flops(node) : 0;
    timed->sum->flops[PROFILE_FORWARD] += flops;
    timed->sum->flops[PROFILE_BACKWARD] += 2 * flops;
    timed->sum->bytes[PROFILE_FORWARD] += forward_bytes(graph, node);
}

static void timed_backward(struct graph *graph, struct node *node)
{
    const struct timed_node *timed = timed_of(node);
    const double begin = bench_mark_begin(graph->ops, timed->clock);
    timed->inner->backward(graph, node);
    bench_mark_end(graph->ops, timed->clock, begin, &timed->sum->seconds[PROFILE_BACKWARD]);
    timed->sum->bytes[PROFILE_BACKWARD] += backward_bytes(graph, node);
}

static void time_nodes(struct graph *graph, struct profile_node *sum, measure_clock *clock,
                       struct arena *arena)
{
    for (int i = 0; i < graph->nodes; i++) {
        struct timed_node *timed = ARENA_NEW(arena, struct timed_node);
        *timed = (struct timed_node){*graph->node[i]->type, graph->node[i]->type, &sum[i], clock};
        timed->type.forward = timed_forward;
        timed->type.backward = timed_backward;
        graph->node[i]->type = &timed->type;
    }
}

/* ---- backlog ---- */

/* Work that keeps a device busy while the host issues the measured ops: it clears memory. The
 * kernels of these ops are then consecutive in the device's queue, and marks between them measure
 * their times. Without the backlog, the measured time of a short kernel would be the time of its
 * launch. */
struct backlog {
    const struct ops *ops; /* op table with marks; the backlog uses the first two marks */
    void *memory;
    double each; /* seconds per clear */
};

static const size_t BACKLOG_BYTES = (size_t)128 << 20;
static const double BACKLOG_MOST = 10e-3; /* seconds */

static struct backlog backlog_open(const struct ops *ops)
{
    struct backlog backlog = {.ops = ops, .memory = ops->alloc(BACKLOG_BYTES)};
    ops->clear(backlog.memory, BACKLOG_BYTES); /* warm-up */
    ops->mark(0);
    ops->clear(backlog.memory, BACKLOG_BYTES);
    ops->mark(1);
    backlog.each = fmax(ops->elapsed(0, 1), 1e-6);
    return backlog;
}

/* Issues work that takes `seconds`, but at most BACKLOG_MOST, because a queue has a limit. */
static void backlog_issue(const struct backlog *backlog, double seconds)
{
    const int times = (int)ceil(fmin(seconds, BACKLOG_MOST) / backlog->each);
    for (int i = 0; i < times; i++) backlog->ops->clear(backlog->memory, BACKLOG_BYTES);
}

/* ---- rounds ---- */

/* A model that is being profiled. */
struct subject {
    const struct profile_job *job;
    struct arena arena;
    struct learner *learner;  /* its steps are micro-batches */
    struct profile_node *sum; /* [nodes] sums over the batches of the current round */
    int steps;                /* number of completed steps */
    struct backlog backlog;   /* only for ops with marks */
    double issued;            /* seconds in which the host issued the previous step */
};

static void subject_open(struct subject *subject, const struct profile_job *job)
{
    struct translating translating = job->translating;
    *subject = (struct subject){.job = job};
    translating.ops =
        bench_ops(translating.ops, job->clock, (const char *const[]){ADAM, NORM, NULL});
    if (translating.ops->mark) subject->backlog = backlog_open(job->translating.ops);
    subject->learner = translating_open_micro(&subject->arena, &translating);
    const int all = subject->learner->epoch_steps(subject->learner->context, 0);
    if (all < job->batches)
        die("bench: --batches %d: the training text has %d batches", job->batches, all);
    struct graph *list = subject->learner->list;
    subject->sum = ARENA_ARRAY(&subject->arena, struct profile_node, list->nodes);
    time_nodes(list, subject->sum, job->clock, &subject->arena);
}

static void subject_close(struct subject *subject)
{
    translating_close(subject->learner);
    if (subject->backlog.ops) subject->backlog.ops->release(subject->backlog.memory, BACKLOG_BYTES);
    arena_free(&subject->arena);
}

/* Runs one step and adds its seconds to the round. On a device, these are the seconds between two
 * marks, with the whole step in its queue. The backlog gives the host twice the time in which it
 * issued the previous step. */
static void run_step(struct subject *subject, int batch, struct profile *round)
{
    struct graph *list = subject->learner->list;
    const struct ops *ops = list->ops;
    measure_clock *clock = subject->job->clock;
    struct arena arena = {0};
    const double begin = clock();
    const struct learner_step step =
        subject->learner->step(subject->learner->context, 0, batch, &arena);
    if (ops->mark) {
        backlog_issue(&subject->backlog, 2 * subject->issued);
        ops->mark(STEP_MARK);
    }
    const double made = clock();
    train_issue(subject->learner, subject->steps++, &step);
    subject->issued = clock() - made;
    if (ops->mark) ops->mark(STEP_MARK + 1);
    train_result(list);
    if (ops->mark) bench_read_marks(ops);
    for (int side = 0; side < SIDES; side++) round->tokens[side] += step.micro->field[side].T;
    arena_free(&arena);
    round->seconds += ops->mark ? ops->elapsed(STEP_MARK, STEP_MARK + 1) : clock() - begin;
}

static struct profile_node more_part(const char *name, double seconds, double bytes)
{
    return (struct profile_node){.path = name, .type = "", .seconds = {seconds}, .bytes = {bytes}};
}

/* Runs one round of steps; the nodes of the result are in the arena. */
static struct profile run_round(struct subject *subject, struct arena *arena)
{
    const struct profile_job *job = subject->job;
    const struct learner *learner = subject->learner;
    const int nodes = learner->list->nodes;
    struct profile_node *node = ARENA_ARRAY(arena, struct profile_node, nodes + PROFILE_MORE);
    struct profile round = {.batches = job->batches, .nodes = nodes + PROFILE_MORE, .node = node};
    memset(subject->sum, 0, (size_t)nodes * sizeof *subject->sum);
    bench_ops_clear();
    for (int b = 0; b < job->batches; b++) run_step(subject, b, &round);
    const double adam = bench_ops_seconds(ADAM), norm = bench_ops_seconds(NORM);
    double rest = round.seconds - adam - norm;
    for (int i = 0; i < nodes; i++) {
        node[i] = subject->sum[i];
        node[i].path = arena_text(arena, learner->list->node[i]->path);
        node[i].type = learner->list->node[i]->type->name;
        if (!strcmp(node[i].type, "linear")) {
            node[i].K = learner->list->node[i]->in[0]->columns;
            node[i].N = learner->list->node[i]->out[0]->columns;
        }
        rest -= node[i].seconds[PROFILE_FORWARD] + node[i].seconds[PROFILE_BACKWARD];
    }
    const double slab = (double)learner->model->parameters.slab * sizeof(real) * job->batches;
    /* Adam reads 4 slabs and writes 3 */
    node[nodes] = more_part("optimizer", adam, 7 * slab);
    node[nodes + 1] = more_part("norm of the gradient", norm, slab);
    node[nodes + 2] = more_part("batches, sums of losses", rest, 0);
    return round;
}

static struct profile medians(const struct profile *round, int rounds)
{
    struct profile result = round[0];
    double seconds[MEASURE_ROUNDS];
    for (int r = 0; r < rounds; r++) seconds[r] = round[r].seconds;
    result.seconds = measure_median(seconds, rounds);
    for (int i = 0; i < result.nodes; i++)
        for (int pass = 0; pass < PROFILE_PASSES; pass++) {
            for (int r = 0; r < rounds; r++) seconds[r] = round[r].node[i].seconds[pass];
            result.node[i].seconds[pass] = measure_median(seconds, rounds);
            result.flops += result.node[i].flops[pass];
        }
    return result;
}

struct profile profile_train(const struct profile_job *job, struct arena *arena)
{
    struct profile round[MEASURE_ROUNDS];
    struct subject subject;
    subject_open(&subject, job);
    run_round(&subject, arena); /* warm-up */
    for (int r = 0; r < job->rounds; r++) round[r] = run_round(&subject, arena);
    subject_close(&subject);
    return medians(round, job->rounds);
}

const char *profile_role(struct arena *arena, const char *path)
{
    char *role = arena_text(arena, path), *to = role;
    for (const char *from = path; *from;) {
        const size_t digits = strspn(from, "0123456789");
        const bool alone =
            (from == path || from[-1] == '.') && (!from[digits] || from[digits] == '.');
        if (digits && alone) {
            *to++ = '*';
            from += digits;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
    return role;
}
