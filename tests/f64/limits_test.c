/* Limits in which one kind of attention is another. */
#include "tests/support/test.h"

#include <limits.h>
#include <math.h>
#include <omp.h>

#include "tests/support/spot.h"

enum { D = SPOT_WIDTH, HEADS = SPOT_HEADS };

typedef void prepare(struct test_model *a, struct test_model *b, const struct spot *spot);

/* What an entry computes in the first layer is what another one computes, in sentences of at most
 * `longest` tokens; the models start from the same numbers where parameters have the same path, and
 * are prepared further. */
static void same_models(const struct spot *spot, const char *a_entry, const char *b_entry,
                        prepare *ready, int longest)
{
    struct test_model a, b;
    spot_open(&a, spot, a_entry);
    spot_open(&b, spot, b_entry);
    if (ready) ready(&a, &b, spot);
    const struct batch batch = test_batch(&a.arena, 3, 6, longest);
    spot_same(arena_print(&a.arena, "%s: [{%s}], and [{%s}]", spot->key, a_entry, b_entry),
              spot_compute(&a, spot->output, &batch), spot_compute(&b, spot->output, &batch),
              (int64_t)batch.field[spot->queries].T * D);
    test_model_close(&a);
    test_model_close(&b);
}

/* ---- branches ---- */

static void wide_window_is_global(void **state)
{
    (void)state;
    same_models(&spot_encoder, "branches: [{window: 19}]", "", NULL, 20);
    same_models(&spot_encoder, "branches: [{window: 4096}]", "", NULL, 20);
    same_models(&spot_decoder, "branches: [{window: 19}]", "", NULL, 20);
    same_models(&spot_decoder, "branches: [forward]", "", NULL, 20);
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
        spot_open(&m, &spot_encoder, entry);
        const struct batch batch = test_batch(&m.arena, 3, 6, 1);
        const real *out = spot_compute(&m, spot_below(&m, &spot_encoder, "branches"), &batch);
        const real *value = spot_compute(&m, spot_below(&m, &spot_encoder, "value"), &batch);
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
    spot_open(&global, &spot_encoder, "");
    spot_open(&forward, &spot_encoder, "branches: [forward]");
    spot_open(&backward, &spot_encoder, "branches: [backward]");
    const struct batch batch = test_batch(&global.arena, 3, 6, 20);
    const struct field *source = &batch.field[FIELD_SOURCE];
    const char *branches = "encoder.1.attention.branches";
    const real *all = spot_compute(&global, branches, &batch);
    const real *value = spot_compute(&global, "encoder.1.attention.value", &batch);
    const real *back = spot_compute(&forward, branches, &batch);
    const real *ahead = spot_compute(&backward, branches, &batch);
    for (int b = 0; b < source->B; b++) {
        const int64_t first = (int64_t)source->start[b] * D;
        const int64_t last = (int64_t)(source->start[b + 1] - 1) * D;
        spot_same("forward, last token", back + last, all + last, D);
        spot_same("backward, first token", ahead + first, all + first, D);
        spot_same("forward, first token", back + first, value + first, D);
        spot_same("backward, last token", ahead + last, value + last, D);
    }
    test_model_close(&global);
    test_model_close(&forward);
    test_model_close(&backward);
}

static void a_window_matters(void **state)
{
    (void)state;
    struct test_model a, b;
    spot_open(&a, &spot_encoder, "");
    spot_open(&b, &spot_encoder, "branches: [{window: 1}]");
    const struct batch batch = test_batch(&a.arena, 3, 6, 20);
    const real *x = spot_compute(&a, "encoder.output", &batch);
    const real *y = spot_compute(&b, "encoder.output", &batch);
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
    for (int c = 0; c < D; c++) test_set(m, spot_below(m, spot, "qkv.bias"), c, 4);
}

static void query_closed(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    push_queries(a, spot);
    push_queries(b, spot);
    spot_fill(a, spot, "gate.weight", -1e3);
}

static void query_open(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    query_closed(a, b, spot);
    spot_fill(a, spot, "gate.weight", 1e3);
}

