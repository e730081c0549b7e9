/* A vocabulary file: every token maps to its own id, except control symbols, which never occur in
 * text. */
#include "core/text/vocabulary.h"

#include <string.h>

#include "tests/fuzz/support/fuzz.h"

struct input {
    const char *text;
    size_t size;
};

static void run(void *context)
{
    const struct input *input = context;
    struct arena arena = {0};
    const struct vocabulary read = vocabulary_parse(&arena, "v", input->text, input->size);
    for (int id = VOCABULARY_FIRST; id < read.size; id++)
        CHECK(vocabulary_id(&read, read.token[id], strlen(read.token[id])) == id,
              "token %d is another", id);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    char *copy = arena_alloc(&arena, size + 1); /* as file_read leaves it */
    for (size_t i = 0; i < size; i++) copy[i] = (char)data[i];
    fuzz_try(run, &(struct input){copy, size});
    arena_free(&arena);
    return 0;
}
