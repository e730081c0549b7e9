/* Features of pairs of neighboring rows u and v, which may be the vectors of two sentences. A
 * thread computes with PACK columns of both rows. */
#include "core/cuda/act.h"

enum { THREADS = 128, CONCAT_PARTS = 2, MATCH_PARTS = 4 };

/* The work of a thread: a pair, and PACK columns of u and v. */
struct pair_part {
    int64_t pair;
    struct stretch columns;
};

DEVICE_FN struct pair_part pair_part(const struct pair_features *f)
{
    const int packs = (f->N + PACK - 1) / PACK;
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    struct pair_part part;
    part.pair = i / packs;
    part.columns = stretch_of(i % packs * PACK, f->N);
    return part;
}

DEVICE_FN bool pair_ends(const struct pair_features *f, struct pair_part part)
{
    return part.pair >= op_rows(f->P, f->rows);
}

/* Return the columns in row `side` (0: u, 1: v) of x or its gradient, and in part `which` of out or
 * its gradient. */
DEVICE_FN struct stretch pair_side(const struct pair_features *f, struct pair_part part, int side)
{
    return columns_at(part.columns, 2 * part.pair + side, f->N);
}
DEVICE_FN struct stretch pair_out(const struct pair_features *f, struct pair_part part, int which)
{
    return columns_at(part.columns, (f->match ? MATCH_PARTS : CONCAT_PARTS) * part.pair + which,
                      f->N);
}

static int64_t blocks_of(const struct pair_features *f)
{
    return parts(f->P * parts(f->N, PACK), THREADS);
}

/* out[p] = [u; v] or [u; v; u v; |u - v|]: x [2P, N] -> out [P, 2N or 4N]. */
KERNEL(pair_features_kernel, THREADS, struct pair_features, f)
{
    const struct pair_part part = pair_part(f);
    if (pair_ends(f, part)) return;
    const struct packed u = pack_load(f->x, pair_side(f, part, 0));
    const struct packed v = pack_load(f->x, pair_side(f, part, 1));
    struct packed y;
    pack_store(f->out, pair_out(f, part, 0), u);
    pack_store(f->out, pair_out(f, part, 1), v);
    if (!f->match) return;
    for (int i = 0; i < PACK; i++) y.x[i] = u.x[i] * v.x[i];
    pack_store(f->out, pair_out(f, part, 2), y);
    for (int i = 0; i < PACK; i++) y.x[i] = fabsf(u.x[i] - v.x[i]);
    pack_store(f->out, pair_out(f, part, 3), y);
}

OP_KERNEL(pair_features, struct pair_features, f, pair_features_kernel, blocks_of(f), 0)

/* du (+)= g0 + v g2 + sign(u - v) g3; dv (+)= g1 + u g2 - sign(u - v) g3. g0 to g3 are the parts of
 * out_gradient. Without `match`, g2 and g3 do not exist and count as 0. sign(0) is 0. x and
 * x_gradient are [2P, N]. */
KERNEL(pair_features_backward_kernel, THREADS, struct pair_features, f)
{
    const struct pair_part part = pair_part(f);
    if (pair_ends(f, part)) return;
    const struct stretch first = pair_side(f, part, 0), second = pair_side(f, part, 1);
    struct packed du = pack_load(f->out_gradient, pair_out(f, part, 0));
    struct packed dv = pack_load(f->out_gradient, pair_out(f, part, 1));
    if (f->match) {
        const struct packed u = pack_load(f->x, first), v = pack_load(f->x, second);
        const struct packed product = pack_load(f->out_gradient, pair_out(f, part, 2));
        const struct packed slope = pack_load(f->out_gradient, pair_out(f, part, 3));
        for (int i = 0; i < PACK; i++) {
            const float away = u.x[i] > v.x[i] ? slope.x[i] : u.x[i] < v.x[i] ? -slope.x[i] : 0;
            du.x[i] += v.x[i] * product.x[i] + away;
            dv.x[i] += u.x[i] * product.x[i] - away;
        }
    }
    if (f->add_x) {
        const struct packed u = pack_load(f->x_gradient, first);
        const struct packed v = pack_load(f->x_gradient, second);
        for (int i = 0; i < PACK; i++) du.x[i] += u.x[i], dv.x[i] += v.x[i];
    }
    pack_store(f->x_gradient, first, du);
    pack_store(f->x_gradient, second, dv);
}

OP_KERNEL(pair_features_backward, struct pair_features, f, pair_features_backward_kernel,
          blocks_of(f), 0)
