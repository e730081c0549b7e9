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

FUZZ_FILE(run, "lock");
