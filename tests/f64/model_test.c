/* What must hold of a whole model, in double (papers.md 9, points 2 to 4): limits of windows, gates
 * and concatenation, and steps that are the same in any number of micro-batches. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>

#include "core/cpu/cpu.h"
#include "tests/support/model.h"

static const double EXACT = 1e-12;

#define MODEL(options) "model: {width: 28, heads: 4, feedforward: 30, " options "}\n"
#define LAYERS(attention) "decoder.layers: 2\nencoder: {layers: 2, attention: [" attention "]}\n"
#define PLAIN MODEL("source_bias: true") LAYERS("")
#define LOCAL MODEL("source_bias: true") LAYERS("{layers: 1, branches: [{window: 1}]}")
#define GATE MODEL("source_bias: true") \
    LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate}")
#define GATE_INPUT MODEL("source_bias: true") \
    LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: {gate: {source: input}}}")
#define CONCAT MODEL("source_bias: true") \
    LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: concat}")
#define DROPOUT                                                                                    \
    MODEL("dropout: 0.2, attention_dropout: 0.3, relu_dropout: 0.1, source_bias: true")            \
    LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate},"                           \
           "{layers: 2, branches: [{window: 2}, global], fusion: concat}")

/* Of the values `path` of both models or batches: rows of `columns`, the whole must be near. */
static void same_rows(const char *what, const real *a, const real *b, int64_t count)
{
    double norm = 0;
    for (int64_t i = 0; i < count; i++) norm += (double)b[i] * (double)b[i];
    norm = sqrt(norm / (double)count);
    assert_true(isfinite(norm) && norm > 0);
    for (int64_t i = 0; i < count; i++)
        if (!(fabs((double)a[i] - (double)b[i]) <= EXACT * norm))
            fail_msg("%s: element %lld is %.17g, expected %.17g", what, (long long)i, (double)a[i],
                     (double)b[i]);
}

/* The rows of a kept value for a batch. */
static real *rows_of(struct test_model *m, struct graph *list, const char *path,
                     const struct batch *batch)
{
    const struct step step = test_step(1);
    test_poison(list);
    assert_true(isfinite(test_loss(list, &step, batch)));
    return test_read(m, list, path);
}

static real *encode(struct test_model *m, const struct batch *batch)
{
    struct graph *list = test_model_list(m, GRAPH_INFER, "encoder.output");
    real *rows = rows_of(m, list, "encoder.output", batch);
    graph_release(list);
    return rows;
}

/* Both models start from the same numbers where their parameters have the same path. */
static void same_encoders(const char *a_yaml, const char *b_yaml,
                          void (*prepare)(struct test_model *a, struct test_model *b), int longest)
{
    struct test_model a, b;
    test_model_open(&a, cpu_ops(), a_yaml);
    test_model_open(&b, cpu_ops(), b_yaml);
    if (prepare) prepare(&a, &b);
    const struct batch batch = test_batch(&a.arena, 3, 6, longest);
    same_rows("encoder.output", encode(&a, &batch), encode(&b, &batch),
              (int64_t)batch.field[FIELD_SOURCE].T * 28);
    test_model_close(&a);
    test_model_close(&b);
}

static void wide_window_is_global(void **state)
{
    (void)state;
    same_encoders(PLAIN,
                  MODEL("source_bias: true") LAYERS("{layers: all, branches: [{window: 19}]}"),
                  NULL, 20);
    same_encoders(PLAIN,
                  MODEL("source_bias: true") LAYERS("{layers: 1, branches: [{window: 4096}]}"),
                  NULL, 20);
}

/* A window of 0 leaves every token its own value, of which a sentence of one token has only one. */
static void one_token_has_one_key(void **state)
{
    (void)state;
    same_encoders(PLAIN,
                  MODEL("source_bias: true") LAYERS("{layers: all, branches: [{window: 0}]}"), NULL,
                  1);
}

static void a_window_matters(void **state)
{
    (void)state;
    struct test_model a, b;
    test_model_open(&a, cpu_ops(), PLAIN);
    test_model_open(&b, cpu_ops(), LOCAL);
    const struct batch batch = test_batch(&a.arena, 3, 6, 20);
    const real *x = encode(&a, &batch), *y = encode(&b, &batch);
    double most = 0;
    for (int i = 0; i < batch.field[FIELD_SOURCE].T * 28; i++)
        most = fmax(most, fabs((double)x[i] - (double)y[i]));
    assert_true(most > 1e-3);
    test_model_close(&a);
    test_model_close(&b);
}

