/* Growing bytes: what functions that rewrite a line append to. Start with {0}; one buffer serves
 * any number of lines (clear it between them), so that steady work allocates nothing. */
#pragma once

#include <string.h>

#include "core/base/arena.h"

struct buffer {
    char *text; /* not NUL-terminated; NULL while nothing was added */
    size_t bytes, capacity;
};

/* Room for `more` bytes behind the text; write there and add to `bytes`. */
char *buffer_room(struct buffer *buffer, size_t more);
/* Its text, copied into the arena with a NUL behind it; the buffer is free then. */
char *buffer_take(struct buffer *buffer, struct arena *arena);
void buffer_free(struct buffer *buffer);

/* Behind the last byte of a text. That of an empty buffer is NULL, to which C lets nobody add
 * anything, not even 0. */
static inline const char *buffer_end(const char *text, size_t bytes)
{
    return bytes ? text + bytes : text;
}

static inline void buffer_clear(struct buffer *buffer)
{
    buffer->bytes = 0;
}

static inline void buffer_add(struct buffer *buffer, const char *text, size_t bytes)
{
    if (!bytes) return;
    memcpy(buffer_room(buffer, bytes), text, bytes);
    buffer->bytes += bytes;
}

static inline void buffer_add_byte(struct buffer *buffer, char byte)
{
    *buffer_room(buffer, 1) = byte;
    buffer->bytes++;
}
