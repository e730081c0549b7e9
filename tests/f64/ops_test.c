/* The cases of tests/unit/ops_test.c in double, with a tolerance of 1e-12. */
#include "tests/unit/ops_test.c"