/* Every query is made positive on the whole, so that weights of one sign saturate every gate. */
static void push_queries(struct test_model *m)
{
    for (int c = 0; c < 28; c++) test_set(m, "encoder.1.attention.qkv.bias", c, 4);
}

static void saturate(struct test_model *m, double weight)
{
    const struct parameter *gate =
        parameter_find(&m->model->parameters, "encoder.1.attention.gate.weight");
    for (int i = 0; i < gate->rows * gate->columns; i++)
        test_set(m, gate->path, i, weight);
}

static void gate_from_query(struct test_model *m, struct test_model *other, double weight)
{
    push_queries(m);
    push_queries(other);
    saturate(m, weight);
}

/* A normalized row has mean 0, so with an offset of 1 its sum is the width. */
static void gate_from_input(struct test_model *m, struct test_model *other, double weight)
{
    for (int c = 0; c < 28; c++) {
        test_set(m, "encoder.1.attention.norm.offset", c, 1);
        test_set(other, "encoder.1.attention.norm.offset", c, 1);
    }
    saturate(m, weight);
}

static void query_closed(struct test_model *a, struct test_model *b)
{
    gate_from_query(a, b, -1e3);
}

static void query_open(struct test_model *a, struct test_model *b)
{
    gate_from_query(a, b, 1e3);
}

static void input_closed(struct test_model *a, struct test_model *b)
{
    gate_from_input(a, b, -1e3);
}

static void input_open(struct test_model *a, struct test_model *b)
{
    gate_from_input(a, b, 1e3);
}

static void shut_gate_is_one_branch(void **state)
{
    (void)state;
    same_encoders(GATE, PLAIN, query_closed, 20);
    same_encoders(GATE, LOCAL, query_open, 20);
    same_encoders(GATE_INPUT, PLAIN, input_closed, 20);
    same_encoders(GATE_INPUT, LOCAL, input_open, 20);
}

/* The projection of one half becomes the other model's, that of the other half zero. */
static void keep_half(struct test_model *concat, struct test_model *other, int half)
{
    const char *path = "encoder.1.attention.output.weight";
    for (int64_t i = 0; i < 28 * 28; i++) {
        test_set(concat, path, half * 28 * 28 + i, test_get(other, path, i));
        test_set(concat, path, (1 - half) * 28 * 28 + i, 0);
    }
}

static void keep_first(struct test_model *concat, struct test_model *other)
{
    keep_half(concat, other, 0);
}

static void keep_second(struct test_model *concat, struct test_model *other)
{
    keep_half(concat, other, 1);
}

static void half_of_concat_is_one_branch(void **state)
{
    (void)state;
    same_encoders(CONCAT, PLAIN, keep_first, 20);
    same_encoders(CONCAT, LOCAL, keep_second, 20);
}

/* Without positions a permuted sentence has permuted vectors. */
static void order_comes_from_positions_alone(void **state)
{
    (void)state;
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    MODEL("") "encoder: {layers: 2, position: none}\ndecoder.layers: 1\n");
    struct batch batch = test_batch(&m.arena, 3, 3, 20);
    const struct field *source = &batch.field[FIELD_SOURCE];
    const int T = source->T;
    int32_t *token = ARENA_ARRAY(&m.arena, int32_t, T), *from = ARENA_ARRAY(&m.arena, int32_t, T);
    for (int b = 0; b < source->B; b++) {
        const int32_t start = source->start[b], n = source->start[b + 1] - start;
        random_permute((struct random_key){8, 8}, (uint32_t)b, from + start, n);
        for (int32_t t = start; t < start + n; t++) token[t] = source->token[from[t] += start];
    }
    const real *straight = encode(&m, &batch);
    batch.field[FIELD_SOURCE].token = token;
    const real *permuted = encode(&m, &batch);
    for (int t = 0; t < T; t++)
        same_rows("permuted", permuted + (int64_t)t * 28, straight + (int64_t)from[t] * 28, 28);
    test_model_close(&m);
}

