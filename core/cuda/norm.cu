/* Dropout, residual sum and layer normalization. A warp computes a row, which is in shared memory
 * (forward) or in registers (backward). A block sums the gradients of gain and offset over a chunk
 * of rows. */
#include "core/cuda/chunk.h"
#include "core/cuda/columns.h"

#define NORM_EPSILON 1e-6f

/* ROWS_LEAST: minimum number of rows per chunk. CHUNKS: maximum number of chunks, four for each of
 * the 132 SMs of an H100, so that all chunks run at the same time. LAST_LEAST: number of rows in
 * bf16 whose memory has room for the partial sums of a chunk, 2 D floats. */
enum { THREADS = 128, WARPS = THREADS / WARP, ROWS_LEAST = 16, CHUNKS = 528, LAST_LEAST = 4 };

struct norm_job {
    struct residual_norm n;
    int warps; /* warps per block that process rows */
    int width; /* D, rounded up to whole windows */
    bool even; /* all rows that the kernel reads are even (columns.h) */
    int rows;  /* rows per chunk */
    /* Partial sums of the gradients of gain and offset: [2, D] per chunk, `apart` floats apart;
     * NULL: not needed. */
    float *part;
    int64_t apart;
};

/* Returns a job. Shared memory has `arrays` rows for each warp, and `common` rows that all warps
 * share. If rows are very long, fewer warps of a block process rows. */
static struct norm_job norm_job(const struct residual_norm *n, int arrays, int common)
{
    struct norm_job job;
    memset(&job, 0, sizeof job);
    job.n = *n;
    job.width = (n->D + WINDOW - 1) / WINDOW * WINDOW;
    const int64_t rows = device_room() / (job.width * (int64_t)sizeof(float));
    const int64_t warps = (rows - common) / arrays;
    CHECK(warps > 0, "a row of %d numbers does not fit into shared memory", n->D);
    job.warps = warps < WARPS ? (int)warps : WARPS;
    return job;
}

static size_t norm_shared(const struct norm_job *job, int arrays, int common)
{
    return (size_t)(job->warps * arrays + common) * (size_t)job->width * sizeof(float);
}

/* Number of windows of a row that a warp loads at the same time. */
enum { HELD = 2 };

/* Loads HELD windows, from window `first` on, of the row that begins at index `at`. Loads zeros if
 * `from` is NULL. */
DEVICE_FN void words_of_row(const struct norm_job *job, const struct act *from, int64_t at,
                            int first, struct words to[HELD][WINDOW_PACKS])
{
    const struct window_row all = window_row(job->n.D, 0);
    const struct act *row = from ? act_from(from, at) : NULL;
    AHEAD for (int w = 0; w < HELD; w++) EACH_PACK(k) to[w][k] =
        words_load(row, window_pack(all, first + w, k), job->even && row);
    if (job->even || !row) return;
    AHEAD for (int w = 0; w < HELD; w++) EACH_PACK(k) to[w][k] =
        pack_words(row, window_pack(all, first + w, k));
}

/* Loads gain or offset. All values are `otherwise` if `from` is NULL. */
DEVICE_FN struct packed numbers_of(const real *from, struct stretch s, float otherwise)
{
    struct packed y;
    if (from) return real_load(from, s);
    for (int i = 0; i < PACK; i++) y.x[i] = otherwise;
    return y;
}

