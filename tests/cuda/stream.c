/* Streams as lists of work. Every record of an event makes a new mark; a wait for the event waits
 * for its last mark. A graph contains the lists of all streams that take part. */
#include "tests/cuda/stream.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base.h"

enum { STREAMS = 8 };

/* Position of a stream when an event was recorded. */
struct mark {
    bool done;
    struct CUgraph_st *graph; /* the graph of the mark; NULL: none */
};
struct CUevent_st {
    struct mark *last;
};

struct stream_work {
    struct stream_work *next;
    void (*run)(void *context); /* NULL: a mark is passed, or waited for */
    void *context;
    size_t bytes;
    struct mark *mark;
    bool waits;
};

/* Streams that take part, in order of their beginning. */
struct CUgraph_st {
    struct CUstream_st *stream[STREAMS], part[STREAMS];
    int streams;
};
struct CUgraphExec_st {
    struct CUgraph_st graph;
};

static struct CUstream_st streams[STREAMS];
static int stream_count;
static bool recording;
static bool shuffled;
static int waits, skipped;
static uint64_t drawn; /* state of the generator that draws the order */
int stream_graphs, stream_launches, stream_busy;
uint64_t stream_order;

static struct stream_work *append(struct CUstream_st *stream)
{
    struct stream_work *work = heap_alloc(sizeof *work);
    if (stream->last)
        stream->last->next = work;
    else
        stream->first = work;
    return stream->last = work;
}

/* Returns the list that gets new work of a stream: its part of a graph if it is being recorded. */
static struct CUstream_st *place_of(struct CUstream_st *stream)
{
    for (int i = 0; stream->graph && i < stream->graph->streams; i++)
        if (stream->graph->stream[i] == stream) return &stream->graph->part[i];
    return stream;
}

static void add(struct CUstream_st *stream, void (*run)(void *context), const void *context,
                size_t bytes)
{
    struct stream_work *work = append(place_of(stream));
    work->run = run, work->bytes = bytes, work->context = heap_alloc(bytes);
    memcpy(work->context, context, bytes);
}

/* ---- doing it ---- */

void stream_shuffle(uint64_t seed)
{
    shuffled = true;
    drawn = seed;
}

void stream_skip_wait(int number)
{
    skipped = number;
}

/* Returns a number below `bound` (splitmix64). */
static int draw(int bound)
{
    uint64_t z = drawn += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int)((z ^ (z >> 31)) % (uint64_t)bound);
}

/* Passes the marks at the front of the streams that need no waiting. Writes the streams that have
 * work to run to `ready`, and returns their number. */
static int find_ready(struct CUstream_st *all, int count, struct CUstream_st **ready)
{
    int found = 0;
    bool passed;
    do {
        passed = false;
        found = 0;
        for (int i = 0; i < count; i++) {
            struct stream_work *work = all[i].first;
            if (work && !work->run && (!work->waits || work->mark->done)) {
                passed = work->mark->done = true;
                all[i].first = work->next;
                if (!all[i].first) all[i].last = NULL;
                free(work->context);
                free(work);
            } else if (work && work->run) {
                ready[found++] = &all[i];
            }
        }
    } while (passed);
    if (found > stream_busy) stream_busy = found;
    return found;
}

static void run_first(struct CUstream_st *stream)
{
    struct stream_work *work = stream->first;
    stream->first = work->next;
    if (!stream->first) stream->last = NULL;
    work->run(work->context);
    free(work->context);
    free(work);
}

/* Runs work of all streams in a random order until a stream is empty, or until a mark is passed. A
 * drawn stream is preferred for 1, 2, 4, .. or 64 pieces of work. So it may run far ahead of
 * another stream, or follow it closely. */
enum { LONGEST = 7 };
static void advance_randomly(struct CUstream_st *all, int count, const struct CUstream_st *stream,
                             const struct mark *until)
{
    struct CUstream_st *ready[STREAMS];
    for (int first = 0, left = 0;; left--) {
        const int found = find_ready(all, count, ready);
        if (until ? until->done : !stream->first) return;
        CHECK(found, "streams wait for each other");
        int which = draw(found);
        if (left <= 0) first = draw(count), left = 1 << draw(LONGEST);
        for (int i = 0; i < found; i++)
            if (ready[i] == &all[first]) which = i;
        if (found > 1) stream_order = stream_order * 31 + (uint64_t)(ready[which] - all) + 1;
        run_first(ready[which]);
    }
}

static void advance(struct CUstream_st *all, int count, struct CUstream_st *stream,
                    const struct mark *until);

/* Advances the stream that passes a mark up to the mark. */
static void reach(struct CUstream_st *all, int count, const struct mark *mark)
{
    for (int i = 0; i < count && !mark->done; i++)
        for (const struct stream_work *work = all[i].first; work; work = work->next)
            if (work->mark == mark && !work->waits) {
                advance(all, count, &all[i], mark);
                break;
            }
    CHECK(mark->done, "a stream waits for an event that nobody records");
}

