/* stage.json and options.yaml, which define a worker's job. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "experiments/stage/stage.h"
#include "tests/fuzz/support/fuzz.h"

#define STAGE "stages/corpus-0123456789ab"
static char *folder;

/* Input: the first file, a NUL, the second file. */
static void run(void *context)
{
    static const char *const file[] = {"stage.json", "options.yaml"};
    for (int i = 0; i < 2; i++) {
        const struct fuzz_bytes part = fuzz_next(context);
        fuzz_put(arena_print(&arena, STAGE "/%s", file[i]), part.text, part.size);
    }
    stage_load(&arena, folder);
}

/* Runs the digest library once, because it keeps memory allocated by the first call. */
void fuzz_prepare(void)
{
    static const char both[] =
        "{\"kind\": \"corpus\", \"id\": \"0\", \"files\": []}\0"
        "corpus: {source: a, target: b, train: t, dev: d, merges: 10}\n"
        "model: {width: 16, heads: 2, feedforward: 32, share: all}\ntrain: {steps: 3}\n";
    folder = heap_print("%s/" STAGE, fuzz_folder());
    path_guard(fuzz_folder()); /* keeps memory that outlives the input */
    file_make_folder(folder);
    fuzz_try_bytes(run, false, (const uint8_t *)both, sizeof both - 1);
}

FUZZ_BYTES(run);
