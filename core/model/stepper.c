/* Computes decoding step by step. Caches are enlarged when a batch needs more rows. So they need
 * not have the largest number of rows times the largest number of steps. */
#include "core/model/stepper.h"

#include <string.h>

static int row_limit(const struct stepper *s)
{
    return s->size.sentences * s->size.live;
}

/* Return the maximum number of integers of a key index: rows + 1 values of `begin`, and all
 * keys. */
static int self_ints(const struct stepper *s)
{
    return row_limit(s) + 1 + row_limit(s) * s->size.steps;
}

static int cross_ints(const struct stepper *s)
{
    return row_limit(s) + 1 + s->size.tokens * s->size.live;
}

static size_t cache_bytes(const struct stepper *s, const struct value *cache, int64_t cache_rows)
{
    return (size_t)cache_rows * (size_t)cache->columns * s->step->ops->act_bytes;
}

/* True if the step list reads this value from the encoder's list. */
static bool is_encoded(const struct value *value)
{
    return value->external && !value->cache;
}

static struct stepper plan(struct arena *arena, struct model *model, struct stepper_size size)
{
    struct stepper s = {.size = size};
    s.encode = model_list(model, arena, GRAPH_INFER);
    s.step = model_list(model, arena, GRAPH_STEP);
    for (int v = 0; v < s.step->values; v++)
        if (is_encoded(s.step->value[v])) graph_keep(s.encode, s.step->value[v]->path);
    s.logits = graph_keep(s.step, "logits");
    const int rows = row_limit(&s);
    graph_plan(s.encode, (struct capacity){{size.tokens, 1}, size.sentences, size.longest});
    graph_plan(s.step, (struct capacity){{1, rows}, rows, size.steps});
    return s;
}

size_t stepper_bytes(struct model *model, struct stepper_size size, int64_t cache_rows)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct stepper s = plan(&arena, model, size);
    size_t bytes =
        s.encode->memory_bytes + s.encode->fixed_bytes + s.step->memory_bytes + s.step->fixed_bytes;
    for (int v = 0; v < s.step->values; v++)
        if (s.step->value[v]->cache) bytes += cache_bytes(&s, s.step->value[v], cache_rows);
    /* Integers on the host and on the device: tokens and positions; cache rows (on the host for two
     * steps); rows of the encoder. */
    bytes += 4 * (size_t)row_limit(&s) * sizeof(int32_t);
    bytes += 3 * (size_t)row_limit(&s) * (size_t)size.steps * sizeof(int32_t);
    bytes += 2 * (size_t)size.tokens * (size_t)size.live * sizeof(int32_t);
    return bytes;
}

struct stepper *stepper_open(struct arena *arena, struct model *model, struct stepper_size size)
{
    struct stepper *s = ARENA_NEW(arena, struct stepper);
    const struct ops *ops = model->ops;
    *s = plan(arena, model, size);
    graph_place(s->encode);
    graph_place(s->step);
    graph_pack(s->encode);
    graph_pack(s->step);
    for (int v = 0; v < s->step->values; v++) {
        struct value *value = s->step->value[v];
        if (is_encoded(value)) value->data = graph_find(s->encode, value->path)->data;
    }
    s->sentence = ARENA_ARRAY(arena, int, row_limit(s));
    for (int i = 0; i < 2; i++) s->self[i] = ARENA_ARRAY(arena, int32_t, self_ints(s));
    s->cross = ARENA_ARRAY(arena, int32_t, cross_ints(s));
    s->self_device = ops->alloc((size_t)self_ints(s) * sizeof(int32_t));
    s->cross_device = ops->alloc((size_t)cross_ints(s) * sizeof(int32_t));
    s->word = ARENA_ARRAY(arena, int32_t, 2 * row_limit(s));
    s->word_device = ops->alloc(2 * (size_t)row_limit(s) * sizeof(int32_t));
    return s;
}

static void release_caches(struct stepper *s)
{
    for (int v = 0; v < s->step->values; v++) {
        struct value *value = s->step->value[v];
        if (!value->cache || !value->data) continue;
        s->step->ops->release(value->data, cache_bytes(s, value, s->cache_rows));
        value->data = NULL;
    }
}

void stepper_close(struct stepper *s)
{
    const struct ops *ops = s->step->ops;
    graph_release(s->encode);
    graph_release(s->step);
    release_caches(s);
    ops->release(s->self_device, (size_t)self_ints(s) * sizeof(int32_t));
    ops->release(s->word_device, 2 * (size_t)row_limit(s) * sizeof(int32_t));
    ops->release(s->cross_device, (size_t)cross_ints(s) * sizeof(int32_t));
}

