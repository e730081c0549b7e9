#include "core/decode/beam.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/elementary.h"

#define FIELD(member) offsetof(struct beam_options, member)
static const struct option beam_rows[] = {
    {.key = "beam",
     .type = OPTION_INT,
     .offset = FIELD(beam),
     .fallback = "4",
     .low = 1,
     .high = 64,
     .flags = OPTION_ID,
     .help = "hypotheses that are kept alive"},
    {.key = "length_penalty",
     .type = OPTION_REAL,
     .offset = FIELD(length_penalty),
     .fallback = "0.6",
     .low = 0,
     .high = 5,
     .flags = OPTION_ID,
     .help = "alpha: scores are divided by ((5 + n) / 6)^alpha"},
    {.key = "extra",
     .type = OPTION_INT,
     .offset = FIELD(extra),
     .fallback = "50",
     .low = 0,
     .high = 1000,
     .flags = OPTION_ID,
     .help = "at most source tokens + this many steps"},
};
const struct section beam_section = {"beam", "beam search", beam_rows, COUNT_OF(beam_rows),
                                     sizeof(struct beam_options)};

struct alive { /* a live row */
    double log_probability;
    int32_t *token; /* [t] so far */
    int32_t *slot;  /* [t] cache rows of those steps */
};

struct sentence {
    int index, limit; /* in the batch; most steps */
    int rows;         /* alive hypotheses, in row order */
    int finished;
    struct hypothesis *done; /* [beam] best first */
};

struct searcher {
    struct model *model;
    struct beam_options options;
    struct graph *encode, *step;
    struct value *logits; /* [rows, words] of the step */
    struct live live;
    int32_t *previous, *position; /* device */
    int row_limit, step_limit, source_limit;
    int32_t *index, *begin, *cross_index, *cross_begin; /* device */
    real *score;                                        /* device [rows, 2 beam] */
    int32_t *token;
    /* Keys and values of all steps, one cache per decoder layer; they grow to what a batch needs,
     * so that one long sentence does not cost memory for all rows. */
    int row_stride; /* rows of this batch: step t's row r is slot t * row_stride + r */
    int64_t slots;
};

/* External values of the step list that are not caches are what the encoder's list has computed
 * under the same path. */
static void bind_memory(struct searcher *s)
{
    for (int v = 0; v < s->step->values; v++) {
        struct value *value = s->step->value[v];
        if (value->external && !value->cache)
            value->data = graph_find(s->encode, value->path)->data;
    }
}

/* Caches for so many slots. */
static void grow_caches(struct searcher *s, int64_t slots)
{
    const struct ops *ops = s->step->ops;
    if (slots <= s->slots) return;
    for (int v = 0; v < s->step->values; v++) {
        struct value *value = s->step->value[v];
        if (!value->cache) continue;
        const size_t slot = (size_t)value->columns * ops->act_bytes;
        if (value->data) ops->release(value->data, (size_t)s->slots * slot);
        value->data = ops->alloc((size_t)slots * slot);
    }
    s->slots = slots;
}

/* The two lists, planned for their capacities. */
static void searcher_plan(struct searcher *s, struct arena *arena, struct model *model,
                          const struct beam_options *options, int tokens, int sentences,
                          int longest)
{
    *s = (struct searcher){.model = model, .options = *options};
    s->row_limit = sentences * options->beam;
    s->step_limit = longest + options->extra;
    s->source_limit = tokens;
    s->encode = model_list(model, arena, GRAPH_INFER);
    s->step = model_list(model, arena, GRAPH_STEP);
    for (int v = 0; v < s->step->values; v++) {
        const struct value *value = s->step->value[v];
        if (value->external && !value->cache) graph_keep(s->encode, value->path);
    }
    s->logits = graph_keep(s->step, "logits");
    graph_plan(s->encode, (struct capacity){{tokens, 1}, sentences, longest});
    graph_plan(s->step, (struct capacity){{1, s->row_limit}, s->row_limit, s->step_limit});
}

