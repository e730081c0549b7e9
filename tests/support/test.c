#include "tests/support/test.h"

#include <stdlib.h>

#include "core/base/file.h"

/* TEST_ONLY=pattern (with * and ?) runs only the tests whose names match. */
__attribute__((constructor)) static void choose_tests(void)
{
    const char *pattern = getenv("TEST_ONLY");
    if (pattern) cmocka_set_test_filter(pattern);
}

jmp_buf test_die_jump;
char test_die_message[2048];

void test_die_catch(const char *message, void *context)
{
    (void)context;
    snprintf(test_die_message, sizeof test_die_message, "%s", message);
    longjmp(test_die_jump, 1);
}

const char *test_data_folder(void)
{
    const char *folder = getenv("SANLAB_DATA");
    if (folder && file_is_folder(folder)) return folder;
    return file_is_folder("../shared/data") ? "../shared/data" : NULL;
}

const char *test_folder(const char *name)
{
    static char path[4][512];
    static int turn;
    char *here = path[turn++ % 4];
    snprintf(here, sizeof path[0], "build/tmp/%s", name);
    file_remove_tree(here);
    file_make_folder(here);
    return here;
}
