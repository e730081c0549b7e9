/* Streams, events and graphs of the stand-in (runtime.c). What is put into a stream waits there
 * until somebody needs it: a stream is done when it is waited for, and then of other streams no
 * more than what it waits for itself. So memory that is used again too early, on the host or by
 * another stream, shows. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* The stand-in of cuBLASLt has nothing of a stream but this, its first member: run is called with a
 * copy of the context when it is its turn. */
struct CUstream_st {
    void (*add)(struct CUstream_st *stream, void (*run)(void *context), const void *context,
                size_t bytes);
    struct CUgraph_st *graph; /* that it is recorded into; NULL: none */
    struct stream_work *first, *last;
};

/* Done, with what it waits for. */
void stream_finish(cudaStream_t stream);
void stream_finish_all(void);
/* Until what was recorded of it last is done. */
void stream_finish_event(cudaEvent_t event);
/* Whether a stream is recorded now. */
bool stream_records(void);
/* Graphs that were made, and launched. */
extern int stream_graphs, stream_launches;
