/* Every variant of attention at every place, and every kind of recurrent layer, in whole models.
 * Tested are values, gradients by finite differences, neighbors, no view of the future, and
 * word-by-word decoding. Every example of a term is combined with the first example of every
 * fusion, and vice versa. All pairs are tested on blocks: gradients in gradient_test, values in
 * dense_test.
 *
 *   build/tests/f64/variants_test PRESET [key=value ...]
 * checks one model only, and prints the results. The model is narrow, so that thousands of losses
 * take about a second. */
#include "tests/support/test.h"

#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/model/device_choice.h"
#include "tests/support/double_checks.h"
#include "tests/support/variant.h"

static const struct check checks[] = {{"values", check_values},       {"alone", check_alone},
                                      {"causality", check_causality}, {"steps", check_steps},
                                      {"gradients", check_gradients}, {0}};

static void holds(const char *yaml, bool gradients)
{
    struct check_subject subject;
    check_open(&subject, cpu_ops(), "variant", yaml);
    subject.elements = 1;
    for (const struct check *check = checks; check->name; check++) {
        struct finding finding = {0};
        if (check->check == check_gradients && !gradients) continue;
        check->check(&subject, &finding);
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

/* Checks the narrow twin of a preset, with changes: word[0] is the preset, or a file. Returns the
 * number of failures. Dropout is on, so that its backward pass is checked. */
static int check_twin(const char *const *word)
{
    static const char *const narrow[] = {"model.width=32", "model.feedforward=32",
                                         "model.dropout=0.2", "model.attention_dropout=0.1",
                                         "model.relu_dropout=0.1"};
    const char *path =
        strchr(word[0], '.') ? word[0] : arena_print(&arena, "experiments/models/%s.yaml", word[0]);
    if (!file_exists(path)) die("there is no file %s%s", path, shipped_near(&arena, path));
    struct tree *tree = tree_copy(&arena, tree_read(&arena, path));
    if (tree_get(tree, "grid")) die("%s: this is a grid; expected a model", path);
    for (size_t i = 0; i < COUNT_OF(narrow); i++) tree_override(&arena, tree, narrow[i]);
    while (*++word) tree_override(&arena, tree, *word);
    struct translator_options model;
    die_at_about("in the narrow model that is checked; model.width=N sets its width");
    translator_options_read(&model, tree, &arena);
    die_at_about(NULL);
    struct finding finding[CHECKS];
    const char *yaml = arena_print(&arena, "%s\n", tree_text(&arena, tree));
    const int count = check_model(checks, DEVICE_CPU, "twin", yaml, finding);
    int failed = 0;
    for (const struct finding *f = finding; f < finding + count; f++) {
        printf("%-11s %-6s double, width %d: %lld compared, largest difference %.2g, limit %.2g\n",
               f->name, f->ok ? "ok" : "FAILED", model.model.width, (long long)f->compared,
               f->worst, f->limit);
        if (!f->ok) printf("%18s %s\n", "", f->where);
        failed += !f->ok;
    }
    return failed;
}

static void twin_holds(void **state)
{
    assert_int_equal(check_twin(*state), 0);
}

/* The first target word of a post-norm decoder is a row of zeros, which yields only zeros. */
static const char *const zeros[] = {"tiny",
                                    "encoder.layers=1",
                                    "model.norm=post",
                                    "model.attention_bias=false",
                                    "decoder.position=none",
                                    NULL};
/* A rectifier here is within 2.5e-6 of its kink. */
static const char *const kink[] = {
    "tiny",
    "model.heads=8",
    "model.norm=post",
    "model.share=none",
    "model.source_bias=true",
    "encoder.position=interleaved",
    "encoder.attention=[{layers: 1, terms: [{gauss: {window: head, hidden: 13}}, "
    "{gauss: {window: head, bias: false, scaling: paper}}, {relpos: {k: 17, keys: false}}]}, "
    "{layers: 2, branches: [global, forward], fusion: {gate: {heads: one}}}, "
    "{layers: 4, branches: [global, {window: 40}, backward, {window: 1}], terms: [alibi], "
    "fusion: {squeeze: 1}}, "
    "{layers: 5, branches: [{window: 16}]}, {layers: 6, terms: [{relpos: {k: 1, values: false}}]}]",
    NULL};

int main(int words, char **word)
{
    omp_set_num_threads(1);
    if (words > 1) return check_twin((const char *const *)word + 1) > 0;
    test_add(0, twin_holds, zeros, "values that are all 0");
    test_add(0, twin_holds, kink, "a kink near the model");
    return variant_run_tests(
        "width: 16, heads: 2, feedforward: 6, dropout: 0.2, attention_dropout: 0.3", all_holds,
        all_but_gradients_holds);
}
