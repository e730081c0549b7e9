/* Dropout, residual sum and layer normalization: a warp has a row, and keeps it in shared memory.
 * Gradients of gain and offset are summed over chunks of rows, one a block. */
#include "core/cuda/chunk.h"
#include "core/cuda/window.h"

#define NORM_EPSILON 1e-6f

enum { THREADS = 128, WARPS = THREADS / WARP, ROWS_LEAST = 16, CHUNKS = 1024 };

struct norm_job {
    struct residual_norm n;
    int warps;   /* of a block, that have rows */
    int width;   /* D up to whole packs, so that rows in shared memory are aligned */
    int rows;    /* of a chunk */
    float *part; /* [chunks, 2 D] gradients of gain, then of offset; NULL: not wanted */
};

/* For `arrays` rows a warp in shared memory; of rows that are very long a block has fewer at
 * once. */
static struct norm_job norm_job(const struct residual_norm *n, int arrays)
{
    struct norm_job job;
    memset(&job, 0, sizeof job);
    job.n = *n;
    job.width = (n->D + 7) / 8 * 8;
    const int64_t warps = device_room() / ((int64_t)arrays * job.width * (int64_t)sizeof(float));
    CHECK(warps > 0, "a row of %d numbers does not fit into shared memory", n->D);
    job.warps = warps < WARPS ? (int)warps : WARPS;
    return job;
}

static size_t norm_shared(const struct norm_job *job, int arrays)
{
    return (size_t)job->warps * (size_t)arrays * (size_t)job->width * sizeof(float);
}

/* Of gain or offset; `otherwise` everywhere where there is none. */
DEVICE_FN struct packed numbers_of(const real *from, struct stretch s, float otherwise)
{
    struct packed y;
    if (from) return real_load(from, s);
    for (int i = 0; i < PACK; i++) y.x[i] = otherwise;
    return y;
}

/* sum = x + dropout(s), out = (sum - mean) inverse gain + offset, mean and variance over D,
 * inverse = 1 / sqrt(variance + 1e-6): x, s [T, D] -> sum, out [T, D], statistics [T, 2].
 * A warp has a row. The variance is a second pass, over (sum - mean)^2: the mean of squares less
 * the mean's square would cancel. */
KERNEL(norm_kernel, THREADS, struct norm_job, job)
{
    SHARED(float, memory);
    const struct residual_norm *n = &job->n;
    const int64_t t = (int64_t)blockIdx.x * job->warps + warp_of(), at = t * n->D;
    if (warp_of() >= job->warps || t >= n->T) return;
    if (t >= op_rows(n->T, n->rows)) {
        if (n->zeros && n->s) row_clear(n->sum, t, n->D);
        if (n->zeros) row_clear(n->out, t, n->D);
        return;
    }
    float *row = memory + warp_of() * job->width;
    const bool drop = n->s && n->dropout.threshold;
    const struct window_row all =
        window_row(n->D, drop ? dropout_index(n->step, n->dropout, t, n->D) : 0);
    const float scale = dropout_scale(n->dropout);
    float total = 0, square = 0;
    for (int w = 0; w < all.windows; w++) {
        const unsigned kept = drop ? window_kept(all, w, n->step, n->dropout) : 0;
        EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed x = pack_load(act_from(n->x, at), s);
            if (n->s) {
                struct packed y = pack_load(act_from(n->s, at), s);
                if (drop) y = pack_drop(y, kept, k, scale);
                for (int i = 0; i < PACK; i++) x.x[i] += y.x[i];
                pack_store(act_to(n->sum, at), s, x);
            }
            for (int i = 0; i < PACK; i++) total += x.x[i];
            real_store(row, s, x);
        }
    }
    if (!n->out) return;
    const float mean = warp_sum(total) / (float)n->D;
    for (int w = 0; w < all.windows; w++) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed x = real_load(row, s);
            for (int i = 0; i < PACK; i++) {
                const float away = i >= s.lo && i < s.hi ? x.x[i] - mean : 0;
                square = fmaf(away, away, square);
            }
        }
    const float inverse = 1 / sqrtf(warp_sum(square) / (float)n->D + NORM_EPSILON);
    if (lane_of() == 0) {
        n->statistics[2 * t] = mean;
        n->statistics[2 * t + 1] = inverse;
    }
    for (int w = 0; w < all.windows; w++) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            const struct packed gain = numbers_of(n->gain, s, 1),
                                offset = numbers_of(n->offset, s, 0);
            struct packed x = real_load(row, s);
            for (int i = 0; i < PACK; i++)
                x.x[i] = fmaf((x.x[i] - mean) * inverse, gain.x[i], offset.x[i]);
            pack_store(act_to(n->out, at), s, x);
        }
}