size_t searcher_bytes(struct model *model, const struct beam_options *options, int tokens,
                      int sentences, int longest, int64_t slots)
{
    struct arena arena = {0};
    struct searcher s;
    searcher_plan(&s, &arena, model, options, tokens, sentences, longest);
    const size_t rows = (size_t)s.row_limit, steps = (size_t)s.step_limit;
    size_t bytes = s.encode->memory_bytes + s.encode->fixed_bytes + s.step->memory_bytes +
                   s.step->fixed_bytes;
    for (int v = 0; v < s.step->values; v++) {
        const struct value *value = s.step->value[v];
        if (value->cache) bytes += (size_t)slots * (size_t)value->columns * model->ops->act_bytes;
    }
    /* Indices of keys; tokens and slots of live rows and of those behind them; best tokens. */
    bytes += (rows * steps + (size_t)tokens * (size_t)options->beam) * sizeof(int32_t);
    bytes += 2 * rows * 2 * steps * sizeof(int32_t);
    bytes += 2 * rows * 2 * (size_t)options->beam * (sizeof(real) + sizeof(int32_t));
    arena_free(&arena);
    return bytes;
}

struct searcher *searcher_open(struct arena *arena, struct model *model,
                               const struct beam_options *options, int tokens, int sentences,
                               int longest)
{
    struct searcher *s = ARENA_NEW(arena, struct searcher);
    const struct ops *ops = model->ops;
    searcher_plan(s, arena, model, options, tokens, sentences, longest);
    graph_place(s->encode);
    graph_place(s->step);
    graph_pack(s->encode);
    graph_pack(s->step);
    bind_memory(s);
    const size_t rows_bytes = (size_t)(s->row_limit + 1) * sizeof(int32_t);
    s->begin = ops->alloc(rows_bytes);
    s->cross_begin = ops->alloc(rows_bytes);
    s->index = ops->alloc((size_t)s->row_limit * (size_t)s->step_limit * sizeof(int32_t));
    s->cross_index = ops->alloc((size_t)tokens * (size_t)options->beam * sizeof(int32_t));
    s->score = ops->alloc((size_t)s->row_limit * 2 * (size_t)options->beam * sizeof(real));
    s->token = ops->alloc((size_t)s->row_limit * 2 * (size_t)options->beam * sizeof(int32_t));
    s->previous = ops->alloc(rows_bytes);
    s->position = ops->alloc(rows_bytes);
    s->live = (struct live){.previous = s->previous,
                            .positions = s->position,
                            .begin = s->begin,
                            .index = s->index,
                            .cross_begin = s->cross_begin,
                            .cross_index = s->cross_index};
    return s;
}

void searcher_close(struct searcher *s)
{
    const struct ops *ops = s->model->ops;
    const size_t wide = (size_t)s->row_limit * 2 * (size_t)s->options.beam;
    graph_release(s->encode);
    graph_release(s->step);
    for (int v = 0; v < s->step->values; v++) {
        const struct value *value = s->step->value[v];
        if (value->cache && value->data)
            ops->release(value->data, (size_t)s->slots * (size_t)value->columns * ops->act_bytes);
    }
    ops->release(s->begin, (size_t)(s->row_limit + 1) * sizeof(int32_t));
    ops->release(s->cross_begin, (size_t)(s->row_limit + 1) * sizeof(int32_t));
    ops->release(s->index, (size_t)s->row_limit * (size_t)s->step_limit * sizeof(int32_t));
    ops->release(s->cross_index,
                 (size_t)s->source_limit * (size_t)s->options.beam * sizeof(int32_t));
    ops->release(s->score, wide * sizeof(real));
    ops->release(s->token, wide * sizeof(int32_t));
}

