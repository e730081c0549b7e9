/* Every variant of attention at every place, and every kind of recurrent layer, in whole models.
 * Tested are values, gradients by finite differences, neighbors, no view of the future, and
 * word-by-word decoding. Every example of a term is combined with the first example of every
 * fusion, and vice versa. All pairs are tested on blocks: gradients in gradient_test, values in
 * dense_test. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "dev/double/double_checks.h"
#include "tests/support/variant.h"

static void holds(const char *yaml, bool gradients)
{
    static void (*const checks[])(struct check_subject *, struct finding *) = {
        check_values, check_alone, check_causality, check_steps, check_gradients};
    struct check_subject subject;
    check_open(&subject, cpu_ops(), "variant", yaml);
    subject.elements = 1;
    for (size_t i = 0; i < COUNT_OF(checks) - !gradients; i++) {
        struct finding finding = {0};
        checks[i](&subject, &finding);
        if (!finding.ok) fail_msg("%s%s", yaml, finding.where);
    }
    check_close(&subject);
}

static void all_holds(void **state)
{
    holds(*state, true);
}

static void all_but_gradients_holds(void **state)
{
    holds(*state, false);
}

int main(void)
{
    omp_set_num_threads(1);
    return variant_run_tests(
        "width: 16, heads: 2, feedforward: 6, dropout: 0.2, attention_dropout: 0.3", all_holds,
        all_but_gradients_holds);
}
