/* Default main of test programs. SUPPORT is an archive, so a program with its own main does not
 * link this one. */
#include "tests/support/test.h"

int main(void)
{
    return tests_run();
}
