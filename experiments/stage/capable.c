/* A stage says what it is computed in; a device, what it can. The CPU has no limits. */
#include "experiments/stage/capable.h"

#include <string.h>

#include "core/model/device.h"

enum precision stage_precision(const struct stage *stage)
{
    int most = PRECISION_FP32;
    for (int r = 0; r < stage->rows; r++) /* what needs most of a device */
        if (stage->row[r].settings->train.precision > most)
            most = stage->row[r].settings->train.precision;
    if (stage->kind->traits & SETTINGS_TRAIN) most = stage->settings->train.precision;
    if (stage->kind->evaluation) {
        const int *own = section_field(stage->kind->evaluation->section, "precision",
                                       PRECISION_WORDS, stage_options(stage));
        if (own) most = *own;
    }
    return (enum precision)most;
}

/* The option that asks for too much of a device that is not the CPU, and how much; NULL: none. */
static const char *too_much(const struct settings *settings, int *found, int *most)
{
    const struct model_options *model = &settings->translator.model;
    if (!strcmp(device_used(), DEVICE_CPU)) return NULL;
    *found = model->width / model->heads, *most = ATTENTION_HEAD_MOST;
    if (*found > *most) return "model.width";
    *found = settings->corpus.max_length, *most = ATTENTION_LONGEST_MOST;
    return *found > *most ? "corpus.max_length" : NULL;
}

const char *capable_missing(const struct stage *stage)
{
    int found, most;
    const struct stage *trained = stage->kind->traits & KIND_COMPUTES ? stage_trained(stage) : NULL;
    if (!device_has(device_used(), stage_precision(stage)))
        return stage_precision(stage) == PRECISION_TF32
                   ? "a device that computes in tf32 (--device cuda or emu does)"
                   : "a device that computes in bf16 (--device cuda or emu does)";
    if (trained && too_much(trained->settings, &found, &most))
        return "a device that takes heads so wide and sentences so long (--device cpu does)";
    return NULL;
}

void capable_check_precision(const struct grid_point *point, const char *option)
{
    const struct tree *value = tree_find(point->options, option);
    if (!device_is_named() || device_has(device_used(), PRECISION_BF16)) return;
    if (value && value->text && strcmp(value->text, "fp32") != 0)
        die_at(value->place, "%s: %s: --device %s computes in fp32 only", option, value->text,
               device_used());
}

void capable_check_model(const struct grid_point *point)
{
    int found, most;
    const char *option = device_is_named() ? too_much(point->settings, &found, &most) : NULL;
    if (option)
        die_at(tree_place(point->options, option), "%s: %s of %d: --device %s takes up to %d",
               option, !strcmp(option, "model.width") ? "heads" : "sentences", found, device_used(),
               most);
}
