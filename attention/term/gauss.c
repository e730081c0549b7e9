/* gauss: Gaussian bias. Each query prefers keys around a position P, within a width D (Yang et al.
 * 2018, eqs. 4-10). */

/* gauss adds G_ij to the energies:
 *
 *   G_ij = -2 ((j - P_i) / D_i)^2 = -(j - P_i)^2 / (2 sigma^2),  sigma = D_i / 2,
 *
 * I is the number of keys that the query can see. In the decoder's self-attention, these are the
 * keys up to the query, so that a step of beam search computes the same. Elsewhere, these are all
 * keys of the sentence.
 *
 *   center: query   P = (I - 1) sigmoid(p): predicted
 *   center: self    P = i
 *   window: query   D = I sigmoid(z) + 0.1
 *   window: layer   the same, but z is predicted from the mean of the visible keys
 *   window: head    D = 50 sigmoid(w) + 0.1, where each head has a parameter w
 *   window: sigma   D = 2 s^2, so sigma = s^2. Each head has a parameter s, which starts at 3
 *                   (Sperber et al. 2018, as in their toolkit)
 *   window: {fixed: D}
 *
 * Positions i, j and P count from 0. The formulas above are those of the authors' code (scaling:
 * code). The paper has P = I sigmoid(p), D = I sigmoid(z) and D = 50 sigmoid(w) (eqs. 6 and 10,
 * section 5.1), and counts words from 1, x_1 to x_I. scaling: paper uses the paper's formulas with
 * positions from 0, so P is one position closer to the end than in the paper. scaling: paper_from_1
 * also counts words from 1. Counted from 0, P is then I sigmoid(p) - 1.
 *
 * Each head has one p and one z: u = tanh(Q W + b), [p ; z] = u U + c. Q is the query of all heads
 * together, with its bias and before scaling. p and z of all heads are computed from the same u.
 * window: layer computes z with separate W, b, U and c. Parameters per block with center: query,
 * model width 512 and 8 heads: 270,864 for window: query, 266,760 for fixed, 533,520 for layer,
 * 266,768 for head. The authors' code has b and c; eqs. 7 to 9 do not. bias: false removes b and c:
 * 528 parameters for query, 520 for fixed and head, 1,040 for layer. attention_bias: false does not
 * remove them, because they are not biases of the block's projections.
 *
 * With the option `heads`, only the first heads are local; all other heads have G = 0. (The
 * authors' code uses the last heads; heads are interchangeable.) The width of u is heads * d, or
 * `hidden` if given.
 *
 * hard_cut: keys whose distance to P is larger than D get no weight (Luong et al. 2015, local-p).
 * With several cutting terms, a key is cut if any term cuts it. If every key of a branch is cut for
 * a query, the branch ignores all cuts of this query. Its weights are then softmax(energy + G).
 * Two examples: the window of the branch lies outside of [P - D, P + D]. In decoder.cross with
 * center: self, the position of the target word is past the end of the source. */
#include "attention/term.h"

enum { GAUSS_CENTER, GAUSS_WINDOW }; /* indices in row[] */
enum { GAUSS_SELF, GAUSS_FIXED };    /* indices in number[] */

#ifdef TERM_TILE

struct gauss_row {
    real center, width, steep; /* G = steep (j - center)^2 */
};

/* D can be 0 in rare cases, for example by underflow of a sigmoid. The lower bound keeps G
 * finite. */
TERM_FN struct gauss_row gauss_row(const struct term_row *t)
{
    const real *number = t->term->number;
    struct gauss_row g;
    g.center = number[GAUSS_SELF] > 0 ? (real)t->i : t->row[GAUSS_CENTER][0];
    g.width = number[GAUSS_FIXED] > 0 ? number[GAUSS_FIXED] : t->row[GAUSS_WINDOW][0];
    if (g.width < (real)1e-6) g.width = (real)1e-6;
    g.steep = -2 / (g.width * g.width);
    return g;
}

TERM_FN void gauss_energy(const struct term_row *t, real *energy)
{
    const struct gauss_row g = gauss_row(t);
    KEYS(j, t)
    {
        const vec x = vec_iota(j) - g.center, e = vec_load(energy + j, LANES);
        vec_store(energy + j, LANES, vec_fma(x * x, vec_splat(g.steep), e));
    }
}

/* Cuts keys outside of [P - D, P + D]. */
TERM_FN void gauss_cut(const struct term_row *t, real *far)
{
    const struct gauss_row g = gauss_row(t);
    KEYS(j, t)
    {
        const vec x = vec_iota(j) - g.center;
        const vec_mask out =
            vec_greater(x, vec_splat(g.width)) | vec_greater(vec_splat(-g.width), x);
        vec_store(far + j, LANES, vec_select(out, vec_splat(1), vec_load(far + j, LANES)));
    }
}

