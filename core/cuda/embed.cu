/* Embedding. The backward pass processes the rows in order of token (`order`), in chunks of 16
 * rows. A run consists of all rows with the same token. A run within one chunk is added to the
 * gradient directly. Other runs have a partial sum per chunk, and the sums are added in order. */
#include "core/cuda/chunk.h"
#include "core/cuda/columns.h"

enum { THREADS = 256, WARPS = THREADS / WARP };

/* out[t] = dropout(scale table[token[t]] + bias + sinusoid[position[t]]): table [V, D], token,
 * position [T] -> out [T, D]. A warp computes a row, and a lane computes packs of its columns. */
KERNEL(embed_kernel, THREADS, struct embed, e)
{
    const int64_t t = warp_of_all(), D = e->D;
    if (t >= op_rows(e->T, e->rows)) return;
    const int token = e->token[t];
    const real *wave = e->position ? e->sinusoid + e->position[t] * D : NULL;
    const struct window_row all = window_row(D, dropout_index(e->step, e->dropout, t, D));
    const float scale = dropout_raise(e->dropout);
    for (int w = 0; w < all.windows; w++) {
        const unsigned kept = window_kept(all, w, e->step, e->dropout);
        EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed x, bias, add;
            for (int i = 0; i < PACK; i++) x.x[i] = bias.x[i] = add.x[i] = 0;
            if (token >= 0) x = real_load(e->table + token * D, s);
            if (e->bias) bias = real_load(e->bias, s);
            if (wave) add = real_load(wave, s);
            for (int i = 0; i < PACK; i++) x.x[i] = x.x[i] * e->scale + bias.x[i] + add.x[i];
            if (e->dropout.threshold) x = pack_drop(x, kept, k, scale);
            pack_store(act_to(e->out, t * D), s, x);
        }
    }
}

OP_KERNEL(embed, struct embed, e, embed_kernel, parts(e->T, WARPS), 0)

/* ---- backward ---- */
enum {
    ADDERS = 128, /* threads per block */
    ADDER_WARPS = ADDERS / WARP,
    CHUNK = 16,           /* rows per chunk */
    IN_FLIGHT = PACK / 2, /* rows of a chunk whose gradients are loaded at the same time */
    PARTS_IN_FLIGHT = 8   /* parts of a run that are loaded at the same time */
};

/* State of the last run of a chunk. RUN_ENDS: the run ends in this chunk. RUN_PASSES: the run began
 * before the chunk and continues after it. If the run begins in this chunk and continues, the state
 * is its token. */
enum { RUN_ENDS = -1, RUN_PASSES = -2 };

/* A chunk has two partial sums. `head` is for a run that began before the chunk. `tail` is for a
 * run that begins in the chunk and continues after it. */
struct embed_job {
    struct embed e;
    int chunks, windows; /* windows: number of windows of D columns */
    bool even;           /* rows of out_gradient are even (columns.h) */
    float *head, *tail;  /* [chunks, D] */
    float *bias;         /* [chunks, D]: sums of the gradients of rows; NULL: no bias */
    int32_t *ends;       /* [chunks]: state of the last run */
};

/* The rows of a chunk. All lanes have the same values. */
struct embed_chunk {
    int64_t number;
    /* Bit i: row i has the same token as the preceding row. Bit 16 is for the row after the
     * chunk. */
    unsigned joins;
    int rows;
};

/* If row i is the last row of its run in the chunk, returns the address to which the run's sum is
 * added or written. Otherwise returns NULL. Also returns NULL if the run has no token. *part is
 * true if the address is `head` or `tail`. */
DEVICE_FN float *run_end(const struct embed_job *job, struct embed_chunk c, int i, int token,
                         bool *part)
{
    const int64_t D = job->e.D, at = c.number * D;
    const unsigned from_begin = (2u << i) - 1;
    const bool on = c.joins >> (i + 1) & 1, head = (c.joins & from_begin) == from_begin;
    *part = head || on;
    if (i >= c.rows || (on && i + 1 < c.rows)) return NULL;
    return head        ? job->head + at
           : on        ? job->tail + at
           : token < 0 ? NULL
                       : job->e.table_gradient + (int64_t)token * D;
}

/* dtable[v] = scale sum_t dropout(dout[t]) over the t with token[t] = v; dbias = sum_t
 * dropout(dout[t]). dout [T, D] -> dtable [V, D] or head, tail; bias [chunks, D]. A warp sums 16
 * rows of `order` and 256 columns. A lane sums packs of the same columns in all rows. */
