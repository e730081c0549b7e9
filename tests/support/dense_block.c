/* The dense oracle computes attention from its definition, in double, with a loop over all pairs of
 * query and key. It is the reference for all backends, and shares no arithmetic with them. */
#include "tests/support/dense_block.h"

#include <math.h>
#include <string.h>

#include "attention/term.h"

/* Computes queries, keys and values. In self-attention, they are one projection of the input. In
 * cross attention, queries are a projection of the input; keys and values are one projection of the
 * memory. */
static void project(struct dense *dense)
{
    const int D = dense->H * dense->d, n = dense->n, nk = dense->nk;
    const bool bias = !dense->spec->unbiased;
    if (dense->memory) {
        const double *kv = dense_linear(dense, dense->memory, nk, D, 2 * D, bias, "keyvalue");
        dense->query = dense_linear(dense, dense->input, n, D, D, bias, "query");
        dense->key = dense_columns(dense, kv, nk, 2 * D, 0, D);
        dense->value = dense_columns(dense, kv, nk, 2 * D, D, D);
    } else {
        const double *qkv = dense_linear(dense, dense->input, n, D, 3 * D, bias, "qkv");
        dense->query = dense_columns(dense, qkv, n, 3 * D, 0, D);
        dense->key = dense_columns(dense, qkv, n, 3 * D, D, D);
        dense->value = dense_columns(dense, qkv, n, 3 * D, 2 * D, D);
    }
}

/* Returns the k-th term of the block for one head, with the name of its parameters. */
static struct dense_term term_of(const struct dense *dense, int k, int h)
{
    const struct term_choice *choice = &dense->spec->term[k];
    const struct term_type *type = choice->type;
    CHECK(type->dense || type->dense_map, "term %s has no `dense` (attention/term.h)", type->name);
    CHECK(!type->map || type->dense_map, "term %s has `map` but no `dense_map`", type->name);
    CHECK(!type->values || type->dense_values, "term %s has `values` but no `dense_values`",
          type->name);
    return (struct dense_term){.block = dense,
                               .name = term_name(dense->spec, k, dense->arena),
                               .h = h,
                               .options = choice->options};
}

/* Returns queries or keys [n, D] after the maps of all terms. */
static const double *mapped(const struct dense *dense, const double *x, int n)
{
    const int D = dense->H * dense->d;
    double *y = dense_columns(dense, x, n, D, 0, D);
    for (int k = 0; k < dense->spec->terms; k++) {
        const struct dense_term term = term_of(dense, k, 0);
        if (dense->spec->term[k].type->dense_map) dense->spec->term[k].type->dense_map(&term, y, n);
    }
    return y;
}

/* Returns the energies of a head, [n, nk]. */
static double *energies(const struct dense *dense, int h)
{
    const int D = dense->H * dense->d, d = dense->d;
    const double *query = mapped(dense, dense->query, dense->n);
    const double *key = mapped(dense, dense->key, dense->nk);
    double *energy = dense_zeros(dense, dense->n, dense->nk);
    for (int i = 0; i < dense->n; i++)
        for (int j = 0; j < dense->nk; j++) {
            double dot = 0;
            for (int c = h * d; c < (h + 1) * d; c++) dot += query[i * D + c] * key[j * D + c];
            energy[i * dense->nk + j] = dot * dense->scale;
        }
    for (int k = 0; k < dense->spec->terms; k++) {
        const struct dense_term term = term_of(dense, k, h);
        if (dense->spec->term[k].type->dense) dense->spec->term[k].type->dense(&term, energy);
    }
    return energy;
}

/* Returns [n, nk], true for keys that any term cuts. */
static bool *cuts(const struct dense *dense, int h)
{
    bool *far = ARENA_ARRAY(dense->arena, bool, dense->n * dense->nk);
    for (int k = 0; k < dense->spec->terms; k++) {
        const struct dense_term term = term_of(dense, k, h);
        const struct term_type *type = dense->spec->term[k].type;
        if (type->dense_cut) type->dense_cut(&term, far);
    }
    return far;
}