static void grow_caches(struct stepper *s, int64_t cache_rows)
{
    if (cache_rows <= s->cache_rows) return;
    release_caches(s);
    for (int v = 0; v < s->step->values; v++) {
        struct value *value = s->step->value[v];
        if (value->cache) value->data = s->step->ops->alloc(cache_bytes(s, value, cache_rows));
    }
    s->cache_rows = cache_rows;
}

void stepper_begin(struct stepper *s, const struct batch *batch, int steps)
{
    CHECK(steps <= s->size.steps, "%d steps, planned for %d", steps, s->size.steps);
    struct batch sources = *batch;
    sources.field[FIELD_TARGET] = (struct field){0};
    graph_load(s->encode, &sources);
    graph_forward(s->encode);
    s->source = batch->field[FIELD_SOURCE];
    s->stride = s->source.B * s->size.live;
    s->next = s->rows = 0;
    s->steps = steps;
    grow_caches(s, (int64_t)steps * s->stride);
}

static void upload(const struct stepper *s, int32_t *to, const int32_t *from, int count)
{
    s->step->ops->upload(to, from, (size_t)count * sizeof *from);
}

/* Passes the previous tokens, the positions and the number of rows to the step list. */
static void load_rows(struct stepper *s, const struct live_row *row, int rows)
{
    for (int r = 0; r < rows; r++) {
        s->word[r] = row[r].previous;
        s->word[rows + r] = s->next;
    }
    upload(s, s->word_device, s->word, 2 * rows);
    s->live.previous = s->word_device;
    s->live.positions = s->word_device + rows;
    s->live.position = s->next;
    s->live.cache_row = s->next * s->stride;
    graph_set_live(s->step, &s->live, rows);
}

/* Sets the keys of each row: the cache rows of its parent, and one new cache row. */
static void place_self(struct stepper *s, const struct live_row *row, int rows)
{
    const int t = s->next;
    int32_t *begin = s->self[t % 2], *place = begin + rows + 1;
    const int32_t *before = s->self[(t + 1) % 2] + s->rows + 1;
    for (int r = 0; r < rows; r++) {
        CHECK(!t || row[r].parent < s->rows, "step %d continues row %d of %d", t, row[r].parent,
              s->rows);
        begin[r] = r * (t + 1);
        if (t) memcpy(place + begin[r], before + row[r].parent * t, (size_t)t * sizeof *place);
        place[begin[r] + t] = t * s->stride + r;
    }
    begin[rows] = rows * (t + 1);
    upload(s, s->self_device, begin, rows + 1 + begin[rows]);
    s->live.begin = s->self_device;
    s->live.index = s->self_device + rows + 1;
}

/* Sets the source keys of each row; does nothing if the live rows belong to the same sentences as
 * in the previous step. */
static void place_cross(struct stepper *s, const struct live_row *row, int rows)
{
    bool changed = rows != s->rows;
    for (int r = 0; r < rows; r++) {
        changed |= s->sentence[r] != row[r].sentence;
        s->sentence[r] = row[r].sentence;
    }
    if (!changed) return;
    s->live.cross_longest = 0;
    int32_t *begin = s->cross, *place = begin + rows + 1;
    int count = 0;
    for (int r = 0; r < rows; r++) {
        const int32_t *start = s->source.start + row[r].sentence;
        CHECK(count + start[1] - start[0] <= s->size.tokens * s->size.live,
              "sentences with more than %d live rows", s->size.live);
        begin[r] = count;
        if (start[1] - start[0] > s->live.cross_longest)
            s->live.cross_longest = start[1] - start[0];
        for (int32_t j = start[0]; j < start[1]; j++) place[count++] = j;
    }
    begin[rows] = count;
    upload(s, s->cross_device, begin, rows + 1 + count);
    s->live.cross_begin = s->cross_device;
    s->live.cross_index = s->cross_device + rows + 1;
}

void stepper_step(struct stepper *s, const struct live_row *row, int rows)
{
    const int t = s->next;
    CHECK(rows <= s->stride, "%d live rows, planned for %d", rows, s->stride);
    CHECK(t < s->steps, "step %d, planned for %d", t, s->steps);
    load_rows(s, row, rows);
    place_self(s, row, rows);
    place_cross(s, row, rows);
    graph_forward(s->step);
    s->rows = rows;
    s->next = t + 1;
}
