/* Every variant of attention at every place, and every kind of recurrent layer: values, gradients
 * by finite differences, neighbors, the future, and decoding word by word, in whole models. Every
 * example of a term meets the first example of every fusion and the other way round. All pairs, on
 * blocks: of gradients in gradient_test, of values in dense_test. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "dev/double/check_double.h"
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
