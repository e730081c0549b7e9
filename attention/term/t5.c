/* t5: relative biases in buckets of distances (Raffel et al. 2020, section 2.1). */

/* t5 adds w[h, b(j - i)] to the scaled energy of query i and key j in head h. b is the bucket of
 * the distance j - i. For the absolute distance n:
 *
 *   b = n                                                          if n < m
 *   b = min(m + floor(m log(n / m) / log(distance / m)), 2m - 1)   otherwise
 *
 * In the decoder m is buckets / 2. In encoder.attention and decoder.cross, m is buckets / 4, and b
 * is larger by buckets / 2 if j > i. T5 does not scale energies by d^-1/2. sanlab does, before it
 * adds the term.
 *
 *   buckets    number of buckets, the paper's 32
 *   distance   distance from which on the last bucket of a side is used, the paper's 128
 *   table      shared: one table for all layers of encoder.attention, decoder.attention or
 *              decoder.cross with as many buckets, as in the paper; layer: a table for each layer
 *
 * A table has H * buckets parameters, which are 0 at the start. Number h * buckets + b is w[h, b].
 * t5 replaces positional encoding: encoder.position: none, decoder.position: none. */
#include "attention/term.h"

enum { T5_BIAS }; /* index in row[]: [buckets] w[h] */
/* Indices in number[]. */
enum {
    T5_SINGLE, /* m */
    T5_START,  /* the first threshold, almost m */
    T5_FACTOR, /* from a threshold to the next */
    T5_LATER   /* the first bucket of j > i; 0 in the decoder */
};

#ifdef TERM_TILE

TERM_FN int t5_single(const struct term_row *t)
{
    return (int)t->term->number[T5_SINGLE];
}

/* Returns the largest distance of a key of the row. */
TERM_FN real t5_farthest(const struct term_row *t)
{
    const int before = t->i - t->lo, after = t->hi - 1 - t->i;
    return (real)(before > after ? before : after);
}

/* The bucket of a key is min(n, m - 1), plus the number of thresholds below n. */
TERM_FN void t5_energy(const struct term_row *t, real *energy)
{
    const int m = t5_single(t);
    const real farthest = t5_farthest(t), factor = t->term->number[T5_FACTOR];
    const vec none = {0}, one = vec_splat(1), most = vec_splat((real)(m - 1));
    KEYS(j, t)
    {
        const vec away = vec_iota(j) - (real)t->i;
        const vec n = vec_max(away, none - away);
        vec b = vec_select(vec_greater(n, most), most, n);
        real threshold = t->term->number[T5_START];
        for (int k = 0; k < m && threshold < farthest; k++) {
            b = b + vec_select(vec_greater(n, vec_splat(threshold)), one, none);
            threshold *= factor;
        }
        const vec later = vec_splat(t->term->number[T5_LATER]);
        b = b + vec_select(vec_greater(away, none), later, none);
        vec_store(energy + j, LANES, vec_load(energy + j, LANES) + vec_gather(t->row[T5_BIAS], b));
    }
}

/* Returns the sum of slope over the keys at distances [first, last) before the query (sign -1) or
 * after it (sign 1). */
TERM_FN real t5_sum(const struct term_row *t, const real *slope, int sign, int first, int last)
{
    int from = sign > 0 ? t->i + first : t->i - last + 1;
    int to = sign > 0 ? t->i + last : t->i - first + 1;
    if (from < t->lo) from = t->lo;
    if (to > t->hi) to = t->hi;
    return row_sum(0, slope, from, to);
}

/* Writes the sum of slope over each bucket of a side to sum [2m]. */
TERM_FN void t5_side(const struct term_row *t, const real *slope, int sign, real *sum)
{
    const int m = t5_single(t), far = 1 << 28;
    real threshold = t->term->number[T5_START];
    int first = m;
    for (int b = 0; b < m; b++)
        row_put(sum + b, b || sign < 0 ? t5_sum(t, slope, sign, b, b + 1) : 0);
    for (int b = m; b < 2 * m; b++) {
        threshold *= t->term->number[T5_FACTOR];
        const int last = b == 2 * m - 1 ? far : (int)threshold + 1;
        row_put(sum + b, t5_sum(t, slope, sign, first, last));
        first = last;
    }
}

TERM_FN void t5_slope(const struct term_row *t, const real *slope)
{
    const int later = (int)t->term->number[T5_LATER];
    if (!t->row_gradient[T5_BIAS]) return;
    t5_side(t, slope, -1, t->row_gradient[T5_BIAS]);
    if (later) t5_side(t, slope, 1, t->row_gradient[T5_BIAS] + later);
}