/* Computes the gradients: dG/dP = 4 (j - P) / D^2, dG/dD = 4 (j - P)^2 / D^3. */
TERM_FN void gauss_slope(const struct term_row *t, const real *slope)
{
    const struct gauss_row g = gauss_row(t);
    vec first = {0}, second = {0};
    KEYS(j, t)
    {
        const vec x = vec_iota(j) - g.center;
        const vec bent = vec_load(slope + j, LANES) * x;
        first += bent;
        second = vec_fma(bent, x, second);
    }
    if (t->row_gradient[GAUSS_CENTER])
        row_put(t->row_gradient[GAUSS_CENTER], -2 * g.steep * vec_sum(first));
    if (t->row_gradient[GAUSS_WINDOW])
        row_put(t->row_gradient[GAUSS_WINDOW], -2 * g.steep / g.width * vec_sum(second));
}

TERM_TABLE gauss_tile = {.energy = gauss_energy, .slope = gauss_slope, .cut = gauss_cut};

#else

#include <math.h>

#include "attention/dense.h"

enum center { CENTER_QUERY, CENTER_SELF };
enum window { WINDOW_QUERY, WINDOW_LAYER, WINDOW_HEAD, WINDOW_SIGMA, WINDOW_FIXED };
enum scaling { SCALING_CODE, SCALING_PAPER, SCALING_PAPER_FROM_1 };

enum { HEAD_LIMIT = 50 };

struct gauss_options {
    int center, scaling, heads, hidden;
    struct numbered window; /* enum window, and D of WINDOW_FIXED */
    bool hard_cut, bias;
};

#define FIELD(member) offsetof(struct gauss_options, member)

static const struct option rows[] = {
    OPTION_CHOICE("center", FIELD(center), "query", "query|self", OPTION_ID,
                  "center P: predicted from the query, or the query's own position"),
    OPTION_NUMBERED(
        "window", FIELD(window), "query", "query|layer|head|sigma|{fixed: D}", 0.01, 1e6,
        "query|layer|head|sigma|fixed(%)", OPTION_ID,
        "width D: predicted from the query or the mean key (layer); a parameter per head; fixed"),
    OPTION_CHOICE(
        "scaling", FIELD(scaling), "code", "code|paper|paper_from_1", OPTION_ID,
        "range of predictions. code: P = (I-1) sigmoid, D = I sigmoid + 0.1, positions from 0 "
        "(authors' code). paper: P = I sigmoid, D = I sigmoid, positions from 0. "
        "paper_from_1: the same with positions from 1 (paper)"),
    OPTION_INT("heads", FIELD(heads), "0", 0, 256, OPTION_ID,
               "number of local heads, from the first; 0: all"),
    OPTION_INT("hidden", FIELD(hidden), "0", 0, 65536, OPTION_ID,
               "width of the predicting layer; 0: local heads times head width"),
    /* In older versions, `true` subtracted 200 from the energies of cut keys, and the ids of their
     * runs contain "true". So a new run has another word in its id. */
    OPTION_BOOL("hard_cut", FIELD(hard_cut), "false", OPTION_ID,
                "exclusion of keys farther than D from P, unless no other key is left (needs a "
                "fixed D of 1 or more)",
                .canonical = "false|no_weight"),
    OPTION_BOOL("bias", FIELD(bias), "true", OPTION_ID,
                "biases of the predicting layers (in the authors' code, not in eqs. 7 to 9); "
                "independent of model.attention_bias"),
};
static const struct section gauss_section = {"gauss", "Gaussian bias around a position", rows,
                                             COUNT_OF(rows), sizeof(struct gauss_options)};

static const struct term_preset presets[] = {
    {"neighbor", "{center: self}"},
    {"neighbor_sigma", "{center: self, window: sigma}"},
    {"local_h", "{window: {fixed: 10}}"},
    {"local_s", "{}"},
    {"localness", "{}"},
    {NULL, NULL},
};

