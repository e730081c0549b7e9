/* Clocks around every node of a training list, and what its operands weigh. */
#include "core/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/cpu/cpu.h"
#include "core/cpu/gemm_each.h"
#include "core/train/step.h"

double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A node's type is replaced by a copy that starts and stops the clock around the real one. */
struct timed {
    struct node_type type; /* first: what the node points to */
    const struct node_type *inner;
    struct bench_node *sum; /* of this round */
};
static double (*now)(void);

/* When all that was issued is done. */
static double tick(const struct graph *graph)
{
    if (graph->ops->mark) graph->ops->sync();
    return now();
}

static double count_of(const struct graph *graph, const struct value *value)
{
    return value ? (double)graph_rows(graph, value) * value->columns : 0;
}

/* A parameter's elements that one pass reads: all; of a table that rows are taken from (a node
 * without inputs), not more than there are tokens. */
static double count_read(const struct graph *graph, const struct node *node, int parameter)
{
    const struct parameter *p = node->parameter[parameter];
    double rows = p ? p->rows : 0;
    if (!node->in[0] && rows > 1) rows = fmin(rows, graph_rows(graph, node->out[0]));
    return p ? rows * p->columns : 0;
}

static double forward_bytes(const struct graph *graph, const struct node *node)
{
    double count = 0;
    for (int k = 0; k < NODE_INPUTS; k++) {
        const struct value *in = node->in[k];
        count += count_of(graph, in);
        if (in && in->in_place) count += count_of(graph, in);
    }
    for (int k = 0; k < NODE_OUTPUTS; k++) count += count_of(graph, node->out[k]);
    for (int k = 0; k < NODE_PARAMETERS; k++) count += count_read(graph, node, k);
    return count * (double)graph->ops->act_bytes;
}

static double backward_bytes(const struct graph *graph, const struct node *node)
{
    const unsigned reads = node->type->backward_reads;
    double count = 0;
    for (int k = 0; k < NODE_INPUTS; k++) {
        const struct value *in = node->in[k];
        if (reads & READS_IN(k)) count += count_of(graph, in);
        if (in && in->gradient && !in->in_place)
            count += (node->add_in[k] ? 2 : 1) * count_of(graph, in);
    }
    for (int k = 0; k < NODE_OUTPUTS; k++) {
        const struct value *out = node->out[k];
        if (reads & READS_OUT(k)) count += count_of(graph, out);
        if (out && out->gradient && !out->real) count += count_of(graph, out);
    }
    for (int k = 0; k < NODE_PARAMETERS; k++) {
        const struct parameter *p = node->parameter[k];
        if (p && node->in[0]) count += count_read(graph, node, k);
        if (p && node->add_parameter[k]) count += 2 * count_read(graph, node, k);
        if (p && !node->add_parameter[k]) count += (double)p->rows * p->columns;
    }
    return count * (double)graph->ops->act_bytes;
}

static void timed_forward(struct graph *graph, struct node *node)
{
    const struct timed *timed = (const struct timed *)(const void *)node->type;
    const double begin = tick(graph);
    timed->inner->forward(graph, node);
    timed->sum->seconds[BENCH_FORWARD] += tick(graph) - begin;
    const double flops = timed->inner->flops ? timed->inner->flops(graph, node) : 0;
    timed->sum->flops[BENCH_FORWARD] += flops;
    timed->sum->flops[BENCH_BACKWARD] += 2 * flops;
    timed->sum->bytes[BENCH_FORWARD] += forward_bytes(graph, node);
}

static void timed_backward(struct graph *graph, struct node *node)
{
    const struct timed *timed = (const struct timed *)(const void *)node->type;
    const double begin = tick(graph);
    timed->inner->backward(graph, node);
    timed->sum->seconds[BENCH_BACKWARD] += tick(graph) - begin;
    timed->sum->bytes[BENCH_BACKWARD] += backward_bytes(graph, node);
}

static void time_nodes(struct graph *graph, struct bench_node *sum, struct arena *arena)
{
    for (int i = 0; i < graph->nodes; i++) {
        struct timed *timed = ARENA_NEW(arena, struct timed);
        *timed = (struct timed){*graph->node[i]->type, graph->node[i]->type, &sum[i]};
        timed->type.forward = timed_forward;
        timed->type.backward = timed_backward;
        graph->node[i]->type = &timed->type;
    }
}

/* A model that trains, opened. */
struct run {
    const struct bench_job *job;
    struct arena arena;
    struct train_options share; /* of a micro-batch: a step of its own */
    struct learner *learner;
    const int *batch;       /* [batches] of the epoch, those of every round */
    struct bench_node *sum; /* [nodes] of the round that is run */
    int steps;              /* done so far */
};

struct sized {
    int batch, sentences;
};

static int by_sentences(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    return x->sentences != y->sentences ? x->sentences - y->sentences : x->batch - y->batch;
}

static struct learner_step step_of(const struct run *run, int batch, struct arena *arena)
{
    return run->learner->step(run->learner->context, 0, batch, arena);
}

