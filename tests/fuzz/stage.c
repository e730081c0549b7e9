/* stage.json and options.yaml, which define a worker's job. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "experiments/stage/stage.h"
#include "tests/fuzz/support/fuzz.h"

static char *folder;

static void run(void *context)
{
    struct arena arena = {0};
    stage_load(&arena, folder);
    arena_free(&arena);
}

/* Runs the digest library once, because it keeps memory allocated by the first call. */
void fuzz_prepare(void)
{
    static const char stage[] = "{\"kind\": \"corpus\", \"id\": \"0\", \"files\": []}";
    static const char options[] =
        "corpus: {source: a, target: b, train: t, dev: d, merges: 10}\n"
        "model: {width: 16, heads: 2, feedforward: 32, share: all}\ntrain: {steps: 3}\n";
    folder = heap_print("%s/stages/corpus-0123456789ab", fuzz_folder());
    path_guard(fuzz_folder()); /* keeps memory that outlives the input */
    file_make_folder(folder);
    fuzz_put("stages/corpus-0123456789ab/stage.json", stage, strlen(stage));
    fuzz_put("stages/corpus-0123456789ab/options.yaml", options, strlen(options));
    fuzz_try(run, NULL);
}

/* Input: the first file, a NUL, the second file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, 0, size);
    const size_t first = end ? (size_t)(end - data) : size;
    fuzz_put("stages/corpus-0123456789ab/stage.json", data, first);
    fuzz_put("stages/corpus-0123456789ab/options.yaml", data + first + (end != NULL),
             size - first - (end != NULL));
    fuzz_try(run, NULL);
    return 0;
}
