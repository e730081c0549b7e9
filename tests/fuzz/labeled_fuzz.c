/* Files of labeled pairs, unchanged and with a correct digest. An accepted file makes batches of
 * its pairs, and is written again with the same number of bytes. */
#include "core/corpus/labeled.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "tests/fuzz/support/fuzz.h"

static void run(void *context)
{
    const struct fuzz_bytes *input = context;
    const char *path = fuzz_put("formulas.pairs", input->text, input->size);
    const struct labeled labeled = labeled_read(&arena, path);
    int64_t tokens = 0;
    for (int32_t p = 0; p < labeled.pairs; p++) {
        const struct batch batch = labeled_batch(&arena, &labeled, &p, 1);
        const struct field *field = &batch.field[FIELD_SOURCE];
        CHECK(field->B == 2 && field->T == labeled_tokens(&labeled, p), "pair %d", p);
        CHECK(batch.label[0] >= 0 && batch.label[0] < labeled.classes, "label %d", batch.label[0]);
        for (int t = 0; t < field->T; t++)
            CHECK(field->token[t] >= 0 && field->token[t] < labeled.words, "token");
        tokens += field->T;
        if (tokens > 1 << 16) break; /* pairs may name one long sentence again and again */
    }
    char *again = arena_print(&arena, "%s.again", path);
    size_t bytes;
    labeled_write(again, &labeled);
    file_read(&arena, again, 0, &bytes);
    CHECK(bytes == input->size, "%zu bytes, not %zu", bytes, input->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *whole = heap_alloc(size + DIGEST_TEXT);
    fuzz_try_bytes(run, false, data, size);
    if (size) memcpy(whole, data, size);
    digest_bytes(whole, size, (char *)whole + size);
    fuzz_try_bytes(run, false, whole, size + DIGEST_TEXT - 1);
    free(whole);
    return 0;
}