TERM_TABLE t5_tile = {
    .energy = t5_energy,
    .slope = t5_slope,
};

#else

#include <string.h>

#include "attention/dense.h"
#include "core/base/elementary.h"

enum t5_table { TABLE_SHARED, TABLE_LAYER };

struct t5_options {
    int buckets, distance, table;
};

static const struct option rows[] = {
    OPTION_INT("buckets", offsetof(struct t5_options, buckets), "32", 4, 512, OPTION_ID,
               "buckets of distances, of both sides together"),
    OPTION_INT("distance", offsetof(struct t5_options, distance), "128", 2, 4096, OPTION_ID,
               "distances from this one on are in the last bucket of their side"),
    OPTION_CHOICE("table", offsetof(struct t5_options, table), "shared", "shared|layer", OPTION_ID,
                  "one table of biases for all layers, or one for each layer"),
};
static const struct section section = {"t5", "relative biases of T5", rows, COUNT_OF(rows),
                                       sizeof(struct t5_options)};

static void check(void *options, const struct attention_size *size, struct location location)
{
    const struct t5_options *o = options;
    if (o->buckets % 4)
        die_at(location, "t5.buckets: expected a multiple of 4, got %d", o->buckets);
    if (o->distance <= o->buckets / 2)
        die_at(location, "t5.distance: expected more than half of the %d buckets, got %d",
               o->buckets, o->distance);
}

/* Returns the path of the table of a block encoder.1.attention: encoder.1.attention.t5.weight or,
 * if it is shared, encoder.attention.t5.32.weight. Layers with as many buckets share a table. */
static const char *table_path(struct arena *arena, const struct t5_options *o, const char *path,
                              const char *name)
{
    const char *layer = strchr(path, '.'), *place = strrchr(path, '.');
    if (o->table == TABLE_LAYER || layer == place)
        return arena_print(arena, "%s.%s.weight", path, name);
    return arena_print(arena, "%.*s%s.%s.%d.weight", (int)(layer - path), path, place, name,
                       o->buckets);
}

static struct term_use build(struct graph *graph, const struct term_block *block,
                             const void *options)
{
    const struct t5_options *o = options;
    const struct extent_form same = {.shape = EXTENT_SAME};
    const int m = o->buckets / (block->causal ? 2 : 4);
    struct term_use use = {.heads = block->heads};
    use.number[T5_SINGLE] = m;
    /* Distances are whole numbers, so a threshold may be a little lower. It then is exceeded by a
     * distance that is equal to the exact threshold. */
    use.number[T5_START] = m * (1 - 4e-6);
    use.number[T5_FACTOR] = elementary_exp(elementary_log((double)o->distance / m) / m);
    use.number[T5_LATER] = block->causal ? 0 : o->buckets / 2;
    const char *path = table_path(graph->arena, o, block->path, block->name);
    struct parameter *w =
        parameter_get(graph->parameters, path, 1, block->heads * o->buckets, START_ZERO, 0);
    use.row[T5_BIAS] = term_extent_of(graph, block, w, &same, "bias");
    return use;
}

/* The bucket in plain loops, for the oracle (attention/dense.h). */
static int bucket(const struct t5_options *o, bool causal, int away)
{
    const int m = o->buckets / (causal ? 2 : 4), n = away < 0 ? -away : away;
    const int side = !causal && away > 0 ? o->buckets / 2 : 0;
    int b = n < m ? n : m;
    while (n >= m && b < 2 * m - 1 &&
           n >= m * dense_power((double)o->distance / m, (b + 1.0 - m) / m) - 1e-9)
        b++;
    return side + b;
}

static void dense(const struct dense_term *t, double *energy)
{
    const struct dense *block = t->block;
    const struct t5_options *o = t->options;
    const char *path = table_path(block->arena, o, block->path, t->name);
    const double *w = block->master + parameter_find(block->parameters, path)->offset;
    for (int i = 0; i < block->n; i++)
        for (int j = 0; j < block->nk; j++)
            energy[i * block->nk + j] += w[t->h * o->buckets + bucket(o, block->causal, j - i)];
}

static const char *const examples[] = {
    "{}",
    "{buckets: 8, distance: 9, table: layer}",
    "{buckets: 4, distance: 20}",
    NULL,
};

const struct term_type term_t5 = {
    .name = "t5",
    .help = "learned bias for each head and range of distances",
    .section = &section,
    .check = check,
    .build = build,
    .dense = dense,
    .examples = examples,
};

#endif
