/* Attention in a step of decoding. Each row has one query, and keys and values are addressed by
 * index. A team computes one row in one head: its energies, then one softmax per branch. */
#include "core/cuda/attention_row.h"
#include "core/cuda/columns.h"

struct step_job {
    struct attention_step a;
    bool even;        /* the rows of a head are even in q, k and v (columns.h) */
    int width, stage; /* reals of a row of energies; reals of a team's stage */
    int teams;        /* teams per block that fit into shared memory */
    int lanes;        /* lanes of a team that divide the columns of a value */
};

enum {
    KEY_LANES = 4,                 /* lanes that together compute one energy */
    TEAM_KEYS = LANES / KEY_LANES, /* keys that a team processes at the same time */
    /* Iterations whose loads of keys are in flight at the same time. */
    KEYS_AHEAD = 2,
    VALUES_AHEAD = 4,      /* values of a lane whose loads are in flight at the same time */
    KEY_PACKS = 16 / PACK, /* packs of a lane in a stretch of columns */
    STRETCH = KEY_LANES * KEY_PACKS * PACK
};

/* Loads to[u], for u below `count`: columns c to c + PACK - 1 of the row of a head that begins at
 * index at[u] of x. */
DEVICE_FN void load_packs(const struct step_job *job, const struct act *x, const int64_t *at,
                          const int count, int c, struct words *to)
{
    const struct stretch s = stretch_of(c, job->a.d);
    UNROLL for (int u = 0; u < count; u++) to[u] = words_load(act_from(x, at[u]), s, job->even);
    if (job->even) return;
    UNROLL for (int u = 0; u < count; u++) to[u] = pack_words(act_from(x, at[u]), s);
}

/* e[j] = scale q k[index[j]] for n keys, padded with 0 to a whole vector. Four lanes compute an
 * energy together. Each lane sums every fourth pack of columns. */
DEVICE_FN void step_energies(const struct step_job *job, int64_t row, int h, const int32_t *index,
                             int n, real *energy)
{
    const struct attention_step *a = &job->a;
    const int part = team_lane() % KEY_LANES, which = team_lane() / KEY_LANES;
    const int64_t query = row * a->ldq + h * a->d;
    if (n) vec_store(energy + (n - 1) / LANES * LANES, LANES, 0);
    team_sync();
    for (int first = 0; first < a->d; first += STRETCH)
        for (int j0 = 0; j0 < n; j0 += KEYS_AHEAD * TEAM_KEYS) {
            struct words q[KEY_PACKS], k[KEY_PACKS][KEYS_AHEAD];
            int64_t at[KEYS_AHEAD];
            UNROLL for (int u = 0; u < KEYS_AHEAD; u++)
            {
                const int j = j0 + u * TEAM_KEYS + which;
                at[u] = (int64_t)index[j < n ? j : n - 1] * a->ldk + h * a->d;
            }
            UNROLL for (int p = 0; p < KEY_PACKS; p++)
            {
                const int c = first + (p * KEY_LANES + part) * PACK;
                load_packs(job, a->q, &query, 1, c, &q[p]);
                load_packs(job, a->k, at, KEYS_AHEAD, c, k[p]);
            }
            UNROLL for (int u = 0; u < KEYS_AHEAD; u++)
            {
                const int j = j0 + u * TEAM_KEYS + which;
                real dot = 0;
                UNROLL for (int p = 0; p < KEY_PACKS; p++) for (int i = 0; i < PACK; i++) dot =
                    fmaf(words_real(q[p], i) * a->scale, words_real(k[p][u], i), dot);
                for (int away = 1; away < KEY_LANES; away *= 2)
                    dot += __shfl_xor_sync(team_mask(), dot, away);
                if (part == 0 && j < n) energy[j] = first ? energy[j] + dot : dot;
            }
        }
    team_sync(); /* later, all lanes read all energies */
}

/* out[c] = sum_j weight[j] v[index[j], c] over the keys. Each lane computes a pack of columns. If
 * there are fewer packs than lanes, groups of lanes also divide the keys. */
