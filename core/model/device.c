/* The one place that knows which devices there are. */
#include "core/model/device.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/config/word.h"
#include "core/cpu/cpu.h"
#include "core/cpu/products.h"
#include "core/tensor/plugin.h"

const char *const device_words[] = {"auto", DEVICE_CPU, "emu", NULL};

const char *device_choose(const char *word)
{
    for (int i = 1; device_words[i]; i++)
        if (!strcmp(word, device_words[i])) return device_words[i];
    if (!strcmp(word, device_words[0])) return DEVICE_CPU;
    const char *near = word_nearest(word, device_words);
    die("device: expected auto, cpu or emu, got \"%s\"%s%s%s", word, near ? "; nearest is \"" : "",
        near ? near : "", near ? "\"" : "");
}

static const char *used = DEVICE_CPU;

void device_use(const char *word)
{
    used = device_choose(word);
}

const char *device_used(void)
{
    return used;
}

void device_refuse(const struct ops *ops, const char *path, const char *saved)
{
    static const char *const known[] = {"emu ", "cuda "}; /* how numerics of plug-ins begin */
    const char *own = ops->numerics();
    bool plugins = false;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        plugins = plugins || !strncmp(saved, known[i], strlen(known[i])) ||
                  !strncmp(own, known[i], strlen(known[i]));
    if (!plugins) products_refuse(path, saved);
    const bool of_cpu = !strchr(saved, ' ') || !strncmp(saved, "OpenBLAS ", 9);
    const int device = (int)(of_cpu ? strlen(DEVICE_CPU) : strcspn(saved, " "));
    die("%s: saved by the numerics \"%s\", these are \"%s\": the bytes would differ from an "
        "undisturbed run; --device %.*s continues it, SANLAB_ANY_NUMERICS=1 goes on all the same",
        path, saved, own, device, of_cpu ? DEVICE_CPU : saved);
}

#ifdef SANLAB_DOUBLE

const struct ops *device_ops(const char *name)
{
    CHECK(!strcmp(name, DEVICE_CPU), "doubles are computed by the CPU, not by %s", name);
    return cpu_ops();
}

#else

static void host_die(const char *message)
{
    die("%s", message);
}

static void host_check_failed(const char *file, int line, const char *condition,
                              const char *message)
{
    check_failed(file, line, condition, "%s", message);
}

/* Where the shared object of a device lies: PREFIX/bin/sanlab has it in PREFIX/lib/sanlab. */
static char *plugin_path(const char *name)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    CHECK(length > 0, "this program's own file has no name");
    program[length] = 0;
    *strrchr(program, '/') = 0;
    const size_t folder = strlen(program);
    if (folder >= 4 && !strcmp(program + folder - 4, "/bin"))
        return heap_print("%.*s/lib/sanlab/sanlab-%s.so", (int)folder - 4, program, name);
    return heap_print("%s/sanlab-%s.so", program, name);
}

static const struct ops *plugin_open(const char *name)
{
    static const struct device_host host = {host_die, host_check_failed};
    const char *path = plugin_path(name);
    if (access(path, F_OK) != 0)
        die("device %s: %s: %s; `make` builds it beside the program", name, path, strerror(errno));
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) die("device %s: cannot be loaded: %s", name, dlerror());
    const char *hash = dlsym(object, PLUGIN_HASH);
    device_open *open;
    *(void **)&open = dlsym(object, PLUGIN_OPEN);
    if (!hash || !open) die("device %s: %s: is no device of sanlab", name, path);
    if (strcmp(hash, DEVICE_HASH) != 0)
        die("device %s: %s: built for %s, this program has %s; `make` builds both", name, path,
            hash, DEVICE_HASH);
    return open(&host);
}

const struct ops *device_ops(const char *name)
{
    static const struct ops *table[8]; /* by place in device_words */
    int i = 0;
    while (device_words[i] && strcmp(device_words[i], device_choose(name)) != 0) i++;
    if (!strcmp(device_words[i], DEVICE_CPU)) return cpu_ops(); /* as the environment says now */
    if (!table[i]) table[i] = plugin_open(device_words[i]);
    return table[i];
}

#endif
