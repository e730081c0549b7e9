/* Items of a stage: numbers with a class and a stratum. */
#include "results/store/items.h"

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
    const struct item *item = items_read(&arena, "items.tsv", text, size, &count, &problem);
    if (!item == !problem) abort();
    for (int i = 0; item && i < count; i++)
        sum += item[i].number + item[i].weight +
               (double)(strlen(item[i].class) + strlen(item[i].stratum));
    arena_free(&arena);
    return 0;
}
