/* Finds and tests GPUs. A child process opens each of them, because a GPU stays open until its
 * process ends. */
#include "experiments/run/gpus.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base.h"
#include "core/model/device_choice.h"
#include "experiments/stage/environment.h"

static struct gpu {
    char word[16];
    char kind[256]; /* the numerics, which have the name of the GPU */
    const char *lost;
} gpu[GPUS_MOST];
static int gpus;

static struct gpu *add(int number)
{
    if (gpus == GPUS_MOST) die("device: expected at most %d GPUs", GPUS_MOST);
    snprintf(gpu[gpus].word, sizeof gpu->word, "cuda:%d", number);
    return &gpu[gpus++];
}

const char *gpus_read(const char *word)
{
    const bool one = !strchr(word, ',');
    if (strncmp(word, "cuda:", 5) != 0) return word;
    for (const char *at = word + 4; *at; at += 1 + strspn(at + 1, "0123456789")) {
        const size_t digits = strspn(at + 1, "0123456789");
        const bool valid = digits && digits <= 3 && (!at[1 + digits] || at[1 + digits] == ',');
        if (!valid && one) return word; /* device_use refuses the word */
        if (!valid) die("device: expected numbers of GPUs, such as cuda:0,2, got \"%s\"", word);
        const struct gpu *last = add(atoi(at + 1));
        for (const struct gpu *before = gpu; before < last; before++)
            if (!strcmp(before->word, last->word))
                die("device: %s: GPU %d is listed twice", word, atoi(at + 1));
    }
    return gpu[0].word;
}

/* Describes a GPU. Returns false and writes the reason if it does not work. */
static bool describe(struct gpu *one, int *count, char why[MESSAGE_BYTES])
{
    json_auto_t *environment = environment_try(one->word, why);
    if (!environment) return false;
    *count = environment_gpus(environment);
    snprintf(one->kind, sizeof one->kind, "%s",
             json_string_value(json_object_get(environment, "products")));
    return true;
}

static void find_listed(void)
{
    char why[MESSAGE_BYTES];
    int count;
    for (int i = 0; i < gpus; i++) {
        if (!describe(&gpu[i], &count, why)) die("%s", why);
        if (strcmp(gpu[i].kind, gpu[0].kind) != 0)
            die("device: %s has other numerics than %s (%s, %s); expected GPUs of one kind",
                gpu[i].word, gpu[0].word, gpu[i].kind, gpu[0].kind);
    }
}

/* Finds all visible GPUs. If the first does not work, the second may. */
static void find_visible(void)
{
    char why[MESSAGE_BYTES], first[MESSAGE_BYTES] = "";
    int count = 2;
    for (int number = 0; number < count; number++) {
        struct gpu *one = add(number);
        if (!describe(one, &count, why)) {
            gpus--;
            if (!number)
                snprintf(first, sizeof first, "%s", why);
            else if (gpus)
                warn("%s is not used: %s", one->word, why);
        } else if (strcmp(one->kind, gpu[0].kind) != 0) {
            gpus--;
            warn("%s is not used: its numerics are not those of %s (%s, %s)", one->word,
                 gpu[0].word, one->kind, gpu[0].kind);
        }
    }
    if (!gpus) die("%s", first);
    if (*first) warn("cuda:0 is not used: %s", first);
    device_use(gpu[0].word, device_is_named());
}

void gpus_find(void)
{
    if (strcmp(device_used(), "cuda") != 0)
        json_decref(environment_ask(device_word()));
    else if (gpus)
        find_listed();
    else
        find_visible();
}

int gpus_choose(const int *running)
{
    int best = -1;
    for (int i = 0; i < gpus; i++)
        if (!gpu[i].lost && (best < 0 || running[i] < running[best])) best = i;
    return best;
}

const char *gpus_word(int index)
{
    return index < 0 ? device_word() : gpu[index].word;
}

int gpus_left(void)
{
    int left = 0;
    for (int i = 0; i < gpus; i++) left += !gpu[i].lost;
    return left;
}

bool gpus_several(void)
{
    return gpus > 1;
}

const char *gpus_lost(int index)
{
    char why[MESSAGE_BYTES];
    int count;
    struct gpu *one = &gpu[index];
    if (!one->lost && !describe(one, &count, why) && !strstr(why, "out of memory"))
        one->lost = heap_print("%s", why);
    return one->lost;
}
