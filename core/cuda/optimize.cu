/* The optimizer: gradient norm, clipping, Adam, and averages of parameters. Also sums, in double,
 * over chunks that do not depend on the GPU. */
#include "core/cuda/window.h"

enum { THREADS = 256, WARPS = THREADS / WARP, CHUNKS = 1024 };

/* loss /= normalizer; norm = sqrt(squares); gradient_scale = min(1, clip / norm), or 1 without
 * clipping. One thread computes these values. */
KERNEL(settle_kernel, WARP, struct settle, s)
{
    struct outcome *o = s->outcome;
    if (threadIdx.x) return;
    o->loss /= s->step->normalizer;
    o->norm = sqrt(o->squares);
    o->finite = isfinite(o->loss) && isfinite(o->norm);
    o->gradient_scale = s->clip > 0 && o->norm > s->clip ? s->clip / o->norm : 1;
}

OP_KERNEL(settle, struct settle, s, settle_kernel, 1, 0)

/* g = gradient_scale gradient + l2 x; m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2. x = (1 - rate
 * decay) x - (rate / c1) m / (sqrt(v / c2) + epsilon), with c1 = 1 - b1^t and c2 = 1 - b2^t. All
 * arrays are [count]. If the loss or the norm is not finite, nothing changes. A warp updates a
 * window of 256 values. Constants are computed in double and rounded to float. */
KERNEL(adam_kernel, THREADS, struct adam, a)
{
    if (!a->outcome->finite) return;
    const float b1 = (float)a->beta1, b2 = (float)a->beta2, l2 = (float)a->l2;
    const float rest1 = (float)(1 - a->beta1), rest2 = (float)(1 - a->beta2);
    const float gradient_scale = (float)a->outcome->gradient_scale;
    const float correction = (float)(1 / sqrt(a->step->correction2));
    const float rate = (float)(a->step->rate / a->step->correction1);
    const float epsilon = (float)a->epsilon, kept = (float)(1 - a->step->rate * a->decay);
    const struct window_row all = window_row(a->count, 0);
    const int64_t window = warp_of_all();
    if (window >= all.windows) return;
    EACH_PACK(k)
    {
        const struct stretch s = window_pack(all, window, k);
        struct packed x = real_load(a->master, s), m = real_load(a->m, s), v = real_load(a->v, s);
        const struct packed gradient = real_load(a->gradient, s);
        for (int i = 0; i < PACK; i++) {
            const float g = gradient.x[i] * gradient_scale + x.x[i] * l2;
            m.x[i] = m.x[i] * b1 + g * rest1;
            v.x[i] = v.x[i] * b2 + g * g * rest2;
            x.x[i] = x.x[i] * kept - rate * m.x[i] / (sqrtf(v.x[i]) * correction + epsilon);
        }
        real_store(a->m, s, m);
        real_store(a->v, s, v);
        real_store(a->master, s, x);
        if ((void *)a->operand != (void *)a->master) pack_store(a->operand, s, x);
    }
}

OP_KERNEL(adam, struct adam, a, adam_kernel, parts(parts(a->count, WINDOW), WARPS), 0)

struct average_job {
    real *mean;
    const real *x;
    int64_t count;
    float share;
};

/* mean += (x - mean) / n, for the n-th array x [count]. After the last array, `mean` is the mean of
 * all arrays. A thread updates one value. */
KERNEL(average_kernel, THREADS, struct average_job, a)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < a->count) a->mean[i] += (a->x[i] - a->mean[i]) * a->share;
}

void DEVICE(average)(real *mean, const real *x, int64_t count, int64_t nth)
{
    struct average_job job;
    memset(&job, 0, sizeof job);
    job.mean = mean, job.x = x, job.count = count, job.share = (float)(1.0 / (double)nth);
    LAUNCH(average_kernel, parts(count, THREADS), 0, &job);
}