/* Runs all work of a stream, or the work up to a mark. */
static void advance(struct CUstream_st *all, int count, struct CUstream_st *stream,
                    const struct mark *until)
{
    if (shuffled) {
        advance_randomly(all, count, stream, until);
        return;
    }
    while (stream->first && !(until && until->done)) {
        struct stream_work *work = stream->first;
        if (work->waits) reach(all, count, work->mark);
        CHECK(stream->first == work, "streams wait for each other");
        stream->first = work->next;
        if (!stream->first) stream->last = NULL;
        if (work->run) work->run(work->context);
        if (work->mark) work->mark->done = true;
        free(work->context);
        free(work);
    }
}

void stream_finish(cudaStream_t stream)
{
    advance(streams, stream_count, stream, NULL);
}

void stream_finish_all(void)
{
    for (int i = 0; i < stream_count; i++) stream_finish(&streams[i]);
}

void stream_finish_event(cudaEvent_t event)
{
    if (event->last) reach(streams, stream_count, event->last);
}

bool stream_records(void)
{
    return recording;
}

/* ---- what CUDA's runtime calls ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    CHECK(stream_count < STREAMS, "more than %d streams", STREAMS);
    streams[stream_count].add = add;
    *stream = &streams[stream_count++];
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = heap_alloc(sizeof **event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->last = heap_alloc(sizeof *event->last); /* lives as long as the process */
    event->last->graph = stream->graph;
    append(place_of(stream))->mark = event->last;
    return cudaSuccess;
}

/* A stream that waits for an event of a graph takes part in the graph from then on. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    if (!event->last || ++waits == skipped) return cudaSuccess;
    struct CUgraph_st *graph = event->last->graph;
    if (graph && !stream->graph) {
        CHECK(graph->streams < STREAMS, "more than %d streams in a graph", STREAMS);
        graph->stream[graph->streams++] = stream;
        stream->graph = graph;
    }
    if (graph != stream->graph) return cudaErrorStreamCaptureIsolation;
    struct stream_work *work = append(place_of(stream));
    work->mark = event->last, work->waits = true;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    CHECK(!recording, "two graphs are recorded at one time");
    recording = true;
    stream->graph = heap_alloc(sizeof *stream->graph);
    stream->graph->stream[stream->graph->streams++] = stream;
    return cudaSuccess;
}

/* True if the first stream waits, in the end, for all work of the other stream. */
static bool is_joined(const struct CUgraph_st *graph, int which)
{
    const struct stream_work *last = graph->part[which].last;
    if (!last) return true;
    for (const struct stream_work *work = graph->part[0].first; work; work = work->next)
        if (work->waits && work->mark == last->mark) return true;
    return false;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *made)
{
    struct CUgraph_st *graph = stream->graph;
    bool joined = graph && graph->stream[0] == stream;
    for (int i = 1; joined && i < graph->streams; i++) joined = is_joined(graph, i);
    if (!joined) return cudaErrorStreamCaptureUnjoined;
    for (int i = 0; i < graph->streams; i++) graph->stream[i]->graph = NULL;
    for (int i = 0; i < graph->streams; i++)
        for (struct stream_work *work = graph->part[i].first; work; work = work->next)
            if (work->mark) work->mark->graph = NULL;
    recording = false;
    *made = graph;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags)
{
    *made = heap_alloc(sizeof **made);
    (*made)->graph = *graph;
    stream_graphs++;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    for (int i = 0; i < exec->graph.streams; i++)
        for (struct stream_work *work = exec->graph.part[i].first, *next; work; work = next) {
            next = work->next;
            free(work->context);
            free(work);
        }
    free(exec);
    return cudaSuccess;
}

/* Runs copies of the graph's lists, like streams. */
static void run_graph(void *context)
{
    const struct CUgraph_st *graph = &(*(struct CUgraphExec_st **)context)->graph;
    struct CUstream_st part[STREAMS];
    memset(part, 0, sizeof part);
    for (int i = 0; i < graph->streams; i++)
        for (const struct stream_work *work = graph->part[i].first; work; work = work->next) {
            struct stream_work *copy = append(&part[i]);
            *copy = *work;
            copy->next = NULL;
            copy->context = heap_alloc(work->bytes);
            if (work->bytes) memcpy(copy->context, work->context, work->bytes);
            if (work->mark) work->mark->done = false;
        }
    for (int i = 0; i < graph->streams; i++) advance(part, graph->streams, &part[i], NULL);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (recording) return cudaErrorStreamCaptureUnsupported;
    stream_launches++;
    add(stream, run_graph, &exec, sizeof exec);
    return cudaSuccess;
}
