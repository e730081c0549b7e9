#include "tests/support/tested_block.h"

#include "core/cpu/cpu.h"
#include "tests/support/test.h"

#define MODEL                                                                                      \
    "model: {width: 28, heads: 4, feedforward: 30, source_bias: true}\n"                           \
    "encoder.layers: 2\ndecoder.layers: 2\n"

const struct tested_block block_encoder = {"encoder.attention", "encoder.1.attention",
                                           "encoder.output", FIELD_SOURCE, FIELD_SOURCE};
const struct tested_block block_decoder = {"decoder.attention", "decoder.1.attention",
                                           "decoder.output", FIELD_TARGET, FIELD_TARGET};
const struct tested_block block_cross = {"decoder.cross", "decoder.1.cross", "decoder.output",
                                         FIELD_TARGET, FIELD_SOURCE};
const struct tested_block *const block_all[3] = {&block_encoder, &block_decoder, &block_cross};

void block_open(struct test_model *m, const struct tested_block *block, const char *entry)
{
    const char *list =
        *entry ? arena_print(&arena, "%s: [{layers: 1, %s}]\n", block->key, entry) : "";
    test_model_open(m, cpu_ops(), arena_print(&arena, MODEL "%s", list));
}

const char *block_below(struct test_model *m, const struct tested_block *block, const char *name)
{
    return arena_print(&m->arena, "%s.%s", block->path, name);
}

void block_fill(struct test_model *m, const struct tested_block *block, const char *name,
                double value)
{
    const char *path = block_below(m, block, name);
    const struct parameter *parameter = parameter_find(&m->model->parameters, path);
    if (!parameter) fail_msg("no parameter %s", path);
    for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
        test_set(m, path, i, value);
}

real *block_compute(struct test_model *m, const char *path, const struct batch *batch)
{
    const struct step step = check_step(1);
    struct graph *list = test_model_list(m, GRAPH_INFER, path);
    assert_true(isfinite(check_forward(list, &step, batch)));
    real *rows = test_read(m, list, path);
    graph_release(list);
    return rows;
}

void block_same(const char *what, const real *got, const real *expected, int64_t count)
{
    struct finding finding = {.limit = check_rounding};
    finding_rows(&finding, got, expected, count, what);
    if (!finding.ok) fail_msg("%s", finding.where);
}

void block_one_key(struct test_model *m, const struct tested_block *block, int nth)
{
    enum { D = BLOCK_WIDTH };
    const struct batch batch = test_batch(3, 6, 20);
    const struct field *query = &batch.field[block->queries], *keys = &batch.field[block->keys];
    const real *out = block_compute(m, block_below(m, block, "branches"), &batch);
    const real *value = block_compute(m, block_below(m, block, "value"), &batch);
    for (int b = 0; b < query->B; b++)
        for (int t = query->start[b]; t < query->start[b + 1]; t++) {
            const int last = block == &block_decoder ? t : keys->start[b + 1] - 1;
            const int key = last - keys->start[b] < nth ? last : keys->start[b] + nth;
            block_same(block->key, out + (int64_t)t * D, value + (int64_t)key * D, D);
        }
}
