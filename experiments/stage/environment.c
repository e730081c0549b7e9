/* Describes the machine and the device. A child process describes a GPU and exits. Otherwise this
 * process would open the GPU and hold memory on it until it exits. */
#include "experiments/stage/environment.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "code.h"
#include "commit.h"
#include "core/base/child.h"
#include "core/base/file.h"
#include "core/model/device_choice.h"
#include "experiments/stage/machine.h"

const char *environment_backend(const char *device)
{
    static const char *const code[][2] = {
        {DEVICE_CPU, BACKEND_cpu}, {"cuda", BACKEND_cuda}, {"emu", BACKEND_emu}};
    for (size_t i = 0; i < COUNT_OF(code); i++)
        if (!strcmp(device, code[i][0])) return code[i][1];
    return NULL;
}

json_t *environment_ask(const char *device)
{
    char why[MESSAGE_BYTES];
    if (!strcmp(device, DEVICE_CPU)) return environment_describe(device);
    json_t *environment = environment_try(device, why);
    if (!environment) die("%s", why);
    return environment;
}

json_t *environment_try(const char *device, char why[MESSAGE_BYTES])
{
    static const char begin[] = "sanlab: ";
    const char *const word[] = {file_program(), "work", "--describe", "--device", device, NULL};
    SCOPED(arena_free) struct arena arena = {0};
    const int errors = memfd_create("errors", MFD_CLOEXEC);
    if (errors < 0) die("device %s: cannot create a memory file: %s", device, strerror(errno));
    const struct child_said said =
        child_try(arena_print(&arena, "device %s", device), word, errors, &arena);
    json_t *environment = said.end ? NULL : json_loadb(said.text, said.bytes, 0, NULL);
    char line[MESSAGE_BYTES] = "";
    if (pread(errors, line, sizeof line - 1, 0) > 0) line[strcspn(line, "\n")] = 0;
    close(errors);
    if (*line)
        snprintf(why, MESSAGE_BYTES, "%s",
                 line + (strncmp(line, begin, strlen(begin)) ? 0 : strlen(begin)));
    else
        snprintf(why, MESSAGE_BYTES,
                 "device %s: `sanlab work --describe` failed or printed no valid JSON", device);
    return environment;
}

size_t environment_memory(const char *device)
{
    static char asked[32];
    static size_t memory;
    char why[MESSAGE_BYTES];
    if (!strcmp(device, DEVICE_CPU)) return 0;
    if (!strcmp(asked, device)) return memory;
    json_auto_t *environment = environment_try(device, why);
    memory = (size_t)json_integer_value(json_object_get(environment, "memory"));
    snprintf(asked, sizeof asked, "%s", device);
    return memory;
}

/* The facts of a GPU have "cuda:0 of 2 GPUs" (core/cuda/driver.c). */
int environment_gpus(const json_t *environment)
{
    const char *facts = json_string_value(json_object_get(environment, "facts"));
    const char *at = facts ? strstr(facts, "cuda:") : NULL;
    int count;
    return at && sscanf(at, "cuda:%*d of %d GPU", &count) == 1 ? count : 1;
}

const char *environment_device(const char *word)
{
    char why[MESSAGE_BYTES];
    if (strcmp(word, DEVICE_AUTO) != 0 || !device_there("cuda")) return word;
    json_auto_t *environment = environment_try("cuda", why);
    return environment ? "cuda" : DEVICE_CPU;
}

json_t *environment_describe(const char *device)
{
    char host[65] = "", processor[128];
    gethostname(host, sizeof host - 1);
    machine_processor(processor, sizeof processor);
    const struct ops *ops = device_ops(device);
    json_t *environment =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "host", host, "commit",
                  SANLAB_COMMIT, "table", ops->name, "processor", processor, "cores",
                  machine_cores(), "threads", omp_get_max_threads(), "device", device, "compiler",
                  ENVIRONMENT_COMPILER, "products", ops->numerics());
    if (ops->memory)
        json_object_set_new(environment, "memory", json_integer((json_int_t)ops->memory()));
    if (ops->facts) json_object_set_new(environment, "facts", json_string(ops->facts()));
    return environment;
}

/* The options machine.NAME, and the keys of their values in environment_describe. */
static const struct {
    const char *name, *key;
} machine[] = {{"host", "host"},
               {"device", "device"},
               {"kernels", "table"},
               {"products", "products"},
               {"threads", "cores"}};

void environment_machine(struct tree *options, struct arena *arena)
{
    json_auto_t *environment = environment_ask(device_word());
    for (size_t i = 0; i < COUNT_OF(machine); i++) {
        const json_t *value = json_object_get(environment, machine[i].key);
        const char *text = json_is_integer(value)
                               ? arena_print(arena, "%d", (int)json_integer_value(value))
                               : json_string_value(value);
        tree_put(arena, options, arena_print(arena, "machine.%s", machine[i].name),
                 tree_new_text(arena, options->location, text));
    }
}

/* ---- abilities of the device ---- */

enum precision stage_precision(const struct stage *stage)
{
    int most = PRECISION_FP32;
    for (int r = 0; r < stage->rows; r++) /* the highest precision of all rows */
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

/* Returns the option that exceeds a limit of the device, its value and the limit; NULL if none. The
 * CPU has no limits. */
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
        return "a device for such wide heads and long sentences (--device cpu)";
    return NULL;
}

void capable_check(const struct grid_resolved *resolved, const char *precision)
{
    int found, most;
    const struct tree *options = resolved->options, *value = tree_find(options, precision);
    if (!device_is_named()) return;
    if (!device_has(device_used(), PRECISION_BF16) && value && value->text &&
        strcmp(value->text, "fp32") != 0)
        die_at(value->location, "%s: %s: --device %s computes in fp32 only", precision, value->text,
               device_used());
    const char *large = too_much(resolved->settings, &found, &most);
    if (large)
        die_at(tree_location(options, large), "%s: %s of %d: --device %s takes at most %d", large,
               !strcmp(large, "model.width") ? "heads" : "sentences", found, device_used(), most);
}
