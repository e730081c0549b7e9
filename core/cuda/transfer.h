/* Copies between host and GPU memory, in order with other issued operations. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Copy rows of `width` bytes. Rows are `pitch` bytes apart on the GPU, and contiguous on the host.
 * After transfer_upload returns, the caller may change the source. transfer_download waits for all
 * issued operations. */
void transfer_upload(void *to, size_t pitch, const void *from, size_t width, int64_t rows);
void transfer_download(void *to, const void *from, size_t pitch, size_t width, int64_t rows);
/* Implement send and receive of struct ops. */
int transfer_send(const void *from, size_t bytes);
void transfer_receive(int number, void *to);
