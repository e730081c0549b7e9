/* Decoding word by word computes what the infer list computes of whole sentences, whatever becomes
 * of its rows on the way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/check.h"

enum { ROWS = CHECK_SENTENCES, STEPS = CHECK_LONGEST, SLOTS = ROWS * STEPS };

/* A step list with caches and indices of its own, behind a list for whole sentences. */
struct stepper {
    struct graph *graph, *whole;
    struct live search;
    int32_t *previous, *position;
    int32_t *begin, *index, *cross_begin, *cross_index; /* device */
};

static int32_t *ints(const struct ops *ops, int count)
{
    return ops->alloc((size_t)count * sizeof(int32_t));
}

/* Memory of the list's own for what the other list does not compute. NaN: only what was stored is
 * read. */
static void bind_externals(struct stepper *s)
{
    const struct ops *ops = s->graph->ops;
    for (int v = 0; v < s->graph->values; v++) {
        struct value *value = s->graph->value[v];
        const struct value *known = graph_find(s->whole, value->path);
        if (!value->external) continue;
        if (known) {
            value->data = known->data;
            continue;
        }
        const size_t bytes = (size_t)SLOTS * (size_t)value->columns * ops->act_bytes;
        void *poison = heap_alloc(bytes);
        memset(poison, 0xff, bytes);
        value->data = ops->alloc(bytes);
        ops->upload(value->data, poison, bytes);
        free(poison);
    }
}

static void stepper_open(struct stepper *s, struct model *model, struct arena *arena)
{
    const struct ops *ops = model->ops;
    *s = (struct stepper){.graph = model_list(model, arena, GRAPH_STEP),
                          .whole = model_list(model, arena, GRAPH_INFER)};
    graph_keep(s->graph, "logits");
    graph_keep(s->whole, "logits");
    for (int v = 0; v < s->graph->values; v++) {
        const struct value *value = s->graph->value[v];
        if (value->external && graph_find(s->whole, value->path)) graph_keep(s->whole, value->path);
    }
    graph_plan(s->graph, (struct capacity){{1, ROWS}, ROWS, STEPS});
    graph_plan(s->whole, check_capacity);
    graph_place(s->graph);
    graph_place(s->whole);
    check_poison(s->graph);
    check_poison(s->whole);
    bind_externals(s);
    s->begin = ints(ops, ROWS + 1), s->cross_begin = ints(ops, ROWS + 1);
    s->index = ints(ops, SLOTS), s->cross_index = ints(ops, SLOTS);
    s->previous = ints(ops, ROWS), s->position = ints(ops, ROWS);
    s->search = (struct live){.previous = s->previous,
                              .positions = s->position,
                              .begin = s->begin,
                              .index = s->index,
                              .cross_begin = s->cross_begin,
                              .cross_index = s->cross_index};
}

static void stepper_close(struct stepper *s)
{
    const struct ops *ops = s->graph->ops;
    for (int v = 0; v < s->graph->values; v++) {
        const struct value *value = s->graph->value[v];
        if (value->external && !graph_find(s->whole, value->path))
            ops->release(value->data, (size_t)SLOTS * (size_t)value->columns * ops->act_bytes);
    }
    ops->release(s->begin, (ROWS + 1) * sizeof(int32_t));
    ops->release(s->index, SLOTS * sizeof(int32_t));
    ops->release(s->cross_begin, (ROWS + 1) * sizeof(int32_t));
    ops->release(s->cross_index, SLOTS * sizeof(int32_t));
    graph_release(s->graph);
    graph_release(s->whole);
}

/* A live row: which sentence of the batch it spells, and where its keys lie. */
struct spelled {
    int sentence;
    int32_t slot[STEPS];
};

static void put(const struct ops *ops, int32_t *to, const int32_t *from, int count)
{
    ops->upload(to, from, (size_t)count * sizeof *from);
}

