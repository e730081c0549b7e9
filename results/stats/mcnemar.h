/* McNemar's exact test (1947) of two systems that are right or wrong on the same items. Items on
 * which both are right, or both wrong, are ignored. If the systems were equal, each remaining item
 * would favor either side with probability 1/2. */
#pragma once

/* Returns the two-sided p. `a` is the number of items that only one system got right. `b` is the
 * number of items that only the other system got right. Each of these a + b items favors one of two
 * sides, so there are 2^(a+b) outcomes. p is twice the share of the outcomes in which at most
 * min(a, b) items favor a given side, but at most 1. Approximate randomization of the items
 * converges to this p. */
double mcnemar_p(int a, int b);
