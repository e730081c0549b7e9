/* An arena owns all memory that is allocated from it. arena_free frees all of this memory together.
 * So memory with the same lifetime (a process, a model or a step) is taken from one arena.
 *
 * An arena starts as {0}. Only one thread at a time may use it. The program dies if memory runs
 * out. Returned texts end with a NUL. */
#pragma once

#include "core/base/base.h"

struct arena {
    struct arena_block *block; /* newest first */
    size_t used;               /* bytes taken from all blocks, with padding */
};

/* Returns zeroed memory. Its alignment is the largest power of two that is at most `bytes`, but at
 * least 16 and at most 64. Texts are not aligned. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* arena_text and arena_text_range copy a text. The text may be NULL only in arena_text_range with 0
 * bytes. */
char *arena_text(struct arena *arena, const char *text);
char *arena_text_range(struct arena *arena, const char *text, size_t bytes);
char *arena_print(struct arena *arena, const char *format, ...) PRINTF(2, 3);
char *arena_print_list(struct arena *arena, const char *format, va_list list) PRINTF(2, 0);
/* arena_append appends an item to a list such as "a; b", and returns the longer list. The list is
 * NULL before the first item. arena_join returns the list of `count` items, "" if count is 0.
 * `between` separates the items. A list of one item is the item itself, not a copy. */
const char *arena_append(struct arena *arena, const char *list, const char *between,
                         const char *item);
const char *arena_join(struct arena *arena, const char *const *text, int count,
                       const char *between);
const char *arena_numbers(struct arena *arena, const int64_t *number, int count,
                          const char *between); /* returns "20,30" */
/* A stream that collects text. ARENA_STREAM(text) declares and opens the stream `text`. Print to
 * text.out, then close the stream. The text is on the heap until arena_stream_close, which copies
 * it to the arena and returns the copy. */
struct arena_stream {
    FILE *out;
    char *text;
    size_t bytes; /* set by arena_stream_close */
};
void arena_stream_open(struct arena_stream *stream);
#define ARENA_STREAM(name)                                                                         \
    struct arena_stream name;                                                                      \
    arena_stream_open(&name)
char *arena_stream_close(struct arena *arena, struct arena_stream *stream);
void arena_free(struct arena *arena); /* frees all memory; the arena can be used again */

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))
/* Like HEAP_MORE and HEAP_ADD (base.h), for an array in the arena. When the array grows, it is
 * copied. The smaller copy stays in memory until the arena is freed. */
#define ARENA_MORE(arena, array, count)                                                            \
    ((array) = arena_more((arena), (array), (size_t)(count), sizeof *(array)))
#define ARENA_ADD(arena, array, count, ...)                                                        \
    (ARENA_MORE(arena, array, count), (array)[(count)++] = __VA_ARGS__)
void *arena_more(struct arena *arena, const void *array, size_t count, size_t bytes);
