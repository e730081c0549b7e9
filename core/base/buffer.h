/* A growing byte buffer, to which functions that rewrite a line append. It starts as {0}. One
 * buffer can be used for many lines (clear it between lines), so that steady work allocates
 * nothing. */
#pragma once

#include <string.h>

#include "core/base/arena.h"

struct buffer {
    char *text; /* not NUL-terminated; NULL while nothing was added */
    size_t bytes, capacity;
};

/* Returns room for `more` bytes after the text; the caller writes there and adds to `bytes`. */
char *buffer_room(struct buffer *buffer, size_t more);
/* Returns the text, copied into the arena with a trailing NUL, and frees the buffer. */
char *buffer_take(struct buffer *buffer, struct arena *arena);
void buffer_free(struct buffer *buffer);

/* Returns the end of a text. The text of an empty buffer is NULL, and C does not allow NULL + 0. */
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
