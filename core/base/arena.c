/* The arena is a list of blocks, and each block is filled from its start. Single allocations cannot
 * be freed. */
#include "core/base/arena.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef STRESS
enum { ARENA_BLOCK = 256 }; /* sanitizer builds use many small blocks to expose bugs */
#else
enum { ARENA_BLOCK = 1 << 18 };
#endif
enum { ARENA_ALIGN = 64, ARENA_LEAST = 16 };

struct arena_block {
    struct arena_block *next;
    size_t size, used; /* bytes after this header: available, taken */
    char pad[ARENA_ALIGN - 3 * sizeof(size_t)];
    char bytes[];
};

/* Returns zeroed bytes at a multiple of `align`, a power of two up to ARENA_ALIGN. */
static void *take(struct arena *arena, size_t bytes, size_t align)
{
    CHECK(bytes < SIZE_MAX / 2, "arena request of %zu bytes", bytes);
    struct arena_block *block = arena->block;
    size_t skipped = block ? -block->used & (align - 1) : 0;
    if (!block || block->size - block->used < bytes + skipped) {
        size_t size = bytes > ARENA_BLOCK ? bytes : ARENA_BLOCK;
        size += -size & (ARENA_ALIGN - 1); /* aligned_alloc needs a multiple */
        skipped = 0;
        block = aligned_alloc(ARENA_ALIGN, sizeof *block + size);
        if (!block) die("out of memory: cannot allocate %zu bytes", size);
        *block = (struct arena_block){.next = arena->block, .size = size};
        arena->block = block;
    }
    void *memory = block->bytes + block->used + skipped;
    block->used += bytes + skipped;
    arena->used += bytes + skipped;
    return memset(memory, 0, bytes);
}

/* An object needs no larger alignment than the largest power of two that is at most its size. */
void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t align = ARENA_ALIGN;
    while (align > ARENA_LEAST && align > bytes) align /= 2;
    return take(arena, bytes, align);
}

char *arena_text_range(struct arena *arena, const char *text, size_t bytes)
{
    char *copy = take(arena, bytes + 1, 1);
    return bytes ? memcpy(copy, text, bytes) : copy; /* memcpy from NULL is undefined */
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_text_range(arena, text, strlen(text));
}

char *arena_print_list(struct arena *arena, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    CHECK(length >= 0, "bad format %s", format);
    char *text = take(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = arena_print_list(arena, format, list);
    va_end(list);
    return text;
}

const char *arena_append(struct arena *arena, const char *list, const char *between,
                         const char *item)
{
    return list ? arena_print(arena, "%s%s%s", list, between, item) : item;
}

const char *arena_join(struct arena *arena, const char *const *text, int count, const char *between)
{
    if (count == 1) return text[0];
    ARENA_STREAM(list);
    for (int i = 0; i < count; i++) fprintf(list.out, "%s%s", i ? between : "", text[i]);
    return arena_stream_close(arena, &list);
}

void arena_stream_open(struct arena_stream *stream)
{
    stream->out = heap_stream(&stream->text, &stream->bytes);
}

const char *arena_numbers(struct arena *arena, const int64_t *number, int count,
                          const char *between)
{
    ARENA_STREAM(text);
    for (int i = 0; i < count; i++)
        fprintf(text.out, "%s%lld", i ? between : "", (long long)number[i]);
    return arena_stream_close(arena, &text);
}

char *arena_stream_close(struct arena *arena, struct arena_stream *stream)
{
    fclose(stream->out);
    char *copy = arena_text_range(arena, stream->text, stream->bytes);
    free(stream->text);
    return copy;
}

void *arena_more(struct arena *arena, const void *array, size_t count, size_t bytes)
{
    if (!array_is_full(count)) return (void *)array;
    void *more = arena_alloc(arena, (count ? 2 * count : 8) * bytes);
    return count ? memcpy(more, array, count * bytes) : more;
}

void arena_free(struct arena *arena)
{
    for (struct arena_block *block = arena->block, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (struct arena){0};
}
