/* McNemar's exact test (1947) of two systems that are right or wrong on the same items. Items on
 * which both are right, or both wrong, are ignored. If the systems were equal, each remaining item
 * would favor either side with probability 1/2. */
#pragma once

/* Returns the two-sided p of `a` items that only one system got right and `b` items that only the
 * other system got right. Both are >= 0. There are 2^(a+b) outcomes. The p is twice the share of
 * the outcomes with at most min(a, b) items on a given side, limited to 1. Approximate
 * randomization of the items converges to this p. */
double mcnemar_p(int a, int b);
