/* Streams, events and graphs of the stand-in (runtime.c). Work in a stream runs as late as
 * possible: when the stream is waited for. Of other streams only the work for which the stream
 * itself waits runs then. So memory that is reused too early, by the host or another stream, causes
 * wrong results. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* First member of a stream. The stand-in of cuBLASLt uses nothing else: add() queues a copy of the
 * context, with which run is called in turn. */
struct CUstream_st {
    void (*add)(struct CUstream_st *stream, void (*run)(void *context), const void *context,
                size_t bytes);
    struct CUgraph_st *graph; /* the graph that records the stream; NULL: none */
    struct stream_work *first, *last;
};

/* Runs the work of a stream, and all work for which it waits. */
void stream_finish(cudaStream_t stream);
void stream_finish_all(void);
/* Runs all work up to the last record of the event. */
void stream_finish_event(cudaEvent_t event);
/* True if a stream is being recorded. */
bool stream_records(void);
/* Number of graphs made, and launched. */
extern int stream_graphs, stream_launches;
