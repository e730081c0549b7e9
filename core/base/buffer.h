/* A growing byte buffer, for functions that build a text piece by piece. It starts as {0}.
 * buffer_clear keeps the memory, so that one buffer can serve many lines without new
 * allocations. */
#pragma once

#include <string.h>

#include "core/base/arena.h"

struct buffer {
    char *text; /* not NUL-terminated; NULL before the first addition */
    size_t bytes, capacity;
};

/* Returns a pointer to room for `more` bytes after the text. The caller writes the new bytes there
 * and adds their number to buffer->bytes. */
char *buffer_room(struct buffer *buffer, size_t more);
/* Returns the text, copied into the arena with a trailing NUL, and frees the buffer. */
char *buffer_take(struct buffer *buffer, struct arena *arena);
void buffer_free(struct buffer *buffer);

/* Returns the end of a text. An empty buffer has the text NULL, and NULL + 0 is undefined in C. */
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
