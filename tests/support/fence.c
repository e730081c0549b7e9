/* Fenced device memory. Every block is PROT_NONE except while an op runs. */
#include "tests/support/fence.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { FENCE_BLOCKS = 256 };
static struct {
    void *memory;
    size_t bytes;
} fence_block[FENCE_BLOCKS];
static int fence_count;
static const struct ops *fence_inner;

static void fence_set(int protection)
{
    for (int i = 0; i < fence_count; i++)
        CHECK(mprotect(fence_block[i].memory, fence_block[i].bytes, protection) == 0,
              "mprotect: %s", strerror(errno));
}

static void *fence_alloc(size_t bytes)
{
    CHECK(fence_count < FENCE_BLOCKS, "too many device blocks");
    bytes = bytes ? bytes : 1;
    void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED, "mmap of %zu bytes: %s", bytes, strerror(errno));
    fence_block[fence_count].memory = memory;
    fence_block[fence_count++].bytes = bytes;
    return memory;
}

static void fence_release(void *memory, size_t bytes)
{
    for (int i = 0; i < fence_count; i++) {
        if (fence_block[i].memory != memory) continue;
        munmap(memory, fence_block[i].bytes);
        fence_block[i] = fence_block[--fence_count];
        return;
    }
    CHECK(memory == NULL, "release of memory that was not allocated here");
}

#define OP(name, parameters, arguments)                                                            \
    static void fence_##name parameters                                                            \
    {                                                                                              \
        fence_set(PROT_READ | PROT_WRITE);                                                         \
        fence_inner->name arguments;                                                               \
        fence_set(PROT_NONE);                                                                      \
    }
#include "core/tensor/ops.def"
#undef OP

const struct ops *ops_fence(const struct ops *inner)
{
    static struct ops table;
    fence_inner = inner;
    table = *inner;
    table.name = "fence";
    table.alloc = fence_alloc;
    table.release = fence_release;
    table.send = NULL; /* the inner send would read fenced memory */
    table.receive = NULL;
#define OP(name, parameters, arguments) table.name = fence_##name;
#include "core/tensor/ops.def"
#undef OP
    return &table;
}
