/* Streams, events and graphs of the stand-in (runtime.c). Work in a stream runs as late as
 * possible: when the stream is waited for. Of other streams only the work for which the stream
 * itself waits runs then. So memory that is reused too early, by the host or another stream, causes
 * wrong results.
 *
 * After stream_shuffle, work runs in a random order instead: each time, one of the streams whose
 * next work waits for nothing is drawn. Every order that the waits for events permit can occur, so
 * a missing wait causes wrong results with some seeds. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* Draws the order of work from a seed. */
void stream_shuffle(uint64_t seed);
/* Ignores the wait for an event with this number, from 1, as if the program lacked it. */
void stream_skip_wait(int number);
/* Number of graphs made, and launched. Largest number of streams that had work to run at the same
 * time. Digest of the order in which streams were drawn. */
extern int stream_graphs, stream_launches, stream_busy;
extern uint64_t stream_order;
