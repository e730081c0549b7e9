#include "core/model/check.h"

#include <math.h>
#include <string.h>

#include "core/model/device.h"

const double check_rounding = sizeof(real) == sizeof(double) ? 1e-12 : 1e-5;

bool finding_add(struct finding *finding, double difference)
{
    const double off = isfinite(difference) ? difference : INFINITY;
    const bool worst = finding->compared == 0 || off > finding->worst;
    finding->compared++;
    if (worst) finding->worst = off;
    finding->ok = finding->worst <= finding->limit;
    return worst;
}

void finding_rows(struct finding *finding, const real *got, const real *expected, int64_t count,
                  const char *where)
{
    double norm = 0;
    for (int64_t i = 0; i < count; i++) norm += (double)expected[i] * (double)expected[i];
    norm = sqrt(norm / (double)count);
    for (int64_t i = 0; i < count; i++)
        if (finding_add(finding, fabs((double)got[i] - (double)expected[i]) / norm))
            snprintf(finding->where, sizeof finding->where, "%s, element %lld: %.9g and %.9g",
                     where, (long long)i, (double)got[i], (double)expected[i]);
}

void check_shake(struct parameters *parameters)
{
    const int64_t count = parameters->slab;
    struct arena arena = {0};
    real *host = ARENA_ARRAY(&arena, real, count);
    parameters->ops->download(host, parameters->master, (size_t)count * sizeof *host);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *parameter = parameters->item[p];
        const struct random_key key = {6, random_stream(parameter->path)};
        const double most = .1 / sqrt(parameter->rows); /* sums over rows move by as much */
        for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
            host[parameter->offset + i] +=
                (real)(most * (2 * random_uniform(key, (uint64_t)i, 0) - 1));
    }
    parameters->ops->upload(parameters->master, host, (size_t)count * sizeof *host);
    parameters_refresh(parameters);
    arena_free(&arena);
}

enum { IN_FLOAT = 1, IN_DOUBLE = 2 };

/* In double at any size what must hold nearly; in float what is about the kernels that train. */
static const struct {
    const char *name;
    void (*check)(struct check_subject *subject, struct finding *finding);
    unsigned where;
} checks[] = {
    {"gradients", check_gradients, IN_DOUBLE}, {"alone", check_alone, IN_DOUBLE | IN_FLOAT},
    {"causality", check_causality, IN_DOUBLE}, {"steps", check_steps, IN_DOUBLE | IN_FLOAT},
    {"threads", check_threads, IN_FLOAT},
};

#ifdef SANLAB_DOUBLE
enum { HERE = IN_DOUBLE };
#else
enum { HERE = IN_FLOAT };
#endif

static void open(struct check_subject *subject, const char *device, const char *name,
                 const char *yaml)
{
    check_open(subject, device_ops(device), name, yaml);
    check_shake(&subject->model->parameters);
}

static int check(const char *device, const char *name, const char *yaml,
                 struct finding finding[CHECKS])
{
    struct check_subject subject;
    int count = 0;
    open(&subject, device, name, yaml);
    for (size_t i = 0; i < COUNT_OF(checks); i++) {
        if (!(checks[i].where & HERE)) continue;
        finding[count] = (struct finding){.name = checks[i].name};
        checks[i].check(&subject, &finding[count++]);
    }
    check_close(&subject);
    return count;
}

static double *logits(const char *device, const char *name, const char *yaml, struct arena *arena,
                      int64_t *count)
{
    struct check_subject subject;
    open(&subject, device, name, yaml);
    const struct step step = check_step(1);
    const struct batch batch = check_batch(&subject.arena, 3, 6, 20);
    struct graph *list = check_list(subject.model, &subject.arena, GRAPH_INFER, "logits");
    check_forward(list, &step, &batch);
    const real *rows = check_read(&subject.arena, list, "logits");
    *count = (int64_t)batch.field[FIELD_TARGET].T * CHECK_WORDS;
    double *result = ARENA_ARRAY(arena, double, *count);
    for (int64_t i = 0; i < *count; i++) result[i] = (double)rows[i];
    graph_release(list);
    check_close(&subject);
    return result;
}

#ifdef SANLAB_DOUBLE
const struct checker check_double = {check, logits};
#else
const struct checker check_float = {check, logits};
#endif
