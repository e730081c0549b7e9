/* MANIFEST of a checkpoint whose other files are small and valid. */
#include <string.h>

#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "tests/fuzz/support/fuzz.h"

void fuzz_prepare(void)
{
    static const char *const name[] = {"model.safetensors", "adam-m.safetensors",
                                       "adam-v.safetensors", "state.json"};
    file_make_folder(arena_print(&arena, "%s/ckpt/step-00000007", fuzz_folder()));
    for (size_t i = 0; i < COUNT_OF(name); i++)
        fuzz_put(arena_print(&arena, "ckpt/step-00000007/%s", name[i]), "abc", 3);
    fuzz_put("ckpt/step-00000007/MANIFEST", "", 0);
    checkpoint_fault(&arena, fuzz_folder(), 7);
}

static void run(void *context)
{
    checkpoint_fault(&arena, fuzz_folder(), 7);
    checkpoint_optimizer_bytes(fuzz_folder());
}

FUZZ_FILE(run, "ckpt/step-00000007/MANIFEST");
