/* Every variant of attention at every place: gradients by finite differences, neighbors, the
 * future, and decoding word by word, in whole models. Every example of
 * a term meets the first example of every fusion and the other way round. All pairs, on blocks: of
 * gradients in gradient_test, of values in dense_test. */
#include "tests/support/test.h"

#include <omp.h>

#include "core/cpu/cpu.h"
#include "core/model/check.h"
#include "tests/support/variant.h"

static void holds(const char *yaml, bool gradients)
{
    static void (*const checks[])(struct check_subject *, struct finding *) = {
        check_alone, check_causality, check_steps, check_gradients};
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
    struct arena arena = {0};
    const struct variants terms = variants_of_terms(&arena, false);
    const struct variants fusions = variants_of_fusions(&arena);
    struct CMUnitTest *tests = ARENA_ARRAY(&arena, struct CMUnitTest, terms.count * fusions.count);
    size_t count = 0;
    for (int t = 0; t < terms.count; t++)
        for (int f = 0; f < fusions.count; f++) {
            const char *term = terms.text[t], *fusion = fusions.text[f];
            if (!variant_is_first(&terms, t) && !variant_is_first(&fusions, f)) continue;
            tests[count++] = (struct CMUnitTest){
                .name = arena_print(&arena, "terms: [%s], fusion: %s", term, fusion),
                .test_func = t && f ? all_but_gradients_holds : all_holds,
                .initial_state = (void *)(uintptr_t)variant_model(
                    &arena,
                    "width: 16, heads: 2, feedforward: 6, dropout: 0.2, attention_dropout: 0.3",
                    term, fusion)};
        }
    omp_set_num_threads(1);
    const int failed = _cmocka_run_group_tests("variants", tests, count, NULL, NULL);
    arena_free(&arena);
    return failed;
}
