/* Every variant of attention at every place: gradients by finite differences, neighbors, the
 * future, and decoding word by word (papers.md 9, points 3 to 5). Terms and fusions are found in
 * the lists of attention/attention.h with the examples that they bring: whoever adds one adds
 * nothing here. */
#include "tests/support/test.h"

#include <omp.h>
#include <stdlib.h>

#include "attention/term.h"
#include "core/cpu/cpu.h"
#include "core/model/check.h"

enum { MOST = 256 };

/* Of one kind (terms or fusions): texts of YAML, "" for none, and the type of each. */
struct texts_of {
    int count;
    const char *text[MOST];
    const void *type[MOST];
};

static void add(struct texts_of *texts, const void *type, const char *name, const char *options)
{
    CHECK(texts->count < MOST, "too many examples");
    texts->type[texts->count] = type;
    texts->text[texts->count++] =
        options ? heap_print("{%s: %s}", name, options) : heap_print("%s", name);
}

/* Every example of one kind meets the first example of every type of the other. */
static bool is_first(const struct texts_of *texts, int at)
{
    return at == 0 || texts->type[at] != texts->type[at - 1];
}

static struct texts_of all_terms(void)
{
    struct texts_of texts = {0};
    add(&texts, NULL, "", NULL);
    for (int i = 0; attention_terms[i]; i++) {
        const struct term_type *type = attention_terms[i];
        for (int k = 0; type->examples && type->examples[k]; k++)
            add(&texts, type, type->name, type->examples[k]);
        if (!type->examples) add(&texts, type, type->name, NULL);
    }
    /* And one of each together. */
    char *all = heap_print("%s", "");
    for (int i = 0; i < texts.count; i++) {
        if (!is_first(&texts, i)) continue;
        char *more = heap_print("%s%s%s", all, *all ? ", " : "", texts.text[i]);
        free(all);
        all = more;
    }
    add(&texts, attention_terms, all, NULL);
    free(all);
    return texts;
}

static struct texts_of all_fusions(void)
{
    struct texts_of texts = {0};
    add(&texts, NULL, "", NULL);
    for (int i = 0; attention_fusions[i]; i++) {
        const struct fusion_type *type = attention_fusions[i];
        for (int k = 0; type->examples && type->examples[k]; k++)
            add(&texts, type, type->name, type->examples[k]);
        if (!type->examples) add(&texts, type, type->name, NULL);
    }
    return texts;
}

/* The same at all three places of one model. */
static const char *yaml_of(const char *terms, const char *fusion)
{
    static const char *const place[] = {"encoder.attention", "decoder.attention", "decoder.cross"};
    static const char *const branches[] = {"{window: 1}, backward", "global, {window: 1}",
                                           "global, global"};
    char *yaml = heap_print("model: {width: 16, heads: 2, feedforward: 6, dropout: 0.2, "
                            "attention_dropout: 0.3}\n"
                            "encoder.layers: 1\ndecoder.layers: 1\n");
    for (int p = 0; p < 3; p++) {
        char *more = heap_print("%s%s: [{layers: 1, branches: [%s], terms: [%s]%s%s}]\n", yaml,
                                place[p], *fusion ? branches[p] : "global", terms,
                                *fusion ? ", fusion: " : "", fusion);
        free(yaml);
        yaml = more;
    }
    return yaml;
}

static void all_holds(void **state)
{
    static void (*const checks[])(struct check_subject *, struct finding *) = {
        check_gradients, check_alone, check_causality, check_steps};
    struct check_subject subject;
    check_open(&subject, cpu_ops(), "variant", *state);
    subject.elements = 1;
    for (size_t i = 0; i < COUNT_OF(checks); i++) {
        struct finding finding = {0};
        checks[i](&subject, &finding);
        if (!finding.ok) fail_msg("%s%s", (const char *)*state, finding.where);
    }
    check_close(&subject);
}

int main(void)
{
    const struct texts_of terms = all_terms(), fusions = all_fusions();
    struct CMUnitTest *tests = heap_alloc(MOST * MOST * sizeof *tests);
    size_t count = 0;
    for (int t = 0; t < terms.count; t++)
        for (int f = 0; f < fusions.count; f++) {
            if (!is_first(&terms, t) && !is_first(&fusions, f)) continue;
            tests[count++] = (struct CMUnitTest){
                .name = heap_print("terms: [%s], fusion: %s", terms.text[t], fusions.text[f]),
                .test_func = all_holds,
                .initial_state = (void *)(uintptr_t)yaml_of(terms.text[t], fusions.text[f])};
        }
    omp_set_num_threads(1);
    return _cmocka_run_group_tests("variants", tests, count, NULL, NULL);
}
