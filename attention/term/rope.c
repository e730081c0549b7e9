/* rope: rotary positions (Su et al. 2021, section 3.2 and eq. 34). */

/* rope rotates pairs of columns of each query and key, after projection and bias, and before the
 * product. Pair k of a head at position p is rotated by the angle
 *
 *   p base^(-2k/r),  k = 0 .. r/2 - 1
 *
 * p counts from 0 in the sentence, and r is the number of rotated columns of a head. So the energy
 * of a query and a key depends on the difference of their positions. rope has no parameters. It
 * replaces positional encoding: encoder.position: none, decoder.position: none. It cannot be used
 * in decoder.cross.
 *
 *   base    the paper's 10000
 *   share   r/d; the other columns of a head are not rotated. r must be even
 *   pairs   interleaved: columns 2k and 2k + 1, as in the paper;
 *           halves: columns k and r/2 + k, as in GPT-NeoX
 *
 * All branches of a block use the rotated queries and keys. Other terms, and the hidden layer of
 * the gate, use the queries and keys before the rotation. */
#include "attention/term.h"

#ifdef TERM_TILE

TERM_TABLE rope_tile = {0};

#else

#include <math.h>
#include <string.h>

#include "attention/dense.h"
#include "core/base/elementary.h"

enum rope_pairs { PAIRS_INTERLEAVED, PAIRS_HALVES };

struct rope_options {
    double base, share;
    int pairs;
};

static const struct option rows[] = {
    OPTION_REAL("base", offsetof(struct rope_options, base), "10000", 1, 1e9, OPTION_ID,
                "pair k of r/2 turns by base^(-2k/r) per position"),
    OPTION_REAL("share", offsetof(struct rope_options, share), "1", 0, 1, OPTION_ID,
                "share of the columns of a head that are rotated"),
    OPTION_CHOICE("pairs", offsetof(struct rope_options, pairs), "interleaved",
                  "interleaved|halves", OPTION_ID,
                  "columns of a pair: neighbors, or in the two halves of a head"),
};
static const struct section section = {"rope", "rotary positions", rows, COUNT_OF(rows),
                                       sizeof(struct rope_options)};

/* Returns the number of rotated columns of a head of d columns. */
static int width(const struct rope_options *o, int d)
{
    return (int)floor(o->share * d + 1e-9);
}

static void check(void *options, const struct attention_size *size, struct location location)
{
    const struct rope_options *o = options;
    const int d = size->width / size->heads, r = width(o, d);
    if (r < 2 || r % 2 || fabs(o->share * d - r) > 1e-6)
        die_at(location,
               "rope: share %g of the %d columns of a head is %g; expected an even number of "
               "columns, because columns are rotated in pairs",
               o->share, d, o->share * d);
}

/* Fills the table of the op `rotate`: the cosine of each column, then the sine that multiplies its
 * partner. The sine is negative for the first column of a pair. */
static void fill(int positions, int columns, double base, bool halves, real *to)
{
    const int r = columns / 2;
    for (int k = 0; k < r / 2; k++) {
        const double rate = elementary_exp(-2.0 * k / r * elementary_log(base));
        const int first = halves ? k : 2 * k, second = halves ? r / 2 + k : 2 * k + 1;
        for (int p = 0; p < positions; p++) {
            real *own = to + (int64_t)p * columns, *other = own + r;
            own[first] = own[second] = (real)elementary_cos(p * rate);
            other[second] = (real)elementary_sin(p * rate);
            other[first] = -other[second];
        }
    }
}

static void fill_interleaved(int positions, int columns, double base, real *to)
{
    fill(positions, columns, base, false, to);
}

static void fill_halves(int positions, int columns, double base, real *to)
{
    fill(positions, columns, base, true, to);
}

struct turning {
    int heads, width;
    bool halves;
    const struct positional *table;
};

static void rotate(struct graph *graph, const struct node *node, bool back)
{
    const struct turning *o = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    struct rotate r;
    memset(&r, 0, sizeof r);
    r.T = graph_rows(x), r.rows = graph_counted(x), r.H = o->heads, r.d = x->columns / o->heads;
    r.width = o->width, r.halves = o->halves, r.table = o->table->data;
    r.position = graph->mode == GRAPH_STEP ? graph->live->positions : node->read[0]->data;
    r.back = back, r.zeros = graph->mode == GRAPH_TRAIN;
    if (back) {
        r.x = y->gradient, r.ldx = y->ld, r.y = x->gradient, r.ldy = x->ld;
        r.add = node->add_in[0];
    } else {
        r.x = x->data, r.ldx = x->ld, r.y = y->data, r.ldy = y->ld;
    }
    graph->ops->rotate(&r);
}

static void forward(struct graph *graph, struct node *node)
{
    rotate(graph, node, false);
}

static void backward(struct graph *graph, struct node *node)
{
    rotate(graph, node, true);
}

static const struct node_type rope_type = {"rope", forward, backward, LEAVES_ZEROS, NULL};

static struct value *map(struct graph *graph, const struct term_block *block, const void *options,
                         struct value *x, const char *label)
{
    const struct rope_options *o = options;
    struct turning t;
    memset(&t, 0, sizeof t);
    t.heads = block->heads, t.width = width(o, x->columns / block->heads);
    t.halves = o->pairs == PAIRS_HALVES;
    t.table =
        graph_positional(graph, 2 * t.width, t.halves ? fill_halves : fill_interleaved, o->base);
    const char *path = term_path(graph, block, label);
    struct node *node = graph_node(graph, &rope_type, &t, sizeof t, path);
    if (graph->mode != GRAPH_STEP)
        node->read[0] = graph_input(graph, x->rows, input_positions, 0, INT32_MAX, "a position");
    node->in[0] = x;
    return node->out[0] = graph_value(graph, x->rows, x->columns, path);
}

/* The rotation in plain loops, for the oracle (attention/dense.h): a pair is a complex number. */
static void dense_map(const struct dense_term *t, double *x, int n)
{
    const struct rope_options *o = t->options;
    const int H = t->block->H, d = t->block->d, r = width(o, d);
    for (int p = 0; p < n; p++)
        for (int h = 0; h < H; h++)
            for (int k = 0; k < r / 2; k++) {
                const double angle = p * dense_power(o->base, -2.0 * k / r);
                const bool halves = o->pairs == PAIRS_HALVES;
                double *re = x + (p * H + h) * d + (halves ? k : 2 * k);
                double *im = x + (p * H + h) * d + (halves ? r / 2 + k : 2 * k + 1);
                const double turned = *re * dense_cos(angle) - *im * dense_sin(angle);
                *im = *re * dense_sin(angle) + *im * dense_cos(angle);
                *re = turned;
            }
}

static const char *const examples[] = {
    "{}", "{base: 100, share: 0.5}", "{pairs: halves}", "{share: 0.5, pairs: halves}", NULL,
};

const struct term_type term_rope = {
    .name = "rope",
    .help = "rotary positions: rotates pairs of columns of queries and keys",
    .section = &section,
    .check = check,
    .map = map,
    .dense_map = dense_map,
    .examples = examples,
};

#endif