/* A normalized row has mean 0, so with an offset of 1 its sum is the width. */
static void input_closed(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    spot_fill(a, spot, "norm.offset", 1);
    spot_fill(b, spot, "norm.offset", 1);
    spot_fill(a, spot, "gate.weight", -1e3);
}

static void input_open(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    input_closed(a, b, spot);
    spot_fill(a, spot, "gate.weight", 1e3);
}

static void shut_gate_is_one_branch(void **state)
{
    (void)state;
    const struct spot *const spots[] = {&spot_encoder, &spot_decoder};
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
    const char *path = spot_below(other, spot, "output.weight");
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
    const struct spot *const spots[] = {&spot_encoder, &spot_decoder};
    for (int i = 0; i < 2; i++) {
        same_models(spots[i], GLOBAL_AND_LOCAL "concat", "", keep_first, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "concat", LOCAL, keep_second, 20);
    }
}

/* `other` projects so many times what it did. */
static void project(struct test_model *other, const struct spot *spot, double times)
{
    const char *path = spot_below(other, spot, "output.weight");
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
    spot_fill(a, spot, "squeeze.outer.weight", 0);
    project(b, spot, 2);
}

/* HySAN e1 with windows as wide as everything: four equal branches. */
static void sum_of_wide_windows_is_a_multiple(void **state)
{
    (void)state;
    static const char *const entry =
        "branches: [global, {window: 19}, {window: 20}, {window: 4096}], fusion: ";
    const struct spot *const spots[] = {&spot_encoder, &spot_decoder};
    for (int i = 0; i < 2; i++) {
        char text[160];
        snprintf(text, sizeof text, "%ssum", entry);
        same_models(spots[i], text, "", four_times, 20);
        snprintf(text, sizeof text, "%s{squeeze: 7}", entry);
        same_models(spots[i], text, "", gates_of_a_half, 20);
    }
}

/* ---- terms ---- */

static void sigma_without_end(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    (void)b;
    spot_fill(a, spot, "gauss.head.weight", 1e6);
}

static void huge_window_is_global(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        same_models(spot_all[i], "terms: [{gauss: {center: query, window: sigma}}]", "",
                    sigma_without_end, 20);
        same_models(spot_all[i], "terms: [neighbor_sigma]", "", sigma_without_end, 20);
    }
}

/* With D = 0.1 the next key has e^-200 of the weight of the one at P. */
static void tiny_window_picks_a_key(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int end = -1; end <= 1; end += 2) {
            const struct spot *spot = spot_all[i];
            struct test_model m;
            spot_open(&m, spot, "terms: [localness]");
            spot_fill(&m, spot, "gauss.rows.weight", 0);
            spot_fill(&m, spot, "gauss.rows.bias", -1e3); /* D = I sigmoid + 0.1 */
            /* P = 0 or I - 1 */
            for (int h = 0; h < HEADS; h++)
                test_set(&m, spot_below(&m, spot, "gauss.rows.bias"), h, end * 1e3);
            spot_one_key(&m, spot, end < 0 ? 0 : INT_MAX);
            test_model_close(&m);
        }
}

static void empty_tables(struct test_model *a, struct test_model *b, const struct spot *spot)
{
    (void)b;
    spot_fill(a, spot, "relpos.keys.weight", 0);
    spot_fill(a, spot, "relpos.values.weight", 0);
}

static void relpos_of_nothing_is_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        same_models(spot_all[i], "terms: [{relpos: 2}]", "", empty_tables, 20);
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
                    test_set(a, spot_below(a, spot, tables[i]), row * (D / HEADS) + c, 100);
}

static void relpos_of_far_words_waits_for_them(void **state)
{
    (void)state;
    same_models(&spot_encoder, "terms: [{relpos: 8}]", "terms: [{relpos: 8}]", far_rows, 4);
    same_models(&spot_decoder, "terms: [{relpos: 8}]", "terms: [{relpos: 8}]", far_rows, 4);
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
        cmocka_unit_test(relpos_of_nothing_is_nothing),
        cmocka_unit_test(relpos_of_far_words_waits_for_them),
    };
    omp_set_num_threads(1);
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