void DEVICE(residual_norm)(const struct residual_norm *n)
{
    const struct norm_job job = norm_job(n, 1);
    LAUNCH(norm_kernel, parts(n->T, job.warps), norm_shared(&job, 1), &job);
}

/* What a warp keeps of a row, and sums of its rows by column. */
struct norm_memory {
    float *hat, *dh, *gain, *offset;
};

/* Row t through the normalization: hat and dh = dy gain, their sums, and the parts of the
 * parameters' gradients. */
DEVICE_FN void norm_slopes(const struct norm_job *job, struct norm_memory m, struct window_row all,
                           int64_t t, float *sum, float *sum_hat)
{
    const struct residual_norm *n = &job->n;
    const struct act *x = act_from(n->s ? n->sum : n->x, t * n->D);
    const float mean = n->statistics[2 * t], inverse = n->statistics[2 * t + 1];
    for (int w = 0; w < all.windows; w++) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            const struct packed dy = pack_load(act_from(n->out_gradient, t * n->D), s);
            struct packed hat = pack_load(x, s), dh = numbers_of(n->gain, s, 1);
            for (int i = 0; i < PACK; i++) {
                hat.x[i] = (hat.x[i] - mean) * inverse;
                dh.x[i] *= dy.x[i];
                *sum += dh.x[i];
                *sum_hat = fmaf(dh.x[i], hat.x[i], *sum_hat);
            }
            real_store(m.hat, s, hat);
            real_store(m.dh, s, dh);
            if (!job->part) continue;
            struct packed gain = real_load(m.gain, s), offset = real_load(m.offset, s);
            for (int i = 0; i < PACK; i++) {
                gain.x[i] = fmaf(dy.x[i], hat.x[i], gain.x[i]);
                offset.x[i] += dy.x[i];
            }
            real_store(m.gain, s, gain);
            real_store(m.offset, s, offset);
        }
}

/* Row t of the gradients: inverse * (dh - mean(dh) - hat * mean(dh * hat)) + dsum. */
DEVICE_FN void norm_row_backward(const struct norm_job *job, struct norm_memory m, int64_t t)
{
    const struct residual_norm *n = &job->n;
    const int64_t at = t * n->D;
    const bool drop = n->s && n->s_gradient && n->dropout.threshold;
    const struct window_row all =
        window_row(n->D, drop ? dropout_index(n->step, n->dropout, t, n->D) : 0);
    const float scale = dropout_scale(n->dropout);
    float inverse = 0, mean_dh = 0, mean_dh_hat = 0;
    if (n->out_gradient) {
        float sum = 0, sum_hat = 0;
        norm_slopes(job, m, all, t, &sum, &sum_hat);
        inverse = n->statistics[2 * t + 1];
        mean_dh = warp_sum(sum) / (float)n->D;
        mean_dh_hat = warp_sum(sum_hat) / (float)n->D;
    }
    for (int w = 0; w < all.windows; w++) {
        const unsigned kept = drop ? window_kept(all, w, n->step, n->dropout) : 0;
        EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed total;
            for (int i = 0; i < PACK; i++) total.x[i] = 0;
            if (n->sum_gradient) total = pack_load(act_from(n->sum_gradient, at), s);
            if (n->out_gradient) {
                const struct packed hat = real_load(m.hat, s), dh = real_load(m.dh, s);
                for (int i = 0; i < PACK; i++)
                    total.x[i] =
                        fmaf(dh.x[i] - mean_dh - hat.x[i] * mean_dh_hat, inverse, total.x[i]);
            }
            if (n->x_gradient) {
                struct packed dx = total;
                if (n->add_x) {
                    const struct packed old = pack_load(act_from(n->x_gradient, at), s);
                    for (int i = 0; i < PACK; i++) dx.x[i] += old.x[i];
                }
                pack_store(act_to(n->x_gradient, at), s, dx);
            }
            if (n->s_gradient) {
                struct packed ds = drop ? pack_drop(total, kept, k, scale) : total;
                if (n->add_s) {
                    const struct packed old = pack_load(act_from(n->s_gradient, at), s);
                    for (int i = 0; i < PACK; i++) ds.x[i] += old.x[i];
                }
                pack_store(act_to(n->s_gradient, at), s, ds);
            }
        }
    }
}

