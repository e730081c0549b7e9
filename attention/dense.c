/* The functions with which terms and fusions compute their equations in plain loops, in double. */
#include "attention/dense.h"

#include <math.h>
#include <stdarg.h>

double *dense_zeros(const struct dense *dense, int rows, int columns)
{
    const int64_t count = (int64_t)rows * columns;
    return ARENA_ARRAY(dense->arena, double, count);
}

const double *dense_parameter(const struct dense *dense, const char *name, ...)
{
    va_list list;
    va_start(list, name);
    const char *path =
        arena_print(dense->arena, "%s.%s", dense->path, arena_print_list(dense->arena, name, list));
    va_end(list);
    const struct parameter *found = parameter_find(dense->parameters, path);
    CHECK(found, "the dense oracle wants a parameter that the block has not got: %s", path);
    return dense->master + found->offset;
}

double *dense_linear(const struct dense *dense, const double *x, int rows, int K, int N, bool bias,
                     const char *name, ...)
{
    va_list list;
    va_start(list, name);
    const char *path = arena_print_list(dense->arena, name, list);
    va_end(list);
    const double *weight = dense_parameter(dense, "%s.weight", path);
    const double *offset = bias ? dense_parameter(dense, "%s.bias", path) : NULL;
    double *y = dense_zeros(dense, rows, N);
    for (int t = 0; t < rows; t++)
        for (int c = 0; c < N; c++) {
            double sum = offset ? offset[c] : 0;
            for (int k = 0; k < K; k++) sum += x[t * K + k] * weight[k * N + c];
            y[t * N + c] = sum;
        }
    return y;
}

double *dense_columns(const struct dense *dense, const double *x, int rows, int K, int column,
                      int N)
{
    double *y = dense_zeros(dense, rows, N);
    for (int t = 0; t < rows; t++)
        for (int c = 0; c < N; c++) y[t * N + c] = x[t * K + column + c];
    return y;
}

double *dense_project(const struct dense *dense, const double *x, int K)
{
    return dense_linear(dense, x, dense->n, K, dense->H * dense->d, !dense->spec->unbiased,
                        "output");
}

int dense_visible(const struct dense *dense, int i)
{
    return dense->causal ? i + 1 : dense->nk;
}

double dense_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

double dense_tanh(double x)
{
    return tanh(x);
}

double dense_exp2(double x)
{
    return exp2(x);
}

double dense_power(double x, double y)
{
    return pow(x, y);
}

double dense_sin(double x)
{
    return sin(x);
}

double dense_cos(double x)
{
    return cos(x);
}
