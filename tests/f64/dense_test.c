/* Every variant against the dense oracle of tests/support/dense_block.h. Variants are every example
 * of every term with every example of every fusion, on several lists of branches. They are in
 * self-attention, causal or not, and in cross attention. Sentences are computed as a whole, and
 * word by word if the variant decodes so. */
#include "tests/support/test.h"

#include "attention/term.h"
#include "core/check/model_check.h"
#include "core/cpu/cpu.h"
#include "tests/support/dense_block.h"
#include "tests/support/variant.h"

enum { SENTENCES = 3, LONGEST = 40, ROWS = SENTENCES * LONGEST, WIDEST = 24 /* D */ };

/* One block in an infer list, with random sentences. */
struct subject {
    struct arena arena;
    uint32_t trial;
    uint64_t drawn;
    struct variant variant;
    const struct attention_spec *spec;
    int H, d;
    struct batch batch;
    struct parameters parameters;
    struct graph *graph;
    struct value *x, *memory; /* memory: NULL in self-attention */
    struct value *y;
    double *master, *expected; /* expected: [T, D] */
};

static double draw(struct subject *s)
{
    return random_uniform((struct random_key){s->trial, 1}, s->drawn++, 0);
}

static struct field field_draw(struct subject *s)
{
    static const int lengths[] = {1, 2, 15, 16, 17, 31, 32, 33, LONGEST};
    struct field field = {.B = SENTENCES};
    int32_t *start = ARENA_ARRAY(&s->arena, int32_t, SENTENCES + 1);
    for (int b = 0; b < SENTENCES; b++) {
        const int n = draw(s) < .5 ? lengths[(int)(draw(s) * (double)COUNT_OF(lengths))]
                                   : 1 + (int)(draw(s) * LONGEST);
        start[b + 1] = start[b] + n;
        if (n > field.longest) field.longest = n;
    }
    field.T = start[SENTENCES];
    field.start = start;
    field.token = ARENA_ARRAY(&s->arena, int32_t, field.T);
    return field;
}

/* Random rows from the caller. */
static struct value *given(struct subject *s, struct graph *graph, enum field_name field)
{
    const int64_t count = (int64_t)ROWS * s->H * s->d;
    struct value *value = graph_external(graph, graph_tokens(graph, field), s->H * s->d,
                                         field ? "given.1" : "given.0");
    double *x = ARENA_ARRAY(&s->arena, double, count);
    for (int64_t i = 0; i < count; i++) x[i] = 2 * draw(s) - 1;
    value->data = x; /* the CPU's activations are reals, doubles here */
    return value;
}

static struct value *build(const struct subject *s, struct graph *graph, struct value *x,
                           struct value *memory)
{
    const double dropout = .3; /* off, because the list does not train */
    if (s->variant.place == ATTENTION_CROSS)
        return attention_cross(graph, x, memory, s->H, s->spec, dropout, "block");
    return attention_self(graph, x, s->H, s->variant.place == ATTENTION_DECODER, s->spec, dropout,
                          "block");
}

static void start_parameters(struct subject *s)
{
    parameters_place(&s->parameters, cpu_ops(), false);
    parameters_start(&s->parameters, s->trial);
    s->master = s->parameters.master;
    for (int64_t i = 0; i < s->parameters.slab; i++) s->master[i] += .4 * draw(s) - .2;
    parameters_refresh(&s->parameters);
}

static void expect_all(struct subject *s)
{
    const int D = s->H * s->d;
    const enum field_name side = s->x->rows->field;
    const struct field *queries = &s->batch.field[side];
    const struct field *keys = &s->batch.field[s->memory ? FIELD_SOURCE : side];
    s->expected = ARENA_ARRAY(&s->arena, double, D * queries->T);
    for (int b = 0; b < SENTENCES; b++) {
        struct arena own = {0};
        const struct dense dense = {
            .path = "block",
            .spec = s->spec,
            .H = s->H,
            .d = s->d,
            .n = queries->start[b + 1] - queries->start[b],
            .nk = keys->start[b + 1] - keys->start[b],
            .causal = s->variant.place == ATTENTION_DECODER,
            .input = (double *)s->x->data + queries->start[b] * D,
            .memory = s->memory ? (double *)s->memory->data + keys->start[b] * D : NULL,
            .parameters = &s->parameters,
            .master = s->master,
            .arena = &own};
        memcpy(s->expected + queries->start[b] * D, dense_block(&dense),
               (size_t)(dense.n * D) * sizeof(double));
        arena_free(&own);
    }
}

