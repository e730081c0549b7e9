/* Devices: their names, plug-ins and op tables. */
#include "core/model/device_choice.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/config/word.h"
#include "core/cpu/cpu.h"
#include "core/cpu/product_choice.h"
#include "core/cuda/products.h"
#include "core/tensor/graph_run.h"
#include "core/tensor/plugin.h"

enum { DEVICES = 4 }; /* number of words; the first is auto */
static const char *const device_words[DEVICES + 1] = {DEVICE_AUTO, DEVICE_CPU, "cuda", "emu"};

/* Returns the device of a word, and its number (N of cuda:N). */
static const char *device_choose(const char *word, int *number)
{
    *number = 0;
    if (!strncmp(word, "cuda:", 5)) {
        const char *digits = word + 5;
        const size_t count = strspn(digits, "0123456789");
        if (!count || count > 3 || digits[count])
            die("device: expected cuda:N with a number N from 0, got \"%s\"", word);
        *number = atoi(digits);
        return "cuda";
    }
    for (int i = 1; device_words[i]; i++)
        if (!strcmp(word, device_words[i])) return device_words[i];
    if (!strcmp(word, device_words[0])) return DEVICE_CPU;
    char near[WORD_NEAR];
    const char *list = device_words[0];
    for (int i = 1; i < DEVICES; i++)
        list = heap_print("%s%s%s%s", list, i == DEVICES - 1 ? " or " : ", ", device_words[i],
                          !strcmp(device_words[i], "cuda") ? ", cuda:N" : "");
    die("device: expected %s, got \"%s\"%s", list, word,
        strcmp(word, "gpu") ? word_near(near, word, device_words) : "; write cuda for a GPU");
}

static const char *used = DEVICE_CPU;
static char used_word[16] = DEVICE_CPU; /* with the index N of cuda:N if N is not 0 */
static int used_number;
static bool named;

void device_use(const char *word, bool is_named)
{
    used = device_choose(word, &used_number);
    snprintf(used_word, sizeof used_word, "%s", used);
    if (used_number) snprintf(used_word, sizeof used_word, "%s:%d", used, used_number);
    named = is_named;
}

const char *device_used(void)
{
    return used;
}

const char *device_word(void)
{
    return used_word;
}

bool device_is_named(void)
{
    return named;
}

bool device_has(const char *name, enum precision precision)
{
    return precision == PRECISION_FP32 || strcmp(name, DEVICE_CPU) != 0;
}

const struct ops *device_ops(const char *name)
{
    return device_table(name, PRECISION_FP32);
}

/* Returns the device that has these numerics. The numerics of a plug-in begin with its name. */
static const char *device_of(const char *numerics)
{
    for (int i = 1; device_words[i]; i++) {
        const size_t length = strlen(device_words[i]);
        if (!strncmp(numerics, device_words[i], length) && numerics[length] == ' ')
            return device_words[i];
    }
    return DEVICE_CPU;
}

bool device_may_continue(enum precision precision, const char *numerics)
{
    if (strcmp(used, DEVICE_CPU) != 0) return !strcmp(used, device_of(numerics));
    if (!device_has(used, precision)) return false;
    return !strcmp(device_table(used, precision)->numerics(), numerics);
}

void device_refuse(const struct ops *ops, const char *path, const char *saved)
{
    const char *own = ops->numerics(), *then = device_of(saved);
    if (!strcmp(device_of(own), DEVICE_CPU) && !strcmp(then, DEVICE_CPU))
        products_refuse(path, saved);
    die("%s: saved with numerics \"%s\", this process has \"%s\": the results would differ from an "
        "uninterrupted run; use --device %s, or SANLAB_ANY_NUMERICS=1 to continue anyway",
        path, saved, own, then);
}

#ifdef SANLAB_DOUBLE

bool device_there(const char *name)
{
    return false;
}

const struct ops *device_table(const char *name, enum precision precision)
{
    CHECK(!strcmp(name, DEVICE_CPU) && !precision, "the CPU computes doubles, not %s", name);
    return cpu_ops();
}

#else

size_t device_library(const char *name, bool learns)
{
    return strcmp(name, "cuda") != 0 ? 0 : (size_t)(learns ? DEVICE_STREAMS : 1) * LIBRARY_WORK;
}

static void nothing(void)
{
}

