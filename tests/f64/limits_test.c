/* Limits in which one kind of attention is another. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>

#include "core/cpu/cpu.h"
#include "tests/support/model.h"

enum { D = 28, HEADS = 4 };

#define MODEL                                                                                      \
    "model: {width: 28, heads: 4, feedforward: 30, source_bias: true}\n"                           \
    "encoder.layers: 2\ndecoder.layers: 2\n"

/* The three places, where attention is, and what it leads to. */
struct spot {
    const char *key, *path, *output;
    enum rows rows;
};
static const struct spot encoder = {"encoder.attention", "encoder.1.attention", "encoder.output",
                                    ROWS_SOURCE};
static const struct spot decoder = {"decoder.attention", "decoder.1.attention", "decoder.output",
                                    ROWS_TARGET};
static const struct spot cross = {"decoder.cross", "decoder.1.cross", "decoder.output",
                                  ROWS_TARGET};

/* A model with one entry for its first layers at a place; "" for plain attention. */
static void open(struct test_model *m, const struct spot *spot, const char *entry)
{
    struct arena arena = {0};
    const char *list =
        *entry ? arena_print(&arena, "%s: [{layers: 1, %s}]\n", spot->key, entry) : "";
    test_model_open(m, cpu_ops(), arena_print(&arena, MODEL "%s", list));
    arena_free(&arena);
}

static const char *below(struct test_model *m, const struct spot *spot, const char *name)
{
    return arena_print(&m->arena, "%s.%s", spot->path, name);
}

static void fill(struct test_model *m, const struct spot *spot, const char *name, double value)
{
    const struct parameter *parameter = parameter_find(&m->model->parameters, below(m, spot, name));
    if (!parameter) fail_msg("no parameter %s.%s", spot->path, name);
    for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
        test_set(m, parameter->path, i, value);
}

static real *compute(struct test_model *m, const char *path, const struct batch *batch)
{
    const struct step step = test_step(1);
    struct graph *list = test_model_list(m, GRAPH_INFER, path);
    assert_true(isfinite(test_loss(list, &step, batch)));
    real *rows = test_read(m, list, path);
    graph_release(list);
    return rows;
}

static void same(const char *what, const real *got, const real *expected, int64_t count)
{
    struct finding finding = {.limit = check_rounding};
    finding_rows(&finding, got, expected, count, what);
    if (!finding.ok) fail_msg("%s", finding.where);
}

typedef void prepare(struct test_model *a, struct test_model *b, const struct spot *spot);

/* What an entry computes in the first layer is what another one computes, in sentences of at most
 * `longest` tokens; the models start from the same numbers where parameters have the same path, and
 * are prepared further. */
static void same_models(const struct spot *spot, const char *a_entry, const char *b_entry,
                        prepare *ready, int longest)
{
    struct test_model a, b;
    open(&a, spot, a_entry);
    open(&b, spot, b_entry);
    if (ready) ready(&a, &b, spot);
    const struct batch batch = test_batch(&a.arena, 3, 6, longest);
    same(arena_print(&a.arena, "%s: [{%s}], and [{%s}]", spot->key, a_entry, b_entry),
         compute(&a, spot->output, &batch), compute(&b, spot->output, &batch),
         (int64_t)batch.field[spot->rows].T * D);
    test_model_close(&a);
    test_model_close(&b);
}

/* ---- branches ---- */

static void wide_window_is_global(void **state)
{
    (void)state;
    same_models(&encoder, "branches: [{window: 19}]", "", NULL, 20);
    same_models(&encoder, "branches: [{window: 4096}]", "", NULL, 20);
    same_models(&decoder, "branches: [{window: 19}]", "", NULL, 20);
    same_models(&decoder, "branches: [forward]", "", NULL, 20);
}

/* Of one token every branch sees the one key, with weight 1: its output is its value. */
static void one_token_has_one_key(void **state)
{
    (void)state;
    static const char *const branches[] = {"global", "forward", "backward", "{window: 0}",
                                           "{window: 3}"};
    for (size_t i = 0; i < COUNT_OF(branches); i++) {
        struct test_model m;
        char entry[64];
        snprintf(entry, sizeof entry, "branches: [%s]", branches[i]);
        open(&m, &encoder, entry);
        const struct batch batch = test_batch(&m.arena, 3, 6, 1);
        const real *out = compute(&m, below(&m, &encoder, "branches"), &batch);
        const real *value = compute(&m, below(&m, &encoder, "value"), &batch);
        assert_memory_equal(out, value, 6 * D * sizeof *out);
        test_model_close(&m);
    }
}

