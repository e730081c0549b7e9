/* What is there already is compared by its digest. */
#include "experiments/cli/copy_out.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"

static bool is_same(const char *one, const char *other)
{
    char a[DIGEST_TEXT], b[DIGEST_TEXT];
    if (!file_exists(one)) return false;
    digest_file(one, a);
    digest_file(other, b);
    return !strcmp(a, b);
}

void copy_out_check(const char *verb, const char *from, const char *to)
{
    if (file_exists(to) && !is_same(from, to))
        die("%s: --out: %s is there already; expected a folder without it", verb, to);
}
