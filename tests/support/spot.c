#include "tests/support/spot.h"

#include <math.h>

#include "core/cpu/cpu.h"
#include "tests/support/test.h"

#define MODEL                                                                                      \
    "model: {width: 28, heads: 4, feedforward: 30, source_bias: true}\n"                           \
    "encoder.layers: 2\ndecoder.layers: 2\n"

const struct spot spot_encoder = {"encoder.attention", "encoder.1.attention", "encoder.output",
                                  FIELD_SOURCE, FIELD_SOURCE};
const struct spot spot_decoder = {"decoder.attention", "decoder.1.attention", "decoder.output",
                                  FIELD_TARGET, FIELD_TARGET};
const struct spot spot_cross = {"decoder.cross", "decoder.1.cross", "decoder.output", FIELD_TARGET,
                                FIELD_SOURCE};
const struct spot *const spot_all[3] = {&spot_encoder, &spot_decoder, &spot_cross};

void spot_open(struct test_model *m, const struct spot *spot, const char *entry)
{
    struct arena arena = {0};
    const char *list =
        *entry ? arena_print(&arena, "%s: [{layers: 1, %s}]\n", spot->key, entry) : "";
    test_model_open(m, cpu_ops(), arena_print(&arena, MODEL "%s", list));
    arena_free(&arena);
}

const char *spot_below(struct test_model *m, const struct spot *spot, const char *name)
{
    return arena_print(&m->arena, "%s.%s", spot->path, name);
}

void spot_fill(struct test_model *m, const struct spot *spot, const char *name, double value)
{
    const char *path = spot_below(m, spot, name);
    const struct parameter *parameter = parameter_find(&m->model->parameters, path);
    if (!parameter) fail_msg("no parameter %s", path);
    for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
        test_set(m, path, i, value);
}

real *spot_compute(struct test_model *m, const char *path, const struct batch *batch)
{
    const struct step step = test_step(1);
    struct graph *list = test_model_list(m, GRAPH_INFER, path);
    assert_true(isfinite(test_loss(list, &step, batch)));
    real *rows = test_read(m, list, path);
    graph_release(list);
    return rows;
}

void spot_same(const char *what, const real *got, const real *expected, int64_t count)
{
    struct finding finding = {.limit = check_rounding};
    finding_rows(&finding, got, expected, count, what);
    if (!finding.ok) fail_msg("%s", finding.where);
}

void spot_one_key(struct test_model *m, const struct spot *spot, int nth)
{
    enum { D = SPOT_WIDTH };
    const struct batch batch = test_batch(&m->arena, 3, 6, 20);
    const struct field *query = &batch.field[spot->queries], *keys = &batch.field[spot->keys];
    const real *out = spot_compute(m, spot_below(m, spot, "branches"), &batch);
    const real *value = spot_compute(m, spot_below(m, spot, "value"), &batch);
    for (int b = 0; b < query->B; b++)
        for (int t = query->start[b]; t < query->start[b + 1]; t++) {
            const int last = spot == &spot_decoder ? t : keys->start[b + 1] - 1;
            const int key = last - keys->start[b] < nth ? last : keys->start[b] + nth;
            spot_same(spot->key, out + (int64_t)t * D, value + (int64_t)key * D, D);
        }
}