static void check(void *options, const struct attention_size *size, struct location location)
{
    struct gauss_options *o = options;
    const bool fixed = o->window.index == WINDOW_FIXED;
    if (o->heads > size->heads)
        die_at(location, "gauss: heads: %d, but the model has %d heads", o->heads, size->heads);
    if (o->hard_cut && (!fixed || o->window.number < 1))
        die_at(location, "gauss: hard_cut needs window: {fixed: D} with D of 1 or more");
    if (o->heads == size->heads) o->heads = 0;
    const int local = o->heads ? o->heads : size->heads;
    if (o->hidden == local * (size->width / size->heads)) o->hidden = 0;
    /* Options without effect get their defaults: hidden and bias without a prediction, scaling
     * without a sigmoid, paper_from_1 without a predicted position. */
    if (o->center == CENTER_SELF && o->window.index > WINDOW_LAYER) o->hidden = 0, o->bias = true;
    if (o->center == CENTER_SELF && o->scaling == SCALING_PAPER_FROM_1) o->scaling = SCALING_PAPER;
    if (o->center == CENTER_SELF && o->window.index > WINDOW_HEAD) o->scaling = SCALING_CODE;
}

/* A layer that predicts p, z, or both. */
struct layer {
    int width;
    bool bias;
};

/* Returns tanh(x W + b) U + c. */
static struct value *predict(struct graph *graph, const struct term_block *block, struct value *x,
                             struct layer layer, int columns, const char *hidden,
                             const char *rows_name)
{
    struct value *z =
        linear_build(graph, x, layer.width, layer.bias, term_path(graph, block, hidden));
    struct value *u = tanh_build(graph, z, arena_print(graph->arena, "%s.tanh", z->path));
    return linear_build(graph, u, columns, layer.bias, term_path(graph, block, rows_name));
}

static struct term_use build(struct graph *graph, const struct term_block *block,
                             const void *options)
{
    const struct gauss_options *o = options;
    const int heads = o->heads ? o->heads : block->heads;
    const int width = o->hidden ? o->hidden : heads * (block->query->columns / block->heads);
    const struct layer layer = {width, o->bias};
    const bool code = o->scaling == SCALING_CODE, from_1 = o->scaling == SCALING_PAPER_FROM_1;
    const struct extent_form place = {1, code ? -1 : 0, from_1 ? -1 : 0, false};
    const struct extent_form spread = {1, 0, code ? 0.1 : 0, false};
    const struct extent_form head = {0, HEAD_LIMIT, code ? 0.1 : 0, false};
    const struct extent_form sigma = {.shape = EXTENT_SQUARE};
    struct term_use use = {.heads = heads, .cuts = o->hard_cut};
    struct value **center = &use.row[GAUSS_CENTER], **window = &use.row[GAUSS_WINDOW];
    const bool center_query = o->center == CENTER_QUERY;
    const bool window_query = o->window.index == WINDOW_QUERY;
    if (center_query || window_query) {
        const int planes = center_query + window_query;
        struct value *z =
            predict(graph, block, block->query, layer, planes * heads, "hidden", "rows");
        struct value *p = z, *w = z;
        if (planes == 2) {
            p = graph_view(graph, z, 0, heads, term_path(graph, block, "center.raw"));
            w = graph_view(graph, z, heads, heads, term_path(graph, block, "window.raw"));
        }
        if (center_query) *center = term_extent(graph, block, p, &place, "center");
        if (window_query) *window = term_extent(graph, block, w, &spread, "window");
    }
    if (o->window.index == WINDOW_LAYER) {
        struct value *mean = term_mean_keys(graph, block);
        struct value *z = predict(graph, block, mean, layer, heads, "key_hidden", "key_rows");
        *window = term_extent(graph, block, z, &spread, "window");
    } else if (o->window.index == WINDOW_HEAD || o->window.index == WINDOW_SIGMA) {
        const bool square = o->window.index == WINDOW_SIGMA;
        /* w, the argument of the sigmoid, starts like other vectors in THUMT. It is not a bias, so
         * it does not start at 0. */
        struct parameter *w =
            parameter_get(graph->parameters, term_path(graph, block, "head.weight"), 1, heads,
                          square ? START_CONSTANT : START_UNIFORM, square ? 3 : sqrt(3.0 / heads));
        *window = term_extent_of(graph, block, w, square ? &sigma : &head, "window");
    }
    use.number[GAUSS_SELF] = o->center == CENTER_SELF;
    use.number[GAUSS_FIXED] = o->window.number;
    return use;
}

/* ---- the oracle ---- */

/* Returns tanh(x W + b) U + c, [n, columns], for x [n, D]. */
static const double *dense_predict(const struct dense_term *t, const double *x, int width,
                                   int columns, const char *hidden, const char *rows_name)
{
    const struct gauss_options *o = t->options;
    const struct dense *block = t->block;
    const int D = block->H * block->d, n = block->n;
    double *u = dense_linear(block, x, n, D, width, o->bias, "%s.%s", t->name, hidden);
    for (int k = 0; k < n * width; k++) u[k] = dense_tanh(u[k]);
    return dense_linear(block, u, n, width, columns, o->bias, "%s.%s", t->name, rows_name);
}

