/* The waves of tests/unit/position_test.c in double. */
#include "tests/unit/position_test.c"