enum { ARRAYS = 4 }; /* of struct norm_memory */

/* dgain = sum_t dout hat, doffset = sum_t dout, and by row dx, ds: out_gradient, sum_gradient, x or
 * sum [T, D], statistics [T, 2] -> x_gradient, s_gradient [T, D], part [chunks, 2, D].
 * A block has a chunk of rows, of which its warps take turns; each has its own sums [2, D], added
 * in the warps' order. */
KERNEL(norm_backward_kernel, THREADS, struct norm_job, job)
{
    SHARED(float, memory);
    const struct residual_norm *n = &job->n;
    const int D = n->D, T = op_rows(n->T, n->rows), warp = warp_of();
    const int64_t first = (int64_t)blockIdx.x * job->rows;
    const int64_t end = first + job->rows < T ? first + job->rows : T;
    float *own = memory + warp * ARRAYS * job->width;
    struct norm_memory m;
    m.hat = own, m.dh = own + job->width;
    m.gain = own + 2 * job->width, m.offset = own + 3 * job->width;
    if (warp < job->warps) {
        for (int c = lane_of(); c < D && job->part; c += WARP) m.gain[c] = m.offset[c] = 0;
        for (int64_t t = first + warp; t < end; t += job->warps) {
            __syncwarp(ALL_LANES); /* a lane has other columns in every row */
            norm_row_backward(job, m, t);
        }
        for (int64_t t = first + warp; t < first + job->rows && n->zeros; t += job->warps) {
            if (t < T || t >= n->T) continue;
            row_clear(n->x_gradient, t, D);
            row_clear(n->s_gradient, t, D);
        }
    }
    if (!job->part) return;
    __syncthreads();
    for (int c = (int)threadIdx.x; c < 2 * D; c += THREADS) {
        const float *of = memory + (c < D ? 2 * job->width + c : 3 * job->width + c - D);
        float sum = 0;
        for (int w = 0; w < job->warps; w++) sum += of[w * ARRAYS * job->width];
        job->part[(int64_t)blockIdx.x * 2 * D + c] = sum;
    }
}

void DEVICE(residual_norm_backward)(const struct residual_norm *n)
{
    struct norm_job job = norm_job(n, ARRAYS);
    job.rows = (int)parts(n->T, CHUNKS) > ROWS_LEAST ? (int)parts(n->T, CHUNKS) : ROWS_LEAST;
    const int64_t chunks = parts(n->T, job.rows);
    if (n->out_gradient && n->gain_gradient)
        job.part = (float *)device_scratch((size_t)chunks * 2 * (size_t)n->D * sizeof(float));
    LAUNCH(norm_backward_kernel, chunks, norm_shared(&job, ARRAYS), &job);
    if (!job.part) return;
    struct chunk_sum both;
    memset(&both, 0, sizeof both);
    both.part = job.part, both.chunks = (int)chunks;
    both.ld = both.count = 2 * (int64_t)n->D, both.first = n->D;
    both.out = n->gain_gradient, both.add = n->add_gain;
    both.other = n->offset_gradient, both.add_other = n->add_offset;
    chunk_launch(&both);
}