/* The first token looks ahead at everything, the last one back at everything, and each at itself
 * alone from the other end. */
static void directions_end_at_the_ends(void **state)
{
    (void)state;
    struct test_model global, forward, backward;
    open(&global, &encoder, "");
    open(&forward, &encoder, "branches: [forward]");
    open(&backward, &encoder, "branches: [backward]");
    const struct batch batch = test_batch(&global.arena, 3, 6, 20);
    const struct field *source = &batch.field[FIELD_SOURCE];
    const char *branches = "encoder.1.attention.branches";
    const real *all = compute(&global, branches, &batch);
    const real *value = compute(&global, "encoder.1.attention.value", &batch);
    const real *back = compute(&forward, branches, &batch);
    const real *ahead = compute(&backward, branches, &batch);
    for (int b = 0; b < source->B; b++) {
        const int64_t first = (int64_t)source->start[b] * D;
        const int64_t last = (int64_t)(source->start[b + 1] - 1) * D;
        same("forward, last token", back + last, all + last, D);
        same("backward, first token", ahead + first, all + first, D);
        same("forward, first token", back + first, value + first, D);
        same("backward, last token", ahead + last, value + last, D);
    }
    test_model_close(&global);
    test_model_close(&forward);
    test_model_close(&backward);
}

static void a_window_matters(void **state)
{
    (void)state;
    struct test_model a, b;
    open(&a, &encoder, "");
    open(&b, &encoder, "branches: [{window: 1}]");
    const struct batch batch = test_batch(&a.arena, 3, 6, 20);
    const real *x = compute(&a, "encoder.output", &batch);
    const real *y = compute(&b, "encoder.output", &batch);
    double most = 0;
    for (int i = 0; i < batch.field[FIELD_SOURCE].T * D; i++)
        most = fmax(most, fabs((double)x[i] - (double)y[i]));
    assert_true(most > 1e-3);
    test_model_close(&a);
    test_model_close(&b);
}

/* ---- fusions ---- */

#define GLOBAL_AND_LOCAL "branches: [global, {window: 1}], fusion: "
#define LOCAL "branches: [{window: 1}]"

/* Every query is made positive on the whole, so that weights of one sign saturate every gate. */
static void push_queries(struct test_model *m, const struct spot *spot)
{
    for (int c = 0; c < D; c++) test_set(m, below(m, spot, "qkv.bias"), c, 4);
}

static void query_closed(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    push_queries(a, spot);
    push_queries(b, spot);
    fill(a, spot, "gate.weight", -1e3);
}

static void query_open(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    query_closed(a, b, spot);
    fill(a, spot, "gate.weight", 1e3);
}

/* A normalized row has mean 0, so with an offset of 1 its sum is the width. */
static void input_closed(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    fill(a, spot, "norm.offset", 1);
    fill(b, spot, "norm.offset", 1);
    fill(a, spot, "gate.weight", -1e3);
}

static void input_open(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    input_closed(a, b, spot);
    fill(a, spot, "gate.weight", 1e3);
}

static void shut_gate_is_one_branch(void **state)
{
    (void)state;
    const struct spot *const spots[] = {&encoder, &decoder};
    for (int i = 0; i < 2; i++) {
        same_models(spots[i], GLOBAL_AND_LOCAL "gate", "", query_closed, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "gate", LOCAL, query_open, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "{gate: {source: input}}", "", input_closed, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "{gate: {source: input}}", LOCAL, input_open, 20);
    }
}

/* The projection of one half becomes the other model's, that of the other half zero. */
static void keep_half(struct test_model *concat, struct test_model *other, const struct spot *spot,
                      int half)
{
    const char *path = below(other, spot, "output.weight");
    for (int64_t i = 0; i < D * D; i++) {
        test_set(concat, path, half * D * D + i, test_get(other, path, i));
        test_set(concat, path, (1 - half) * D * D + i, 0);
    }
}

static void keep_first(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    keep_half(a, b, spot, 0);
}

static void keep_second(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    keep_half(a, b, spot, 1);
}

static void half_of_concat_is_one_branch(void **state)
{
    (void)state;
    const struct spot *const spots[] = {&encoder, &decoder};
    for (int i = 0; i < 2; i++) {
        same_models(spots[i], GLOBAL_AND_LOCAL "concat", "", keep_first, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "concat", LOCAL, keep_second, 20);
    }
}

/* `other` projects so many times what it did. */
static void project(struct test_model *other, const struct spot *spot, double times)
{
    const char *path = below(other, spot, "output.weight");
    for (int64_t i = 0; i < D * D; i++) test_set(other, path, i, times * test_get(other, path, i));
}

