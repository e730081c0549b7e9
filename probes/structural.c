/* Trains and scores structural probes. Products of whole batches and of sentences are ops of the
 * CPU. The distances of a sentence and their gradient are computed from products of its projected
 * words. */
#include "probes/structural.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/rank.h"
#include "core/cpu/cpu.h"
#include "core/train/step.h"

enum { BATCH = 20, EPOCHS = 40, PATIENCE = 5 };
#define SPREAD 0.05
#define RATE 0.001
#define BETA1 0.9
#define BETA2 0.999

/* Memory for one map and the batches that it projects. */
struct projector {
    struct arena arena;
    enum structural_task task;
    int D, k;
    real *map, *gradient, *m, *v; /* [D][k] */
    real *x, *z, *z_gradient;     /* words of a batch: [words][D], [words][k] */
    real *product;                /* [longest][longest] */
    double *depth, *distance;     /* true numbers of a sentence */
    double *predicted;            /* predicted numbers, with the shape of the true ones */
};

static void open_projector(struct projector *p, enum structural_task task, int D, int k,
                           int longest)
{
    const int64_t words = (int64_t)BATCH * longest, square = (int64_t)longest * longest;
    struct arena *arena = &p->arena;
    *p = (struct projector){.task = task, .D = D, .k = k};
    p->map = ARENA_ARRAY(arena, real, D * k);
    p->gradient = ARENA_ARRAY(arena, real, D * k);
    p->m = ARENA_ARRAY(arena, real, D * k);
    p->v = ARENA_ARRAY(arena, real, D * k);
    p->x = ARENA_ARRAY(arena, real, words * D);
    p->z = ARENA_ARRAY(arena, real, words * k);
    p->z_gradient = ARENA_ARRAY(arena, real, words * k);
    p->product = ARENA_ARRAY(arena, real, square);
    p->depth = ARENA_ARRAY(arena, double, longest);
    p->distance = ARENA_ARRAY(arena, double, square);
    p->predicted = ARENA_ARRAY(arena, double, square);
}

static struct act *act_of(const real *x)
{
    return (struct act *)(void *)x; /* activations of the CPU are reals */
}

/* c [M, N] = scale a [M, K] b [K, N] */
static void multiply(const real *a, const real *b, bool transposed, real *c, int M, int N, int K,
                     double scale)
{
    struct gemm g = {.transpose_b = transposed, .M = M, .N = N, .K = K, .scale = (real)scale};
    g.a = act_of(a), g.lda = K;
    g.b = act_of(b), g.ldb = transposed ? K : N;
    g.c = act_of(c), g.ldc = N;
    cpu_ops()->gemm(&g);
}

/* Projects the words of sentences to z. Returns the number of words. */
static int project(struct projector *p, const struct structural_set *set, const int32_t *sentence,
                   int count)
{
    int words = 0;
    for (int i = 0; i < count; i++) {
        const int32_t first = set->trees->start[sentence[i]];
        const int n = set->trees->start[sentence[i] + 1] - first;
        const float *from = set->vector + (int64_t)set->trees->word[first] * p->D;
        real *to = p->x + (int64_t)words * p->D;
        for (int64_t j = 0; j < (int64_t)n * p->D; j++) to[j] = (real)from[j];
        words += n;
    }
    multiply(p->x, p->map, false, p->z, words, p->k, p->D, 1);
    return words;
}

/* Sets `predicted` for a sentence of n words, whose projections are z. */
static void predict(struct projector *p, const real *z, int n)
{
    multiply(z, z, true, p->product, n, n, p->k, 1);
    for (int a = 0; a < n; a++) {
        const double square = (double)p->product[a * n + a];
        if (p->task == STRUCTURAL_DEPTH) p->predicted[a] = square;
        for (int b = 0; b < n && p->task == STRUCTURAL_DISTANCE; b++)
            p->predicted[a * n + b] =
                square + (double)p->product[b * n + b] - 2 * (double)p->product[a * n + b];
    }
}

/* Returns the number of true numbers of a sentence of n words, and sets *gold to them. */
static int measure(struct projector *p, const int32_t *head, int n, const double **gold)
{
    trees_measure(head, n, p->depth, p->task == STRUCTURAL_DISTANCE ? p->distance : NULL);
    *gold = p->task == STRUCTURAL_DISTANCE ? p->distance : p->depth;
    return p->task == STRUCTURAL_DISTANCE ? n * n : n;
}

static double sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* Returns the loss of the predictions for a sentence. */
static double loss_of(const struct projector *p, const double *gold, int numbers)
{
    double loss = 0;
    for (int i = 0; i < numbers; i++) loss += fabs(p->predicted[i] - gold[i]);
    return loss / numbers;
}

