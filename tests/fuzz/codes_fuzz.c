/* BPE merges, a vocabulary of pieces, and a line that is segmented with both and joined again. */
#include <string.h>

#include "core/text/bpe.h"
#include "tests/fuzz/support/fuzz.h"

/* Returns the file of the next part: the merges, a NUL, the pieces. */
static const char *put(struct fuzz_bytes *input, const char *name)
{
    const struct fuzz_bytes part = fuzz_next(input);
    return fuzz_put(name, part.text, part.size);
}

static void run(void *context)
{
    static const char line[] = " lower newest widest  \xe6\xbc\xa2@@ a";
    struct bpe *bpe = bpe_read(put(context, "codes"), BPE_ALL_MERGES);
    struct buffer out = {0}, back = {0};
    bpe_apply_line(bpe, line, strlen(line), &out);
    bpe_undo_line(out.text, out.bytes, &back);
    bpe_read_vocabulary(bpe, put(context, "pieces"), 2);
    bpe_apply_line(bpe, line, strlen(line), &out);
    buffer_free(&out);
    buffer_free(&back);
    bpe_free(bpe);
}

FUZZ_BYTES(run);
