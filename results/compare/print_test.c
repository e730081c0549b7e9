/* Prints one test, for `compare` and `table --explain`. */
#include "results/compare/compare.h"

#include "core/base/mask_output.h"
#include "results/sheet/number_format.h"

void print_test(const struct paired_test *test, const char *unit, int decimals, struct arena *arena,
                FILE *out)
{
    const struct significance *result = &test->result;
    const char *items = test->items ? test->items : "alone";
    mask_line(out, "  difference of mean %s %s, 95%% from %s to %s", unit,
              number_signed(arena, result->difference, decimals),
              number_signed(arena, result->low, decimals),
              number_signed(arena, result->high, decimals));
    if (result->decides)
        mask_line(out, "  p %s: Student's t over %sseeds %s%s, two-sided, not corrected",
                  number_fixed(arena, result->p, 4), test->paired ? "paired " : "",
                  test->items ? "and " : "", items);
    else
        mask_line(out, "  p %s: %s over %s alone. With one seed, no p gives a verdict",
                  number_fixed(arena, test->exact ? result->mcnemar : result->koehn, 4),
                  test->exact ? "McNemar's exact test, two-sided,"
                              : "paired bootstrap (Koehn 2004, one-sided)",
                  items);
    if (test->pooled)
        fprintf(out,
                "The variance between seeds is pooled over %d rows, and is the pair's own where "
                "that is larger (F test, p < 0.25).\n",
                test->pooled);
    mask_line(
        out, "Smallest difference that this design finds in 4 of 5 cases: %s",
        result->detectable > 0
            ? arena_print(arena, "%s %s", number_fixed(arena, result->detectable, decimals), unit)
            : "unknown, because no value varies");
}