/* sum = x + dropout(s); out = (sum - mean) inverse gain + offset. Mean and variance are over D;
 * inverse = 1 / sqrt(variance + 1e-6). x, s [T, D] -> sum, out [T, D], statistics [T, 2]. A warp
 * computes a row. A second pass over the row computes the variance as the mean of (sum - mean)^2.
 * In one pass, (mean of squares) - (square of the mean) would lose digits. */
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
    const struct window_row all = window_row(n->D, 0);
    const float scale = dropout_raise(n->dropout);
    const uint64_t index = drop ? dropout_index(n->step, n->dropout, t, n->D) : 0;
    float total = 0, square = 0;
    for (int first = 0; first < all.windows; first += HELD) {
        struct words x[HELD][WINDOW_PACKS], y[HELD][WINDOW_PACKS];
        words_of_row(job, n->x, at, first, x);
        words_of_row(job, n->s, at, first, y);
        AHEAD for (int w = 0; w < HELD; w++)
        {
            if (first + w >= all.windows) continue;
            const unsigned kept =
                drop ? values_kept(index + (uint64_t)(first + w) * WINDOW, n->step, n->dropout) : 0;
            EACH_PACK(k)
            {
                struct packed sum = words_pack(x[w][k]), branch = words_pack(y[w][k]);
                if (drop) branch = pack_drop(branch, kept, k, scale);
                for (int i = 0; i < PACK; i++) sum.x[i] += branch.x[i];
                if (n->s) pack_store(act_to(n->sum, at), window_pack(all, first + w, k), sum);
                for (int i = 0; i < PACK; i++) total += sum.x[i];
                kept_store(row, (first + w) * WINDOW_PACKS + k, sum);
            }
        }
    }
    if (!n->out) return;
    const float mean = warp_sum(total) / (float)n->D;
    for (int w = 0; w < all.windows; w++) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed x = kept_load(row, w * WINDOW_PACKS + k);
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
            struct packed x = kept_load(row, w * WINDOW_PACKS + k);
            for (int i = 0; i < PACK; i++)
                x.x[i] = fmaf((x.x[i] - mean) * inverse, gain.x[i], offset.x[i]);
            pack_store(act_to(n->out, at), s, x);
        }
}

void DEVICE(residual_norm)(const struct residual_norm *n)
{
    struct norm_job job = norm_job(n, 1, 0);
    job.even = row_is_even(n->x, n->D) && row_is_even(n->s, n->D);
    LAUNCH(norm_kernel, parts(n->T, job.warps), norm_shared(&job, 1, 0), &job);
}

/* A lane's part of HELD windows of a row, in registers. Rows with more windows are read twice. */
struct held {
    struct words dy[HELD][WINDOW_PACKS], x[HELD][WINDOW_PACKS], total[HELD][WINDOW_PACKS];
};

DEVICE_FN void held_load(const struct norm_job *job, int64_t t, int first, struct held *h)
{
    const struct residual_norm *n = &job->n;
    const int64_t at = t * n->D;
    words_of_row(job, n->out_gradient, at, first, h->dy);
    words_of_row(job, n->out_gradient ? n->s ? n->sum : n->x : NULL, at, first, h->x);
    words_of_row(job, n->sum_gradient, at, first, h->total);
}

/* Mean and 1 / sqrt(variance + 1e-6) of a row, and the means of dh and dh hat (norm_slopes). Before
 * the reduction, `dh` and `dh_hat` are sums of a lane. */
struct norm_row {
    float mean, inverse, dh, dh_hat;
};

/* Rows in shared memory: the gain, which all warps share, and the gradients of gain and offset that
 * this warp sums. */
struct norm_kept {
    float *gain, *of_gain, *of_offset;
};

/* Adds dh = dy gain and dh hat of the columns in registers to `row`; hat = (x - mean) inverse. Adds
 * dy hat and dy to the gradients of gain and offset in `kept`. */
DEVICE_FN void norm_slopes(const struct norm_job *job, const struct held *h, int first,
                           struct norm_kept kept, struct norm_row *row)
{
    const struct window_row all = window_row(job->n.D, 0);
    AHEAD for (int w = 0; w < HELD; w++) EACH_PACK(k)
    {
        if (first + w >= all.windows) continue;
        const int pack = (first + w) * WINDOW_PACKS + k;
        const struct packed dy = words_pack(h->dy[w][k]), gain = kept_load(kept.gain, pack);
        struct packed hat = words_pack(h->x[w][k]);
        for (int i = 0; i < PACK; i++) {
            const float dh = dy.x[i] * gain.x[i];
            hat.x[i] = (hat.x[i] - row->mean) * row->inverse;
            row->dh += dh;
            row->dh_hat = fmaf(dh, hat.x[i], row->dh_hat);
        }
        if (!job->part) continue;
        struct packed of_gain = kept_load(kept.of_gain, pack),
                      of_offset = kept_load(kept.of_offset, pack);
        for (int i = 0; i < PACK; i++) {
            of_gain.x[i] = fmaf(dy.x[i], hat.x[i], of_gain.x[i]);
            of_offset.x[i] += dy.x[i];
        }
        kept_store(kept.of_gain, pack, of_gain);
        kept_store(kept.of_offset, pack, of_offset);
    }
}

