/* Rows of numbers in a file: every number of what is accepted can be read. */
#include "core/base/npy.h"
#include "tests/fuzz/support/fuzz.h"

void fuzz_prepare(void)
{
}

static void run(void *context)
{
    struct npy npy = npy_open(context);
    CHECK(npy_bad_row(&npy) < npy.rows, "there are only %lld rows", (long long)npy.rows);
    npy_close(&npy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_try(run, (void *)(uintptr_t)fuzz_put("a.npy", data, size));
    return 0;
}
