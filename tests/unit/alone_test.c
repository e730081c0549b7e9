/* Tests that a sentence alone has the same vectors, logits, losses and translations, bit for bit,
 * as in any position of any batch. The models are the examples of every term and fusion, and every
 * kind of recurrent layer. Two threads compute the batch, and one thread computes a single
 * sentence. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"
#include "tests/support/variant.h"

enum { B = 6, LONGEST = 18, WIDTH = 48 };

/* Parts of the batch that are computed alone: sentences [from, to), by this number of threads. */
static const struct part {
    int from, to, threads;
} parts[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1},
             {5, 6, 1}, {0, 2, 2}, {1, 6, 2}, {2, 5, 2}, {3, 6, 2}};

static const char *const paths[] = {"encoder.output", "logits", "loss.likelihood"};

/* Returns an inference list that keeps the outputs in `paths`. */
static struct graph *list_new(struct test_model *m)
{
    struct graph *list = model_list(m->model, &m->arena, GRAPH_INFER);
    for (size_t p = 0; p < COUNT_OF(paths); p++) graph_keep(list, paths[p]);
    graph_plan(list, check_capacity);
    graph_place(list);
    return list;
}

static void forward(struct test_model *m, struct graph *list, const struct batch *batch,
                    int threads, const real *rows[COUNT_OF(paths)])
{
    const struct step step = check_step(1);
    omp_set_num_threads(threads);
    check_poison(list);
    check_forward(list, &step, batch);
    for (size_t p = 0; p < COUNT_OF(paths); p++) rows[p] = test_read(m, list, paths[p]);
}

/* Computes the batch with two threads. Then computes each part alone, with packed weights as in a
 * frozen model. All rows must have the same bits. */
static void vectors_are_their_own(struct test_model *m, const struct batch *batch)
{
    struct graph *list = list_new(m);
    const real *whole[COUNT_OF(paths)], *part[COUNT_OF(paths)];
    forward(m, list, batch, 2, whole);
    graph_pack(list);
    assert_non_null(parameter_packed(
        parameter_find(&m->model->parameters, "decoder.1.feedforward.inner.weight"), false));
    for (size_t k = 0; k < COUNT_OF(parts); k++) {
        const int from = parts[k].from, to = parts[k].to;
        const struct batch some = test_batch_part(batch, from, to);
        forward(m, list, &some, parts[k].threads, part);
        for (size_t p = 0; p < COUNT_OF(paths); p++) {
            const struct value *value = graph_find(list, paths[p]);
            const int side = value->rows->field;
            const real *expected =
                whole[p] + (int64_t)batch->field[side].start[from] * value->columns;
            const int64_t count = (int64_t)some.field[side].T * value->columns;
            for (int64_t i = 0; i < count; i++)
                if (memcmp(part[p] + i, expected + i, sizeof *expected))
                    fail_msg("sentences %d to %d of %d, %s, row %lld, column %lld: %a, among "
                             "the others %a",
                             from, to - 1, B, paths[p], (long long)(i / value->columns),
                             (long long)(i % value->columns), (double)part[p][i],
                             (double)expected[i]);
        }
    }
    graph_release(list);
}

static void translation_is_same(const struct translation *got, const struct translation *expected,
                                const char *who)
{
    if (got->count != expected->count)
        fail_msg("%s: %d hypotheses, among the others %d", who, got->count, expected->count);
    for (int i = 0; i < got->count; i++) {
        const struct hypothesis *a = &got->hypothesis[i], *b = &expected->hypothesis[i];
        if (memcmp(&a->score, &b->score, sizeof a->score))
            fail_msg("%s, hypothesis %d: score %a, among the others %a", who, i, a->score,
                     b->score);
        if (a->count != b->count || memcmp(a->token, b->token, (size_t)a->count * sizeof *a->token))
            fail_msg("%s, hypothesis %d: other words than among the others", who, i);
    }
}

static void translations_are_their_own(struct test_model *m, const struct batch *batch)
{
    const struct beam_options options = {.beam = 3, .length_penalty = .6, .extra = 4};
    struct searcher *searcher =
        searcher_open(&m->arena, m->model, &options, (struct capacity){{CHECK_ROWS}, B, LONGEST});
    omp_set_num_threads(2);
    const struct translation *whole = searcher_run(searcher, batch);
    for (size_t k = 0; k < COUNT_OF(parts); k++) {
        const int from = parts[k].from, to = parts[k].to;
        const struct batch some = test_batch_part(batch, from, to);
        omp_set_num_threads(parts[k].threads);
        const struct translation *part = searcher_run(searcher, &some);
        for (int b = from; b < to; b++)
            translation_is_same(&part[b - from], &whole[b],
                                arena_print(&m->arena, "sentence %d of %d to %d", b, from, to - 1));
    }
    searcher_close(searcher);
}

static void alone_is_among_others(void **state)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(), *state);
    check_shake(&m.model->parameters);
    parameters_freeze(&m.model->parameters);
    /* Larger softmax weights of <eos> make some hypotheses end early. */
    for (int64_t c = WIDTH * VOCABULARY_EOS; c < WIDTH * (VOCABULARY_EOS + 1); c++)
        test_set(&m, "target.softmax", c, 4 * test_get(&m, "target.softmax", c));
    const struct batch batch = test_batch(6, B, LONGEST);
    vectors_are_their_own(&m, &batch);
    translations_are_their_own(&m, &batch);
    check_close(&m);
}

int main(void)
{
    unsetenv("SANLAB_PRODUCTS"); /* OpenBLAS gives other bits in another batch */
    return variant_run_tests("width: 48, heads: 3, feedforward: 300", alone_is_among_others, NULL);
}
