/* An arena owns everything that is taken from it and gives it back at once.
 * Lifetimes are those of the program's phases: a process, a model, a step.
 *
 * An arena begins as {0}, and one thread at a time uses it. Where memory runs out, the program
 * dies. Texts are copies with a NUL behind them. */
#pragma once

#include "core/base/base.h"

struct arena {
    struct arena_block *block; /* newest first */
    size_t used;               /* bytes handed out in all */
};

/* Zeroed; of 64 bytes and more aligned to 64, of fewer to the next lower power of two (16 at
 * least). Texts are not aligned. */
void *arena_alloc(struct arena *arena, size_t bytes);
char *arena_text(struct arena *arena, const char *text);                     /* not NULL */
char *arena_text_range(struct arena *arena, const char *text, size_t bytes); /* NULL with 0 bytes */
char *arena_print(struct arena *arena, const char *format, ...) PRINTF(2, 3);
char *arena_print_list(struct arena *arena, const char *format, va_list list) PRINTF(2, 0);
/* "a; b": a list, NULL at first, with one item more; and all of its items at once ("": none). */
const char *arena_append(struct arena *arena, const char *list, const char *between,
                         const char *item);
const char *arena_join(struct arena *arena, const char *const *text, int count,
                       const char *between);
/* Text that is printed piece by piece: open, print to `out`, close. The stream is memory of the
 * heap until arena_stream_close, which releases it and returns all of the text in the arena. */
struct arena_stream {
    FILE *out;
    char *text;
    size_t bytes; /* known when it is closed */
};
void arena_stream_open(struct arena_stream *stream);
char *arena_stream_close(struct arena *arena, struct arena_stream *stream);
void arena_free(struct arena *arena); /* everything; the arena can be used again */

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))
/* HEAP_MORE (base.h) of an array in the arena, where the smaller ones stay until it is freed. */
#define ARENA_MORE(arena, array, count)                                                            \
    ((array) = arena_more((arena), (array), (size_t)(count), sizeof *(array)))
void *arena_more(struct arena *arena, const void *array, size_t count, size_t bytes);
