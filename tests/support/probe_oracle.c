/* Probing classifier in double. Parameters are one flat array: V [D, H], a [H], W [H or D, C], b
 * [C]. */
#include "tests/support/probe_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/dropout.h"

struct oracle {
    const struct probe_job *job;
    int D, H, C, K, count; /* K: inputs of the output layer; count: parameters */
    double dropout, l2;
    double *x; /* [N, D] */
    double *parameter, *m, *v, *gradient, *best;
};

static double uniform(const struct oracle *o, const char *stream, int i)
{
    const struct random_key key = {o->job->seed, random_stream(stream)};
    return random_uniform(key, (uint64_t)i, 0);
}

static void start(struct oracle *o)
{
    double *to = o->parameter;
    for (int i = 0; i < o->D * o->H; i++)
        *to++ = (2 * uniform(o, "probe.hidden.weight", i) - 1) / sqrt(o->D);
    for (int i = 0; i < o->H; i++)
        *to++ = (2 * uniform(o, "probe.hidden.bias", i) - 1) / sqrt(o->D);
    for (int i = 0; i < o->K * o->C; i++)
        *to++ = (2 * uniform(o, "probe.output.weight", i) - 1) / sqrt(o->K);
    for (int i = 0; i < o->C; i++)
        *to++ = (2 * uniform(o, "probe.output.bias", i) - 1) / sqrt(o->K);
}

/* Returns the dropout factor of a unit before the sigmoid; 1 if update is -1. */
static double mask(const struct oracle *o, int row, int unit, int update)
{
    const struct random_key key = {o->job->seed, random_stream("probe.dropout")};
    const uint32_t threshold = random_threshold(o->dropout);
    if (update < 0 || !threshold) return 1;
    if (!dropout_keeps(key, (uint64_t)(row * o->H + unit), (uint32_t)update, 0, threshold))
        return 0;
    return 65536.0 / (65536.0 - threshold);
}

static void logits(const struct oracle *o, const double *x, int row, int update, double *out)
{
    const double *V = o->parameter, *a = V + o->D * o->H, *W = a + o->H, *b = W + o->K * o->C;
    double unit[64];
    for (int h = 0; h < o->H; h++) {
        double z = a[h];
        for (int d = 0; d < o->D; d++) z += x[d] * V[d * o->H + h];
        unit[h] = 1 / (1 + exp(-z * mask(o, row, h, update)));
    }
    for (int c = 0; c < o->C; c++) {
        out[c] = b[c];
        for (int k = 0; k < o->K; k++) out[c] += (o->H ? unit[k] : x[k]) * W[k * o->C + c];
    }
}

static double log_probability(const struct oracle *o, const double *out, int label)
{
    double sum = 0;
    for (int c = 0; c < o->C; c++) sum += exp(out[c]);
    return out[label] - log(sum);
}

/* Returns the mean loss of a batch. */
static double loss(const struct oracle *o, const int32_t *item, int count, int update)
{
    double sum = 0, out[64];
    for (int t = 0; t < count; t++) {
        logits(o, o->x + item[t] * o->D, t, update, out);
        sum -= log_probability(o, out, o->job->data->label[item[t]]);
    }
    return sum / count;
}

/* Adam (Kingma and Ba 2015, algorithm 1), with l2 times the parameter added to the gradient. */
static void update(struct oracle *o, const int32_t *item, int count, int number)
{
    const double h = 1e-5;
    for (int i = 0; i < o->count; i++) {
        const double keep = o->parameter[i];
        o->parameter[i] = keep + h;
        const double above = loss(o, item, count, number);
        o->parameter[i] = keep - h;
        const double below = loss(o, item, count, number);
        o->parameter[i] = keep;
        o->gradient[i] = (above - below) / (2 * h) + o->l2 * keep;
    }
    for (int i = 0; i < o->count; i++) {
        o->m[i] = .9 * o->m[i] + .1 * o->gradient[i];
        o->v[i] = .999 * o->v[i] + .001 * o->gradient[i] * o->gradient[i];
        const double m = o->m[i] / (1 - pow(.9, number + 1));
        const double v = o->v[i] / (1 - pow(.999, number + 1));
        o->parameter[i] -= o->job->protocol->rate * m / (sqrt(v) + 1e-8);
    }
}