/* Tokens, positions and where keys lie, for the live rows of step t. */
static void upload_rows(struct searcher *s, const struct sentence *live, int sentences,
                        const struct alive *row, int rows, int t, const struct field *source,
                        bool changed)
{
    const struct ops *ops = s->step->ops;
    int32_t *previous = heap_alloc((size_t)rows * (size_t)(2 * t + 6) * sizeof(int32_t));
    int32_t *position = previous + rows, *begin = position + rows, *index = begin + rows + 1;
    for (int r = 0; r < rows; r++) {
        previous[r] = t ? row[r].token[t - 1] : -1;
        position[r] = t;
        begin[r] = r * (t + 1);
        if (t) memcpy(index + begin[r], row[r].slot, (size_t)t * sizeof *index);
        index[begin[r] + t] = t * s->row_stride + r;
    }
    begin[rows] = rows * (t + 1);
    ops->upload(s->previous, previous, (size_t)rows * sizeof *previous);
    ops->upload(s->position, position, (size_t)rows * sizeof *position);
    ops->upload(s->begin, begin, (size_t)(rows + 1) * sizeof *begin);
    ops->upload(s->index, index, (size_t)begin[rows] * sizeof *index);
    free(previous);
    s->live.position = t;
    s->live.slot = t * s->row_stride;
    graph_set_live(s->step, &s->live, rows);
    if (!changed) return;
    int32_t *cross = heap_alloc(
        ((size_t)s->source_limit * (size_t)s->options.beam + (size_t)rows + 1) * sizeof *cross);
    int32_t *first = cross, *key = cross + rows + 1;
    int r = 0, count = 0;
    for (int l = 0; l < sentences; l++)
        for (int k = 0; k < live[l].rows; k++) {
            first[r++] = count;
            for (int32_t j = source->start[live[l].index]; j < source->start[live[l].index + 1];
                 j++)
                key[count++] = j;
        }
    first[r] = count;
    ops->upload(s->cross_begin, first, (size_t)(rows + 1) * sizeof *first);
    ops->upload(s->cross_index, key, (size_t)count * sizeof *key);
    free(cross);
}

struct candidate {
    double log_probability;
    int parent, token; /* parent: rank among the sentence's rows */
};

static int by_probability(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->log_probability != y->log_probability)
        return x->log_probability > y->log_probability ? -1 : 1;
    return x->parent != y->parent ? x->parent - y->parent : x->token - y->token;
}

static double penalty(const struct beam_options *options, int n)
{
    return elementary_pow((5.0 + n) / 6.0, options->length_penalty);
}

static void finish(const struct beam_options *options, struct sentence *sentence,
                   const struct alive *parent, const struct candidate *candidate, int t,
                   struct arena *arena)
{
    const double score = candidate->log_probability / penalty(options, t + 1);
    int at = sentence->finished;
    while (at > 0 && score > sentence->done[at - 1].score) at--;
    if (at == options->beam) return;
    if (sentence->finished < options->beam) sentence->finished++;
    for (int i = sentence->finished - 1; i > at; i--) sentence->done[i] = sentence->done[i - 1];
    int32_t *token = ARENA_ARRAY(arena, int32_t, t + 1);
    if (t) memcpy(token, parent->token, (size_t)t * sizeof *token);
    token[t] = VOCABULARY_EOS;
    sentence->done[at] = (struct hypothesis){score, t + 1, token};
}

/* Extends one sentence's rows by step t; its next rows go to next[]. True: it has ended. */
static bool extend_sentence(struct searcher *s, struct sentence *sentence, const struct alive *row,
                            int first_row, const real *score, const int32_t *token, int t,
                            struct alive *next, struct arena *arena)
{
    const int beam = s->options.beam, wide = 2 * beam;
    struct candidate candidate[2 * 64 * 64];
    int count = 0, alive = 0;
    for (int k = 0; k < sentence->rows; k++)
        for (int c = 0; c < wide && c < s->logits->columns; c++)
            candidate[count++] = (struct candidate){
                row[k].log_probability + (double)score[k * wide + c], k, token[k * wide + c]};
    qsort(candidate, (size_t)count, sizeof *candidate, by_probability);
    const int looked_at = beam > 1 ? wide : 1; /* greedy: the best word, <eos> or not */
    for (int c = 0; c < count && c < looked_at; c++) {
        const struct alive *parent = &row[candidate[c].parent];
        if (candidate[c].token == VOCABULARY_EOS) {
            finish(&s->options, sentence, parent, &candidate[c], t, arena);
        } else if (alive < beam) {
            struct alive *child = &next[alive++];
            child->log_probability = candidate[c].log_probability;
            if (t) memcpy(child->token, parent->token, (size_t)t * sizeof *child->token);
            if (t) memcpy(child->slot, parent->slot, (size_t)t * sizeof *child->slot);
            child->token[t] = candidate[c].token;
            child->slot[t] = t * s->row_stride + first_row + candidate[c].parent;
        }
    }
    sentence->rows = alive;
    if (!alive) return true; /* every extension ended */
    const double bound = next[0].log_probability / penalty(&s->options, sentence->limit);
    bool over = t + 1 >= sentence->limit;
    over |= sentence->finished == beam && sentence->done[beam - 1].score > bound;
    if (over && !sentence->finished) {
        int32_t *copy = ARENA_ARRAY(arena, int32_t, t + 1);
        memcpy(copy, next[0].token, (size_t)(t + 1) * sizeof *copy);
        sentence->done[sentence->finished++] =
            (struct hypothesis){next[0].log_probability / penalty(&s->options, t + 1), t + 1, copy};
    }
    return over;
}