static int no_download(const void *from, size_t bytes)
{
    return 0;
}

static size_t planned_memory;

static size_t memory_of_planner(void)
{
    return planned_memory;
}

const struct ops *device_planner(const char *name, enum precision precision, size_t memory)
{
    static struct ops planner;
    if (!strcmp(name, DEVICE_CPU)) return cpu_ops();
    planner = *cpu_ops();
    planner.act_bytes = precision == PRECISION_BF16 ? 2 : sizeof(real);
    planner.row_multiple = ROWS_MULTIPLE, planner.ld_multiple = LD_MULTIPLE;
    planner.mask_multiple = MASK_MULTIPLE;
    planner.lists = OPS_ORDER | OPS_GROUPS | OPS_TILES;
    planner.panel = 0;
    planner.fork = nothing; /* forks make lifetimes of values longer */
    /* with `send`, searches alternate (crew.c), which needs more memory */
    planner.send = no_download;
    planned_memory = memory;
    planner.memory = memory ? memory_of_planner : NULL;
    return &planner;
}

static void host_die(const char *message)
{
    die("%s", message);
}

static void host_check_failed(const char *file, int line, const char *condition,
                              const char *message)
{
    check_failed(file, line, condition, "%s", message);
}

static char *host_python_package(const char *package)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *folder = child_python_package(package, &arena);
    return folder ? heap_print("%s", folder) : NULL;
}

/* Returns the path of a device's shared object. */
static char *plugin_path(const char *name)
{
    return heap_print("%s/sanlab-%s.so", file_program_folder(), name);
}

static const char *plugin_target(const char *name)
{
    return strcmp(name, "cuda") != 0 ? "dev" : "cuda";
}

/* Dies if the file ends before the end of its section header table, the last part of a shared
 * object. Without this check dlopen would map pages after the end of the file, and a signal would
 * end the program. dlopen reports all other faults itself. */
static void plugin_check_length(const char *name, const char *path)
{
    Elf64_Ehdr head;
    FILE *file = file_stream(path);
    const bool elf = file && fread(&head, sizeof head, 1, file) == 1 &&
                     !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64;
    if (file) fclose(file);
    if (!elf) return;
    const uint64_t least = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
    const uint64_t bytes = (uint64_t)file_bytes(path);
    if (bytes < least)
        die("device %s: %s: truncated: expected at least %llu bytes, found %llu; `make %s` builds "
            "the file again",
            name, path, (unsigned long long)least, (unsigned long long)bytes, plugin_target(name));
}

bool device_there(const char *name)
{
    SCOPED(heap_free) char *path = plugin_path(name);
    const bool there = access(path, F_OK) == 0;
    return there;
}

static device_open *plugin_open(const char *name)
{
    const char *path = plugin_path(name);
    if (access(path, F_OK) != 0)
        die("device %s: %s: %s; `make %s` builds it next to the program", name, path,
            strerror(errno), plugin_target(name));
    plugin_check_length(name, path);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) die("device %s: cannot be loaded: %s", name, dlerror());
    const char *hash = dlsym(object, PLUGIN_HASH);
    device_open *open;
    *(void **)&open = dlsym(object, PLUGIN_OPEN);
    if (!hash || !open) die("device %s: %s: is not a device of sanlab", name, path);
    if (strcmp(hash, DEVICE_HASH) != 0)
        die("device %s: %s: built for %s, but this program has %s; `make program %s` builds both",
            name, path, hash, DEVICE_HASH, plugin_target(name));
    return open;
}

const struct ops *device_table(const char *name, enum precision precision)
{
    static struct device_host host = {0, graph_now, host_die, host_check_failed,
                                      host_python_package};
    static device_open *opened[DEVICES]; /* by index in device_words */
    static const struct ops *table[DEVICES][PRECISIONS];
    int i = 0, number;
    const char *device = device_choose(name, &number);
    while (strcmp(device_words[i], device) != 0) i++;
    CHECK(device_has(device, precision), "%s has no table of precision %d", device, precision);
    if (!strcmp(device, DEVICE_CPU)) return cpu_ops(); /* not cached: depends on the environment */
    if (!opened[i]) opened[i] = plugin_open(device);
    host.number = used_number;
    if (!table[i][precision]) table[i][precision] = opened[i](&host, precision);
    return table[i][precision];
}

#endif
