/* Tests core/config/foreign: the option of every foreign name exists. */
#include "tests/support/test.h"

#include "core/config/foreign.h"
#include "experiments/grid/settings.h"

TEST(options_are_there)
{
    for (const struct foreign_option *at = foreign_options; at->option; at++)
        if (!settings_option(at->option)) fail_msg("%s: there is no %s", at->words, at->option);
}

TEST(no_option_is_foreign_to_its_own_section)
{
    for (const char *const *name = settings_names(&arena); *name; name++) {
        const char *key = strrchr(*name, '.') + 1, *meant = foreign_meant(key);
        if (meant && strcmp(meant, *name) != 0) fail_msg("%s is said to be %s", *name, meant);
    }
}