static struct alive *rows_new(const struct searcher *s, struct arena *arena)
{
    struct alive *row = ARENA_ARRAY(arena, struct alive, s->row_limit);
    for (int r = 0; r < s->row_limit; r++) {
        row[r].token = ARENA_ARRAY(arena, int32_t, s->step_limit);
        row[r].slot = ARENA_ARRAY(arena, int32_t, s->step_limit);
    }
    return row;
}

struct translation *searcher_run(struct searcher *s, const struct batch *batch, struct arena *arena)
{
    const struct ops *ops = s->step->ops;
    const struct field *source = &batch->field[FIELD_SOURCE];
    const int beam = s->options.beam, wide = 2 * beam;
    struct arena scratch = {0};
    struct translation *result = ARENA_ARRAY(arena, struct translation, source->B + 1);
    struct sentence *live = ARENA_ARRAY(&scratch, struct sentence, source->B + 1);
    struct alive *row = rows_new(s, &scratch), *next = rows_new(s, &scratch);
    real *score = ARENA_ARRAY(&scratch, real, s->row_limit * wide);
    int32_t *token = ARENA_ARRAY(&scratch, int32_t, s->row_limit * wide);
    CHECK(source->B * beam <= s->row_limit, "%d sentences, planned for %d rows", source->B,
          s->row_limit);
    struct batch only = *batch;
    only.field[FIELD_TARGET] = (struct field){0};
    graph_load(s->encode, &only);
    graph_forward(s->encode);
    int sentences = source->B, rows = source->B, most = 0;
    for (int b = 0; b < sentences; b++) {
        const int length = source->start[b + 1] - source->start[b];
        live[b] = (struct sentence){.index = b, .limit = length + s->options.extra, .rows = 1};
        live[b].done = ARENA_ARRAY(arena, struct hypothesis, beam);
        if (live[b].limit > most) most = live[b].limit;
    }
    s->row_stride = sentences * beam;
    grow_caches(s, (int64_t)most * s->row_stride);
    bool changed = true;
    for (int t = 0; sentences; t++) {
        upload_rows(s, live, sentences, row, rows, t, source, changed);
        graph_forward(s->step);
        ops->top_tokens(&(struct top_tokens){rows, s->logits->columns, wide, s->logits->data,
                                             s->score, s->token});
        ops->download(score, s->score, (size_t)(rows * wide) * sizeof *score);
        ops->download(token, s->token, (size_t)(rows * wide) * sizeof *token);
        int kept = 0, first = 0, next_rows = 0;
        for (int l = 0; l < sentences; l++) {
            struct sentence sentence = live[l];
            const bool over =
                extend_sentence(s, &sentence, row + first, first, score + first * wide,
                                token + first * wide, t, next + next_rows, arena);
            first += live[l].rows;
            if (over)
                result[sentence.index] = (struct translation){sentence.finished, sentence.done};
            else
                live[kept++] = sentence, next_rows += sentence.rows;
        }
        changed = kept != sentences || next_rows != rows;
        sentences = kept;
        rows = next_rows;
        struct alive *swap = row;
        row = next;
        next = swap;
    }
    arena_free(&scratch);
    return result;
}
