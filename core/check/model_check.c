/* Runs checks on the model of a YAML text. Has the list of the checks in float. */
#include "core/check/model_check.h"

#include "core/model/device_choice.h"

const struct check checks_float[] = {{"alone", check_alone},
                                     {"causality", check_causality},
                                     {"steps", check_steps},
                                     {"threads", check_threads},
                                     {0}};

static void open(struct check_subject *subject, const char *device, const char *name,
                 const char *yaml)
{
    check_open(subject, device_ops(device), name, yaml);
    check_shake(&subject->model->parameters);
}

int check_model(const struct check *list, const char *device, const char *name, const char *yaml,
                struct finding finding[CHECKS])
{
    struct check_subject subject;
    int count = 0;
    open(&subject, device, name, yaml);
    for (; list[count].name; count++) {
        finding[count] = (struct finding){.name = list[count].name};
        list[count].check(&subject, &finding[count]);
    }
    check_close(&subject);
    return count;
}

double *check_logits(const char *device, const char *name, const char *yaml, struct arena *arena,
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