KERNEL(embed_backward_kernel, ADDERS, struct embed_job, job)
{
    const struct embed *e = &job->e;
    const int64_t rows = op_rows(e->T, e->rows), D = e->D;
    const int64_t number = warp_of_all() / job->windows, first = number * CHUNK;
    const int w = (int)(warp_of_all() % job->windows), lane = lane_of();
    if (number >= job->chunks) return;
    /* Lane 0 reads the row before the chunk, lane 1 + i reads row i, and lane 17 reads the row
     * after the chunk. */
    const int64_t at = first - 1 + lane;
    const bool there = lane < CHUNK + 2 && at >= 0 && at < rows;
    int row = there ? e->order[at] : 0, token = there ? e->token[row] : -1;
    const bool joined = token == __shfl_sync(ALL_LANES, token, lane ? lane - 1 : 0);
    struct embed_chunk c;
    c.number = number;
    c.joins = __ballot_sync(ALL_LANES, there && joined && lane && at) >> 1;
    c.rows = (int)(rows < first ? 0 : rows - first < CHUNK ? rows - first : CHUNK);
    const unsigned all = (2u << CHUNK) - 1;
    if (w == 0 && lane == CHUNK)
        job->ends[number] = !(c.joins >> CHUNK & 1) ? RUN_ENDS
                            : c.joins == all        ? RUN_PASSES
                                                    : token;

    const struct window_row columns = window_row(D, 0);
    const float scale = dropout_raise(e->dropout);
    struct packed sum[WINDOW_PACKS], bias[WINDOW_PACKS];
    EACH_PACK(k) for (int i = 0; i < PACK; i++) sum[k].x[i] = bias[k].x[i] = 0;
    for (int from = 0; from < c.rows; from += IN_FLIGHT) {
        struct words x[IN_FLIGHT][WINDOW_PACKS];
        struct packed old[IN_FLIGHT][WINDOW_PACKS];
        float *to[IN_FLIGHT];
        int64_t t[IN_FLIGHT];
        AHEAD for (int b = 0; b < IN_FLIGHT; b++)
        {
            const int i = from + b < c.rows ? from + b : c.rows - 1;
            t[b] = __shfl_sync(ALL_LANES, row, i + 1);
        }
        if (job->even)
            AHEAD for (int b = 0; b < IN_FLIGHT; b++) EACH_PACK(k) x[b][k] =
                words_load(act_from(e->out_gradient, t[b] * D), window_pack(columns, w, k), true);
        else
            AHEAD for (int b = 0; b < IN_FLIGHT; b++) EACH_PACK(k) x[b][k] =
                pack_words(act_from(e->out_gradient, t[b] * D), window_pack(columns, w, k));
        AHEAD for (int b = 0; b < IN_FLIGHT; b++)
        {
            bool part;
            to[b] = run_end(job, c, from + b, __shfl_sync(ALL_LANES, token, from + b + 1), &part);
            const bool add = to[b] && !part && e->add_table;
            EACH_PACK(k)
            {
                for (int i = 0; i < PACK; i++) old[b][k].x[i] = 0;
                if (add) old[b][k] = real_load(to[b], window_pack(columns, w, k));
            }
        }
        AHEAD for (int b = 0; b < IN_FLIGHT; b++)
        {
            if (from + b >= c.rows) continue;
            const bool anew = !(c.joins >> (from + b) & 1);
            const uint64_t index = dropout_index(e->step, e->dropout, t[b], D);
            const unsigned kept = values_kept(index + (uint64_t)w * WINDOW, e->step, e->dropout);
            EACH_PACK(k)
            {
                struct packed y = words_pack(x[b][k]);
                if (e->dropout.threshold) y = pack_drop(y, kept, k, scale);
                for (int i = 0; i < PACK; i++) {
                    sum[k].x[i] = fmaf(y.x[i], e->scale, anew ? 0 : sum[k].x[i]);
                    bias[k].x[i] += y.x[i];
                    y.x[i] = sum[k].x[i] + old[b][k].x[i];
                }
                if (to[b]) real_store(to[b], window_pack(columns, w, k), y);
            }
        }
    }
    EACH_PACK(k)
    if (job->bias) real_store(job->bias + number * D, window_pack(columns, w, k), bias[k]);
}

