/* Properties of whole models, in double. Word order enters only through positions and recurrences,
 * steps are equal in any number of micro-batches, masks change from step to step. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"

static const double EXACT = 1e-12;

#define MODEL(options) "model: {width: 28, heads: 4, feedforward: 30, " options "}\n"
#define LAYERS(attention) "decoder.layers: 2\nencoder: {layers: 2, attention: [" attention "]}\n"
#define DROPOUT                                                                                    \
    MODEL("dropout: 0.2, attention_dropout: 0.3, relu_dropout: 0.1, source_bias: true")            \
    LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate},"                           \
           "{layers: 2, branches: [{window: 2}, global], fusion: concat}")

static real *encode(struct test_model *m, const struct batch *batch)
{
    const struct step step = check_step(1);
    struct graph *list = test_model_list(m, GRAPH_INFER, "encoder.output");
    assert_true(isfinite(check_forward(list, &step, batch)));
    real *rows = test_read(m, list, "encoder.output");
    graph_release(list);
    return rows;
}

/* Without positions a permuted sentence has permuted vectors. */
TEST(order_comes_from_positions_alone)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    MODEL("") "encoder: {layers: 2, position: none}\ndecoder.layers: 1\n");
    struct batch batch = test_batch(3, 3, 20);
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
    struct finding finding = {.limit = EXACT};
    for (int t = 0; t < T; t++)
        finding_rows(&finding, permuted + (int64_t)t * 28, straight + (int64_t)from[t] * 28, 28,
                     "permuted");
    if (!finding.ok) fail_msg("%s", finding.where);
    check_close(&m);
}

/* A backward stack maps reversed sentences to the reversed vectors of the forward stack. */
TEST(backward_is_forward_from_the_end)
{
    static const char *const yaml[] = {
        MODEL("") "encoder: {position: none, stack: [{lstm: {direction: forward}}, {onlstm: "
                  "{direction: forward, chunk: 2}}]}\ndecoder.layers: 1\n",
        MODEL("") "encoder: {position: none, stack: [{lstm: {direction: backward}}, {onlstm: "
                  "{direction: backward, chunk: 2}}]}\ndecoder.layers: 1\n"};
    struct test_model forward, backward;
    test_model_open(&forward, cpu_ops(), yaml[0]);
    test_model_open(&backward, cpu_ops(), yaml[1]);
    struct batch batch = test_batch(3, 4, 20);
    const struct field *source = &batch.field[FIELD_SOURCE];
    const real *straight = encode(&forward, &batch);
    int32_t *token = ARENA_ARRAY(&forward.arena, int32_t, source->T);
    int32_t *from = ARENA_ARRAY(&forward.arena, int32_t, source->T);
    for (int b = 0; b < source->B; b++)
        for (int32_t t = source->start[b]; t < source->start[b + 1]; t++) {
            from[t] = source->start[b] + source->start[b + 1] - 1 - t;
            token[t] = source->token[from[t]];
        }
    batch.field[FIELD_SOURCE].token = token;
    const real *reversed = encode(&backward, &batch);
    struct finding finding = {.limit = EXACT};
    for (int t = 0; t < source->T; t++)
        finding_rows(&finding, reversed + (int64_t)t * 28, straight + (int64_t)from[t] * 28, 28,
                     "reversed");
    if (!finding.ok) fail_msg("%s", finding.where);
    check_close(&backward);
    check_close(&forward);
}

/* ---- ON-LSTM whose masters are open ---- */

enum { D = 28, E = 2, CHUNK = 7, UNITS = D / CHUNK, MASTERS = 2 * UNITS, GATES = 4 * D };

/* Returns an element of an ordered parameter: column g after the first masters, in rows with the
 * columns of all directions. */
static double gate(struct test_model *ordered, const char *path, int64_t row, int directions, int g)
{
    return test_get(ordered, path, row * directions * (MASTERS + GATES) + MASTERS + g);
}

/* Directions are columns of `input`, and rows of `state`. */
static void copy_gates(struct test_model *ordered, struct test_model *plain, int l)
{
    char weight[64], bias[64], state[64], output[64];
    snprintf(weight, sizeof weight, "encoder.%d.recurrence.input.weight", l);
    snprintf(bias, sizeof bias, "encoder.%d.recurrence.input.bias", l);
    snprintf(state, sizeof state, "encoder.%d.recurrence.state.weight", l);
    snprintf(output, sizeof output, "encoder.%d.recurrence.output.weight", l);
    for (int e = 0; e < E; e++) {
        const int skip = e * (MASTERS + GATES); /* of a row of the ordered model's input */
        for (int g = 0; g < MASTERS; g++) {
            for (int r = 0; r < D; r++) {
                test_set(ordered, weight, r * E * (MASTERS + GATES) + skip + g, 0);
                test_set(ordered, state, (e * D + r) * (MASTERS + GATES) + g, 0);
            }
            /* The last unit of the input gate, the first unit of the forget gate. */
            test_set(ordered, bias, skip + g, g == UNITS - 1 || g == UNITS ? 60 : 0);
        }
        for (int g = 0; g < GATES; g++) {
            test_set(plain, bias, e * GATES + g, gate(ordered, bias, 0, E, skip + g));
            for (int r = 0; r < D; r++) {
                test_set(plain, weight, (r * E + e) * GATES + g,
                         gate(ordered, weight, r, E, skip + g));
                /* The plain model does not read the last chunk. */
                const double read = r < D - CHUNK ? gate(ordered, state, e * D + r, 1, g) : 0;
                test_set(plain, state, (e * D + r) * GATES + g, read);
            }
        }
        for (int r = D - CHUNK; r < D; r++)
            for (int c = 0; c < D; c++) test_set(plain, output, (e * D + r) * D + c, 0);
    }
}

