#include "tests/support/op_term.h"

#include <math.h>

#include "attention/term.h"

/* Indices of rows and numbers of attention/term/gauss.c, and of the number of
 * attention/term/relpos.c. */
enum { CENTER, WINDOW };
enum { SELF, FIXED };
enum { ENERGY };
enum { REACH };

static int kind_of(const char *name)
{
    int kind = 0;
    while (strcmp(attention_terms[kind]->name, name)) kind++;
    return kind;
}

static bool is_gauss(const struct attention_term *term)
{
    return term->kind == kind_of("gauss");
}

/* Returns a bound of the distance between a key and a query or position in its sentence. */
static int span(const struct op_query *query)
{
    return 1 + (query->i > query->keys ? query->i : query->keys);
}

static real *row_new(struct op_run *run, struct op_terms *terms, int k, int which, int columns)
{
    struct attention_term *term = &terms->term[k];
    real *row = op_reals(run, OP_INPUT, (int64_t)terms->T * term->heads * columns, "term's row");
    term->columns[which] = columns;
    term->row[which] = op_act(row);
    terms->row[k][which] = row;
    return row;
}

/* Draws widths near the sentence length, so that float resolves differences of energies. Narrow
 * widths appear only with a cut that is the only one of the block, around a visible key. Wide
 * widths with a cut leave some branches without any key in a row. */
static void gauss_new(struct op_run *run, struct op_terms *terms, int k)
{
    struct attention_term *term = &terms->term[k];
    bool within = true; /* every query has a key at its own position */
    int longest = 1;
    for (int t = 0; t < terms->T; t++) {
        within = within && terms->query[t].i < terms->query[t].keys;
        if (span(&terms->query[t]) > longest) longest = span(&terms->query[t]);
    }
    *term = (struct attention_term){.kind = kind_of("gauss"), .heads = 1 + op_below(run, terms->H)};
    const bool cut = op_flip(run), narrow = cut && k == 0 && within && op_flip(run);
    const bool self = narrow || op_flip(run), fixed = cut || op_flip(run);
    term->number[SELF] = self;
    term->cuts = cut;
    if (fixed)
        term->number[FIXED] = (real)(narrow ? op_real(run, 1, 6) : op_real(run, .7, 2) * longest);
    real *center = self ? NULL : row_new(run, terms, k, CENTER, 1);
    real *window = fixed ? NULL : row_new(run, terms, k, WINDOW, 1);
    for (int t = 0; t < terms->T; t++)
        for (int h = 0; h < term->heads; h++) {
            const struct op_query *query = &terms->query[t];
            const int at = t * term->heads + h;
            if (center) center[at] = op_rounded(run, op_real(run, 0, 1) * (query->keys - 1));
            if (window) window[at] = op_rounded(run, op_real(run, .7, 2) * span(query));
        }
}

static void relpos_new(struct op_run *run, struct op_terms *terms, int k)
{
    static const int reaches[] = {1, 2, 5, 8, 20};
    const int reach = reaches[op_below(run, 5)], kinds = 2 * reach + 1, form = op_below(run, 3);
    terms->term[k] = (struct attention_term){.kind = kind_of("relpos"),
                                             .heads = terms->H,
                                             .number = {[REACH] = (real)reach},
                                             .kinds = form == 0 ? 0 : kinds};
    if (form != 1) row_new(run, terms, k, ENERGY, kinds);
}

struct op_terms op_terms_new(struct op_run *run, int H, int R, int T, const struct op_query *query)
{
    struct op_terms terms = {.count = op_below(run, 4), .H = H, .R = R, .T = T, .query = query};
    for (int k = 0; k < terms.count; k++) (op_flip(run) ? gauss_new : relpos_new)(run, &terms, k);
    return terms;
}

static int64_t weights_count(const struct op_terms *terms, int k)
{
    return (int64_t)terms->T * terms->R * terms->H * terms->term[k].kinds;
}

static int64_t row_count(const struct op_terms *terms, int k, int which)
{
    return (int64_t)terms->T * terms->term[k].heads * terms->term[k].columns[which];
}

void op_terms_forward(struct op_run *run, struct op_terms *terms,
                      struct attention_term to[ATTENTION_TERMS])
{
    for (int k = 0; k < terms->count; k++) {
        const int64_t count = weights_count(terms, k);
        if (!count) continue;
        terms->weight[k] = op_reals(run, OP_OUTPUT, count, "weights by kind");
        terms->term[k].weight = op_act(terms->weight[k]);
        terms->sum[k] = op_zeros(run, count);
    }
    memcpy(to, terms->term, sizeof terms->term);
}

