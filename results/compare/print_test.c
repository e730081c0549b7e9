/* Prints one test, for `compare` and `table --explain`. Only Student's t covers the variance
 * between trainings, so the p over items are listed apart from it. */
#include "results/compare/compare.h"

#include <math.h>

#include "core/base/mask_output.h"
#include "results/sheet/number_format.h"

static void print_p(const char *name, double p, struct arena *arena, FILE *out)
{
    fprintf(out, "  %-42s %s\n", name,
            isnan(p) ? "none (unequal numbers of seeds)" : number_fixed(arena, p, 4));
}

void print_test(const struct paired_test *test, const char *unit, int decimals,
                const struct significance_options *options, struct arena *arena, FILE *out)
{
    const struct significance *result = &test->result;
    mask_line(out, "  difference of mean %s %s, 95%% %s from %s to %s", unit,
              number_signed(arena, result->difference, decimals),
              result->decides ? "by Student's t" : "of the samples",
              number_signed(arena, result->low, decimals),
              number_signed(arena, result->high, decimals));
    if (test->pooled)
        fprintf(out,
                "The variance between seeds is pooled over %d rows, and is the pair's own where "
                "that is larger (F test, p < 0.25).\n",
                test->pooled);
    fputs("p, not corrected:\n", out);
    if (result->decides)
        print_p(arena_print(arena, "Student's t over %sseeds %s%s, two-sided",
                            test->paired ? "paired " : "", test->items ? "and " : "alone",
                            test->items ? test->items : ""),
                result->p, arena, out);
    if (test->items) {
        fprintf(out,
                "  over %s alone, without the variance between trainings (%s samples, %s trials, "
                "random seed %u):\n",
                test->items, number_count(arena, options->samples),
                number_count(arena, options->trials), options->seed);
        if (test->exact) print_p("McNemar's exact test, two-sided", result->mcnemar, arena, out);
        print_p("paired bootstrap (Koehn 2004, one-sided)", result->koehn, arena, out);
        print_p("paired bootstrap, centered (sacreBLEU)", result->centered, arena, out);
        print_p("approximate randomization", result->swapped, arena, out);
        if (!result->decides) fputs("  With one seed, no p gives a verdict.\n", out);
    }
    mask_line(
        out, "Smallest difference that this design finds in 4 of 5 cases: %s",
        result->detectable > 0
            ? arena_print(arena, "%s %s", number_fixed(arena, result->detectable, decimals), unit)
            : "unknown, because no value varies");
}
