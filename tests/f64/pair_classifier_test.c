/* A classifier of pairs, in double: gradients for every pool and both kinds of features, a pair
 * alone and among others, and swapped sides. */
#include "tests/support/test.h"

#include "tests/support/double_difference.h"
#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/model/pair_classifier.h"

enum { PAIRS = 4, LONGEST = 7, CLASSES = 7, MICRO = 1 /* pairs of the first micro-batch */ };

#define SAN "model: {width: 12, heads: 2, feedforward: 14}\nencoder: {layers: 2, timescale: 1000}\n"
#define DROPPED                                                                                    \
    "model: {width: 12, heads: 2, feedforward: 14, norm: post, dropout: 0.3}\n"                    \
    "encoder.layers: 1\n"
#define LSTM                                                                                       \
    "model: {width: 12, heads: 3, norm: none, start: {uniform: 0.3}}\n"                            \
    "encoder.stack: [{lstm: {layers: 2, direction: forward}}]\n"
#define HYBRID                                                                                     \
    "model: {width: 12, heads: 2, feedforward: 14, attention_bias: false}\n"                       \
    "encoder.stack: [{onlstm: {direction: forward}}, {san: 1}]\n"

struct pair_case {
    const char *name, *yaml;
    struct pair_head head;
};
#define CONCAT .match = false, .layers = 2, .hidden = {9, 8}
#define MATCH .match = true, .layers = 1, .hidden = {9}
static const struct pair_case cases[] = {
    {"last, concat", LSTM, {.pool = POOL_LAST, CONCAT}},
    {"last, match", HYBRID, {.pool = POOL_LAST, MATCH}},
    {"mean, concat", SAN, {.pool = POOL_MEAN, CONCAT}},
    {"mean, match", DROPPED, {.pool = POOL_MEAN, MATCH}},
    {"a query, concat", DROPPED, {.queries = 1, CONCAT}},
    {"queries, concat", HYBRID, {.queries = 2, CONCAT}},
    {"queries, match", SAN, {.queries = 3, MATCH}},
};

struct pair_subject {
    struct arena arena;
    struct translator_options read;
    struct pair_options options;
    struct model *model;
    struct graph *train;
    struct batch batch;
};

static const struct capacity capacity = {{2 * PAIRS * LONGEST}, 2 * PAIRS, LONGEST};

static void subject_open(struct pair_subject *s, const struct pair_case *one)
{
    *s = (struct pair_subject){0};
    struct tree *tree = tree_merge(&arena, NULL, tree_parse(&arena, one->name, one->yaml));
    translator_options_read(&s->read, tree, &arena);
    s->options = (struct pair_options){.model = &s->read.model,
                                       .encoder = &s->read.encoder,
                                       .head = one->head,
                                       .words = CHECK_WORDS,
                                       .classes = CLASSES};
    s->model = pair_classifier_new(&arena, cpu_ops(), &s->options);
    s->train = model_list(s->model, &arena, GRAPH_TRAIN);
    model_place(s->model, true, 5);
    check_shake(&s->model->parameters);
    graph_plan(s->train, capacity);
    graph_place(s->train);
    check_poison(s->train);
    s->batch = check_batch(&arena, 3, 2 * PAIRS, LONGEST);
    s->batch.field[FIELD_TARGET] = (struct field){0};
    s->batch.labels = PAIRS;
    int32_t *label = ARENA_ARRAY(&arena, int32_t, PAIRS);
    for (int p = 0; p < PAIRS; p++) label[p] = (3 * p + 1) % CLASSES;
    s->batch.label = label;
}

static void subject_close(struct pair_subject *s)
{
    graph_release(s->train);
    model_release(s->model);
    arena_free(&s->arena);
}

