/* Which checks there are, in which build each is asked, and the models that they are asked of. */
#include "core/check/check.h"

#include "core/model/device.h"

enum { IN_FLOAT = 1, IN_DOUBLE = 2 };

/* In double at any size what must hold nearly; in float what is about the kernels that train. */
static const struct {
    const char *name;
    void (*check)(struct check_subject *subject, struct finding *finding);
    unsigned where;
} checks[] = {
    {"values", check_values, IN_DOUBLE},          {"gradients", check_gradients, IN_DOUBLE},
    {"alone", check_alone, IN_DOUBLE | IN_FLOAT}, {"causality", check_causality, IN_DOUBLE},
    {"steps", check_steps, IN_DOUBLE | IN_FLOAT}, {"threads", check_threads, IN_FLOAT},
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
