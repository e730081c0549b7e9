/* A shard of token ids: the ids of an accepted shard are within its vocabularies, in every
 * sentence. */
#include <string.h>

#include "core/corpus/corpus_shard.h"
#include "tests/fuzz/support/fuzz.h"

static void run(void *context)
{
    static const int sizes[SIDES] = {400, 300};
    const struct fuzz_bytes *input = context;
    const struct split split = shard_open("s", input->text, input->size, sizes);
    for (int side = 0; side < SIDES; side++)
        for (int s = 0; s < split.sentences; s++) {
            const struct side *one = &split.side[side];
            for (int64_t t = one->start[s]; t < one->start[s + 1]; t++)
                CHECK(one->token[t] >= 0 && one->token[t] < sizes[side], "id %d", one->token[t]);
        }
}

FUZZ_BYTES(run);