DEVICE_FN void gradient_put(struct act *to, int64_t at, struct stretch s, bool add, struct packed y)
{
    if (add) {
        const struct packed old = pack_load(act_from(to, at), s);
        for (int i = 0; i < PACK; i++) y.x[i] += old.x[i];
    }
    pack_store(act_to(to, at), s, y);
}

/* Writes row t of the gradients of x and s, for the columns in registers. The gradient of x is
 * inverse (dh - mean(dh) - hat mean(dh hat)) + sum_gradient. For s, dropout is applied to it. */
DEVICE_FN void norm_put(const struct norm_job *job, const struct held *h, int first,
                        struct norm_kept kept, int64_t t, struct norm_row row)
{
    const struct residual_norm *n = &job->n;
    const bool drop = n->s && n->s_gradient && n->dropout.threshold;
    const struct window_row all = window_row(n->D, 0);
    const float scale = dropout_raise(n->dropout);
    AHEAD for (int w = 0; w < HELD; w++)
    {
        if (first + w >= all.windows) continue;
        const uint64_t index = dropout_index(n->step, n->dropout, t, n->D);
        const unsigned drops =
            drop ? values_kept(index + (uint64_t)(first + w) * WINDOW, n->step, n->dropout) : 0;
        EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, first + w, k);
            struct packed total = words_pack(h->total[w][k]);
            if (n->out_gradient) {
                const struct packed dy = words_pack(h->dy[w][k]), x = words_pack(h->x[w][k]),
                                    gain = kept_load(kept.gain, (first + w) * WINDOW_PACKS + k);
                for (int i = 0; i < PACK; i++) {
                    const float hat = (x.x[i] - row.mean) * row.inverse;
                    total.x[i] = fmaf(dy.x[i] * gain.x[i] - row.dh - hat * row.dh_hat, row.inverse,
                                      total.x[i]);
                }
            }
            if (n->x_gradient) gradient_put(n->x_gradient, t * n->D, s, n->add_x, total);
            if (drop) total = pack_drop(total, drops, k, scale);
            if (n->s_gradient) gradient_put(n->s_gradient, t * n->D, s, n->add_s, total);
        }
    }
}

DEVICE_FN void norm_row_backward(const struct norm_job *job, struct norm_kept kept, int64_t t)
{
    const struct residual_norm *n = &job->n;
    const int windows = job->width / WINDOW;
    struct held h;
    struct norm_row row;
    row.mean = row.inverse = row.dh = row.dh_hat = 0;
    if (n->out_gradient) {
        for (int first = 0; first < windows; first += HELD) {
            held_load(job, t, first, &h);
            row.mean = n->statistics[2 * t], row.inverse = n->statistics[2 * t + 1];
            norm_slopes(job, &h, first, kept, &row);
        }
        row.dh = warp_sum(row.dh) / (float)n->D;
        row.dh_hat = warp_sum(row.dh_hat) / (float)n->D;
    }
    for (int first = 0; first < windows; first += HELD) {
        if (windows > HELD || !n->out_gradient) held_load(job, t, first, &h);
        norm_put(job, &h, first, kept, t, row);
    }
}

enum { ARRAYS = 2 }; /* rows per warp in shared memory: sums for gain and offset */

/* dgain = sum_t dout hat; doffset = sum_t dout; also dx, ds of each row. out_gradient,
 * sum_gradient, x or sum [T, D], statistics [T, 2] -> x_gradient, s_gradient [T, D], part [chunks,
 * 2, D]. A block processes a chunk of rows, which are divided among its warps. Each warp keeps
 * separate sums [2, D]. They are added in order of warps. */