static void four_times(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    (void)a;
    project(b, spot, 4);
}

/* sigmoid(relu(x W) 0) = 1/2 for every branch. */
static void gates_of_a_half(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    fill(a, spot, "squeeze.outer.weight", 0);
    project(b, spot, 2);
}

/* HySAN e1 with windows as wide as everything: four equal branches. */
static void sum_of_wide_windows_is_a_multiple(void **state)
{
    (void)state;
    static const char *const entry =
        "branches: [global, {window: 19}, {window: 20}, {window: 4096}], fusion: ";
    const struct spot *const spots[] = {&encoder, &decoder};
    for (int i = 0; i < 2; i++) {
        char text[160];
        snprintf(text, sizeof text, "%ssum", entry);
        same_models(spots[i], text, "", four_times, 20);
        snprintf(text, sizeof text, "%s{squeeze: 7}", entry);
        same_models(spots[i], text, "", gates_of_a_half, 20);
    }
}

/* ---- terms ---- */

static const struct spot *const spots[] = {&encoder, &decoder, &cross};

static void sigma_without_end(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    (void)b;
    fill(a, spot, "gauss.head.weight", 1e6);
}

static void huge_window_is_global(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        same_models(spots[i], "terms: [{gauss: {center: query, window: sigma}}]", "",
                    sigma_without_end, 20);
        same_models(spots[i], "terms: [neighbor_sigma]", "", sigma_without_end, 20);
    }
}

/* With D = 0.1 the next key has e^-200 of the weight of the one at P. */
static void tiny_window_picks_a_key(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int end = -1; end <= 1; end += 2) {
            const struct spot *spot = spots[i];
            struct test_model m;
            open(&m, spot, "terms: [localness]");
            fill(&m, spot, "gauss.rows.weight", 0);
            fill(&m, spot, "gauss.rows.bias", -1e3); /* D = I sigmoid + 0.1 */
            for (int h = 0; h < HEADS; h++)          /* P = 0 or I - 1 */
                test_set(&m, below(&m, spot, "gauss.rows.bias"), h, end * 1e3);
            const struct batch batch = test_batch(&m.arena, 3, 6, 20);
            const struct field *query = &batch.field[spot->rows];
            const struct field *keys = &batch.field[spot == &decoder ? FIELD_TARGET : FIELD_SOURCE];
            const real *out = compute(&m, below(&m, spot, "branches"), &batch);
            const real *value = compute(&m, below(&m, spot, "value"), &batch);
            for (int b = 0; b < query->B; b++)
                for (int t = query->start[b]; t < query->start[b + 1]; t++) {
                    const int last = spot == &decoder ? t : keys->start[b + 1] - 1;
                    const int key = end < 0 ? keys->start[b] : last;
                    same(spot->key, out + (int64_t)t * D, value + (int64_t)key * D, D);
                }
            test_model_close(&m);
        }
}

/* ---- cuts: |j - P| <= 1 ---- */

/* An entry's branches, with P = 0 where it is predicted. */
static real *compute_cut(struct test_model *m, const struct spot *spot, const char *entry,
                         const struct batch *batch)
{
    open(m, spot, entry);
    if (parameter_find(&m->model->parameters, below(m, spot, "gauss.rows.weight"))) {
        fill(m, spot, "gauss.rows.weight", 0);
        fill(m, spot, "gauss.rows.bias", -1e3);
    }
    return compute(m, below(m, spot, "branches"), batch);
}

/* Rows of query `alone` on see no key within 1 of P: with a cut they are, bit by bit, what they are
 * without. The row before them sees one, number `key` of its sentence, and is its value. */
static void cut_of_all(const struct spot *spot, const char *entry, const char *cut, int alone,
                       int key)
{
    struct test_model m, plain;
    struct arena arena = {0};
    const struct batch batch = test_batch(&arena, 4, 6, 20);
    const struct field *query = &batch.field[spot->rows];
    const struct field *keys = &batch.field[spot == &decoder ? FIELD_TARGET : FIELD_SOURCE];
    const real *got = compute_cut(&m, spot, cut, &batch);
    const real *without = compute_cut(&plain, spot, entry, &batch);
    const real *value = compute(&m, below(&m, spot, "value"), &batch);
    int met = 0;
    for (int b = 0; b < query->B; b++) {
        const int n = keys->start[b + 1] - keys->start[b];
        const int first = alone < 0 ? n + 1 : alone, last = alone < 0 ? n - 1 : key;
        for (int i = first - 1; i < query->start[b + 1] - query->start[b]; i++) {
            const int64_t row = (int64_t)(query->start[b] + i) * D;
            if (i == first - 1)
                same(cut, got + row, value + (int64_t)(keys->start[b] + last) * D, D);
            else if (memcmp(got + row, without + row, D * sizeof *got))
                fail_msg("%s: [{%s}]: query %d of %d keys", spot->key, cut, i, n);
            else
                met++;
        }
    }
    assert_true(met > 3);
    test_model_close(&m);
    test_model_close(&plain);
    arena_free(&arena);
}

