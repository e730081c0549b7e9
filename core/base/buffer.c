/* A growing byte buffer. Its capacity at least doubles, so that appending n bytes costs O(n). */
#include "core/base/buffer.h"

#include <stdlib.h>

char *buffer_room(struct buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->bytes < more) {
        buffer->capacity = 2 * (buffer->capacity + more);
        buffer->text = heap_resize(buffer->text, buffer->capacity);
    }
    return buffer->text ? buffer->text + buffer->bytes : NULL; /* NULL: empty, and more is 0 */
}

char *buffer_take(struct buffer *buffer, struct arena *arena)
{
    char *text = arena_text_range(arena, buffer->text, buffer->bytes);
    buffer_free(buffer);
    return text;
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->text);
    *buffer = (struct buffer){0};
}
