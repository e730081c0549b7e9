/* Tests transfers between host and device in a step. Each micro-batch needs one upload, which
 * includes the lists that the op table needs. The result of a step is one download, only on
 * request. Ops that are launched for more rows than the batch has give the same bits. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/tensor/guard.h"
#include "tests/support/test_model.h"

static struct {
    int uploads, downloads, reads, runs;
    struct run_key key; /* key of the last run */
} traffic;

static void count_upload(void *to, const void *from, size_t bytes)
{
    traffic.uploads++;
    cpu_ops()->upload(to, from, bytes);
}

static void count_download(void *to, const void *from, size_t bytes)
{
    traffic.downloads++;
    cpu_ops()->download(to, from, bytes);
}

static void count_read(const struct act *from, int64_t rows, int64_t columns, int64_t ld, real *to)
{
    traffic.reads++;
    cpu_ops()->read_act(from, rows, columns, ld, to);
}

static void count_run(const struct run_key *key, void (*issue)(void *context), void *context)
{
    traffic.runs++;
    traffic.key = *key;
    issue(context);
}

static const struct ops *hash_table_new(int row_multiple)
{
    struct ops *table = ARENA_NEW(&arena, struct ops);
    *table = *cpu_ops();
    table->upload = count_upload;
    table->download = count_download;
    table->read_act = count_read;
    table->run = count_run;
    table->row_multiple = row_multiple;
    return table;
}

/* A model with every kind of node that has parameters: all terms, and gates of both kinds. */
static const char model_text[] =
    "model: {width: 36, heads: 3, feedforward: 50, dropout: 0.2, attention_dropout: 0.1,\n"
    "        relu_dropout: 0.1, source_bias: true}\n"
    "encoder: {layers: 3, attention: [\n"
    "  {layers: 1, branches: [global, {window: 1}], terms: [{relpos: 3}, alibi], fusion: gate},\n"
    "  {layers: 2, branches: [global, {window: 2}], terms: [{gauss: {}}], fusion: sum},\n"
    "  {layers: 3, branches: [global, forward, backward], fusion: {squeeze: 3}}]}\n"
    "decoder.layers: 1\n";
static const struct train_options options = {
    .rate = 1, .warmup = 10, .beta1 = .9, .beta2 = .98, .epsilon = 1e-9, .clip = 1, .l2 = 1e-4};

enum { MICROS = 3, SENTENCES = 6, LONGEST = 9 };

static int64_t parts_of(uint32_t seed, struct batch micro[MICROS])
{
    const struct batch batch = test_batch(seed, SENTENCES, LONGEST);
    for (int i = 0; i < MICROS; i++) micro[i] = test_batch_part(&batch, 2 * i, 2 * i + 2);
    return batch.field[FIELD_TARGET].T;
}

TEST(a_step_is_read_once)
{
    struct test_model m;
    struct batch micro[MICROS];
    if (GUARD_BYTES) skip(); /* guards are also transferred */
    test_model_open(&m, hash_table_new(1), model_text);
    const int64_t tokens = parts_of(1, micro);
    memset(&traffic, 0, sizeof traffic);
    train_issue(&(struct learner){.model = m.model, .list = m.train, .train = &options, .seed = 1},
                0, &(struct learner_step){micro, MICROS, tokens});
    assert_int_equal(traffic.uploads, MICROS);
    assert_int_equal(traffic.downloads + traffic.reads, 0);
    assert_int_equal(traffic.runs, MICROS);
    assert_ptr_equal(traffic.key.list, m.train);
    assert_int_equal(traffic.key.accumulate, true);
    assert_int_equal(traffic.key.launched[m.train->loss->rows->index],
                     micro[MICROS - 1].field[FIELD_TARGET].T);
    assert_true(train_result(m.train).finite);
    assert_int_equal(traffic.uploads, MICROS);
    assert_int_equal(traffic.downloads, 1);
    assert_int_equal(traffic.reads, 0);
    check_close(&m);
}

static void train(struct test_model *m, const struct ops *ops, double loss[3])
{
    struct batch micro[MICROS];
    test_model_open(m, ops, model_text);
    for (int i = 0; i < 3; i++) {
        const int64_t tokens = parts_of((uint32_t)i, micro);
        loss[i] = train_step(
                      &(struct learner){
                          .model = m->model, .list = m->train, .train = &options, .seed = 1},
                      i, &(struct learner_step){micro, MICROS, tokens})
                      .loss;
        assert_true(isfinite(loss[i]));
    }
}

TEST(rows_that_are_not_there_change_no_bit)
{
    struct test_model exact, more;
    double loss[3], again[3];
    train(&exact, hash_table_new(1), loss);
    train(&more, hash_table_new(64), again);
    const struct rows *rows = more.train->loss->rows;
    assert_true(rows->count < rows->launched && rows->launched % 64 == 0);
    assert_ptr_equal(exact.train->loss->rows->counted, NULL);
    assert_memory_equal(loss, again, sizeof loss);
    assert_memory_equal(test_slab(&exact, exact.model->parameters.master),
                        test_slab(&more, more.model->parameters.master),
                        (size_t)exact.model->parameters.slab * sizeof(real));
    check_close(&exact);
    check_close(&more);
}

/* Checks that `order` sorts the rows of a field by the token that the embedding reads. If `shifted`
 * is true, this is the preceding token. */
static void expect_order(const struct field *field, bool shifted, const int32_t *order)
{
    int *token = heap_alloc((size_t)field->T * sizeof *token);
    for (int b = 0; b < field->B; b++)
        for (int t = field->start[b]; t < field->start[b + 1]; t++)
            token[t] = !shifted ? field->token[t] : t == field->start[b] ? -1 : field->token[t - 1];
    for (int i = 1; i < field->T; i++)
        assert_true(token[order[i - 1]] < token[order[i]] ||
                    (token[order[i - 1]] == token[order[i]] && order[i - 1] < order[i]));
    free(token);
}

TEST(lists_are_made_where_they_are_wanted)
{
    struct test_model m;
    struct ops *table = ARENA_NEW(&arena, struct ops);
    *table = *hash_table_new(1);
    table->lists = OPS_ORDER | OPS_GROUPS | OPS_TILES;
    test_model_open(&m, table, model_text);
    const struct batch batch = test_batch(5, SENTENCES, LONGEST);
    graph_set_step(m.train, &(struct step){.normalizer = 1});
    graph_load(m.train, &batch);
    int orders = 0, groups = 0, tiles = 0;
    for (int i = 0; i < m.train->inputs; i++) {
        const struct input *input = m.train->input[i];
        const struct field *field = &batch.field[input->rows->field];
        if (!strcmp(input->what, "a row")) {
            expect_order(field, input->rows->field == FIELD_TARGET, input->data);
            orders++;
        } else if (!strcmp(input->what, "a sentence")) {
            for (int b = 0; b < field->B; b++)
                for (int t = field->start[b]; t < field->start[b + 1]; t++)
                    assert_int_equal(input->data[t], b);
            groups++;
        } else if (!strcmp(input->what, "a tile")) {
            for (int b = 0; b < field->B; b++)
                assert_int_equal(input->data[b], field->start[b]); /* one tile per sentence */
            for (int t = field->B; t < field->T; t++) assert_int_equal(input->data[t], -1);
            tiles++;
        }
    }
    assert_int_equal(orders, 2);
    assert_int_equal(groups, 2);
    assert_int_equal(tiles, 2);
    check_close(&m);
}