/* A window beside P, and target words behind the last source word. */
static void a_cut_that_leaves_no_key_is_none(void **state)
{
    (void)state;
#define WINDOW "branches: [{window: 2}], terms: [{gauss: {window: {fixed: 1}"
#define SELF "terms: [{gauss: {center: self, window: {fixed: 1}"
    cut_of_all(&encoder, WINDOW "}}]", WINDOW ", hard_cut: true}}]", 4, 1);
    cut_of_all(&decoder, WINDOW "}}]", WINDOW ", hard_cut: true}}]", 4, 1);
    cut_of_all(&cross, SELF "}}]", SELF ", hard_cut: true}}]", -1, -1);
}

/* A narrow Gaussian around the last key takes 200 (n - 2)^2 from key 1 and more from key 0: less
 * than a cut. */
static void what_is_cut_stays_cut(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        const struct spot *spot = spots[s];
        struct test_model m;
        open(&m, spot,
             "terms: [{gauss: {window: {fixed: 1}, hard_cut: true}}, "
             "{gauss: {window: {fixed: 0.1}}}]");
        fill(&m, spot, "gauss.rows.weight", 0);
        fill(&m, spot, "gauss.rows.bias", -1e3);
        fill(&m, spot, "gauss2.rows.weight", 0);
        fill(&m, spot, "gauss2.rows.bias", 1e3);
        const struct batch batch = test_batch(&m.arena, 3, 6, 20);
        const struct field *query = &batch.field[spot->rows];
        const struct field *keys = &batch.field[spot == &decoder ? FIELD_TARGET : FIELD_SOURCE];
        const real *out = compute(&m, below(&m, spot, "branches"), &batch);
        const real *value = compute(&m, below(&m, spot, "value"), &batch);
        for (int b = 0; b < query->B; b++)
            for (int t = query->start[b]; t < query->start[b + 1]; t++) {
                const int last = spot == &decoder ? t : keys->start[b + 1] - 1;
                const int key = keys->start[b] + (last > keys->start[b]);
                same(spot->key, out + (int64_t)t * D, value + (int64_t)key * D, D);
            }
        test_model_close(&m);
    }
}

static void empty_tables(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    (void)b;
    fill(a, spot, "relpos.keys.weight", 0);
    fill(a, spot, "relpos.values.weight", 0);
}

static void relpos_of_nothing_is_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) same_models(spots[i], "terms: [{relpos: 2}]", "", empty_tables, 20);
}

/* Rows of tables that no two words of a short sentence are apart. */
static void far_rows(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    (void)b;
    static const char *const tables[] = {"relpos.keys.weight", "relpos.values.weight"};
    for (int i = 0; i < 2; i++)
        for (int row = 0; row < 2 * 8 + 1; row++)
            for (int c = 0; c < D / HEADS; c++)
                if (row <= 8 - 4 || row >= 8 + 4)
                    test_set(a, below(a, spot, tables[i]), row * (D / HEADS) + c, 100);
}

static void relpos_of_far_words_waits_for_them(void **state)
{
    (void)state;
    same_models(&encoder, "terms: [{relpos: 8}]", "terms: [{relpos: 8}]", far_rows, 4);
    same_models(&decoder, "terms: [{relpos: 8}]", "terms: [{relpos: 8}]", far_rows, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_window_is_global),
        cmocka_unit_test(one_token_has_one_key),
        cmocka_unit_test(directions_end_at_the_ends),
        cmocka_unit_test(a_window_matters),
        cmocka_unit_test(shut_gate_is_one_branch),
        cmocka_unit_test(half_of_concat_is_one_branch),
        cmocka_unit_test(sum_of_wide_windows_is_a_multiple),
        cmocka_unit_test(huge_window_is_global),
        cmocka_unit_test(tiny_window_picks_a_key),
        cmocka_unit_test(a_cut_that_leaves_no_key_is_none),
        cmocka_unit_test(what_is_cut_stays_cut),
        cmocka_unit_test(relpos_of_nothing_is_nothing),
        cmocka_unit_test(relpos_of_far_words_waits_for_them),
    };
    omp_set_num_threads(1);
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
