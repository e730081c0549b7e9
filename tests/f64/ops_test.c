/* The cases of tests/unit/ops_test.c in double, where they must agree to 1e-12. */
#include "tests/unit/ops_test.c"
