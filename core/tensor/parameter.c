/* Layout and initial values of parameters. An initial value is a function of seed, path and index.
 * So it depends neither on the order of parameters nor on the number of threads. */
#include "core/tensor/parameter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 16 };

struct parameter *parameter_find(const struct parameters *parameters, const char *path)
{
    for (int i = 0; i < parameters->count; i++)
        if (!strcmp(parameters->item[i]->path, path)) return parameters->item[i];
    return NULL;
}

struct parameter *parameter_get(struct parameters *parameters, const char *path, int rows,
                                int columns, enum parameter_start start, double spread)
{
    struct parameter *parameter = parameter_find(parameters, path);
    if (parameter) {
        CHECK(parameter->rows == rows && parameter->columns == columns,
              "%s is %d x %d, asked for as %d x %d", path, parameter->rows, parameter->columns,
              rows, columns);
        return parameter;
    }
    CHECK(!parameters->ops, "%s is new after the slabs were placed", path);
    const uint32_t stream = random_stream(path);
    for (int i = 0; i < parameters->count; i++)
        CHECK(stream != parameters->item[i]->stream, "%s and %s have one random stream", path,
              parameters->item[i]->path);
    ARENA_MORE(parameters->arena, parameters->item, parameters->count);
    if (start == START_BIAS && parameters->zero_bias) start = START_ZERO;
    parameter = ARENA_NEW(parameters->arena, struct parameter);
    *parameter = (struct parameter){.path = arena_text(parameters->arena, path),
                                    .stream = stream,
                                    .rows = rows,
                                    .columns = columns,
                                    .matrix = rows > 1,
                                    .start = start,
                                    .spread = spread,
                                    .offset = parameters->slab};
    const int64_t count = (int64_t)rows * columns;
    parameters->slab += (count + PAD - 1) / PAD * PAD;
    parameters->total += count;
    parameters->item[parameters->count++] = parameter;
    return parameter;
}

struct parameter *parameter_matrix(struct parameters *parameters, const char *path, int rows,
                                   int columns, enum parameter_start start, double spread)
{
    struct parameter *parameter = parameter_get(parameters, path, rows, columns, start, spread);
    parameter->matrix = true;
    return parameter;
}

size_t parameters_bytes(const struct parameters *parameters, bool train)
{
    return (size_t)parameters->slab * sizeof(real) * (train ? 4 : 1);
}

void parameters_place(struct parameters *parameters, const struct ops *ops, bool train)
{
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    CHECK(!parameters->ops, "the slabs are placed twice");
    parameters->ops = ops;
    parameters->master = ops->alloc(bytes);
    if (train) {
        parameters->gradient = ops->alloc(bytes);
        parameters->m = ops->alloc(bytes);
        parameters->v = ops->alloc(bytes);
    }
    parameters->operand = ops->act_bytes == sizeof(real)
                              ? (struct act *)(void *)parameters->master
                              : ops->alloc((size_t)parameters->slab * ops->act_bytes);
}

/* Returns the bytes of a packed operand; op(operand) is [K, N]. */
static size_t bytes_packed(const struct parameter *p, const struct ops *ops, bool transposed)
{
    const int K = transposed ? p->columns : p->rows, N = transposed ? p->rows : p->columns;
    return (size_t)ops_packed(ops, K, N) * ops->act_bytes;
}

void parameter_pack(struct parameters *parameters, struct parameter *parameter, bool transposed)
{
    const struct ops *ops = parameters->ops;
    if (!ops->panel || parameter->packed) return;
    parameter->packed = ops->alloc(bytes_packed(parameter, ops, transposed));
    parameter->packed_transposed = transposed;
    struct pack pack = {.transpose_b = transposed, .packed = parameter->packed};
    pack.N = transposed ? parameter->rows : parameter->columns;
    pack.K = transposed ? parameter->columns : parameter->rows;
    pack.b = act_at(ops, parameters->operand, parameter->offset), pack.ldb = parameter->columns;
    ops->pack(&pack);
}

struct act *parameter_packed(const struct parameter *parameter, bool transposed)
{
    return parameter->packed_transposed == transposed ? parameter->packed : NULL;
}

void parameters_forget_packed(struct parameters *parameters)
{
    const struct ops *ops = parameters->ops;
    for (int i = 0; i < parameters->count; i++) {
        struct parameter *p = parameters->item[i];
        if (p->packed) ops->release(p->packed, bytes_packed(p, ops, p->packed_transposed));
        p->packed = NULL;
    }
}

void parameters_freeze(struct parameters *parameters)
{
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    if (!parameters->gradient) return;
    parameters->ops->release(parameters->gradient, bytes);
    parameters->ops->release(parameters->m, bytes);
    parameters->ops->release(parameters->v, bytes);
    parameters->gradient = parameters->m = parameters->v = NULL;
}

void parameters_release(struct parameters *parameters)
{
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    const struct ops *ops = parameters->ops;
    if (!ops) return;
    parameters_forget_packed(parameters);
    if ((void *)parameters->operand != (void *)parameters->master)
        ops->release(parameters->operand, (size_t)parameters->slab * ops->act_bytes);
    ops->release(parameters->master, bytes);
    parameters_freeze(parameters);
    parameters->ops = NULL;
}

static double start_uniform(double limit, struct random_key key, int64_t i)
{
    return limit * (2 * random_uniform(key, (uint64_t)i, 0) - 1);
}

static double start_value(const struct parameter *parameter, struct random_key key, int64_t i)
{
    double limit = 0;
    switch (parameter->start) {
    case START_ONE:
        return 1;
    case START_ZERO:
        return 0;
    case START_CONSTANT:
        return parameter->spread;
    case START_NORMAL:
        return parameter->spread * random_normal(key, (uint64_t)i);
    case START_GLOROT:
        limit = sqrt(6.0 / (parameter->rows + parameter->columns));
        break;
    case START_UNIFORM:
        limit = parameter->spread;
        break;
    case START_BIAS:
        limit = sqrt(3.0 / parameter->columns);
        break;
    }
    return start_uniform(limit, key, i);
}

void parameters_start(struct parameters *parameters, uint32_t seed)
{
    enum { MANY = 1 << 18 }; /* smallest number of values that is computed by several threads */
    SCOPED(heap_free) real *host = heap_alloc((size_t)parameters->slab * sizeof(real));
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *parameter = parameters->item[p];
        const struct random_key key = {seed, parameter->stream};
        const int64_t count = (int64_t)parameter->rows * parameter->columns;
#pragma omp parallel for schedule(static) if (count >= MANY)
        for (int64_t i = 0; i < count; i++)
            host[parameter->offset + i] =
                (real)(parameters->uniform > 0 ? start_uniform(parameters->uniform, key, i)
                                               : start_value(parameter, key, i));
    }
    parameters->ops->upload(parameters->master, host, (size_t)parameters->slab * sizeof(real));
    parameters_refresh(parameters);
}

void parameters_refresh(struct parameters *parameters)
{
    const struct ops *ops = parameters->ops;
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    parameters_forget_packed(parameters);
    if ((void *)parameters->operand == (void *)parameters->master) return;
    real *host = heap_alloc(bytes); /* write_act reads host memory */
    ops->download(host, parameters->master, bytes);
    ops->write_act(parameters->operand, 1, parameters->slab, parameters->slab, host);
    free(host);
}
