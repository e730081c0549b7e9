/* The main of test programs that have none of their own; SUPPORT is an archive. */
#include "tests/support/test.h"

int main(void)
{
    return tests_run();
}