struct sum_job {
    const real *x;
    int64_t count;
    const int32_t *rows; /* [1] actual count; NULL: `count` is exact */
    bool square, add;
    double *part; /* [chunks] */
    int chunks;
    double *result;
};

DEVICE_FN double warp_sum_double(double x)
{
    for (int away = WARP / 2; away; away /= 2) x += __shfl_xor_sync(ALL_LANES, x, away);
    return x;
}

/* Returns the sum of x[i], or of x[i]^2, over a chunk. A warp sums a chunk, and a lane sums every
 * 32nd value. The chunks, and so the order of the sum, depend only on job->count. */
DEVICE_FN double chunk_of(const struct sum_job *job, int64_t chunk)
{
    const int64_t count = job->rows ? *job->rows : job->count;
    const int64_t size = (job->count + job->chunks - 1) / job->chunks;
    const int64_t end = (chunk + 1) * size < count ? (chunk + 1) * size : count;
    double sum = 0;
    AHEAD for (int64_t i = chunk * size + lane_of(); i < end; i += WARP)
    {
        const double x = (double)job->x[i];
        sum += job->square ? x * x : x;
    }
    return warp_sum_double(sum);
}

/* result (+)= sum of part [chunks]. One warp calls this function, and a lane sums every 32nd
 * value. */
DEVICE_FN void put_sum(const struct sum_job *job, const double *part)
{
    double sum = 0;
    AHEAD for (int i = lane_of(); i < job->chunks; i += WARP) sum += part[i];
    sum = warp_sum_double(sum);
    if (lane_of() == 0) *job->result = job->add ? *job->result + sum : sum;
}

/* Writes the sum of each chunk of x [count] to part [chunks]. A warp sums a chunk. */
KERNEL(sum_kernel, THREADS, struct sum_job, job)
{
    const int64_t chunk = warp_of_all();
    if (chunk >= job->chunks) return;
    const double sum = chunk_of(job, chunk);
    if (lane_of() == 0) job->part[chunk] = sum;
}

KERNEL(sum_parts_kernel, WARP, struct sum_job, job)
{
    put_sum(job, job->part);
}

enum { ONCE_THREADS = 512, ONCE_CHUNKS = 256 };

/* Replaces both kernels if there are few chunks. One block computes all chunks, with the partial
 * sums in shared memory. The result has the same bits. */
KERNEL(sum_once_kernel, ONCE_THREADS, struct sum_job, job)
{
    SHARED(double, part); /* [chunks] */
    for (int chunk = warp_of(); chunk < job->chunks; chunk += ONCE_THREADS / WARP) {
        const double sum = chunk_of(job, chunk);
        if (lane_of() == 0) part[chunk] = sum;
    }
    __syncthreads();
    if (warp_of() == 0) put_sum(job, part);
}

static void reduce(struct sum_job *job)
{
    job->chunks = (int)(parts(job->count, WINDOW) < CHUNKS ? parts(job->count, WINDOW) : CHUNKS);
    if (job->chunks <= ONCE_CHUNKS) {
        LAUNCH(sum_once_kernel, 1, (size_t)job->chunks * sizeof(double), job);
        return;
    }
    job->part = (double *)device_scratch((size_t)job->chunks * sizeof(double));
    LAUNCH(sum_kernel, parts(job->chunks, WARPS), 0, job);
    LAUNCH(sum_parts_kernel, 1, 0, job);
}

void DEVICE(sum)(const real *x, int T, const int32_t *rows, bool add, double *result)
{
    struct sum_job job;
    memset(&job, 0, sizeof job);
    job.x = x, job.count = T, job.rows = rows, job.add = add, job.result = result;
    reduce(&job);
}

void DEVICE(sum_of_squares)(const real *x, int64_t count, double *result)
{
    struct sum_job job;
    memset(&job, 0, sizeof job);
    job.x = x, job.count = count, job.square = true, job.result = result;
    reduce(&job);
}
