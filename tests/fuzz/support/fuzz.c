#include "tests/fuzz/support/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sanitizer/allocator_interface.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/config/location.h"

enum { ROOM = 1 << 20, STREAMS = 64 };

struct arena arena;

/* Memory that the running input has allocated and not freed: a hash table of addresses. `order`
 * lists all its allocations in order, so that cleaning up costs no more than the input did. */
static const void *held[ROOM], *order[ROOM];
static int orders;
static bool counting;
static pthread_t own;

static size_t slot_of(const volatile void *memory)
{
    const uint64_t key = (uint64_t)(uintptr_t)memory >> 4;
    return (size_t)((key * 0x9e3779b97f4a7c15ull) >> 44) % ROOM;
}

static void took(const volatile void *memory, size_t bytes)
{
    if (!counting || !memory || !pthread_equal(pthread_self(), own)) return;
    if (orders == ROOM / 2) abort();
    size_t i = slot_of(memory);
    while (held[i]) i = (i + 1) % ROOM;
    held[i] = order[orders++] = (const void *)memory;
}

/* Removes an address; true if it was held. */
static bool forget(const volatile void *memory)
{
    size_t i = slot_of(memory);
    while (held[i] && held[i] != memory) i = (i + 1) % ROOM;
    if (!held[i]) return false;
    for (size_t k = (i + 1) % ROOM; held[k]; k = (k + 1) % ROOM) { /* no gap in a chain */
        const size_t wanted = slot_of(held[k]);
        if ((k - wanted) % ROOM < (k - i) % ROOM) continue;
        held[i] = held[k];
        i = k;
    }
    held[i] = NULL;
    return true;
}

static void gave(const volatile void *memory)
{
    if (counting && memory && pthread_equal(pthread_self(), own)) forget(memory);
}

/* ---- streams: the linker puts these in front of the C library's (--wrap) ---- */

static void *stream[STREAMS];

static void *opened(void *one)
{
    for (int i = 0; one && counting && i < STREAMS; i++)
        if (!stream[i]) {
            stream[i] = one;
            break;
        }
    return one;
}

static void closed(const void *one)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream[i] == one) stream[i] = NULL;
}

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return opened(__real_fopen(path, mode));
}

FILE *__real_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode)
{
    return opened(__real_fdopen(file, mode));
}

FILE *__real_open_memstream(char **text, size_t *bytes);
FILE *__wrap_open_memstream(char **text, size_t *bytes);
FILE *__wrap_open_memstream(char **text, size_t *bytes)
{
    return opened(__real_open_memstream(text, bytes));
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    closed(file);
    return __real_fclose(file);
}

/* ---- */

static jmp_buf back;

static void caught(const char *message, void *context)
{
    longjmp(back, 1);
}

/* A memory stream's buffer is freed with all the rest. */
static void give_all_back(int first_file)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream[i]) __real_fclose(stream[i]);
    memset(stream, 0, sizeof stream);
    counting = false;
    for (int i = 0; i < orders; i++)
        if (forget(order[i])) free((void *)(uintptr_t)order[i]);
    close_range((unsigned)first_file, ~0u, 0);
}

bool fuzz_try(void (*run)(void *context), void *context)
{
    volatile bool good = false;
    const int first_file = dup(STDIN_FILENO);
    close(first_file);
    counting = true;
    if (setjmp(back) == 0) {
        die_set_hook(caught, NULL);
        run(context);
        arena_free(&arena);
        good = true;
    } else {
        give_all_back(first_file);
        arena = (struct arena){0};
    }
    counting = false;
    die_set_hook(NULL, NULL);
    die_at_about(NULL);
    for (int i = 0; i < orders; i++) forget(order[i]);
    orders = 0;
    memset(stream, 0, sizeof stream);
    return good;
}

const char *fuzz_folder(void)
{
    static char folder[256];
    const char *where = getenv("FUZZ_FOLDER");
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/sanlab-fuzz-%d", where ? where : "/dev/shm",
                 (int)getpid());
        file_make_folder(folder);
    }
    return folder;
}

const char *fuzz_put(const char *name, const void *data, size_t size)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    CHECK(file >= 0 && write(file, data, size) == (ssize_t)size, "%s cannot be written", path);
    close(file);
    return path;
}

void fuzz_try_bytes(void (*run)(void *context), bool text, const uint8_t *data, size_t size)
{
    char *copy = heap_alloc(size + 1);
    struct fuzz_bytes input = {copy, 0};
    for (size_t i = 0; i < size; i++)
        if (data[i] || !text) copy[input.size++] = (char)data[i];
    fuzz_try(run, text ? (void *)copy : &input);
    free(copy);
}

struct fuzz_bytes fuzz_next(struct fuzz_bytes *input)
{
    const char *end = memchr(input->text, 0, input->size);
    const struct fuzz_bytes part = {input->text, end ? (size_t)(end - input->text) : input->size};
    input->text += part.size + (end != NULL);
    input->size -= part.size + (end != NULL);
    return part;
}

char *fuzz_part(char **text, char mark)
{
    char *part = *text, *end = strchr(part, mark);
    *text = end ? end + 1 : part + strlen(part);
    if (end) *end = 0;
    return part;
}

static void remove_folder(void)
{
    file_remove_tree(fuzz_folder());
}

int LLVMFuzzerInitialize(int *count, char ***word)
{
    own = pthread_self();
    fuzz_folder();
    atexit(remove_folder);
    if (fuzz_prepare) fuzz_prepare();
    __sanitizer_install_malloc_and_free_hooks(took, gave);
    return 0;
}
