/* Trains classifiers of heads. Products of whole batches are ops of the CPU. */
#include "probes/word_heads.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/base/random.h"
#include "core/cpu/cpu.h"
#include "core/train/step.h"

enum { BATCH = 16, UPDATES_LEAST = 1000 };
#define BETA1 0.9
#define BETA2 0.999

/* A classifier, and memory for a batch. */
struct heads {
    struct arena arena;
    const struct words *words;
    const float *vector;
    const int32_t *head;
    int D, hidden, columns; /* columns: of the map [D][columns] */
    int64_t count;          /* parameters: the map, then b and w */
    real *map, *gradient, *m, *v, *best;
    real *x, *z, *z_gradient; /* [batch words][D], [batch words][columns] */
    real *energy;             /* [longest][longest]; after the softmax: probabilities */
};

static struct act *act_of(const real *x)
{
    return (struct act *)(void *)x; /* activations of the CPU are reals */
}

/* c [M, N] = a [M, K] b [K, N] */
static void multiply(const real *a, const real *b, bool transposed, real *c, int M, int N, int K)
{
    struct gemm g = {.transpose_b = transposed, .M = M, .N = N, .K = K, .scale = 1};
    g.a = act_of(a), g.lda = K;
    g.b = act_of(b), g.ldb = transposed ? K : N;
    g.c = act_of(c), g.ldc = N;
    cpu_ops()->gemm(&g);
}

static int length_of(const struct heads *h, int32_t sentence)
{
    return h->words->first[sentence + 1] - h->words->first[sentence];
}

static void heads_open(struct heads *h, const struct word_probe_job *job, const int32_t *head,
                       int hidden)
{
    const struct words *words = job->words;
    const struct random_key key = {1, random_stream("words.heads")};
    const int D = job->columns, columns = hidden ? 2 * hidden : D;
    int longest = 0;
    *h = (struct heads){.words = words, .vector = job->vector, .head = head};
    h->D = D, h->hidden = hidden, h->columns = columns;
    h->count = (int64_t)D * columns + 2 * hidden;
    for (int s = 0; s < words->sentences; s++)
        if (length_of(h, s) > longest) longest = length_of(h, s);
    real **const array[] = {&h->map, &h->gradient, &h->m, &h->v, &h->best};
    for (size_t i = 0; i < COUNT_OF(array); i++) *array[i] = ARENA_ARRAY(&h->arena, real, h->count);
    h->x = ARENA_ARRAY(&h->arena, real, (int64_t)BATCH * longest * D);
    h->z = ARENA_ARRAY(&h->arena, real, (int64_t)BATCH * longest * columns);
    h->z_gradient = ARENA_ARRAY(&h->arena, real, (int64_t)BATCH * longest * columns);
    h->energy = ARENA_ARRAY(&h->arena, real, (int64_t)longest * longest);
    for (int64_t i = 0; i < h->count; i++) {
        const double inputs = i < (int64_t)D * columns ? D : hidden;
        const double spread = hidden ? 1 / sqrt(inputs) : 1 / inputs;
        h->map[i] = (real)(spread * (2 * random_uniform(key, (uint64_t)i, 0) - 1));
    }
}

/* Sets `energy` [n][n] from the rows x and z of a sentence of n words. */
static void forward(struct heads *h, const real *x, const real *z, int n)
{
    const int k = h->hidden;
    const real *b = h->map + (int64_t)h->D * h->columns, *w = b + k;
    if (!k) {
        multiply(z, x, true, h->energy, n, n, h->D);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const real *u = z + (int64_t)i * 2 * k, *v = z + (int64_t)j * 2 * k + k;
            real sum = 0;
            for (int c = 0; c < k; c++) {
                const real unit = u[c] + v[c] + b[c];
                sum += unit > 0 ? w[c] * unit : 0;
            }
            h->energy[i * n + j] = sum;
        }
}

