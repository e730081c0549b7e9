/* A vocabulary file: every token maps to its own id, except control symbols, which never occur in
 * text. */
#include "core/text/vocabulary.h"

#include <string.h>

#include "tests/fuzz/support/fuzz.h"

static void run(void *context)
{
    const struct fuzz_bytes *input = context;
    const struct vocabulary read = vocabulary_parse(&arena, "v", input->text, input->size);
    for (int id = VOCABULARY_FIRST; id < read.size; id++)
        CHECK(vocabulary_id(&read, read.token[id], strlen(read.token[id])) == id,
              "token %d is another", id);
}

FUZZ_BYTES(run);
