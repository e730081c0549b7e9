/* Items of a stage, and sums by cluster: the same text is read in both formats. */
#include "results/store/items.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/support/fuzz.h"

static volatile double sum;

static void run(void *context)
{
    const struct fuzz_bytes *input = context;
    const char *problem[2] = {NULL};
    char *copy = arena_text_range(&arena, input->text, input->size);
    int count, sums;
    const struct item *item =
        tsv_read(&arena, "x", &items_form, copy, input->size, &count, problem);
    const struct cluster_sum *of =
        tsv_read(&arena, "x", &clusters_form, input->text, input->size, &sums, problem + 1);
    if (!item == !problem[0] || !of == !problem[1]) abort();
    for (int i = 0; item && i < count; i++)
        sum += item[i].number + item[i].weight +
               (double)(strlen(item[i].class) + strlen(item[i].stratum));
    for (int i = 0; of && i < sums; i++) {
        if (of[i].cluster < 1 || of[i].layer < 0 || !(of[i].count > 0)) abort();
        sum += of[i].sum + (double)strlen(of[i].class);
    }
}

FUZZ_BYTES(run);