/* Sentences [0, 6) in micro-batches that begin where `begin` says. */
static void micro_batches_are_one_step(void **state)
{
    (void)state;
    static const int splits[][4] = {{0, 6}, {0, 1, 6}, {0, 4, 6}, {0, 2, 3, 6}};
    static const int parts[] = {1, 2, 2, 3};
    const struct train_options options = {.rate = 1, .warmup = 10, .beta1 = .9, .beta2 = .98,
                                          .epsilon = 1e-9};
    double loss[COUNT_OF(splits)], norm[COUNT_OF(splits)];
    struct test_model m[COUNT_OF(splits)];
    const real *gradient[COUNT_OF(splits)];
    for (size_t s = 0; s < COUNT_OF(splits); s++) {
        test_model_open(&m[s], cpu_ops(), DROPOUT);
        const struct batch batch = test_batch(&m[s].arena, 6, 6, 15);
        struct batch micro[3];
        for (int i = 0; i < parts[s]; i++)
            micro[i] = test_batch_part(&m[s].arena, &batch, splits[s][i], splits[s][i + 1]);
        const struct step_result result =
            train_step(m[s].model, m[s].train, &options, 4, 2, micro, parts[s]);
        loss[s] = result.loss, norm[s] = result.norm;
        assert_true(result.finite);
        assert_int_equal(result.source, batch.field[FIELD_SOURCE].T);
        assert_int_equal(result.target, batch.field[FIELD_TARGET].T);
        gradient[s] = test_slab(&m[s], m[s].model->parameters.gradient);
        assert_true(fabs(loss[s] - loss[0]) <= EXACT * loss[0]);
        assert_true(fabs(norm[s] - norm[0]) <= EXACT * norm[0]);
        for (int64_t i = 0; i < m[0].model->parameters.slab; i++)
            if (fabs((double)gradient[s][i] - (double)gradient[0][i]) > EXACT * norm[0])
                fail_msg("gradient %lld of %d micro-batches: %g, of one: %g", (long long)i,
                         parts[s], (double)gradient[s][i], (double)gradient[0][i]);
    }
    for (size_t s = 0; s < COUNT_OF(splits); s++) test_model_close(&m[s]);
}

/* A training list without dropout and an infer list compute the same; with dropout they do not. */
static void lists_agree(void **state)
{
    (void)state;
    static const char *const yaml[] = {
        MODEL("dropout: 0") LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate}"),
        MODEL("dropout: 0, norm: post") LAYERS(""), DROPOUT};
    for (int i = 0; i < 3; i++) {
        struct test_model m;
        test_model_open(&m, cpu_ops(), yaml[i]);
        struct graph *infer = test_model_list(&m, GRAPH_INFER, NULL);
        const struct batch batch = test_batch(&m.arena, 6, 6, 15);
        const struct step step = test_step(1);
        const double a = test_loss(infer, &step, &batch), b = test_loss(m.train, &step, &batch);
        if (i < 2)
            assert_true(fabs(a - b) <= EXACT * fabs(a));
        else
            assert_true(fabs(a - b) > 1e-3 * fabs(a));
        graph_release(infer);
        test_model_close(&m);
    }
}

static void masks_change_with_seed_and_step(void **state)
{
    (void)state;
    struct test_model m;
    test_model_open(&m, cpu_ops(), DROPOUT);
    const struct batch batch = test_batch(&m.arena, 6, 6, 15);
    struct step step = test_step(1), other_seed = test_step(2), other_number = test_step(1);
    other_number.number++;
    const double loss = test_loss(m.train, &step, &batch);
    assert_true(fabs(loss - test_loss(m.train, &other_seed, &batch)) > 1e-3);
    assert_true(fabs(loss - test_loss(m.train, &other_number, &batch)) > 1e-3);
    assert_true(fabs(loss - test_loss(m.train, &step, &batch)) <= 0);
    test_model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_window_is_global),
        cmocka_unit_test(one_token_has_one_key),
        cmocka_unit_test(a_window_matters),
        cmocka_unit_test(shut_gate_is_one_branch),
        cmocka_unit_test(half_of_concat_is_one_branch),
        cmocka_unit_test(order_comes_from_positions_alone),
        cmocka_unit_test(micro_batches_are_one_step),
        cmocka_unit_test(lists_agree),
        cmocka_unit_test(masks_change_with_seed_and_step),
    };
    omp_set_num_threads(1);
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