/* The first batches of an epoch; spread: such with few sentences, as they are long, and such with
 * many, at even distances. */
static const int *choose(struct run *run, int batches, bool spread)
{
    int *chosen = ARENA_ARRAY(&run->arena, int, batches);
    const int all = run->learner->epoch_steps(run->learner->context, 0);
    if (all < batches)
        die("bench: %d batches were asked for, the training text has %d", batches, all);
    struct sized *sized = ARENA_ARRAY(&run->arena, struct sized, all);
    for (int b = 0; b < all; b++) {
        struct arena arena = {0};
        sized[b].batch = b;
        if (spread) sized[b].sentences = step_of(run, b, &arena).micro->field[FIELD_TARGET].B;
        arena_free(&arena);
    }
    qsort(sized, (size_t)all, sizeof *sized, by_sentences);
    for (int b = 0; b < batches; b++)
        chosen[b] = sized[spread ? (int)((b + 0.5) * all / batches) : b].batch;
    return chosen;
}

static void run_open(struct run *run, const struct bench_job *job)
{
    struct translating translating = job->translating;
    *run = (struct run){.job = job, .share = *translating.train};
    run->share.batch_tokens /= run->share.accumulate;
    run->share.accumulate = 1;
    translating.train = &run->share;
    translating.ops = bench_ops(translating.ops, now);
    run->learner = translating_open(&run->arena, &translating);
    run->batch = choose(run, job->batches, job->spread);
    model_place(run->learner->model, true, translating.seed);
    graph_place(run->learner->list);
    run->sum = ARENA_ARRAY(&run->arena, struct bench_node, run->learner->list->nodes);
    time_nodes(run->learner->list, run->sum, &run->arena);
}

static void run_close(struct run *run)
{
    translating_close(run->learner);
    arena_free(&run->arena);
}

/* One round of steps; its nodes go to the arena. */
static struct bench_training run_round(struct run *run, struct arena *arena)
{
    const struct bench_job *job = run->job;
    const struct learner *learner = run->learner;
    const int nodes = learner->list->nodes;
    struct bench_training round = {.batches = job->batches,
                                   .nodes = nodes,
                                   .node = ARENA_ARRAY(arena, struct bench_node, nodes)};
    memset(run->sum, 0, (size_t)nodes * sizeof *run->sum);
    bench_ops_clear();
    const double begin = now();
    for (int b = 0; b < job->batches; b++) {
        struct arena own = {0};
        const struct learner_step step = step_of(run, run->batch[b], &own);
        const struct step_result result =
            train_step(learner->model, learner->list, learner->train, learner->seed, run->steps++,
                       step.micro, step.micros, step.normalizer);
        for (int side = 0; side < SIDES; side++) round.tokens[side] += step.micro->field[side].T;
        round.loss = result.loss;
        arena_free(&own);
    }
    round.seconds = now() - begin;
    round.adam = bench_ops_seconds("adam");
    round.norm = bench_ops_seconds("sum_of_squares");
    round.rest = round.seconds - round.adam - round.norm;
    for (int i = 0; i < nodes; i++) {
        round.rest -= run->sum[i].seconds[BENCH_FORWARD] + run->sum[i].seconds[BENCH_BACKWARD];
        round.node[i] = run->sum[i];
        round.node[i].path = arena_text(arena, learner->list->node[i]->path);
        round.node[i].type = learner->list->node[i]->type->name;
    }
    const double slab = (double)learner->model->parameters.slab * sizeof(real) * job->batches;
    round.adam_bytes = 7 * slab; /* four read, three written */
    round.norm_bytes = slab;
    return round;
}

