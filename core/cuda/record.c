/* Records steps and keeps the recordings by key. A recording is a CUDA graph of the issued
 * operations with their arguments. So values that change from step to step must be in device
 * memory. The emulator checks this (core/emu/record.h). */
#include "core/cuda/record.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "core/cuda/driver.h"
#include "core/cuda/off.h"

struct replay {
    struct run_key key;
    cudaGraphExec_t steps; /* recording; NULL: the key was used once, and nothing is recorded */
    uint64_t used;         /* value of `turn` at the last use; 0: never used */
};

static struct replay all[RECORD_MOST];
static int count;
static uint64_t turn;
static bool records;

static void forget(struct replay *one)
{
    if (one->steps) {
        driver_sync(); /* the graph may be running */
        driver_need(cudaGraphExecDestroy(one->steps), "a recorded step failed");
    }
    *one = all[--count];
}

void record_forget(const void *list)
{
    for (int i = count - 1; i >= 0; i--)
        if (!list || all[i].key.list == list) forget(&all[i]);
}

/* Called before scratch memory gets another address. Discards all graphs, because they contain the
 * old address. */
static void memory_moves(void)
{
    CHECK(!records, "memory moves while a step is recorded");
    record_forget(NULL);
}

void record_reserve(void (*issue)(void *context), void *context)
{
    driver_plan(true);
    issue(context);
    driver_plan(false);
}

/* Returns the entry of a key. A new entry replaces the least recently used entry if the cache is
 * full. */
static struct replay *find(const struct run_key *key)
{
    int oldest = 0;
    for (int i = 0; i < count; i++) {
        if (!memcmp(&all[i].key, key, sizeof *key)) return &all[i];
        if (all[i].used < all[oldest].used) oldest = i;
    }
    if (count == RECORD_MOST) forget(&all[oldest]);
    all[count] = (struct replay){.key = *key};
    return &all[count++];
}

static cudaGraphExec_t record(void (*issue)(void *context), void *context)
{
    cudaGraph_t graph;
    cudaGraphExec_t steps;
    driver_need(cudaStreamBeginCapture(driver_stream(), cudaStreamCaptureModeThreadLocal),
                "a step cannot be recorded");
    records = true;
    issue(context);
    records = false;
    driver_need(cudaStreamEndCapture(driver_stream(), &graph), "a step cannot be recorded");
    driver_need(cudaGraphInstantiate(&steps, graph, 0), "a recorded step failed");
    driver_need(cudaGraphDestroy(graph), "a recorded step failed");
    return steps;
}

void record_run(const struct run_key *key, void (*issue)(void *context), void *context)
{
    if (driver_synced() || off_names("graph")) {
        issue(context);
        return;
    }
    struct replay *one = find(key);
    const bool first = !one->used;
    driver_tell_moves(memory_moves);
    one->used = ++turn;
    if (first) {
        /* If scratch memory grows, memory_moves discards all entries, also this one. */
        issue(context);
        return;
    }
    if (!one->steps) one->steps = record(issue, context);
    driver_need(cudaGraphLaunch(one->steps, driver_stream()), "a recorded step failed");
}