static void subject_open(struct subject *s)
{
    const enum field_name side =
        s->variant.place == ATTENTION_ENCODER ? FIELD_SOURCE : FIELD_TARGET;
    s->parameters.arena = &s->arena;
    for (int f = 0; f < FIELDS; f++) s->batch.field[f] = field_draw(s);
    s->graph = graph_new(&s->arena, cpu_ops(), GRAPH_INFER, &s->parameters);
    s->x = given(s, s->graph, side);
    s->memory = s->variant.place == ATTENTION_CROSS ? given(s, s->graph, FIELD_SOURCE) : NULL;
    s->y = build(s, s->graph, s->x, s->memory);
    graph_keep(s->graph, s->y->path);
    if (s->memory) graph_keep(s->graph, "block.keyvalue");
    graph_plan(s->graph, (struct capacity){{ROWS, ROWS}, SENTENCES, LONGEST});
    graph_place(s->graph);
    check_poison(s->graph);
    graph_load(s->graph, &s->batch);
    start_parameters(s);
    expect_all(s);
}

static void subject_close(struct subject *s)
{
    graph_release(s->graph);
    parameters_release(&s->parameters);
    arena_free(&s->arena);
}

static void whole_is_dense(struct subject *s, struct finding *finding)
{
    const int T = graph_rows(s->y);
    double *got = ARENA_ARRAY(&s->arena, double, T * s->y->columns);
    graph_forward(s->graph);
    graph_read(s->graph, s->y, got);
    finding_rows(finding, got, s->expected, (int64_t)T * s->y->columns, "whole sentences");
}

/* A step of all sentences that are long enough, with the positions of their keys. */
struct words {
    int rows, sentence[SENTENCES];
    int32_t slot[SENTENCES][LONGEST]; /* by sentence and step: slot in the cache */
    int32_t begin[SENTENCES + 1], index[ROWS], cross_begin[SENTENCES + 1], cross_index[ROWS];
    int32_t position[SENTENCES];
    double x[SENTENCES * WIDEST];
};

static void words_at(struct words *w, const struct subject *s, int t)
{
    const struct field *target = &s->batch.field[FIELD_TARGET];
    const struct field *source = &s->batch.field[FIELD_SOURCE];
    const int D = s->H * s->d;
    w->rows = 0;
    for (int b = SENTENCES - 1; b >= 0; b--) {
        const int row = w->rows;
        if (t >= target->start[b + 1] - target->start[b]) continue;
        memcpy(w->x + row * D, (double *)s->x->data + (target->start[b] + t) * D,
               (size_t)D * sizeof *w->x);
        w->position[row] = t;
        w->sentence[w->rows++] = b;
        w->slot[b][t] = t * SENTENCES + row;
        w->begin[row + 1] = w->begin[row] + t + 1;
        memcpy(w->index + w->begin[row], w->slot[b], (size_t)(t + 1) * sizeof *w->index);
        w->cross_begin[row + 1] = w->cross_begin[row];
        for (int32_t j = source->start[b]; j < source->start[b + 1]; j++)
            w->cross_index[w->cross_begin[row + 1]++] = j;
    }
}

