/* Sets GOMP_SPINCOUNT before libgomp reads it. */
#include "core/base/spin.h"

#include <stddef.h>
#include <string.h>

static char bounded[] = "GOMP_SPINCOUNT=300";
static char **place, *replaced;

static int begins(const char *entry, const char *with)
{
    return strncmp(entry, with, strlen(with)) == 0;
}

/* libgomp reads its variables in a constructor, which runs before all of ours. Only functions of
 * .preinit_array run earlier, and libc has no environment then, so setenv would be lost. Instead
 * the count takes the place of an entry that libgomp does not read. An environment without
 * such an entry leaves libgomp its default. */
static void spin_bounded(int count, char **word, char **environment)
{
    (void)count, (void)word;
    for (char **entry = environment; *entry; entry++) {
        if (begins(*entry, "GOMP_SPINCOUNT=") || begins(*entry, "OMP_WAIT_POLICY=")) {
            place = NULL;
            return;
        }
        if (!begins(*entry, "OMP_") && !begins(*entry, "GOMP_")) place = entry;
    }
    if (!place) return;
    replaced = *place;
    *place = bounded;
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = spin_bounded;

void spin_restore(void)
{
    if (replaced) *place = replaced;
}
