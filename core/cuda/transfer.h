/* Copies between host and GPU memory, in order with other issued operations. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Copy rows of `width` bytes, `pitch` apart on the GPU and contiguous on the host. The caller may
 * change the source of an upload after return. A download waits for all issued operations. */
void transfer_upload(void *to, size_t pitch, const void *from, size_t width, int64_t rows);
void transfer_download(void *to, const void *from, size_t pitch, size_t width, int64_t rows);
/* struct ops: send, receive. */
int transfer_send(const void *from, size_t bytes);
void transfer_receive(int number, void *to);
