/* The sums behind a stage's means, cluster by cluster. */
#include "results/store/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/support/fuzz.h"

static volatile double sum;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    const char *problem = NULL;
    char *text = arena_alloc(&arena, size + 1);
    if (size) memcpy(text, data, size);
    int count;
    const struct cluster_sum *read =
        clusters_read(&arena, "clusters.tsv", text, size, &count, &problem);
    if (!read == !problem) abort();
    for (int i = 0; read && i < count; i++) {
        if (read[i].cluster < 1 || read[i].layer < 0 || !(read[i].count > 0)) abort();
        sum += read[i].sum + (double)strlen(read[i].class);
    }
    arena_free(&arena);
    return 0;
}