static bool allowed(const struct dense *dense, int branch, int i, int j)
{
    const struct attention_reach reach = dense->spec->branch[branch];
    return j >= i - reach.before && j <= i + reach.after && (!dense->causal || j <= i);
}

/* Returns [n, nk], true for keys with a weight in the branch: the keys that the branch allows and
 * no term cuts. If a row has no such key, the cuts are ignored. */
static bool *seen(const struct dense *dense, int branch, const bool *far)
{
    const int nk = dense->nk;
    bool *seen = ARENA_ARRAY(dense->arena, bool, nk * dense->n);
    for (int i = 0; i < dense->n; i++) {
        int left = 0;
        for (int j = 0; j < nk; j++) left += allowed(dense, branch, i, j) && !far[i * nk + j];
        for (int j = 0; j < nk; j++)
            seen[i * nk + j] = allowed(dense, branch, i, j) && !(left && far[i * nk + j]);
    }
    return seen;
}

/* Returns the softmax over the keys for which `seen` is true, [n, nk]. */
static double *weights(const struct dense *dense, const bool *seen, const double *energy)
{
    double *weight = dense_zeros(dense, dense->n, dense->nk);
    for (int i = 0; i < dense->n; i++) {
        const double *e = energy + i * dense->nk;
        const bool *key = seen + i * dense->nk;
        double *w = weight + i * dense->nk, top = -INFINITY, sum = 0;
        for (int j = 0; j < dense->nk; j++)
            if (key[j]) top = fmax(top, e[j]);
        for (int j = 0; j < dense->nk; j++)
            if (key[j]) sum += w[j] = exp(e[j] - top);
        for (int j = 0; j < dense->nk; j++) w[j] /= sum;
    }
    return weight;
}

/* Returns the output of one head of one branch, [n, d]. */
static double *attend(const struct dense *dense, int h, const double *weight)
{
    const int D = dense->H * dense->d, d = dense->d;
    double *out = dense_zeros(dense, dense->n, d);
    for (int i = 0; i < dense->n; i++)
        for (int j = 0; j < dense->nk; j++)
            for (int c = 0; c < d; c++)
                out[i * d + c] += weight[i * dense->nk + j] * dense->value[j * D + h * d + c];
    for (int k = 0; k < dense->spec->terms; k++) {
        const struct dense_term term = term_of(dense, k, h);
        const struct term_type *type = dense->spec->term[k].type;
        if (type->dense_values) type->dense_values(&term, weight, out);
    }
    return out;
}

double *dense_block(const struct dense *of)
{
    struct dense dense = *of;
    const struct attention_spec *spec = dense.spec;
    const int D = dense.H * dense.d, R = spec->branches;
    CHECK(dense.memory || dense.nk == dense.n, "self-attention: %d keys, %d queries", dense.nk,
          dense.n);
    dense.scale = 1 / sqrt(dense.d);
    project(&dense);
    double *branches = dense_zeros(&dense, dense.n, R * D);
    for (int h = 0; h < dense.H; h++) {
        const double *energy = energies(&dense, h);
        const bool *far = cuts(&dense, h);
        for (int r = 0; r < R; r++) {
            const double *x = attend(&dense, h, weights(&dense, seen(&dense, r, far), energy));
            for (int i = 0; i < dense.n; i++)
                memcpy(branches + ((i * R + r) * dense.H + h) * dense.d, x + i * dense.d,
                       (size_t)dense.d * sizeof *x);
        }
    }
    if (!spec->fusion) return dense_project(&dense, branches, D);
    CHECK(spec->fusion->dense, "fusion %s has no `dense` (attention/attention.h)",
          spec->fusion->name);
    return spec->fusion->dense(&dense, branches);
}

double *dense_weights(const struct dense *of, int branch, int h)
{
    struct dense dense = *of;
    dense.scale = 1 / sqrt(dense.d);
    project(&dense);
    return weights(&dense, seen(&dense, branch, cuts(&dense, h)), energies(&dense, h));
}
