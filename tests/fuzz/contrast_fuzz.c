/* Contrast pairs: a table of source, right and wrong target, and tags. */
#include "core/decode/contrast.h"
#include "tests/fuzz/support/fuzz.h"

#include <string.h>

static volatile size_t sum;

static void run(void *context)
{
    const struct contrast_pairs pairs = contrast_read(&arena, context);
    for (int i = 0; i < pairs.count; i++) {
        sum += strlen(pairs.source[i]) + strlen(pairs.target[CONTRAST_WRONG][i]);
        for (int t = 0; t < pairs.tags; t++) sum += strlen(pairs.tag[t][i]);
    }
    for (int t = 0; t < pairs.tags; t++) sum += strlen(pairs.tag_name[t]);
}

FUZZ_FILE(run, "pairs.tsv");
