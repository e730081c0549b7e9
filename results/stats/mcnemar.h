/* McNemar's exact test (1947): two systems are right or wrong on the same items. Items on which
 * both are right, or both wrong, say nothing of which is better. Were both systems the same, each
 * other item would fall to either side with probability 1/2. */
#pragma once

/* Two-sided p of `a` items that only one system got right and `b` that only the other one did:
 * twice the share of all 2^(a+b) outcomes whose smaller side has at most min(a, b) on a given side,
 * 1 at most. What approximate randomization of such items comes close to. Both >= 0. */
double mcnemar_p(int a, int b);
