/* Copies between host and GPU memory. CUDA copies asynchronously only to and from pinned memory. So
 * uploads use a ring of pinned slots. A slot is free again when its copy is done. transfer_send
 * also uses pinned memory. */
#include "core/cuda/transfer.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "core/cuda/driver.h"

enum {
    SLOTS = 16, /* maximum number of uploads in flight */
    SLOT_BYTES = 1 << 20
};

struct slot {
    char *memory;
    cudaEvent_t copied;
};

static struct slot *slot_take(void)
{
    static struct slot ring[SLOTS];
    static unsigned turn;
    struct slot *slot = &ring[turn++ % SLOTS];
    if (slot->memory) {
        driver_need(cudaEventSynchronize(slot->copied), "upload");
    } else {
        driver_need(cudaHostAlloc((void **)&slot->memory, SLOT_BYTES, cudaHostAllocDefault),
                    "upload");
        driver_need(cudaEventCreateWithFlags(&slot->copied, cudaEventDisableTiming), "upload");
    }
    return slot;
}

/* Uploads rows that together fit into one slot. */
static void upload_rows(void *to, size_t pitch, const void *from, size_t width, size_t rows)
{
    struct slot *slot = slot_take();
    memcpy(slot->memory, from, width * rows);
    driver_need(cudaMemcpy2DAsync(to, pitch, slot->memory, width, width, rows,
                                  cudaMemcpyHostToDevice, driver_stream()),
                "upload");
    driver_need(cudaEventRecord(slot->copied, driver_stream()), "upload");
}

void transfer_upload(void *to, size_t pitch, const void *from, size_t width, int64_t rows)
{
    char *device = to;
    const char *host = from;
    if (!width) return;
    if (rows == 1 || width > SLOT_BYTES) {
        for (int64_t r = 0; r < rows; r++)
            for (size_t at = 0; at < width; at += SLOT_BYTES) {
                const size_t part = width - at < SLOT_BYTES ? width - at : SLOT_BYTES;
                upload_rows(device + (size_t)r * pitch + at, part, host + (size_t)r * width + at,
                            part, 1);
            }
        return;
    }
    const int64_t fit = (int64_t)(SLOT_BYTES / width);
    for (int64_t r = 0; r < rows; r += fit)
        upload_rows(device + (size_t)r * pitch, pitch, host + (size_t)r * width, width,
                    (size_t)(rows - r < fit ? rows - r : fit));
}

void transfer_download(void *to, const void *from, size_t pitch, size_t width, int64_t rows)
{
    if (width && rows == 1) /* of any width; with several rows, the pitch must be below 2 GiB */
        driver_need(cudaMemcpyAsync(to, from, width, cudaMemcpyDeviceToHost, driver_stream()),
                    "download");
    else if (width && rows)
        driver_need(cudaMemcpy2DAsync(to, width, from, pitch, width, (size_t)rows,
                                      cudaMemcpyDeviceToHost, driver_stream()),
                    "download");
    driver_sync();
}

/* Downloads that transfer_send has issued. */
static struct {
    char *memory;
    size_t capacity, bytes; /* bytes is 0 if the entry is free */
    cudaEvent_t there;
} sent[OPS_SENT];

int transfer_send(const void *from, size_t bytes)
{
    int i = 0;
    while (i < OPS_SENT && sent[i].bytes) i++;
    CHECK(bytes && i < OPS_SENT, "%zu bytes are sent after %d others", bytes, i);
    if (bytes > sent[i].capacity) {
        if (sent[i].memory) driver_need(cudaFreeHost(sent[i].memory), "download");
        driver_need(cudaHostAlloc((void **)&sent[i].memory, bytes, cudaHostAllocDefault),
                    "download");
        sent[i].capacity = bytes;
    }
    if (!sent[i].there)
        driver_need(cudaEventCreateWithFlags(&sent[i].there, cudaEventDisableTiming), "download");
    sent[i].bytes = bytes;
    driver_need(
        cudaMemcpyAsync(sent[i].memory, from, bytes, cudaMemcpyDeviceToHost, driver_stream()),
        "download");
    driver_need(cudaEventRecord(sent[i].there, driver_stream()), "download");
    return i;
}

void transfer_receive(int number, void *to)
{
    driver_need(cudaEventSynchronize(sent[number].there), "download");
    memcpy(to, sent[number].memory, sent[number].bytes);
    sent[number].bytes = 0;
}