/* Sets dz to the gradient of the loss, times `weight`. With s = the sign of each error, it is
 * 2 s[a] z[a] for depths. For distances it is the sum over b of 4 s[a, b] (z[a] - z[b]), because a
 * pair counts twice. The second form is a product with z. */
static void differentiate(struct projector *p, const double *gold, const real *z, int n,
                          double weight, real *dz)
{
    const int k = p->k;
    for (int a = 0; a < n && p->task == STRUCTURAL_DEPTH; a++) {
        const real factor = (real)(2 * weight * sign_of(p->predicted[a] - gold[a]) / n);
        for (int j = 0; j < k; j++) dz[a * k + j] = factor * z[a * k + j];
    }
    if (p->task == STRUCTURAL_DEPTH) return;
    for (int a = 0; a < n; a++) {
        double sum = 0;
        for (int b = 0; b < n; b++) {
            const double sign = sign_of(p->predicted[a * n + b] - gold[a * n + b]);
            p->product[a * n + b] = (real)-sign;
            sum += sign;
        }
        p->product[a * n + a] += (real)sum;
    }
    multiply(p->product, z, false, dz, n, k, n, 4 * weight / ((double)n * n));
}

/* Returns the sum of the losses of sentences. If `learns` is true, sets `gradient` to the gradient
 * of the mean of the losses. */
static double run_batch(struct projector *p, const struct structural_set *set,
                        const int32_t *sentence, int count, bool learns)
{
    const int words = project(p, set, sentence, count);
    double loss = 0;
    for (int i = 0, at = 0; i < count; i++) {
        const int32_t first = set->trees->start[sentence[i]];
        const int n = set->trees->start[sentence[i] + 1] - first;
        const real *z = p->z + (int64_t)at * p->k;
        const double *gold;
        const int numbers = measure(p, set->trees->head + first, n, &gold);
        predict(p, z, n);
        loss += loss_of(p, gold, numbers);
        if (learns) differentiate(p, gold, z, n, 1. / count, p->z_gradient + (int64_t)at * p->k);
        at += n;
    }
    if (!learns) return loss;
    struct gemm_weight g = {.T = words, .M = p->D, .N = p->k, .scale = 1};
    g.a = act_of(p->x), g.lda = p->D;
    g.b = act_of(p->z_gradient), g.ldb = p->k;
    g.c = p->gradient;
    cpu_ops()->gemm_weight(&g);
    return loss;
}

static void learn(struct projector *p, double rate, int64_t update)
{
    const struct outcome outcome = {.gradient_scale = 1, .finite = 1};
    const struct step step = {.rate = rate,
                              .correction1 = train_correction(BETA1, update),
                              .correction2 = train_correction(BETA2, update)};
    struct adam adam = {.step = &step, .outcome = &outcome, .count = (int64_t)p->D * p->k};
    adam.master = p->map, adam.m = p->m, adam.v = p->v;
    adam.operand = act_of(p->map), adam.gradient = p->gradient;
    adam.beta1 = BETA1, adam.beta2 = BETA2, adam.epsilon = 1e-8;
    cpu_ops()->adam(&adam);
}

/* Returns the mean loss of a set. */
static double mean_loss(struct projector *p, const struct structural_set *set)
{
    const int sentences = set->trees->sentences;
    double loss = 0;
    for (int s = 0; s < sentences; s += BATCH) {
        int32_t batch[BATCH];
        const int count = sentences - s < BATCH ? sentences - s : BATCH;
        for (int i = 0; i < count; i++) batch[i] = s + i;
        loss += run_batch(p, set, batch, count, false);
    }
    return loss / sentences;
}

static void train_one(const struct structural_job *job, enum structural_task task,
                      struct structural_trained *trained)
{
    const struct trees *train = job->train.trees, *dev = job->dev.trees;
    const int longest = train->longest > dev->longest ? train->longest : dev->longest;
    const struct random_key start = {job->seed, random_stream("structural.map")},
                            epochs = {job->seed, random_stream("structural.epoch")};
    SCOPED(heap_free) int32_t *order = heap_alloc((size_t)train->sentences * sizeof *order);
    struct projector p;
    double rate = RATE, least = INFINITY;
    int64_t update = 0;
    open_projector(&p, task, job->D, trained->rank, longest);
    for (int64_t i = 0; i < (int64_t)p.D * p.k; i++)
        p.map[i] = (real)(SPREAD * (2 * random_uniform(start, (uint64_t)i, 0) - 1));
    trained->dev = INFINITY;
    while (trained->epochs < EPOCHS && trained->epochs < trained->best + PATIENCE) {
        random_permute(epochs, (uint32_t)trained->epochs++, order, train->sentences);
        for (int s = 0; s < train->sentences; s += BATCH) {
            const int left = train->sentences - s;
            run_batch(&p, &job->train, order + s, left < BATCH ? left : BATCH, true);
            learn(&p, rate, update++);
        }
        const double dev_loss = mean_loss(&p, &job->dev);
        trace("structural", "task %d rank %d epoch %d rate %g dev %.9g", task, p.k, trained->epochs,
              rate, dev_loss);
        if (dev_loss < least * (1 - 1e-4))
            least = dev_loss;
        else
            rate /= 10;
        if (dev_loss >= trained->dev - 1e-4) continue;
        trained->dev = dev_loss;
        trained->best = trained->epochs;
        memcpy(trained->map, p.map, (size_t)(p.D * p.k) * sizeof *p.map);
    }
    arena_free(&p.arena);
}