/* Returns the mean of the visible keys of query i in row i. */
static const double *dense_mean(const struct dense *block)
{
    const int D = block->H * block->d;
    double *mean = dense_zeros(block, block->n, D);
    for (int i = 0; i < block->n; i++)
        for (int c = 0; c < D; c++) {
            const int I = dense_visible(block, i);
            for (int j = 0; j < I; j++) mean[i * D + c] += block->key[j * D + c] / I;
        }
    return mean;
}

/* Returns P_i and D_i of the queries, [n, 2]; NULL if the head is not local. */
static const double *dense_extents(const struct dense_term *t)
{
    const struct gauss_options *o = t->options;
    const struct dense *block = t->block;
    double *extents = dense_zeros(block, block->n, 2);
    const int heads = o->heads ? o->heads : block->H;
    const int width = o->hidden ? o->hidden : heads * block->d;
    const int window = o->window.index;
    const bool code = o->scaling == SCALING_CODE, centered = o->center == CENTER_QUERY;
    const int planes = centered + (window == WINDOW_QUERY), h = t->h;
    const double *query_rows = NULL, *key_rows = NULL, *weight = NULL;
    if (h >= heads) return NULL;
    if (planes)
        query_rows = dense_predict(t, block->query, width, planes * heads, "hidden", "rows");
    if (window == WINDOW_LAYER)
        key_rows = dense_predict(t, dense_mean(block), width, heads, "key_hidden", "key_rows");
    if (window == WINDOW_HEAD || window == WINDOW_SIGMA)
        weight = dense_parameter(block, "%s.head.weight", t->name);
    for (int i = 0; i < block->n; i++) {
        const int I = dense_visible(block, i);
        const double tenth = code ? 0.1 : 0;
        double P = i, D = o->window.number;
        if (centered) P = (code ? I - 1 : I) * dense_sigmoid(query_rows[i * planes * heads + h]);
        if (centered && o->scaling == SCALING_PAPER_FROM_1) P--; /* x_1 is key 0 */
        if (window == WINDOW_QUERY)
            D = I * dense_sigmoid(query_rows[(i * planes + planes - 1) * heads + h]) + tenth;
        if (window == WINDOW_LAYER) D = I * dense_sigmoid(key_rows[i * heads + h]) + tenth;
        if (window == WINDOW_HEAD) D = HEAD_LIMIT * dense_sigmoid(weight[h]) + tenth;
        if (window == WINDOW_SIGMA) D = 2 * weight[h] * weight[h];
        extents[2 * i] = P;
        extents[2 * i + 1] = D;
    }
    return extents;
}

static void dense(const struct dense_term *t, double *energy)
{
    const int n = t->block->n, nk = t->block->nk;
    const double *extents = dense_extents(t);
    for (int i = 0; i < n && extents; i++)
        for (int j = 0; j < nk; j++) {
            const double x = (j - extents[2 * i]) / extents[2 * i + 1];
            energy[i * nk + j] -= 2 * x * x;
        }
}

/* Cuts keys with |j - P_i| > D. */
static void dense_cut(const struct dense_term *t, bool *far)
{
    const struct gauss_options *o = t->options;
    const int n = t->block->n, nk = t->block->nk;
    const double *extents = o->hard_cut ? dense_extents(t) : NULL;
    for (int i = 0; i < n && extents; i++)
        for (int j = 0; j < nk; j++)
            if (fabs(j - extents[2 * i]) > extents[2 * i + 1]) far[i * nk + j] = true;
}

static const char *const examples[] = {
    "{}",
    "{window: layer}",
    "{window: head, scaling: paper}",
    "{window: {fixed: 2.5}, heads: 1}",
    "{window: {fixed: 1}, hard_cut: true}",
    "{center: self, window: {fixed: 1.5}, hard_cut: true}",
    "{center: self, heads: 1, hidden: 5}",
    "{center: self, window: sigma}",
    "{center: self, window: layer, scaling: paper}",
    "{scaling: paper}",
    "{scaling: paper_from_1}",
    "{window: layer, bias: false}",
    "{window: {fixed: 2}, scaling: paper_from_1, bias: false}",
    NULL,
};

const struct term_type term_gauss = {.name = "gauss",
                                     .help =
                                         "Gaussian bias around a position, added to the energies",
                                     .section = &gauss_section,
                                     .presets = presets,
                                     .check = check,
                                     .build = build,
                                     .dense = dense,
                                     .dense_cut = dense_cut,
                                     .examples = examples};

#endif