void op_terms_backward(struct op_run *run, struct op_terms *terms,
                       struct attention_term to[ATTENTION_TERMS])
{
    for (int k = 0; k < terms->count; k++) {
        struct attention_term *term = &terms->term[k];
        for (int r = 0; r < TERM_ROWS; r++) {
            const int64_t count = row_count(terms, k, r);
            if (!terms->row[k][r]) continue;
            terms->row_gradient[k][r] = op_reals(run, OP_OUTPUT, count, "gradient of term's row");
            term->row_gradient[r] = op_act(terms->row_gradient[k][r]);
            terms->row_slope[k][r] = op_zeros(run, count);
        }
        if (!term->kinds) continue;
        real *gradient =
            op_reals(run, OP_INPUT, weights_count(terms, k), "gradient of weights by kind");
        terms->weight_gradient[k] = gradient;
        term->weight_gradient = op_act(gradient);
    }
    memcpy(to, terms->term, sizeof terms->term);
}

static int key_kind(const struct op_terms *terms, int k, int64_t row, int j)
{
    const int reach = (int)terms->term[k].number[REACH], away = j - terms->query[row].i;
    return (away < -reach ? -reach : away > reach ? reach : away) + reach;
}

static int64_t row_at(const struct op_terms *terms, int k, int which, int64_t row, int h)
{
    return (row * terms->term[k].heads + h) * terms->term[k].columns[which];
}

static int64_t weight_at(const struct op_terms *terms, int k, int64_t row, int r, int h, int j)
{
    return ((row * terms->R + r) * terms->H + h) * terms->term[k].kinds +
           key_kind(terms, k, row, j);
}

struct gauss {
    double away, width; /* j - P, D */
};

static struct gauss gauss_of(const struct op_terms *terms, int k, int64_t row, int h, int j)
{
    const struct attention_term *term = &terms->term[k];
    const real *center = terms->row[k][CENTER], *window = terms->row[k][WINDOW];
    struct gauss g = {.away = j - terms->query[row].i, .width = (double)term->number[FIXED]};
    if (center) g.away = j - (double)center[row_at(terms, k, CENTER, row, h)];
    if (window) g.width = (double)window[row_at(terms, k, WINDOW, row, h)];
    return g;
}

bool op_terms_cut(const struct op_terms *terms, int64_t row, int h, int j)
{
    for (int k = 0; k < terms->count; k++) {
        if (!terms->term[k].cuts || h >= terms->term[k].heads) continue;
        const struct gauss g = gauss_of(terms, k, row, h, j);
        if (fabs(g.away) > g.width) return true;
    }
    return false;
}

double op_terms_energy(const struct op_terms *terms, int64_t row, int h, int j)
{
    double energy = 0;
    for (int k = 0; k < terms->count; k++) {
        const real *kinds = terms->row[k][ENERGY];
        if (h >= terms->term[k].heads) continue;
        if (is_gauss(&terms->term[k])) {
            const struct gauss g = gauss_of(terms, k, row, h, j);
            energy += -2 * pow(g.away / g.width, 2);
        } else if (kinds) {
            energy += (double)kinds[row_at(terms, k, ENERGY, row, h) + key_kind(terms, k, row, j)];
        }
    }
    return energy;
}

void op_terms_slope(struct op_terms *terms, int64_t row, int h, int j, double slope)
{
    for (int k = 0; k < terms->count; k++) {
        double **to = terms->row_slope[k];
        if (h >= terms->term[k].heads) continue;
        if (is_gauss(&terms->term[k])) {
            const struct gauss g = gauss_of(terms, k, row, h, j);
            if (to[CENTER])
                to[CENTER][row_at(terms, k, CENTER, row, h)] +=
                    slope * 4 * g.away / pow(g.width, 2);
            if (to[WINDOW])
                to[WINDOW][row_at(terms, k, WINDOW, row, h)] +=
                    slope * 4 * pow(g.away, 2) / pow(g.width, 3);
        } else if (to[ENERGY]) {
            to[ENERGY][row_at(terms, k, ENERGY, row, h) + key_kind(terms, k, row, j)] += slope;
        }
    }
}

void op_terms_collect(struct op_terms *terms, int64_t row, int r, int h, int j, double weight)
{
    for (int k = 0; k < terms->count; k++)
        if (terms->sum[k]) terms->sum[k][weight_at(terms, k, row, r, h, j)] += weight;
}

double op_terms_spread(const struct op_terms *terms, int64_t row, int r, int h, int j)
{
    double slope = 0;
    for (int k = 0; k < terms->count; k++)
        if (terms->weight_gradient[k])
            slope += (double)terms->weight_gradient[k][weight_at(terms, k, row, r, h, j)];
    return slope;
}

void op_terms_expect(struct op_run *run, const struct op_terms *terms)
{
    for (int k = 0; k < terms->count; k++) {
        if (terms->sum[k])
            op_expect(run, terms->weight[k], terms->sum[k], weights_count(terms, k),
                      "weights by kind");
        for (int r = 0; r < TERM_ROWS; r++)
            if (terms->row_slope[k][r])
                op_expect_above(run, terms->row_gradient[k][r], terms->row_slope[k][r],
                                row_count(terms, k, r), 1, "gradient of term's row");
    }
}
