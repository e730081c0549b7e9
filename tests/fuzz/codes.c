/* BPE merges, a vocabulary of pieces, and a line that is segmented with both and joined again. */
#include <string.h>

#include "core/text/bpe.h"
#include "tests/fuzz/support/fuzz.h"

static char codes[600], pieces[600];

static void run(void *context)
{
    static const char line[] = " lower newest widest  \xe6\xbc\xa2@@ a";
    struct bpe *bpe = bpe_read(codes, BPE_ALL_MERGES);
    struct buffer out = {0}, back = {0};
    bpe_apply_line(bpe, line, strlen(line), &out);
    bpe_undo_line(out.text, out.bytes, &back);
    bpe_read_vocabulary(bpe, pieces, 2);
    bpe_apply_line(bpe, line, strlen(line), &out);
    buffer_free(&out);
    buffer_free(&back);
    bpe_free(bpe);
}

/* Input: the merges, a NUL, the pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, 0, size);
    const size_t first = end ? (size_t)(end - data) : size;
    snprintf(codes, sizeof codes, "%s", fuzz_put("codes", data, first));
    snprintf(pieces, sizeof pieces, "%s",
             fuzz_put("pieces", data + first + (end != NULL), size - first - (end != NULL)));
    fuzz_try(run, NULL);
    return 0;
}
