/* Runs checks on the model of a YAML text. Has the list of the checks in float. */
#include "core/check/model_check.h"

#include "core/model/device_choice.h"

const struct check checks_float[] = {{"alone", check_alone},
                                     {"causality", check_causality},
                                     {"steps", check_steps},
                                     {"threads", check_threads},
                                     {0}};

int check_model(const struct check *list, const char *device, const char *name, const char *yaml,
                struct finding finding[CHECKS])
{
    struct check_subject subject;
    int count = 0;
    check_open(&subject, device_ops(device), name, yaml);
    check_shake(&subject.model->parameters);
    for (; list[count].name; count++) {
        finding[count] = (struct finding){.name = list[count].name};
        list[count].check(&subject, &finding[count]);
    }
    check_close(&subject);
    return count;
}
