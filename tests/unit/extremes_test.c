/* Tests attention in fp32 with the most extreme numbers that training could make: windows of zero
 * or unlimited width, and energies that are far apart. Losses and gradients must stay finite. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"

static const char *const places[] = {"encoder.attention", "decoder.attention", "decoder.cross"};
static const char *const paths[] = {"encoder.1.attention", "decoder.1.attention",
                                    "decoder.1.cross"};

/* Sets the elements [from, to) of a parameter to a value, at all three places. */
static void fill(struct test_model *m, const char *name, int from, int to, double value)
{
    for (int p = 0; p < 3; p++)
        for (int i = from; i < to; i++)
            test_set(m, arena_print(&m->arena, "%s.%s", paths[p], name), i, value);
}

static void open(struct test_model *m, const char *entry)
{
    const char *yaml = "model: {width: 16, heads: 2, feedforward: 8}\nencoder.layers: 1\n"
                       "decoder.layers: 1\n";
    for (int p = 0; p < 3; p++)
        yaml = arena_print(&arena, "%s%s: [{layers: 1, %s}]\n", yaml, places[p], entry);
    test_model_open(m, cpu_ops(), yaml);
}

static void stays_finite(struct test_model *m, const char *what)
{
    const struct parameters *parameters = &m->model->parameters;
    const struct step step = check_step(1);
    const struct batch batch = test_batch(3, 6, 20);
    const double loss = test_backward(m->train, &step, &batch, false);
    if (!isfinite(loss)) fail_msg("%s: loss %g", what, loss);
    const real *gradient = test_slab(m, parameters->gradient);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *one = parameters->item[p];
        for (int64_t i = 0; i < (int64_t)one->rows * one->columns; i++)
            if (!isfinite((double)gradient[one->offset + i]))
                fail_msg("%s: gradient of %s, element %d: %g", what, one->path, (int)i,
                         (double)gradient[one->offset + i]);
    }
}

/* Columns 0 and 1 of the prediction are centers. Columns 2 and 3 are windows. */
TEST(windows_of_any_width)
{
    static const char *const entries[] = {
        "terms: [localness]", "terms: [{gauss: {scaling: paper}}]",
        "terms: [{gauss: {scaling: paper}}, {gauss: {scaling: paper}}, relpos]"};
    static const double raw[] = {-1e30, -1e3, -88, -60, -20, 20, 1e3, 1e30};
    for (size_t e = 0; e < COUNT_OF(entries); e++)
        for (size_t i = 0; i < COUNT_OF(raw); i++)
            for (size_t k = 0; k < COUNT_OF(raw); k++) {
                struct test_model m;
                open(&m, entries[e]);
                fill(&m, "gauss.rows.bias", 0, 2, raw[i]);
                fill(&m, "gauss.rows.bias", 2, 4, raw[k]);
                stays_finite(&m, entries[e]);
                check_close(&m);
            }
}

TEST(parameters_of_windows)
{
    static const char *const entries[] = {"terms: [neighbor_sigma]",
                                          "terms: [{gauss: {window: head, scaling: paper}}]"};
    static const double weight[] = {-1e6, -1e3, -1e-4, 0, 1e-20, 1e3, 1e6};
    for (size_t e = 0; e < COUNT_OF(entries); e++)
        for (size_t i = 0; i < COUNT_OF(weight); i++) {
            struct test_model m;
            open(&m, entries[e]);
            fill(&m, "gauss.head.weight", 0, 2, weight[i]);
            stays_finite(&m, arena_print(&m.arena, "%s of %g", entries[e], weight[i]));
            check_close(&m);
        }
}

/* Weights of queries and keys are multiplied by 1000, so that the energies of a row are far
 * apart. */
TEST(energies_far_apart)
{
    struct test_model m;
    open(&m, "terms: [local_h, relpos]");
    for (int p = 0; p < 3; p++) {
        const char *name = p < 2 ? "qkv.weight" : "query.weight";
        const char *path = arena_print(&m.arena, "%s.%s", paths[p], name);
        for (int i = 0; i < 16 * 16; i++) test_set(&m, path, i, 1e3 * test_get(&m, path, i));
    }
    stays_finite(&m, "energies");
    check_close(&m);
}