static int predict(const struct oracle *o, enum probe_role role, int32_t *predicted, float *log_p)
{
    const struct probe_data *data = o->job->data;
    int right = 0;
    for (int i = 0; i < data->items[role].count; i++) {
        const int32_t item = data->items[role].item[i];
        double out[64];
        int best = 0;
        logits(o, o->x + item * o->D, i, -1, out);
        for (int c = 1; c < o->C; c++)
            if (out[c] > out[best]) best = c;
        predicted[i] = best;
        right += best == data->label[item];
        if (log_p) log_p[i] = (float)log_probability(o, out, data->label[item]);
    }
    return right;
}

static void standardize(const struct oracle *o)
{
    const struct probe_items *train = &o->job->data->items[PROBE_TRAIN];
    for (int d = 0; d < o->D; d++) {
        double mean = 0, square = 0;
        for (int i = 0; i < train->count; i++) mean += o->x[train->item[i] * o->D + d];
        mean /= train->count;
        for (int i = 0; i < train->count; i++)
            square += pow(o->x[train->item[i] * o->D + d] - mean, 2);
        const double deviation = sqrt(square / train->count);
        for (int i = 0; i < o->job->data->N; i++) {
            double *x = &o->x[i * o->D + d];
            *x = deviation > 1e-9 ? (*x - mean) / deviation : 0;
        }
    }
}

static void train(struct oracle *o, struct probe_trained *trained)
{
    const struct protocol *p = o->job->protocol;
    const struct probe_items *train = &o->job->data->items[PROBE_TRAIN];
    const struct probe_items *dev = &o->job->data->items[PROBE_DEV];
    const struct random_key key = {o->job->seed, random_stream("probe.epoch")};
    int32_t *order = heap_alloc((size_t)train->count * sizeof *order);
    int32_t *predicted = heap_alloc((size_t)dev->count * sizeof *predicted);
    int epoch = 0, failures = 0, best_right = -1;
    for (bool stop = false; !stop && epoch < p->most;) {
        for (int e = 0; e < p->epochs; e++, epoch++) {
            random_permute(key, (uint32_t)epoch, order, train->count);
            for (int i = 0; i < train->count; i++) order[i] = train->item[order[i]];
            for (int i = 0; i < train->count; i += p->batch)
                update(o, order + i, train->count - i < p->batch ? train->count - i : p->batch,
                       (int)trained->updates++);
        }
        trained->evaluations++;
        const int right = predict(o, PROBE_DEV, predicted, NULL);
        if (right > best_right) {
            best_right = right;
            trained->best = trained->evaluations;
            memcpy(o->best, o->parameter, (size_t)o->count * sizeof *o->best);
            memcpy(trained->predicted[PROBE_DEV], predicted,
                   (size_t)dev->count * sizeof *predicted);
        } else if (p->tenacity >= 0) {
            if (failures >= p->tenacity) stop = true;
            failures++;
        }
    }
    free(order);
    free(predicted);
}

void probe_oracle(const struct probe_job *job, const struct probe_setting *setting,
                  struct probe_trained *trained)
{
    const struct probe_data *data = job->data;
    struct oracle o = {.job = job, .D = data->D, .H = setting->hidden, .C = data->labels};
    o.K = o.H ? o.H : o.D;
    o.count = o.D * o.H + o.H + o.K * o.C + o.C;
    o.dropout = setting->dropout, o.l2 = setting->l2;
    CHECK(o.H <= 64 && o.C <= 64, "%d units, %d classes", o.H, o.C);
    double *all = heap_alloc((size_t)(data->N * o.D + 5 * o.count) * sizeof *all);
    o.x = all + 5 * o.count;
    o.parameter = all, o.m = all + o.count, o.v = all + 2 * o.count;
    o.gradient = all + 3 * o.count, o.best = all + 4 * o.count;
    for (int i = 0; i < data->N * o.D; i++) o.x[i] = (double)data->vector[i];
    if (job->standardize) standardize(&o);
    start(&o);
    train(&o, trained);
    memcpy(o.parameter, o.best, (size_t)o.count * sizeof *o.best);
    predict(&o, PROBE_TEST, trained->predicted[PROBE_TEST], trained->likelihood);
    free(all);
}