void bench_race(const struct bench_job *job, int jobs, struct bench_training *round,
                struct arena *arena)
{
    struct run *run = heap_alloc((size_t)jobs * sizeof *run);
    now = job->clock;
    for (int i = 0; i < jobs; i++) run_open(&run[i], &job[i]);
    for (int i = 0; i < jobs; i++) run_round(&run[i], arena); /* warms up */
    for (int r = 0; r < job->rounds; r++)
        for (int i = 0; i < jobs; i++) round[r * jobs + i] = run_round(&run[i], arena);
    for (int i = 0; i < jobs; i++) run_close(&run[i]);
    free(run);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double bench_median(const double *value, int count)
{
    double sorted[BENCH_ROUNDS];
    CHECK(count > 0 && count <= BENCH_ROUNDS, "median of %d values", count);
    memcpy(sorted, value, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* The median of the doubles that stand at `member` of structs of `size` bytes. */
static double median(const void *member, size_t size, int count)
{
    double value[BENCH_ROUNDS];
    for (int i = 0; i < count; i++)
        memcpy(&value[i], (const char *)member + (size_t)i * size, sizeof *value);
    return bench_median(value, count);
}

static struct bench_training medians(const struct bench_training *round, int rounds)
{
    struct bench_training result = round[0];
    const size_t size = sizeof *round;
    result.seconds = median(&round->seconds, size, rounds);
    result.adam = median(&round->adam, size, rounds);
    result.norm = median(&round->norm, size, rounds);
    result.rest = median(&round->rest, size, rounds);
    result.loss = round[rounds - 1].loss;
    for (int i = 0; i < result.nodes; i++)
        for (int pass = 0; pass < BENCH_PASSES; pass++) {
            double seconds[BENCH_ROUNDS];
            for (int r = 0; r < rounds; r++) seconds[r] = round[r].node[i].seconds[pass];
            result.node[i].seconds[pass] = bench_median(seconds, rounds);
            result.flops += result.node[i].flops[pass];
        }
    return result;
}

struct bench_training bench_train(const struct bench_job *job, struct arena *arena)
{
    struct bench_training round[BENCH_ROUNDS];
    bench_race(job, 1, round, arena);
    return medians(round, job->rounds);
}

/* Where the nodes' products go instead of being computed. */
static struct gemm *taken;

static void take_gemm(const struct gemm *g)
{
    *taken++ = *g;
}

static void take_gemm_weight(const struct gemm_weight *g)
{
    *taken++ = cpu_gemm_of_weight(g);
}

struct bench_linear *bench_linears(const struct bench_job *job, int *count, struct arena *arena)
{
    struct run run;
    now = job->clock;
    run_open(&run, job);
    struct graph *graph = run.learner->list;
    struct ops taking = *graph->ops;
    taking.gemm = take_gemm;
    taking.gemm_weight = take_gemm_weight;
    graph->ops = &taking;
    graph_load(graph, step_of(&run, 0, &run.arena).micro);
    struct bench_linear *list = ARENA_ARRAY(arena, struct bench_linear, graph->nodes);
    *count = 0;
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        if (strcmp(node->type->name, "linear") != 0) continue;
        struct bench_linear *linear = &list[(*count)++];
        linear->path = arena_text(arena, node->path);
        taken = linear->product;
        node->type->forward(graph, node);
        node->type->backward(graph, node);
        CHECK(taken == linear->product + BENCH_PRODUCTS, "%s: %d products", node->path,
              (int)(taken - linear->product));
    }
    run_close(&run);
    return list;
}

double bench_copy_rate(double (*clock)(void))
{
    enum { CHUNKS = 256, CHUNK = 1 << 18, TIMES = 5 };
    char *from = heap_alloc((size_t)CHUNKS * CHUNK), *to = heap_alloc((size_t)CHUNKS * CHUNK);
    memset(from, 1, (size_t)CHUNKS * CHUNK); /* zeroed memory may be one page */
    double best = 0;
    for (int time = 0; time <= TIMES; time++) { /* the first touches the pages */
        const double begin = clock();
#pragma omp parallel for schedule(static)
        for (int c = 0; c < CHUNKS; c++)
            memcpy(to + (size_t)c * CHUNK, from + (size_t)c * CHUNK, CHUNK);
        const double rate = 2.0 * CHUNKS * CHUNK / (clock() - begin);
        if (time && rate > best) best = rate;
    }
    free(from);
    free(to);
    return best;
}

const struct corpus *bench_corpus(struct arena *arena, uint32_t seed)
{
    enum { SENTENCES = 29000, VOCABULARY = 7869, SHORTEST = 3, LONGEST = 60 };
    static const double mean[SIDES] = {14.96, 15.15}, deviation[SIDES] = {4.54, 5.06};
    static const double shared = 0.93; /* its square is the correlation of the two */
    const struct random_key key = {seed, random_stream("bench.corpus")};
    struct corpus *corpus = ARENA_NEW(arena, struct corpus);
    struct split *split = &corpus->split[SPLIT_TRAIN];
    corpus->joint = true;
    split->sentences = SENTENCES;
    for (int side = 0; side < SIDES; side++) {
        int64_t *start = ARENA_ARRAY(arena, int64_t, SENTENCES + 1);
        for (int s = 0; s < SENTENCES; s++) {
            const double both = random_normal(key, (uint64_t)s * 4);
            const double own = random_normal(key, (uint64_t)s * 4 + 1 + (uint64_t)side);
            const double z = shared * both + sqrt(1 - shared * shared) * own;
            const double length = fmin(fmax(mean[side] + deviation[side] * z, SHORTEST), LONGEST);
            start[s + 1] = start[s] + lround(length);
            if (lround(length) > split->longest[side]) split->longest[side] = (int)lround(length);
        }
        int32_t *token = ARENA_ARRAY(arena, int32_t, start[SENTENCES]);
        for (int64_t t = 0; t < start[SENTENCES]; t++)
            token[t] = VOCABULARY_FIRST + (int32_t)random_below(key, (uint64_t)t, (uint32_t)side,
                                                                VOCABULARY - VOCABULARY_FIRST);
        for (int s = 0; s < SENTENCES; s++) token[start[s + 1] - 1] = VOCABULARY_EOS;
        split->side[side] = (struct side){token, start};
        corpus->vocabulary[side].size = VOCABULARY;
    }
    return corpus;
}
