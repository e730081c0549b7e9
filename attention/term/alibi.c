/* alibi: attention with linear biases (Press, Smith and Lewis 2022, section 3). */

/* alibi adds G_ij to the scaled energies:
 *
 *   G_ij = -m_h |i - j|,  m_h = 2^(-8 h / H) for the heads h = 1 .. H
 *
 * In the decoder, where j <= i, this is the paper's -m_h (i - j). In the encoder, keys on both
 * sides of the query get the same penalty. In cross attention i and j are positions in two
 * sentences. alibi replaces positional encoding: encoder.position: none, decoder.position: none.
 * The formula is used for every H. The released code differs if H is not a power of two. It takes
 * the slopes for the next lower power of two, and then every second slope for the next higher power
 * of two.
 *
 *   slopes: fixed    no parameters
 *   slopes: learned  the slope is 2 w_h^2 m_h. w_h is a parameter of each head that starts at
 *                    sqrt(1/2), so the initial slope is m_h; H parameters per block */
#include "attention/term.h"

enum { ALIBI_FACTOR }; /* index in row[]: 2 w_h^2 */
enum { ALIBI_RATIO };  /* index in number[]: 2^(-8 / H) */

#ifdef TERM_TILE

TERM_FN real alibi_m(const struct term_row *t)
{
    real m = 1;
    for (int h = 0; h <= t->h; h++) m *= t->term->number[ALIBI_RATIO];
    return m;
}

/* |i - j| for the keys j, j + 1, ... of one vector. */
TERM_FN vec alibi_distance(const struct term_row *t, int j)
{
    const vec x = vec_iota(j) - (real)t->i;
    return vec_max(x, -x);
}

TERM_FN void alibi_energy(const struct term_row *t, real *energy)
{
    const real factor = t->row[ALIBI_FACTOR] ? t->row[ALIBI_FACTOR][0] : 1;
    const vec steep = vec_splat(-alibi_m(t) * factor);
    KEYS(j, t)
    {
        const vec e = vec_load(energy + j, LANES);
        vec_store(energy + j, LANES, vec_fma(steep, alibi_distance(t, j), e));
    }
}

/* dG/dfactor = -m_h |i - j| */
TERM_FN void alibi_slope(const struct term_row *t, const real *slope)
{
    vec sum = {0};
    if (!t->row_gradient[ALIBI_FACTOR]) return;
    KEYS(j, t)
    {
        sum = vec_fma(vec_load(slope + j, LANES), alibi_distance(t, j), sum);
    }
    row_put(t->row_gradient[ALIBI_FACTOR], -alibi_m(t) * vec_sum(sum));
}

TERM_TABLE alibi_tile = {
    .energy = alibi_energy,
    .slope = alibi_slope,
};

#else

#include <math.h>
#include <stdlib.h>

#include "attention/dense.h"
#include "core/base/elementary.h"

enum slopes { SLOPES_FIXED, SLOPES_LEARNED };

struct alibi_options {
    int slopes;
};

static const struct option rows[] = {
    OPTION_CHOICE("slopes", offsetof(struct alibi_options, slopes), "fixed", "fixed|learned",
                  OPTION_ID, "slope of head h: 2^(-8 h / H), or learned from this start"),
};
static const struct section section = {"alibi", "attention with linear biases", rows,
                                       COUNT_OF(rows), sizeof(struct alibi_options)};

static struct term_use build(struct graph *graph, const struct term_block *block,
                             const void *options)
{
    const struct alibi_options *o = options;
    const struct extent_form square = {.shape = EXTENT_SQUARE};
    struct term_use use = {.heads = block->heads};
    use.number[ALIBI_RATIO] = elementary_exp2(-8.0 / block->heads);
    if (o->slopes == SLOPES_FIXED) return use;
    struct parameter *w = parameter_get(graph->parameters, term_path(graph, block, "weight"), 1,
                                        block->heads, START_CONSTANT, sqrt(.5));
    use.row[ALIBI_FACTOR] = term_extent_of(graph, block, w, &square, "factor");
    return use;
}

/* The equation in plain loops, for the oracle (attention/dense.h). */
static void dense(const struct dense_term *t, double *energy)
{
    const struct alibi_options *o = t->options;
    const struct dense *block = t->block;
    double m = dense_exp2(-8.0 * (t->h + 1) / block->H);
    if (o->slopes == SLOPES_LEARNED) {
        const double w = dense_parameter(block, "%s.weight", t->name)[t->h];
        m *= 2 * w * w;
    }
    for (int i = 0; i < block->n; i++)
        for (int j = 0; j < block->nk; j++) energy[i * block->nk + j] -= m * abs(i - j);
}

static const char *const examples[] = {"fixed", "learned", NULL};

const struct term_type term_alibi = {
    .name = "alibi",
    .help = "linear penalty on the distance of a key, steeper in lower heads",
    .section = &section,
    .build = build,
    .dense = dense,
    .examples = examples,
};

#endif