/* Adds the gradients of the energies to the gradients of z, b and w. `energy` has the gradients. */
static void backward(struct heads *h, const real *x, const real *z, real *dz, int n)
{
    const int k = h->hidden;
    const real *b = h->map + (int64_t)h->D * h->columns, *w = b + k;
    real *db = h->gradient + (int64_t)h->D * h->columns, *dw = db + k;
    if (!k) {
        multiply(h->energy, x, false, dz, n, h->D, n);
        return;
    }
    memset(dz, 0, (size_t)n * 2 * (size_t)k * sizeof *dz);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const real *u = z + (int64_t)i * 2 * k, *v = z + (int64_t)j * 2 * k + k;
            real *du = dz + (int64_t)i * 2 * k, *dv = dz + (int64_t)j * 2 * k + k;
            const real d = h->energy[i * n + j];
            for (int c = 0; c < k && d != 0; c++) {
                const real unit = u[c] + v[c] + b[c], on = unit > 0 ? d : 0;
                dw[c] += on * unit;
                du[c] += on * w[c];
                dv[c] += on * w[c];
                db[c] += on * w[c];
            }
        }
}

/* Replaces the energies of a row by probabilities. Returns the index of the largest one. */
static int softmax(real *row, int n)
{
    int most = 0;
    double sum = 0;
    for (int j = 1; j < n; j++)
        if (row[j] > row[most]) most = j;
    const double largest = (double)row[most];
    for (int j = 0; j < n; j++) sum += elementary_exp((double)row[j] - largest);
    for (int j = 0; j < n; j++) row[j] = (real)(elementary_exp((double)row[j] - largest) / sum);
    return most;
}

struct heads_sums {
    int items, right;
    double bits; /* -log2 of the probabilities of the heads */
};

/* Runs a batch. If `learns` is true, sets the gradient of the mean loss. Writes predictions to
 * `predicted` [words] unless it is NULL. */
static struct heads_sums run_batch(struct heads *h, const int32_t *sentence, int count, bool learns,
                                   int32_t *predicted)
{
    const size_t D = (size_t)h->D;
    struct heads_sums sums = {0};
    int words = 0, items = 0;
    for (int s = 0; s < count; s++) {
        const int32_t first = h->words->first[sentence[s]];
        const int n = length_of(h, sentence[s]);
        const float *from = h->vector + (size_t)first * D;
        for (size_t i = 0; i < (size_t)n * D; i++) h->x[(size_t)words * D + i] = (real)from[i];
        words += n;
        for (int i = 0; i < n; i++) items += h->head[first + i] >= 0;
    }
    multiply(h->x, h->map, false, h->z, words, h->columns, h->D);
    if (learns) memset(h->gradient, 0, (size_t)h->count * sizeof *h->gradient);
    for (int s = 0, at = 0; s < count; s++) {
        const int32_t first = h->words->first[sentence[s]];
        const int n = length_of(h, sentence[s]);
        const real *x = h->x + (size_t)at * D, *z = h->z + (int64_t)at * h->columns;
        forward(h, x, z, n);
        for (int i = 0; i < n; i++) {
            const int32_t head = h->head[first + i];
            real *row = h->energy + (int64_t)i * n;
            const int most = softmax(row, n);
            if (predicted) predicted[first + i] = most;
            if (head >= 0) {
                sums.items++;
                sums.right += most == head;
                sums.bits -= elementary_log(fmax((double)row[head], 1e-30)) / elementary_log(2);
                row[head] -= 1;
            }
            for (int j = 0; j < n; j++) row[j] *= head >= 0 ? (real)(1. / items) : 0;
        }
        if (learns) backward(h, x, z, h->z_gradient + (int64_t)at * h->columns, n);
        at += n;
    }
    if (!learns) return sums;
    struct gemm_weight g = {.T = words, .M = h->D, .N = h->columns, .scale = 1};
    g.a = act_of(h->x), g.lda = h->D;
    g.b = act_of(h->z_gradient), g.ldb = h->columns;
    g.c = h->gradient;
    cpu_ops()->gemm_weight(&g);
    return sums;
}