/* One master has all mass on the first unit (forget), the other on the last unit (input). The model
 * is then an LSTM without its last chunk, which never opens (Shen et al. 2019, eqs. 9 to 14). */
TEST(open_masters_are_an_lstm_without_its_last_chunk)
{
    struct test_model ordered, plain;
    test_model_open(&ordered, cpu_ops(),
                    MODEL("") "encoder.stack: [{onlstm: {layers: 2, chunk: 7}}, {san: 1}]\n"
                              "decoder.layers: 1\n");
    test_model_open(&plain, cpu_ops(),
                    MODEL("") "encoder.stack: [{lstm: 2}, {san: 1}]\ndecoder.layers: 1\n");
    for (int l = 1; l <= 2; l++) copy_gates(&ordered, &plain, l);
    const struct batch batch = test_batch(3, 5, 20);
    const real *a = encode(&ordered, &batch), *b = encode(&plain, &batch);
    struct finding finding = {.limit = EXACT};
    for (int t = 0; t < batch.field[FIELD_SOURCE].T; t++)
        finding_rows(&finding, a + (int64_t)t * D, b + (int64_t)t * D, D, "row");
    if (!finding.ok) fail_msg("%s", finding.where);
    check_close(&plain);
    check_close(&ordered);
}

/* Sentences [0, 6) in micro-batches; `begin` has the first sentence of each. */
TEST(micro_batches_are_one_step)
{
    static const int splits[][4] = {{0, 6}, {0, 1, 6}, {0, 4, 6}, {0, 2, 3, 6}};
    static const int parts[] = {1, 2, 2, 3};
    const struct train_options options = {
        .rate = 1, .warmup = 10, .beta1 = .9, .beta2 = .98, .epsilon = 1e-9};
    double loss[COUNT_OF(splits)], norm[COUNT_OF(splits)];
    struct test_model m[COUNT_OF(splits)];
    const real *gradient[COUNT_OF(splits)];
    for (size_t s = 0; s < COUNT_OF(splits); s++) {
        test_model_open(&m[s], cpu_ops(), DROPOUT);
        const struct batch batch = test_batch(6, 6, 15);
        struct batch micro[3];
        for (int i = 0; i < parts[s]; i++)
            micro[i] = test_batch_part(&batch, splits[s][i], splits[s][i + 1]);
        const struct step_result result = train_step(
            &(struct learner){
                .model = m[s].model, .list = m[s].train, .train = &options, .seed = 4},
            2, &(struct learner_step){micro, parts[s], batch.field[FIELD_TARGET].T});
        loss[s] = result.loss, norm[s] = result.norm;
        assert_true(result.finite);
        gradient[s] = test_slab(&m[s], m[s].model->parameters.gradient);
        assert_true(fabs(loss[s] - loss[0]) <= EXACT * loss[0]);
        assert_true(fabs(norm[s] - norm[0]) <= EXACT * norm[0]);
        for (int64_t i = 0; i < m[0].model->parameters.slab; i++)
            if (!(fabs((double)gradient[s][i] - (double)gradient[0][i]) <= EXACT * norm[0]))
                fail_msg("gradient %lld of %d micro-batches: %g, of one: %g", (long long)i,
                         parts[s], (double)gradient[s][i], (double)gradient[0][i]);
    }
    for (size_t s = 0; s < COUNT_OF(splits); s++) check_close(&m[s]);
}

/* A training list without dropout and an infer list compute the same; with dropout they differ. */
TEST(lists_agree)
{
    static const char *const yaml[] = {
        MODEL("dropout: 0") LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate}"),
        MODEL("dropout: 0, norm: post") LAYERS(""), DROPOUT};
    for (int i = 0; i < 3; i++) {
        struct test_model m;
        test_model_open(&m, cpu_ops(), yaml[i]);
        struct graph *infer = test_model_list(&m, GRAPH_INFER, NULL);
        const struct batch batch = test_batch(6, 6, 15);
        const struct step step = check_step(1);
        const double a = check_forward(infer, &step, &batch),
                     b = check_forward(m.train, &step, &batch);
        if (i < 2)
            assert_true(fabs(a - b) <= EXACT * fabs(a));
        else
            assert_true(fabs(a - b) > 1e-3 * fabs(a));
        graph_release(infer);
        check_close(&m);
    }
}

TEST(masks_change_with_seed_and_step)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(), DROPOUT);
    const struct batch batch = test_batch(6, 6, 15);
    struct step step = check_step(1), other_seed = check_step(2), other_number = check_step(1);
    other_number.number++;
    const double loss = check_forward(m.train, &step, &batch);
    assert_true(fabs(loss - check_forward(m.train, &other_seed, &batch)) > 1e-3);
    assert_true(fabs(loss - check_forward(m.train, &other_number, &batch)) > 1e-3);
    assert_true(fabs(loss - check_forward(m.train, &step, &batch)) <= 0);
    check_close(&m);
}

AT_START(omp_set_num_threads(1));
