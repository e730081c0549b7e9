/* Computes McNemar's test. All binomial coefficients are divided by C(a + b, min(a, b)). Their sum
 * `all` replaces 2^(a + b), so no power of 2 underflows. */
#include "results/stats/mcnemar.h"

#include <math.h>

double mcnemar_p(int a, int b)
{
    const int n = a + b, least = a < b ? a : b;
    double tail = 1, all = 1, one = 1;
    for (int i = least; i > 0; i--) {
        one *= (double)i / (n - i + 1);
        tail += one;
    }
    all = tail;
    one = 1;
    for (int i = least; i < n; i++) {
        one *= (double)(n - i) / (i + 1);
        all += one;
    }
    return fmin(1, 2 * (tail / all)); /* `all` may overflow to infinity; then p is 0 */
}
