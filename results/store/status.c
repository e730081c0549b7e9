/* Defines the final statuses, done and diverged. A stage with a final status is never continued. */
#include "results/store/status.h"

#include <string.h>

bool status_is_final(const char *status)
{
    return status && (!strcmp(status, STATUS_DONE) || !strcmp(status, STATUS_DIVERGED));
}
