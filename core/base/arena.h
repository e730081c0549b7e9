/* An arena owns all memory that is allocated from it, and frees it at once. There is an arena per
 * lifetime: of a process, a model or a step.
 *
 * An arena starts as {0}. Only one thread at a time may use it. The program dies if memory runs
 * out. Texts are copies with a trailing NUL. */
#pragma once

#include "core/base/base.h"

struct arena {
    struct arena_block *block; /* newest first */
    size_t used;               /* bytes allocated, all blocks together */
};

/* Returns zeroed memory. It is aligned to 64 for 64 bytes or more, else to the next lower power of
 * two (at least 16). Texts are not aligned. */
void *arena_alloc(struct arena *arena, size_t bytes);
char *arena_text(struct arena *arena, const char *text);                     /* not NULL */
char *arena_text_range(struct arena *arena, const char *text, size_t bytes); /* NULL with 0 bytes */
char *arena_print(struct arena *arena, const char *format, ...) PRINTF(2, 3);
char *arena_print_list(struct arena *arena, const char *format, va_list list) PRINTF(2, 0);
/* arena_append returns the text of a list ("a; b"; NULL at first) with one more item. arena_join
 * returns the text of a list of all items ("" without items). */
const char *arena_append(struct arena *arena, const char *list, const char *between,
                         const char *item);
const char *arena_join(struct arena *arena, const char *const *text, int count,
                       const char *between);
const char *arena_numbers(struct arena *arena, const int64_t *number, int count,
                          const char *between); /* "20,30" */
/* A stream that collects text. ARENA_STREAM(text) declares and opens the stream `text`. Print to
 * text.out, then close the stream. The stream uses the heap until arena_stream_close, which frees
 * it and returns the whole text in the arena. */
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
void arena_free(struct arena *arena); /* everything; the arena can be used again */

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))
/* HEAP_MORE and HEAP_ADD (base.h) for an array in the arena. The smaller copies stay until the
 * arena is freed. */
#define ARENA_MORE(arena, array, count)                                                            \
    ((array) = arena_more((arena), (array), (size_t)(count), sizeof *(array)))
#define ARENA_ADD(arena, array, count, ...)                                                        \
    (ARENA_MORE(arena, array, count), (array)[(count)++] = __VA_ARGS__)
void *arena_more(struct arena *arena, const void *array, size_t count, size_t bytes);
