#include "tests/support/test_model.h"

#include "tests/support/test.h"

void test_model_open(struct test_model *m, const struct ops *ops, const char *yaml)
{
    check_open(m, ops, "model.yaml", yaml);
}

struct graph *test_model_list(struct test_model *m, enum graph_mode mode, const char *keep)
{
    return check_list(m->model, &m->arena, mode, keep);
}

real *test_slab(struct test_model *m, const real *device)
{
    const struct parameters *parameters = &m->model->parameters;
    real *host = ARENA_ARRAY(&m->arena, real, parameters->slab);
    parameters->ops->download(host, device, (size_t)parameters->slab * sizeof *host);
    return host;
}

static real *element(struct test_model *m, const char *path, int64_t index)
{
    const struct parameter *parameter = parameter_find(&m->model->parameters, path);
    if (!parameter) fail_msg("no parameter is called %s", path);
    assert_true(index < (int64_t)parameter->rows * parameter->columns);
    return m->model->parameters.master + parameter->offset + index;
}

void test_set(struct test_model *m, const char *path, int64_t index, double value)
{
    const real number = (real)value;
    m->model->parameters.ops->upload(element(m, path, index), &number, sizeof number);
    parameters_refresh(&m->model->parameters);
}

double test_get(struct test_model *m, const char *path, int64_t index)
{
    real number;
    m->model->parameters.ops->download(&number, element(m, path, index), sizeof number);
    return (double)number;
}

struct batch test_batch(uint32_t seed, int B, int longest)
{
    return check_batch(&arena, seed, B, longest);
}

struct batch test_batch_part(const struct batch *batch, int from, int to)
{
    return check_batch_part(&arena, batch, from, to);
}

double test_backward(struct graph *graph, const struct step *step, const struct batch *batch,
                     bool accumulate)
{
    const double loss = check_forward(graph, step, batch);
    graph_backward(graph, accumulate);
    return loss;
}

real *test_read(struct test_model *m, const struct graph *graph, const char *path)
{
    return check_read(&m->arena, graph, path);
}