DEVICE_FN void step_values(const struct step_job *job, int64_t row, int h, int branch,
                           const int32_t *index, struct interval keys, const real *weight)
{
    const struct attention_step *a = &job->a;
    const int part = team_lane() % job->lanes, which = team_lane() / job->lanes;
    const int turns = LANES / job->lanes, D = a->H * a->d;
    for (int first = 0; first < a->d; first += job->lanes * PACK) {
        const int c = first + part * PACK;
        struct packed sum;
        for (int i = 0; i < PACK; i++) sum.x[i] = 0;
        for (int j0 = keys.lo + which; j0 < keys.hi; j0 += VALUES_AHEAD * turns) {
            struct words v[VALUES_AHEAD];
            int64_t at[VALUES_AHEAD];
            UNROLL for (int u = 0; u < VALUES_AHEAD; u++)
            {
                const int j = j0 + u * turns;
                at[u] = (int64_t)index[j < keys.hi ? j : keys.hi - 1] * a->ldv + h * a->d;
            }
            load_packs(job, a->v, at, VALUES_AHEAD, c, v);
            UNROLL for (int u = 0; u < VALUES_AHEAD; u++)
            {
                const int j = j0 + u * turns;
                const real of = j < keys.hi ? weight[j] : 0;
                for (int i = 0; i < PACK; i++) sum.x[i] = fmaf(of, words_real(v[u], i), sum.x[i]);
            }
        }
        for (int away = job->lanes; away < LANES; away *= 2)
            for (int i = 0; i < PACK; i++) sum.x[i] += __shfl_xor_sync(team_mask(), sum.x[i], away);
        if (which == 0)
            pack_store(act_to(a->out, row * a->R * D + branch * D + h * a->d), stretch_of(c, a->d),
                       sum);
    }
}

/* Computes one row in one head: e[j] = scale q k[index[j]] + terms, then out_r = sum_j P_r[j]
 * v[index[j]]. Exponentials of a branch are relative to its own largest energy. There are no
 * statistics, because there is no backward pass. */
DEVICE_FN void step_row(const struct step_job *job, int64_t row, int h, real *energy)
{
    const struct attention_step *a = &job->a;
    const int width = job->width;
    struct query_row q;
    q.term = a->term, q.terms = a->terms, q.row = row, q.i = a->query;
    q.h = h, q.H = a->H, q.R = a->R, q.stage = energy + 3 * width;
    const int n = a->begin[row + 1] - a->begin[row];
    const int32_t *index = a->index + a->begin[row];
    real *weight = energy + width;
    real *marks = any_cuts(a->term, a->terms, h) ? weight + width : NULL;
    struct interval every;
    every.lo = 0, every.hi = n;
    step_energies(job, row, h, index, n, energy);
    row_terms(&q, every, energy, marks);
    for (int r = 0; r < a->R; r++) {
        const struct interval keys = keys_of(&a->branch[r], false, a->query, n);
        const real *far = row_far(marks, keys);
        struct interval span = keys;
        span.lo = keys.lo / LANES * LANES;
        const real top = row_top(energy, keys, far);
        const real sum = row_exponentials(energy, top, keys, far, span, weight);
        row_scale(weight, span, 1 / sum);
        team_sync(); /* all lanes read all weights */
        row_collect(&q, r, span, weight);
        step_values(job, row, h, r, index, keys, weight);
        team_sync(); /* before the next branch writes its weights */
    }
}

/* q [rows, H, d], k and v [.., H, d] by index -> out [rows, R, H, d]. A team computes one row in
 * one head. Its energies, weights and cuts, [n] each, are in shared memory. */
KERNEL(step_kernel, ATTENTION_THREADS, struct step_job, job)
{
    SHARED(real, memory);
    const struct attention_step *a = &job->a;
    const int64_t at = (int64_t)blockIdx.x * job->teams + team_of();
    if (team_of() >= job->teams || at >= (int64_t)a->rows * a->H) return;
    step_row(job, at / a->H, (int)(at % a->H),
             memory + (int64_t)team_of() * (3 * job->width + job->stage));
}

static bool heads_are_even(const struct act *x, int ld, int d)
{
    return row_is_even(x, ld) && d % PACK == 0;
}

void DEVICE(attention_step)(const struct attention_step *a)
{
    struct step_job job;
    memset(&job, 0, sizeof job);
    job.a = *a;
    job.even = heads_are_even(a->q, a->ldq, a->d) && heads_are_even(a->k, a->ldk, a->d) &&
               heads_are_even(a->v, a->ldv, a->d);
    job.lanes = 1;
    while (job.lanes < LANES && job.lanes * PACK < a->d) job.lanes *= 2;
    job.width = (a->longest + LANES - 1) / LANES * LANES;
    job.stage = stage_numbers(a->term, a->terms);
    const int64_t each = (3 * (int64_t)job.width + job.stage) * (int64_t)sizeof(real);
    job.teams = (int)(device_room() / each < TEAMS ? device_room() / each : TEAMS);
    CHECK(job.teams > 0, "a row of %d keys", a->longest);
    LAUNCH(step_kernel, parts((int64_t)a->rows * a->H, job.teams), (size_t)(job.teams * each),
           &job);
}