/* Step t of rows live[0..rows), tokens forced to those of the batch. */
static void step_rows(struct stepper *s, const struct batch *batch, struct spelled *live, int rows,
                      int t)
{
    const struct field *source = &batch->field[FIELD_SOURCE];
    const struct field *target = &batch->field[FIELD_TARGET];
    const struct ops *ops = s->graph->ops;
    int32_t previous[ROWS], position[ROWS], begin[ROWS + 1] = {0}, cross_begin[ROWS + 1] = {0};
    int32_t index[SLOTS], cross_index[SLOTS];
    for (int r = 0; r < rows; r++) {
        const int b = live[r].sentence;
        previous[r] = t ? target->token[target->start[b] + t - 1] : -1;
        position[r] = t;
        live[r].slot[t] = t * ROWS + r;
        memcpy(index + begin[r], live[r].slot, (size_t)(t + 1) * sizeof *index);
        begin[r + 1] = begin[r] + t + 1;
        cross_begin[r + 1] = cross_begin[r];
        for (int32_t j = source->start[b]; j < source->start[b + 1]; j++)
            cross_index[cross_begin[r + 1]++] = j;
    }
    put(ops, s->previous, previous, rows);
    put(ops, s->position, position, rows);
    put(ops, s->begin, begin, rows + 1);
    put(ops, s->index, index, begin[rows]);
    put(ops, s->cross_begin, cross_begin, rows + 1);
    put(ops, s->cross_index, cross_index, cross_begin[rows]);
    s->search.position = t;
    s->search.slot = t * ROWS;
    graph_set_live(s->graph, &s->search, rows);
    graph_forward(s->graph);
}

/* Every sentence twice; the second spells other words from its middle on. */
static struct batch doubled(struct arena *arena, const struct batch *batch)
{
    struct batch twice = {0};
    for (int f = 0; f < FIELDS; f++) {
        const struct field *from = &batch->field[f];
        int32_t *token = ARENA_ARRAY(arena, int32_t, 2 * from->T);
        int32_t *start = ARENA_ARRAY(arena, int32_t, 2 * from->B + 1);
        for (int b = 0; b < 2 * from->B; b++) {
            const int n = from->start[b / 2 + 1] - from->start[b / 2];
            start[b + 1] = start[b] + n;
            for (int t = 0; t < n; t++) {
                int32_t word = from->token[from->start[b / 2] + t];
                if (f == FIELD_TARGET && b % 2 && t >= n / 2) word = (word + 7) % CHECK_WORDS;
                token[start[b] + t] = word;
            }
        }
        twice.field[f] = (struct field){.T = start[2 * from->B],
                                        .B = 2 * from->B,
                                        .longest = from->longest,
                                        .token = token,
                                        .start = start};
    }
    return twice;
}

static int length_of(const struct field *target, int b)
{
    return target->start[b + 1] - target->start[b];
}

/* The rows of step t: those of ended sentences go; where the two sentences of a pair part, the
 * second takes over the slots of the first; from step 3 on rows change places at every step. */
static int rearrange(struct spelled *live, int rows, const struct field *target, int t)
{
    for (int r = 0; r < rows;)
        if (length_of(target, live[r].sentence) <= t)
            live[r] = live[--rows];
        else
            r++;
    for (int r = 0, before = rows; r < before; r++) {
        const int b = live[r].sentence;
        if (b % 2 || t != length_of(target, b) / 2 + 1) continue;
        live[rows] = live[r];
        live[rows++].sentence = b + 1;
    }
    for (int r = 0; r < rows && t >= 3; r++) {
        struct spelled *other = &live[(r * 5 + t) % rows], kept = live[r];
        live[r] = *other;
        *other = kept;
    }
    return rows;
}

/* One batch, word by word. */
static void spell(struct stepper *s, uint32_t seed, struct finding *finding)
{
    const struct step step = check_step(1);
    struct arena arena = {0};
    const struct batch single = check_batch(&arena, seed, ROWS / 2, 10);
    const struct batch batch = doubled(&arena, &single);
    const struct field *target = &batch.field[FIELD_TARGET];
    check_forward(s->whole, &step, &batch);
    const real *expected = check_read(&arena, s->whole, "logits");
    struct spelled live[ROWS];
    int rows = 0;
    for (int b = 0; b < target->B; b += 2) live[rows++] = (struct spelled){.sentence = b};
    for (int t = 0; t < target->longest; t++) {
        rows = rearrange(live, rows, target, t);
        step_rows(s, &batch, live, rows, t);
        const real *got = check_read(&arena, s->graph, "logits");
        for (int r = 0; r < rows; r++) {
            const int b = live[r].sentence;
            finding_rows(finding, got + (int64_t)r * CHECK_WORDS,
                         expected + (int64_t)(target->start[b] + t) * CHECK_WORDS, CHECK_WORDS,
                         arena_print(&arena, "logits of sentence %d, step %d", b, t));
        }
    }
    arena_free(&arena);
}

void check_steps(struct check_subject *subject, struct finding *finding)
{
    struct arena arena = {0};
    struct stepper s;
    stepper_open(&s, subject->model, &arena);
    finding->limit = check_rounding;
    for (uint32_t seed = 0; seed < 3; seed++) spell(&s, seed, finding);
    stepper_close(&s);
    arena_free(&arena);
}