/* Returns pairs [from, to) as a batch, with the numbers of rows that precede it in the step. */
static struct batch some(struct pair_subject *s, int from, int to)
{
    const struct field *whole = &s->batch.field[FIELD_SOURCE];
    int32_t *start = ARENA_ARRAY(&s->arena, int32_t, 2 * (to - from) + 1);
    const int32_t first = whole->start[2 * from];
    for (int b = 2 * from; b <= 2 * to; b++) start[b - 2 * from] = whole->start[b] - first;
    return (struct batch){.field[FIELD_SOURCE] = {.T = whole->start[2 * to] - first,
                                                  .B = 2 * (to - from),
                                                  .longest = whole->longest,
                                                  .token = whole->token + first,
                                                  .start = start},
                          .label = s->batch.label + from,
                          .labels = to - from,
                          .first_token = {first},
                          .first_sentence = 2 * from};
}

/* ---- gradients ---- */

struct moved {
    struct pair_subject *subject;
    struct batch micro[2];
    struct step step;
    const struct parameter *parameter;
};

static double evaluate(void *context)
{
    const struct moved *w = context;
    double loss = 0;
    for (int i = 0; i < 2; i++) loss += check_forward(w->subject->train, &w->step, &w->micro[i]);
    return loss;
}

static void move(void *context, const double *direction, double amount)
{
    const struct moved *w = context;
    difference_move(&w->subject->model->parameters, w->parameter, direction, amount);
}

static void gradients_agree(void **state)
{
    const struct pair_case *one = *state;
    struct pair_subject s;
    struct finding finding = {.limit = difference_limit};
    subject_open(&s, one);
    struct moved w = {.subject = &s,
                      .micro = {some(&s, 0, MICRO), some(&s, MICRO, PAIRS)},
                      .step = check_step(9)};
    for (int i = 0; i < 2; i++) {
        check_poison(s.train);
        check_forward(s.train, &w.step, &w.micro[i]);
        graph_backward(s.train, i > 0);
    }
    for (int p = 0; p < s.model->parameters.count; p++) {
        w.parameter = s.model->parameters.item[p];
        const struct difference d = {
            .name = w.parameter->path,
            .count = (int64_t)w.parameter->rows * w.parameter->columns,
            .gradient = difference_gradient(&s.arena, &s.model->parameters, w.parameter),
            .evaluate = evaluate,
            .move = move,
            .context = &w,
            .directions = 1,
            .elements = 3};
        difference_find(&d, &finding);
    }
    if (!finding.ok) fail_msg("%s: %s", one->name, finding.where);
    subject_close(&s);
}

/* ---- pairs ---- */

/* Returns the rows of the value with that path, without dropout. */
static real *rows_of(struct pair_subject *s, const struct batch *batch, const char *path)
{
    const struct step step = check_step(1);
    struct graph *list = model_list(s->model, &s->arena, GRAPH_INFER);
    graph_keep(list, path);
    graph_keep_losses(list);
    graph_plan(list, capacity);
    graph_place(list);
    check_poison(list);
    check_forward(list, &step, batch);
    real *rows = check_read(&s->arena, list, path);
    graph_release(list);
    return rows;
}

static void expect_equal(const char *name, const real *got, const real *expected, int count)
{
    struct finding finding = {.limit = 1e-12};
    finding_rows(&finding, got, expected, count, name);
    if (!finding.ok) fail_msg("%s", finding.where);
}

static void alone_and_among_others(void **state)
{
    const struct pair_case *one = *state;
    struct pair_subject s;
    subject_open(&s, one);
    const real *all = rows_of(&s, &s.batch, "logits");
    for (int p = 0; p < PAIRS; p++) {
        const struct batch alone = some(&s, p, p + 1);
        expect_equal(one->name, rows_of(&s, &alone, "logits"), all + p * CLASSES, CLASSES);
    }
    subject_close(&s);
}