static void steps_are_dense(struct subject *s, struct finding *finding)
{
    const struct field *target = &s->batch.field[FIELD_TARGET];
    const int D = s->H * s->d;
    struct words *w = ARENA_NEW(&s->arena, struct words);
    struct live search = {.positions = w->position,
                          .begin = w->begin,
                          .index = w->index,
                          .cross_begin = w->cross_begin,
                          .cross_index = w->cross_index};
    struct graph *graph = graph_new(&s->arena, cpu_ops(), GRAPH_STEP, &s->parameters);
    struct value *x = graph_external(graph, graph_tokens(graph, FIELD_TARGET), D, "given");
    struct value *y = build(s, graph, x, NULL);
    double kept[2][2 * ROWS * WIDEST], got[SENTENCES * WIDEST];
    memset(kept, 0xff, sizeof kept); /* NaN, so that only stored values may be read */
    x->data = w->x;
    if (s->variant.place == ATTENTION_CROSS)
        graph_find(graph, "block.keyvalue")->data = graph_find(s->graph, "block.keyvalue")->data;
    for (int v = 0, caches = 0; v < graph->values; v++)
        if (graph->value[v]->cache) graph->value[v]->data = kept[caches++];
    graph_keep(graph, y->path);
    graph_plan(graph, (struct capacity){{1, SENTENCES}, SENTENCES, LONGEST});
    graph_place(graph);
    for (int t = 0; t < target->longest; t++) {
        words_at(w, s, t);
        search.position = t;
        search.cache_row = t * SENTENCES;
        graph_set_live(graph, &search, w->rows);
        check_poison(graph);
        graph_forward(graph);
        graph_read(graph, y, got);
        for (int r = 0; r < w->rows; r++)
            finding_rows(finding, got + r * D,
                         s->expected + (target->start[w->sentence[r]] + t) * D, D, "word by word");
    }
    graph_release(graph);
}

/* Makes a block of the variant with suitable heads and width; false if its branches do not suit
 * it. */
static bool variant_is_dense(const struct variant *variant, uint32_t trial)
{
    static const int widths[] = {2, 5, 4, 7, 8, 1};
    struct subject s = {.trial = trial, .variant = *variant};
    struct finding finding = {.limit = check_rounding};
    for (int draws = 0; draws < 20 && !s.spec; draws++) {
        s.H = 1 + (int)(draw(&s) * 3), s.d = widths[(int)(draw(&s) * (double)COUNT_OF(widths))];
        const struct attention_size size = {1, s.H * s.d, s.H, draw(&s) < .3, NULL};
        s.spec = variant_spec(variant, &size);
    }
    if (!s.spec) {
        arena_free(&s.arena);
        return false;
    }
    subject_open(&s);
    whole_is_dense(&s, &finding);
    if (variant->place != ATTENTION_ENCODER) steps_are_dense(&s, &finding);
    if (!finding.ok)
        fail_msg("%s, branches: [%s], terms: [%s], fusion: %s, %d heads of %d, trial %u: %s",
                 variant_places[variant->place], variant->branches, variant->terms, variant->fusion,
                 s.H, s.d, trial, finding.where);
    subject_close(&s);
    return true;
}

static void pairs_are_dense(void **state)
{
    static uint32_t trial;
    const struct variants fusions = variants_of_fusions();
    struct variant variant = {.terms = *state};
    for (int f = 0; f < fusions.count; f++)
        for (int place = ATTENTION_ENCODER; place <= (int)variant_last_place(variant.terms);
             place++) {
            int met = 0;
            variant.fusion = fusions.text[f];
            variant.place = (enum attention_place)place;
            for (int list = 0; variant_branches[place][list]; list++) {
                variant.branches = variant_branches[place][list];
                met += variant_is_dense(&variant, trial++);
            }
            if (!met)
                fail_msg("%s: no branches suit terms: [%s], fusion: %s: %s", variant_places[place],
                         variant.terms, variant.fusion, test_die_message);
        }
}

/* A new file must provide an oracle. */
TEST(all_have_an_oracle)
{
    for (int i = 0; attention_terms[i]; i++) {
        const struct term_type *type = attention_terms[i];
        if (!type->dense && !type->dense_map)
            fail_msg("attention/term/%s.c: `dense` is missing", type->name);
        if (type->values && !type->dense_values)
            fail_msg("attention/term/%s.c: `values` without `dense_values`", type->name);
    }
    for (int i = 0; attention_fusions[i]; i++)
        if (!attention_fusions[i]->dense)
            fail_msg("attention/fusion/%s.c: `dense` is missing", attention_fusions[i]->name);
}

int main(void)
{
    const struct variants terms = variants_of_terms(true);
    for (int t = 0; t < terms.count; t++)
        test_add(0, pairs_are_dense, terms.text[t], "terms: [%s]", terms.text[t]);
    omp_set_num_threads(1);
    return tests_run();
}
