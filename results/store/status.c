/* The statuses that done.json may have: the stage is over, and nobody continues it. */
#include "results/store/status.h"

#include <string.h>

bool status_is_final(const char *status)
{
    return status && (!strcmp(status, STATUS_DONE) || !strcmp(status, STATUS_DIVERGED));
}