KERNEL(norm_backward_kernel, THREADS, struct norm_job, job)
{
    SHARED(float, memory);
    const struct residual_norm *n = &job->n;
    const int D = n->D, T = op_rows(n->T, n->rows), warp = warp_of(), width = job->width;
    const int64_t first = (int64_t)blockIdx.x * job->rows;
    const int64_t end = first + job->rows < T ? first + job->rows : T;
    float *sums = memory + width;
    struct norm_kept kept;
    kept.gain = memory;
    kept.of_gain = sums + warp * ARRAYS * width, kept.of_offset = kept.of_gain + width;
    for (int c = (int)threadIdx.x; c < width; c += THREADS)
        memory[kept_place(c)] = c < D && n->gain ? n->gain[c] : 1;
    __syncthreads();
    if (warp < job->warps) {
        for (int pack = 0; pack < ARRAYS * width / (WARP * PACK) && job->part; pack++)
            kept_store(kept.of_gain, pack, pack_zero());
        for (int64_t t = first + warp; t < end; t += job->warps) norm_row_backward(job, kept, t);
        for (int64_t t = first + warp; t < first + job->rows && n->zeros; t += job->warps) {
            if (t < T || t >= n->T) continue;
            row_clear(n->x_gradient, t, D);
            row_clear(n->s_gradient, t, D);
        }
    }
    if (!job->part) return;
    __syncthreads();
    for (int c = (int)threadIdx.x; c < 2 * D; c += THREADS) {
        const float *of = sums + (c < D ? kept_place(c) : width + kept_place(c - D));
        float sum = 0;
        for (int w = 0; w < job->warps; w++) sum += of[w * ARRAYS * width];
        job->part[(int64_t)blockIdx.x * job->apart + c] = sum;
    }
}

static bool has_sums(const struct residual_norm *n)
{
    return n->out_gradient && n->gain_gradient;
}

/* Returns the number of rows of a chunk, a multiple of LAST_LEAST. If T is a multiple of
 * LAST_LEAST, the number of rows of the last chunk is too. */
static int chunk_rows(const struct residual_norm *n)
{
    const int64_t rows = parts(parts(n->T, CHUNKS), LAST_LEAST) * LAST_LEAST;
    return rows > ROWS_LEAST ? (int)rows : ROWS_LEAST;
}

/* True if the partial sums of each chunk fit into the memory of the chunk's rows in n->parts.
 * n->parts may be the memory of out_gradient, so a block may overwrite only rows that it has
 * read. */
static bool parts_fit(const struct residual_norm *n)
{
    const int rows = chunk_rows(n), last = (n->T - 1) % rows + 1;
    const int64_t bytes = n->D * (int64_t)sizeof(act_type); /* bytes of a row */
    return has_sums(n) && n->parts && rows * bytes % (int64_t)sizeof(float) == 0 &&
           last * bytes >= 2 * n->D * (int64_t)sizeof(float);
}

/* Returns the job of the backward pass. Partial sums are in n->parts if they fit there, else in
 * scratch memory. */
static struct norm_job backward_job(const struct residual_norm *n)
{
    struct norm_job job = norm_job(n, ARRAYS, 1);
    job.rows = chunk_rows(n);
    job.even = row_is_even(n->x, n->D) && row_is_even(n->sum, n->D) &&
               row_is_even(n->out_gradient, n->D) && row_is_even(n->sum_gradient, n->D);
    job.apart = 2 * (int64_t)n->D;
    if (parts_fit(n)) {
        job.part = (float *)n->parts;
        job.apart = (int64_t)job.rows * n->D * (int64_t)sizeof(act_type) / (int64_t)sizeof(float);
    } else if (has_sums(n)) {
        const int64_t chunks = chunks_most(n->T, ROWS_LEAST, CHUNKS);
        job.part = (float *)device_scratch((size_t)(chunks * job.apart) * sizeof(float));
    }
    return job;
}

static void add_parts(const struct norm_job *job)
{
    const struct residual_norm *n = &job->n;
    struct chunk_sum both;
    memset(&both, 0, sizeof both);
    both.part = job->part, both.chunks = (int)parts(n->T, job->rows), both.ld = job->apart;
    both.count = 2 * (int64_t)n->D, both.first = n->D;
    both.out = n->gain_gradient, both.add = n->add_gain;
    both.other = n->offset_gradient, both.add_other = n->add_offset;
    chunk_launch(&both);
}

void DEVICE(residual_norm_backward)(const struct residual_norm *n)
{
    const struct norm_job job = backward_job(n);
    LAUNCH(norm_backward_kernel, parts(n->T, job.rows), norm_shared(&job, ARRAYS, 1), &job);
    if (has_sums(n) && !parts_fit(n)) add_parts(&job);
}

void DEVICE(residual_norm_sums)(const struct residual_norm *n)
{
    /* residual_norm_backward has added the partial sums, or there are none */
    if (!parts_fit(n)) return;
    const struct norm_job job = backward_job(n);
    add_parts(&job);
}
