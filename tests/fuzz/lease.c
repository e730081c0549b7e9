/* Lock file of a stage, written by another process: is it held, and by which owner? */
#include "core/base/lease.h"
#include "tests/fuzz/support/fuzz.h"

void fuzz_prepare(void)
{
    lease_held(fuzz_folder(), NULL);
}

static void run(void *context)
{
    struct lease_owner owner;
    lease_held(fuzz_folder(), &owner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_put("lock", data, size);
    fuzz_try(run, NULL);
    return 0;
}
