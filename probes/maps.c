/* Measures attention maps, one sentence at a time. With unit vectors as values, the output of
 * attention is its weights (attention/weights.h). Each run gives the weights of d keys, where d is
 * the width of a head. */
#include "probes/maps.h"

#include "attention/weights.h"
#include "core/tensor/graph_run.h"

/* An inference list with the weights of several layers. */
struct mapping {
    struct arena arena;
    struct graph *graph;
    struct value *unit, **weights; /* [layers] */
    int D, H, d, capacity;         /* `capacity`: number of rows that fit in `unit` and `host` */
    real *host;                    /* [capacity][R D] */
};

static struct mapping open(struct frozen *frozen, const int *layer, int layers, int longest)
{
    struct mapping m = {.D = frozen->job.options->model.width,
                        .H = frozen->job.options->model.heads};
    const struct ops *ops = frozen->job.ops;
    m.d = m.D / m.H;
    m.graph = model_list(frozen->model, &m.arena, GRAPH_INFER);
    m.unit = graph_external(m.graph, graph_tokens(m.graph, FIELD_SOURCE), m.D, "unit");
    m.weights = ARENA_ARRAY(m.graph->arena, struct value *, layers);
    int widest = m.D;
    for (int l = 0; l < layers; l++) {
        const char *path = arena_print(m.graph->arena, "encoder.%d.attention", layer[l]);
        struct value *value = attention_weights_build(m.graph, path, m.unit);
        m.weights[l] = graph_keep(m.graph, value->path);
        if (value->columns > widest) widest = value->columns;
    }
    graph_plan(m.graph, (struct capacity){{longest, longest}, 1, longest});
    graph_place(m.graph);
    graph_pack(m.graph);
    graph_set_step(m.graph, &(struct step){.normalizer = 1});
    m.capacity = graph_whole_rows(m.graph, longest);
    m.unit->data = ops->alloc((size_t)m.capacity * (size_t)m.unit->ld * ops->act_bytes);
    m.host = ARENA_ARRAY(m.graph->arena, real, (size_t)m.capacity * (size_t)widest);
    return m;
}

/* Sets the values to unit vectors: row begin + c has 1 in column c of every head, and 0
 * elsewhere. */
static void put_units(struct mapping *m, const struct ops *ops, int begin, int pieces)
{
    for (int64_t i = 0; i < (int64_t)m->capacity * m->D; i++) m->host[i] = 0;
    for (int c = 0; c < m->d && begin + c < pieces; c++)
        for (int h = 0; h < m->H; h++) m->host[(begin + c) * m->D + h * m->d + c] = 1;
    ops->write_act(m->unit->data, m->capacity, m->D, m->unit->ld, m->host);
}

/* Copies the weights of keys [begin, begin + d) to a map. */
static void take(struct mapping *m, int l, int begin, struct attention_map *map)
{
    const int n = map->pieces, columns = m->weights[l]->columns;
    graph_read(m->graph, m->weights[l], m->host);
    for (int r = 0; r < map->branches; r++)
        for (int h = 0; h < map->heads; h++)
            for (int i = 0; i < n; i++)
                for (int c = 0; c < m->d && begin + c < n; c++)
                    map->weight[((r * map->heads + h) * n + i) * n + begin + c] =
                        (float)m->host[i * columns + (r * m->H + h) * m->d + c];
}

struct attention_map *maps_measure(struct frozen *frozen, const struct split *split,
                                   const int32_t *sentence, int sentences, const int *layer,
                                   int layers, struct arena *arena)
{
    const int64_t *start = split->side[SIDE_SOURCE].start;
    int longest = 1;
    for (int s = 0; s < sentences; s++) {
        const int n = (int)(start[sentence[s] + 1] - start[sentence[s]]);
        if (n > longest) longest = n;
    }
    const struct split source = {
        .sentences = split->sentences, .longest = {longest}, .side = {split->side[SIDE_SOURCE]}};
    struct mapping m = open(frozen, layer, layers, longest);
    struct attention_map *maps = ARENA_ARRAY(arena, struct attention_map, sentences * layers);
    for (int s = 0; s < sentences; s++) {
        SCOPED(arena_free) struct arena loaded = {0};
        const struct batch batch = batch_pack(&loaded, &source, &sentence[s], 1);
        const int n = batch.field[FIELD_SOURCE].T;
        struct attention_map *map = maps + s * layers;
        for (int l = 0; l < layers; l++) {
            const int R = m.weights[l]->columns / m.D;
            map[l] = (struct attention_map){.pieces = n, .branches = R, .heads = m.H};
            map[l].weight = ARENA_ARRAY(arena, float, (size_t)(R * m.H) * (size_t)(n * n));
        }
        graph_load(m.graph, &batch);
        for (int begin = 0; begin < n; begin += m.d) {
            put_units(&m, frozen->job.ops, begin, n);
            graph_forward(m.graph);
            for (int l = 0; l < layers; l++) take(&m, l, begin, &map[l]);
        }
        frozen_progress(frozen, s + 1, sentences);
    }
    frozen->job.ops->release(m.unit->data,
                             (size_t)m.capacity * (size_t)m.unit->ld * frozen->job.ops->act_bytes);
    graph_release(m.graph);
    arena_free(&m.arena);
    return maps;
}