/* dtable[v] (+)= tail[chunk] + head[chunk + 1] + .. + head[last], [chunks, D] -> [V, D], for the
 * run of v that begins in a chunk and continues after it. A block computes 256 columns of such a
 * run. Each warp sums its share of the parts, then the first warp adds the sums of the warps. */
KERNEL(embed_runs_kernel, ADDERS, struct embed_job, job)
{
    SHARED(float, share);
    const struct embed *e = &job->e;
    const int64_t D = e->D, chunk = blockIdx.x / job->windows;
    const int w = (int)(blockIdx.x % job->windows), warp = warp_of();
    const int token = job->ends[chunk];
    if (token < 0) return;
    const struct window_row columns = window_row(D, 0);
    float *row = e->table_gradient + token * D;
    struct packed sum[WINDOW_PACKS], old[WINDOW_PACKS];
    EACH_PACK(k)
    {
        for (int i = 0; i < PACK; i++) sum[k].x[i] = old[k].x[i] = 0;
        if (warp == 0 && e->add_table) old[k] = real_load(row, window_pack(columns, w, k));
    }
    /* The number of parts: the tail, the heads of chunks that the run passes, and the head of the
     * chunk in which it ends. */
    int count = 2;
    for (unsigned end = 0; !end;) {
        const int64_t next = chunk + count - 1 + lane_of();
        end = __ballot_sync(ALL_LANES, next >= job->chunks || job->ends[next] != RUN_PASSES);
        if (!end) count += WARP;
        for (unsigned bits = end; bits && !(bits & 1); bits >>= 1) count++;
    }
    const int each = (count + ADDER_WARPS - 1) / ADDER_WARPS, first = warp * each;
    const int end = first + each < count ? first + each : count;
    for (int from = first; from < end; from += PARTS_IN_FLIGHT) {
        struct packed x[PARTS_IN_FLIGHT][WINDOW_PACKS];
        AHEAD for (int b = 0; b < PARTS_IN_FLIGHT; b++)
        {
            const int i = from + b;
            const float *part = (i ? job->head : job->tail) + (chunk + i) * D;
            EACH_PACK(k) if (i < end) x[b][k] = real_load(part, window_pack(columns, w, k));
        }
        AHEAD for (int b = 0; b < PARTS_IN_FLIGHT; b++)
        {
            if (from + b >= end) continue;
            EACH_PACK(k) for (int i = 0; i < PACK; i++) sum[k].x[i] += x[b][k].x[i];
        }
    }
    EACH_PACK(k) kept_store(share + warp * WINDOW, k, sum[k]);
    __syncthreads();
    if (warp) return;
    for (int from = 1; from < ADDER_WARPS && from * each < count; from++) EACH_PACK(k)
        {
            const struct packed x = kept_load(share + from * WINDOW, k);
            for (int i = 0; i < PACK; i++) sum[k].x[i] += x.x[i];
        }
    EACH_PACK(k)
    {
        for (int i = 0; i < PACK; i++) sum[k].x[i] += old[k].x[i];
        real_store(row, window_pack(columns, w, k), sum[k]);
    }
}

void DEVICE(embed_backward)(const struct embed *e)
{
    struct embed_job job;
    memset(&job, 0, sizeof job);
    const int64_t chunks = parts(e->T, CHUNK), size = chunks * e->D;
    CHECK(e->order || !e->T, "no rows by token");
    job.e = *e;
    job.chunks = (int)chunks;
    job.windows = (int)parts(e->D, WINDOW);
    float *scratch =
        (float *)device_scratch((size_t)(3 * size) * sizeof(float) + (size_t)chunks * sizeof(int));
    job.head = scratch, job.tail = scratch + size;
    job.bias = e->bias_gradient ? scratch + 2 * size : NULL;
    job.ends = (int32_t *)(void *)(scratch + 3 * size);
    job.even = row_is_even(e->out_gradient, e->D);
    if (!e->add_table) DEVICE(clear)(e->table_gradient, (size_t)e->V * (size_t)e->D * sizeof(real));
    LAUNCH(embed_backward_kernel, parts(chunks * job.windows, ADDER_WARPS), 0, &job);
    LAUNCH(embed_runs_kernel, chunks * job.windows, ADDER_WARPS * WINDOW * sizeof(float), &job);
    if (job.bias) chunk_sum(job.bias, chunks, e->D, e->D, e->add_bias, e->bias_gradient);
}
