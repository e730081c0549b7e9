/* What is done to items and vectors before they are trained on. */
#include <math.h>
#include <stdlib.h>

#include "probes/classifier.h"
#include "probes/classifier_group.h"

/* An item with what it is sorted by: tokens, then label, then its place. */
struct ordered_item {
    int tokens, label, place;
    int32_t item;
};

static int compare_items(const void *left, const void *right)
{
    const struct ordered_item *a = left, *b = right;
    if (a->tokens != b->tokens) return a->tokens < b->tokens ? -1 : 1;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

void probe_order(int32_t *item, int count, const int *tokens, const int32_t *label)
{
    SCOPED(heap_free) struct ordered_item *entry = heap_alloc((size_t)count * sizeof *entry);
    for (int i = 0; i < count; i++)
        entry[i] = (struct ordered_item){tokens[item[i]], label[item[i]], i, item[i]};
    qsort(entry, (size_t)count, sizeof *entry, compare_items);
    for (int i = 0; i < count; i++) item[i] = entry[i].item;
}

/* Mean of each column over train, and what its values are multiplied with: 0 where all are one. */
static void measure(const struct probe_data *data, double *mean, double *factor)
{
    const struct probe_items *train = &data->items[PROBE_TRAIN];
    const int64_t D = data->D;
    for (int64_t c = 0; c < D; c++) {
        const float *x = data->vector + c, first = x[train->item[0] * D];
        double sum = 0, squares = 0;
        bool varies = false;
        for (int i = 0; i < train->count; i++) {
            sum += (double)x[train->item[i] * D];
            varies |= x[train->item[i] * D] != first;
        }
        mean[c] = sum / train->count;
        for (int i = 0; i < train->count; i++) {
            const double away = (double)x[train->item[i] * D] - mean[c];
            squares += away * away;
        }
        factor[c] = varies ? 1 / sqrt(squares / train->count) : 0;
    }
}

void probe_table_fill(const struct probe_job *job, real *table)
{
    const struct probe_data *data = job->data;
    const int64_t N = data->N, D = data->D;
    const size_t bytes = (size_t)(N * D) * sizeof *table;
    if (!job->standardize && sizeof(real) == sizeof(float)) {
        job->ops->upload(table, data->vector, bytes);
        return;
    }
    SCOPED(heap_free) double *mean = heap_alloc((size_t)D * sizeof *mean);
    SCOPED(heap_free) double *factor = heap_alloc((size_t)D * sizeof *factor);
    SCOPED(heap_free) real *host = heap_alloc(bytes);
    if (job->standardize) measure(data, mean, factor);
    for (int64_t i = 0; i < N * D; i++) {
        const double x = (double)data->vector[i];
        host[i] = (real)(job->standardize ? (x - mean[i % D]) * factor[i % D] : x);
    }
    job->ops->upload(table, host, bytes);
}
