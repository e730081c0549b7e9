/* MANIFEST of a checkpoint whose other files are small and valid. */
#include <string.h>

#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "tests/fuzz/support/fuzz.h"

void fuzz_prepare(void)
{
    static const char *const name[] = {"model.safetensors", "adam-m.safetensors",
                                       "adam-v.safetensors", "state.json"};
    struct arena arena = {0};
    file_make_folder(arena_print(&arena, "%s/ckpt/step-00000007", fuzz_folder()));
    for (size_t i = 0; i < COUNT_OF(name); i++)
        fuzz_put(arena_print(&arena, "ckpt/step-00000007/%s", name[i]), "abc", 3);
    fuzz_put("ckpt/step-00000007/MANIFEST", "", 0);
    checkpoint_fault(&arena, fuzz_folder(), 7);
    arena_free(&arena);
}

static void run(void *context)
{
    struct arena arena = {0};
    checkpoint_fault(&arena, fuzz_folder(), 7);
    checkpoint_optimizer_bytes(fuzz_folder());
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_put("ckpt/step-00000007/MANIFEST", data, size);
    fuzz_try(run, NULL);
    return 0;
}