/* Returns the same pairs with premise and hypothesis swapped. */
static struct batch exchanged(struct pair_subject *s)
{
    const struct field *whole = &s->batch.field[FIELD_SOURCE];
    int32_t *start = ARENA_ARRAY(&s->arena, int32_t, whole->B + 1);
    int32_t *token = ARENA_ARRAY(&s->arena, int32_t, whole->T);
    for (int b = 0; b < whole->B; b++) {
        const int from = b ^ 1, length = whole->start[from + 1] - whole->start[from];
        start[b + 1] = start[b] + length;
        for (int t = 0; t < length; t++) token[start[b] + t] = whole->token[whole->start[from] + t];
    }
    struct batch batch = s->batch;
    batch.field[FIELD_SOURCE].token = token;
    batch.field[FIELD_SOURCE].start = start;
    return batch;
}

/* The halves are swapped; products and differences are unchanged. */
static void sides_change_places(void **state)
{
    const struct pair_case *one = *state;
    struct pair_subject s;
    subject_open(&s, one);
    const struct batch other = exchanged(&s);
    const int parts = one->head.match ? 4 : 2;
    const int N = (one->head.queries ? one->head.queries : 1) * s.read.model.width;
    const real *here = rows_of(&s, &s.batch, "pair"), *there = rows_of(&s, &other, "pair");
    for (int row = 0; row < PAIRS * parts; row++) {
        const int part = row % parts, twin = part < 2 ? row - part + 1 - part : row;
        expect_equal(one->name, there + (int64_t)twin * N, here + (int64_t)row * N, N);
    }
    assert_memory_not_equal(here, there, (size_t)N * sizeof *here);
    subject_close(&s);
}

static const struct parameter *parameter_of(const struct pair_subject *s, const char *path)
{
    return parameter_find(&s->model->parameters, path);
}

/* Queries start as N(0, 1), are the pool's rows unchanged, and have biases. The widths of layers
 * and the start of all parameters follow the options. */
TEST(the_head_is_as_it_is_said)
{
    enum { QUERIES = 40 };
    static const struct pair_case cases_of[] = {
        {"many queries", SAN, {.queries = QUERIES, CONCAT}},
        {"no biases",
         "model: {width: 12, heads: 2, feedforward: 14, attention_bias: false, "
         "start: {uniform: 0.01}}\nencoder.layers: 1\n",
         {.queries = 1, CONCAT}},
    };
    struct pair_subject s;
    subject_open(&s, &cases_of[0]);
    parameters_start(&s.model->parameters, 5);
    const struct parameter *queries = parameter_of(&s, "pool.queries");
    const real *row = s.model->parameters.master + queries->offset;
    const real *got = rows_of(&s, &s.batch, "pool.rows");
    expect_equal("queries", got, row, QUERIES * 12);
    expect_equal("queries of the last", got + (2 * PAIRS - 1) * QUERIES * 12, row, QUERIES * 12);
    double squares = 0;
    for (int k = 0; k < QUERIES * 12; k++) squares += (double)row[k] * (double)row[k];
    assert_true(fabs(squares / (QUERIES * 12) - 1) < 0.3);
    assert_int_equal(parameter_of(&s, "classifier.1.weight")->columns, 9);
    assert_int_equal(parameter_of(&s, "classifier.2.weight")->columns, 8);
    assert_non_null(parameter_of(&s, "pool.query.bias"));
    subject_close(&s);
    subject_open(&s, &cases_of[1]);
    parameters_start(&s.model->parameters, 5);
    assert_null(parameter_of(&s, "pool.query.bias"));
    double most = 0;
    for (int64_t k = 0; k < s.model->parameters.slab; k++)
        most = fmax(most, fabs((double)s.model->parameters.master[k]));
    assert_true(most <= 0.01 && most > 0.009);
    subject_close(&s);
}

int main(void)
{
    omp_set_num_threads(1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        test_add(0, gradients_agree, &cases[i], "%s: gradients", cases[i].name);
        test_add(0, alone_and_among_others, &cases[i], "%s: alone", cases[i].name);
        test_add(0, sides_change_places, &cases[i], "%s: exchanged", cases[i].name);
    }
    return tests_run();
}
