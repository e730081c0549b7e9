/* Computes the energies of a tile, and calls the functions of terms for its rows. The keys of a job
 * are transposed once, so that a column of sixteen keys is contiguous. So a register of a product
 * has the energies of neighboring keys. */
#include "core/cpu/attention_tile.h"

#include "core/cpu/term_lane.h"
#include "core/cpu/tile_product.h"
#include "attention/dispatch.h"

void CPU(tile_transpose)(const real *x, int64_t ld, int n, int d, real *y, int width)
{
    int c = 0;
    for (; c + TURN <= d; c += TURN)
        for (int j = 0; j < width; j += TURN)
            vec_transpose(x + j * ld + c, ld, n - j, y + (int64_t)c * width + j, width);
    for (; c < d; c++)
        for (int j = 0; j < width; j++) y[(int64_t)c * width + j] = j < n ? x[j * ld + c] : 0;
}

static struct term_row tile_term(const struct tile *t, const struct attention_term *term, int i,
                                 struct tile_interval keys)
{
    struct term_row row = {.term = term, .i = t->i0 + i, .h = t->h, .lo = keys.lo, .hi = keys.hi};
    for (int k = 0; k < TERM_ROWS; k++) {
        const int64_t at = ((t->q0 + t->i0 + i) * term->heads + t->h) * term->columns[k];
        if (term->row[k]) row.row[k] = in(term->row[k]) + at;
        if (term->row_gradient[k]) row.row_gradient[k] = out(term->row_gradient[k]) + at;
    }
    return row;
}

/* Returns the offset of the sums of weights by kind of key, [C], for query i in a branch. */
static int64_t tile_kinds(const struct tile *t, const struct attention_term *term, int branch,
                          int i)
{
    return (((t->q0 + t->i0 + i) * t->a->R + branch) * t->a->H + t->h) * term->kinds;
}

struct tile CPU(tile_open)(const struct attention_args *a, int sentence, int h)
{
    struct tile t = {.a = a, .h = h};
    t.q0 = a->start_q[sentence];
    t.k0 = a->start_k[sentence];
    t.nq = (int)(a->start_q[sentence + 1] - t.q0);
    t.nk = (int)(a->start_k[sentence + 1] - t.k0);
    t.width = (t.nk + LANES - 1) / LANES * LANES;
    t.keys = CPU(scratch)(TILE_KEYS, (int64_t)a->d * t.width);
    t.query = CPU(scratch)(TILE_QUERY, (int64_t)TILE_ROWS * a->d);
    t.energy = CPU(scratch)(TILE_ENERGY, (int64_t)TILE_ROWS * t.width);
    t.shared = CPU(scratch)(TILE_SHARED, (int64_t)TILE_ROWS * t.width);
    t.weight = CPU(scratch)(TILE_WEIGHT, (int64_t)TILE_ROWS * t.width);
    t.factor = CPU(scratch)(TILE_FACTOR, (int64_t)TILE_ROWS * t.width);
    for (int k = 0; k < a->terms; k++)
        if (term_cuts(&a->term[k], h)) t.far = CPU(scratch)(TILE_FAR, (int64_t)TILE_ROWS * t.width);
    CPU(tile_transpose)(in(a->k) + t.k0 * a->ldk + h * a->d, a->ldk, t.nk, a->d, t.keys, t.width);
    return t;
}

static void tile_cuts(struct tile *t)
{
    const struct attention_args *a = t->a;
    for (int i = 0; i < t->rows && t->far; i++) {
        real *far = t->far + (int64_t)i * t->width;
        for (int j = t->all.lo; j < t->all.hi; j += LANES) vec_store(far + j, LANES, (vec){0});
        for (int k = 0; k < a->terms; k++) {
            if (!term_cuts(&a->term[k], t->h)) continue;
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            term_cut(&row, far);
        }
    }
}

/* e[i, j] = scale q[i] k[j] + terms: q [16, d] by keys [d, nk] -> energy [16, nk]. q is scaled once
 * for all keys. */
void CPU(tile_energies)(struct tile *t, int i0)
{
    const struct attention_args *a = t->a;
    t->i0 = i0;
    t->rows = t->nq - i0 < TILE_ROWS ? t->nq - i0 : TILE_ROWS;
    t->all = tile_union(a, 0, i0, i0 + t->rows, t->nk);
    for (int r = 1; r < a->R; r++)
        t->all = tile_both(t->all, tile_union(a, r, i0, i0 + t->rows, t->nk));
    for (int i = 0; i < t->rows; i++) {
        const real *q = in(a->q) + (t->q0 + i0 + i) * a->ldq + t->h * a->d;
        for (int c = 0; c < a->d; c++) t->query[i * a->d + c] = q[c] * a->scale;
    }
    const int span = (t->all.hi - t->all.lo + LANES - 1) / LANES * LANES;
    tile_product(t->rows, span, a->d, t->query, a->d, 1, t->keys + t->all.lo, t->width,
                 t->energy + t->all.lo, t->width, false);
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && t->h < a->term[k].heads; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            term_energy(&row, t->energy + (int64_t)i * t->width);
        }
    tile_cuts(t);
}

void CPU(tile_slopes)(const struct tile *t, const real *total)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && t->h < a->term[k].heads; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            term_slope(&row, total + (int64_t)i * t->width);
        }
}

void CPU(tile_collect)(const struct tile *t, int branch, struct tile_interval span)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && a->term[k].kinds; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, span);
            term_collect(&row, t->weight + (int64_t)i * t->width,
                         out(a->term[k].weight) + tile_kinds(t, &a->term[k], branch, i));
        }
}

void CPU(tile_spread)(const struct tile *t, int branch, struct tile_interval span, real *slope)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && a->term[k].kinds; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, span);
            term_spread(&row,
                        in(a->term[k].weight_gradient) + tile_kinds(t, &a->term[k], branch, i),
                        slope + (int64_t)i * t->width);
        }
}