void structural_train(const struct structural_job *job,
                      struct structural_trained chosen[STRUCTURAL_TASKS], struct arena *arena)
{
    struct structural_trained all[STRUCTURAL_TASKS * STRUCTURAL_RANKS] = {0};
    const int total = STRUCTURAL_TASKS * job->ranks;
    int done = 0;
    for (int i = 0; i < total; i++) {
        all[i].rank = job->rank[i % job->ranks];
        all[i].map = ARENA_ARRAY(arena, real, job->D * all[i].rank);
    }
#pragma omp parallel
    {
        omp_set_num_threads(1); /* ops called by this thread then use no other threads */
#pragma omp for schedule(dynamic)
        for (int i = 0; i < total; i++) {
            train_one(job, i / job->ranks, &all[i]);
#pragma omp critical(structural)
            if (job->told) job->told(job->context, ++done, total);
        }
    }
    for (int i = 0; i < total; i++) {
        struct structural_trained *best = &chosen[i / job->ranks];
        if (i % job->ranks == 0 || all[i].dev < best->dev) *best = all[i];
    }
}

/* ---- scores ---- */

/* Adds the correlations of a sentence to the sums by length. */
static void correlate(const struct projector *p, const double *gold, int n, int numbers,
                      struct structural_score *score)
{
    if (n < STRUCTURAL_SHORTEST || n > STRUCTURAL_LONGEST) return;
    for (int i = 0; i < numbers; i += n) {
        const double correlation = rank_correlation(p->predicted + i, gold + i, n);
        score->of_length[n] += isnan(correlation) ? 0 : correlation;
        score->lists[n]++;
    }
}

static void finish(struct structural_score *score)
{
    double sum = 0;
    int lengths = 0;
    for (int n = 0; n <= STRUCTURAL_LONGEST; n++) {
        if (!score->lists[n]) continue;
        score->of_length[n] /= score->lists[n];
        sum += score->of_length[n];
        lengths++;
    }
    score->correlation = lengths ? sum / lengths : (double)NAN;
}

/* Returns 1 if the word with the smallest predicted depth is the root, else 0. -1: the root is
 * punctuation. */
static int root_right(const struct projector *p, const int32_t *head, const bool *punctuation,
                      int n)
{
    int least = TREES_NONE, root = TREES_NONE;
    for (int w = 0; w < n; w++) {
        if (punctuation[w]) continue;
        if (head[w] == TREES_NONE) root = w;
        if (least == TREES_NONE || p->predicted[w] < p->predicted[least]) least = w;
    }
    return root == TREES_NONE ? -1 : least == root;
}

struct structural_score structural_score(enum structural_task task,
                                         const struct structural_trained *trained,
                                         const struct structural_set *set, int D,
                                         struct arena *arena)
{
    const struct trees *trees = set->trees;
    struct structural_score score = {
        .share = ARENA_ARRAY(arena, struct trees_share, trees->sentences + 1)};
    SCOPED(heap_free) int32_t *parent = heap_alloc((size_t)(trees->longest + 1) * sizeof *parent);
    struct projector p;
    open_projector(&p, task, D, trained->rank, trees->longest);
    memcpy(p.map, trained->map, (size_t)(D * trained->rank) * sizeof *p.map);
    for (int32_t s = 0; s < trees->sentences; s++) {
        const int32_t first = trees->start[s], *head = trees->head + first;
        const bool *punctuation = trees->punctuation + first;
        const int n = project(&p, set, &s, 1);
        const double *gold;
        const int numbers = measure(&p, head, n, &gold);
        predict(&p, p.z, n);
        score.loss += loss_of(&p, gold, numbers) / trees->sentences;
        correlate(&p, gold, n, numbers, &score);
        if (task == STRUCTURAL_DISTANCE) {
            trees_span(p.predicted, punctuation, n, parent);
            score.shares = trees_add(trees, s, parent, score.share, score.shares);
        } else {
            const int right = root_right(&p, head, punctuation, n);
            score.shares = trees_count(trees, s, right > 0, right >= 0, score.share, score.shares);
        }
    }
    arena_free(&p.arena);
    finish(&score);
    return score;
}
