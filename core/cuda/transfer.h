/* Copies between the program's memory and a GPU's, in their turn among what is issued. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Rows of `width` bytes: `pitch` apart on the GPU, one behind the other here. An upload has taken
 * what it needs when it returns; a download waits for all that was issued. */
void transfer_upload(void *to, size_t pitch, const void *from, size_t width, int64_t rows);
void transfer_download(void *to, const void *from, size_t pitch, size_t width, int64_t rows);
/* struct ops: send, receive. */
int transfer_send(const void *from, size_t bytes);
void transfer_receive(int number, void *to);
