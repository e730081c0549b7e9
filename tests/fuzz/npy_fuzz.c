/* Matrices in npy files: every number of an accepted file can be read. */
#include "core/base/npy.h"
#include "tests/fuzz/support/fuzz.h"

static void run(void *context)
{
    struct npy npy = npy_open(context);
    CHECK(npy_bad_row(&npy) < npy.rows, "there are only %lld rows", (long long)npy.rows);
    npy_close(&npy);
}

FUZZ_FILE(run, "a.npy");