static struct heads_sums run_all(struct heads *h, struct word_heads_text text, int32_t *predicted)
{
    struct heads_sums all = {0};
    for (int s = 0; s < text.count; s += BATCH) {
        const int left = text.count - s;
        const struct heads_sums sums =
            run_batch(h, text.sentence + s, left < BATCH ? left : BATCH, false, predicted);
        all.items += sums.items;
        all.right += sums.right;
        all.bits += sums.bits;
    }
    return all;
}

static void update(struct heads *h, int64_t number)
{
    const struct outcome outcome = {.gradient_scale = 1, .finite = 1};
    const struct step step = {.rate = word_protocol.rate,
                              .correction1 = train_correction(BETA1, number),
                              .correction2 = train_correction(BETA2, number)};
    struct adam adam = {.step = &step, .outcome = &outcome, .count = h->count};
    adam.master = h->map, adam.m = h->m, adam.v = h->v;
    adam.operand = act_of(h->map), adam.gradient = h->gradient;
    adam.beta1 = BETA1, adam.beta2 = BETA2, adam.epsilon = 1e-8;
    cpu_ops()->adam(&adam);
}

/* Returns the sentences of a set, or of all sets after dev if `set` is WORDS_TEST. */
static struct word_heads_text text_of(struct heads *h, enum words_set set)
{
    int32_t *sentence = ARENA_ARRAY(&h->arena, int32_t, h->words->sentences);
    int count = 0;
    for (int s = 0; s < h->words->sentences; s++) {
        const enum words_set own = h->words->sentence[s].set;
        if (own == set || (set == WORDS_TEST && own > set)) sentence[count++] = s;
    }
    return (struct word_heads_text){sentence, count};
}

double word_heads_train(const struct word_probe_job *job, const int32_t *head, int hidden,
                        struct word_heads_text train, struct word_trained *trained,
                        struct word_heads_text coded)
{
    const struct random_key key = {1, random_stream("words.heads.epoch")};
    const int batches = (train.count + BATCH - 1) / BATCH,
              epochs = protocol_epochs(&word_protocol, batches);
    struct heads h;
    struct probe_watch watch = {0};
    int64_t updates = 0;
    heads_open(&h, job, head, hidden);
    const struct word_heads_text dev = text_of(&h, WORDS_DEV);
    int32_t *order = ARENA_ARRAY(&h.arena, int32_t, train.count);
    for (int epoch = 0; !watch.ended;) {
        for (int e = 0; e < epochs; e++) {
            random_permute(key, (uint32_t)epoch++, order, train.count);
            for (int i = 0; i < train.count; i++) order[i] = train.sentence[order[i]];
            for (int i = 0; i < train.count; i += BATCH) {
                const int left = train.count - i;
                run_batch(&h, order + i, left < BATCH ? left : BATCH, true, NULL);
                update(&h, updates++);
            }
        }
        const struct heads_sums sums = run_all(&h, dev, NULL);
        if (probe_watch_add(&watch, &word_protocol, sums.right)) {
            memcpy(h.best, h.map, (size_t)h.count * sizeof *h.best);
            trained->dev = 100. * sums.right / sums.items;
        }
        if (job->calls.scored) job->calls.scored(epoch, 1, job->calls.context);
    }
    trained->undertrained = watch.best == watch.evaluations || updates < UPDATES_LEAST;
    memcpy(h.map, h.best, (size_t)h.count * sizeof *h.best);
    if (trained->predicted) {
        run_all(&h, dev, trained->predicted);
        run_all(&h, text_of(&h, WORDS_TEST), trained->predicted);
    }
    const double bits = run_all(&h, coded, NULL).bits;
    arena_free(&h.arena);
    return bits;
}
