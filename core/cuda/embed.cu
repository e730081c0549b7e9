/* Rows of a table by token. Backward goes through the rows by token (`order`), a chunk of 64 a
 * warp: a run of equal tokens that lies within a chunk goes into the table at once; of a run
 * that goes on, every chunk leaves a part, and the parts are added in their order. */
#include "core/cuda/chunk.h"
#include "core/cuda/window.h"

enum { THREADS = 256, WARPS = THREADS / WARP, CHUNK = 64 };

/* out[t] = dropout(scale table[token[t]] + bias + sinusoid[position[t]]):
 * table [V, D], token, position [T] -> out [T, D].
 * A warp has a row, a lane packs of its columns. */
KERNEL(embed_kernel, THREADS, struct embed, e)
{
    const int64_t t = warp_of_all(), D = e->D;
    if (t >= op_rows(e->T, e->rows)) return;
    const int token = e->token[t];
    const real *wave = e->position ? e->sinusoid + e->position[t] * D : NULL;
    const struct window_row all = window_row(D, dropout_index(e->step, e->dropout, t, D));
    const float scale = dropout_scale(e->dropout);
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

void DEVICE(embed)(const struct embed *e)
{
    LAUNCH(embed_kernel, parts(e->T, WARPS), 0, e);
}

/* A chunk has two parts: of the run that it begins in, and of the run that goes on behind it. */
struct embed_job {
    struct embed e;
    int chunks;
    float *head, *tail; /* [chunks, D] */
    float *bias;        /* [chunks, D] or NULL */
};

/* Token of the i-th row in the order. */
DEVICE_FN int ordered_token(const struct embed *e, int64_t i)
{
    return e->token[e->order[i]];
}

/* Whether the run of row i - 1 goes on in row i, both of `rows`. */
DEVICE_FN bool goes_on(const struct embed *e, int64_t i, int64_t rows)
{
    return i > 0 && i < rows && ordered_token(e, i) == ordered_token(e, i - 1);
}

/* What is gathered goes to the table, or to `part`; and is 0 again. */
DEVICE_FN void put_run(const struct embed *e, int token, float *part, const float *sum)
{
    real *row = part ? part : token < 0 ? NULL : e->table_gradient + (int64_t)token * e->D;
    for (int c = lane_of(); c < e->D && row; c += WARP)
        row[c] = (!part && e->add_table ? row[c] : 0) + sum[c];
}

/* sum, bias += the gradient of row t; sum begins anew. */
DEVICE_FN void add_row(const struct embed *e, int64_t t, bool anew, float *sum, float *bias)
{
    const struct window_row all = window_row(e->D, dropout_index(e->step, e->dropout, t, e->D));
    const float scale = dropout_scale(e->dropout);
    for (int w = 0; w < all.windows; w++) {
        const unsigned kept = window_kept(all, w, e->step, e->dropout);
        EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed x = pack_load(act_from(e->out_gradient, t * e->D), s);
            if (e->dropout.threshold) x = pack_drop(x, kept, k, scale);
            struct packed total = real_load(sum, s);
            for (int i = 0; i < PACK; i++)
                total.x[i] = fmaf(x.x[i], e->scale, anew ? 0 : total.x[i]);
            real_store(sum, s, total);
            if (!bias) continue;
            total = real_load(bias, s);
            for (int i = 0; i < PACK; i++) total.x[i] += x.x[i];
            real_store(bias, s, total);
        }
    }
}

/* dtable[v] = scale sum_t dropout(dout[t]) over the t with token[t] = v,
 * dbias = sum_t dropout(dout[t]): dout [T, D] -> dtable [V, D] or head, tail; bias [chunks, D].
 * A block is one warp and has 64 rows of the order; its sums [D] stand in shared memory. */
KERNEL(embed_backward_kernel, WARP, struct embed_job, job)
{
    SHARED(float, memory);
    const struct embed *e = &job->e;
    const int64_t chunk = blockIdx.x, rows = op_rows(e->T, e->rows), first = chunk * CHUNK;
    const int64_t end = first + CHUNK < rows ? first + CHUNK : rows;
    float *sum = memory, *bias = job->bias ? memory + (e->D + 3) / 4 * 4 : NULL;
    for (int c = lane_of(); c < e->D && bias; c += WARP) bias[c] = 0;
    bool head = goes_on(e, first, rows);
    for (int64_t i = first; i < end; i++) {
        const bool anew = i == first || !goes_on(e, i, rows);
        __syncwarp(ALL_LANES); /* a lane has other columns in every row */
        add_row(e, e->order[i], anew, sum, bias);
        const bool on = goes_on(e, i + 1, rows);
        if (on && i + 1 < end) continue;
        __syncwarp(ALL_LANES);
        put_run(e, ordered_token(e, i),
                head ? job->head + chunk * e->D
                : on ? job->tail + chunk * e->D
                     : NULL,
                sum);
        head = false;
    }
    for (int c = lane_of(); c < e->D && bias; c += WARP) job->bias[chunk * e->D + c] = bias[c];
}

/* dtable[v] (+)= tail[chunk] + head[chunk + 1] + .. + head[last], [chunks, D] -> [V, D], for the
 * run of v that begins in a chunk and goes on at its end.
 * A warp has such a chunk, a lane columns: a run has one adder, which keeps its order. */
KERNEL(embed_runs_kernel, THREADS, struct embed_job, job)
{
    const struct embed *e = &job->e;
    const int64_t chunk = warp_of_all(), rows = op_rows(e->T, e->rows), D = e->D;
    const int64_t end = (chunk + 1) * CHUNK;
    if (chunk >= job->chunks || !goes_on(e, end, rows)) return;
    const int token = ordered_token(e, end);
    /* All of the chunk is of a run that began before: its part is a head. */
    if (goes_on(e, chunk * CHUNK, rows) && ordered_token(e, chunk * CHUNK) == token) return;
    if (token < 0) return;
    int64_t last = chunk + 1;
    while (goes_on(e, (last + 1) * CHUNK, rows) && ordered_token(e, (last + 1) * CHUNK) == token)
        last++;
    for (int64_t c = lane_of(); c < D; c += WARP) {
        real *row = e->table_gradient + token * D + c;
        float sum = job->tail[chunk * D + c];
        for (int64_t i = chunk + 1; i <= last; i++) sum += job->head[i * D + c];
        *row = e->add_table ? *row + sum : sum;
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
    float *scratch = (float *)device_scratch((size_t)(3 * size) * sizeof(float));
    job.head = scratch, job.tail = scratch + size;
    job.bias = e->bias_gradient ? scratch + 2 * size : NULL;
    if (!e->add_table) DEVICE(clear)(e->table_gradient, (size_t)e->V * (size_t)e->D * sizeof(real));
    LAUNCH(embed_backward_kernel, chunks, (size_t)(e->D + 3) / 4 * 4 * 2 * sizeof(float), &job);
    LAUNCH(embed_runs_kernel, parts(chunks, WARPS), 0, &job);
    if (job.bias) chunk_sum(job.bias, chunks, e->D, e->D, e->add_bias, e->bias_gradient);
}
