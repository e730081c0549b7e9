/* Parts are taken away by overwriting values of an infer list: a pass over the text for each. */
#include "probes/ablate.h"

#include <math.h>

#include "core/base/mean.h"
#include "core/decode/resample.h"
#include "core/tensor/overwrite.h"
#include "probes/gates.h"

enum { FAR = 10000 }; /* such an energy makes a gate 0 or 1 but for rounding */

static const double held[] = {0, 0.5, 1}; /* numbers of a gate */

const char *ablation_name(const struct ablation *ablation, struct arena *arena)
{
    switch (ablation->what) {
    case ABLATED_ATTENTION:
        return "attention";
    case ABLATED_HEAD:
        return "head";
    case ABLATED_BRANCH:
        return arena_print(arena, "branch %d", ablation->branch);
    case ABLATED_GATE:
        return arena_print(arena, "gate %g", ablation->number);
    }
    CHECK(false, "there is no such part");
    return NULL;
}

/* ---- an encoder, and a list of its losses ---- */

struct ablated_model {
    const struct frozen *frozen;
    const struct encoder_options *encoder;
    const struct split *split;
    struct likelihood_list *list;
    struct likelihood *whole, *now; /* [sentences] of the model as it is, and without a part */
    struct overwrite *overwrite;    /* room for those of all layers */
    int overwrites, done, passes;
    struct arena scratch;
};

static struct value *value_of(const struct ablated_model *model, int layer, const char *name)
{
    struct graph *graph = model->list->pass.graph;
    return graph_find(graph, arena_print(graph->arena, "encoder.%d.attention.%s", layer, name));
}

static void measure(struct ablated_model *model, struct likelihood *result, const bool *rows)
{
    const int sentences = model->split->sentences;
    graph_overwrite(model->list->pass.graph, model->overwrite, model->overwrites, rows);
    likelihood_measure(model->list, result);
    if (++model->done < model->passes)
        frozen_progress(model->frozen, (int64_t)sentences * model->done / model->passes, sentences);
}

static struct ablated_model ablated_open(const struct frozen *frozen, const struct split *split)
{
    struct ablated_model model = {.frozen = frozen,
                                  .encoder = &frozen->job.options->encoder,
                                  .split = split,
                                  .list = likelihood_open(frozen, split, false)};
    const int layers = model.encoder->layers;
    model.whole = ARENA_ARRAY(&model.scratch, struct likelihood, split->sentences);
    model.now = ARENA_ARRAY(&model.scratch, struct likelihood, split->sentences);
    model.overwrite = ARENA_ARRAY(&model.scratch, struct overwrite, layers * ATTENTION_BRANCHES);
    return model;
}

static void ablated_close(struct ablated_model *model)
{
    likelihood_close(model->list);
    arena_free(&model->scratch);
}

static void overwrite(struct ablated_model *model, const struct value *value, int column,
                      int columns, double number)
{
    model->overwrite[model->overwrites++] =
        (struct overwrite){value, column, columns, (real)number};
}

/* The columns of a head in all branches, or of a branch. */
static void take_heads(struct ablated_model *model, const struct ablation *ablation)
{
    const struct value *heads = value_of(model, ablation->layer, "heads");
    const int R = model->encoder->attention.of_layer[ablation->layer - 1].branches;
    const int D = heads->columns / R, d = D / model->frozen->job.options->model.heads;
    for (int r = 0; r < R; r++) {
        if (ablation->what == ABLATED_HEAD)
            overwrite(model, heads, r * D + (ablation->head - 1) * d, d, 0);
        else if (r == ablation->branch - 1)
            overwrite(model, heads, r * D, D, 0);
    }
}

static void hold_gates(struct ablated_model *model, int layer, int head, double number)
{
    const struct value *energy = value_of(model, layer, "gate.energy");
    overwrite(model, energy, head ? head - 1 : 0, head ? 1 : energy->columns,
              FAR * (2 * number - 1));
}

/* What one ablation takes away. */
static void choose(struct ablated_model *model, const struct ablation *ablation)
{
    model->overwrites = 0;
    switch (ablation->what) {
    case ABLATED_ATTENTION:
        for (int l = 1; l <= model->encoder->layers; l++) {
            const struct value *output = value_of(model, l, "output");
            if (output && (!ablation->layer || l == ablation->layer))
                overwrite(model, output, 0, output->columns, 0);
        }
        break;
    case ABLATED_HEAD:
    case ABLATED_BRANCH:
        take_heads(model, ablation);
        break;
    case ABLATED_GATE:
        hold_gates(model, ablation->layer, ablation->head, ablation->number);
        break;
    }
}

/* ---- parts ---- */

struct parts {
    struct arena *arena;
    struct ablation *of;
    int count;
};

static void add_part(struct parts *parts, struct ablation ablation)
{
    ARENA_MORE(parts->arena, parts->of, parts->count);
    parts->of[parts->count++] = ablation;
}

static void add_gates(struct parts *parts, int layer, int head)
{
    for (size_t i = 0; i < COUNT_OF(held); i++)
        add_part(parts, (struct ablation){ABLATED_GATE, layer, head, 0, held[i]});
}

static void add_layer(struct parts *parts, const struct ablated_model *model, int layer)
{
    const int heads = model->frozen->job.options->model.heads;
    const int branches = model->encoder->attention.of_layer[layer - 1].branches;
    const struct value *energy = value_of(model, layer, "gate.energy");
    add_part(parts, (struct ablation){ABLATED_ATTENTION, layer, 0, 0, 0});
    for (int h = 1; h <= heads; h++)
        add_part(parts, (struct ablation){ABLATED_HEAD, layer, h, 0, 0});
    for (int b = 1; b <= branches && branches > 1; b++)
        add_part(parts, (struct ablation){ABLATED_BRANCH, layer, 0, b, 0});
    if (energy) add_gates(parts, layer, 0);
    for (int h = 1; energy && h <= energy->columns && energy->columns > 1; h++)
        add_gates(parts, layer, h);
}

static struct parts list_parts(const struct ablated_model *model, struct arena *arena)
{
    struct parts parts = {arena, NULL, 0};
    for (int l = 1; l <= model->encoder->layers; l++) {
        if (!value_of(model, l, "heads")) continue;
        if (!parts.count) add_part(&parts, (struct ablation){ABLATED_ATTENTION, 0, 0, 0, 0});
        add_layer(&parts, model, l);
    }
    return parts;
}

struct ablations ablate_parts(const struct frozen *frozen, const struct split *split,
                              struct arena *arena)
{
    struct ablated_model model = ablated_open(frozen, split);
    const struct parts parts = list_parts(&model, arena);
    const struct ablations result = {
        parts.count, parts.of,
        ARENA_ARRAY(arena, struct rise, (size_t)parts.count * (size_t)split->sentences)};
    model.passes = 1 + parts.count;
    measure(&model, model.whole, NULL);
    for (int i = 0; i < parts.count; i++) {
        struct rise *rise = result.rise + (size_t)i * (size_t)split->sentences;
        choose(&model, &parts.of[i]);
        measure(&model, model.now, NULL);
        for (int s = 0; s < split->sentences; s++)
            rise[s] = (struct rise){model.now[s].nats - model.whole[s].nats, model.whole[s].tokens};
    }
    ablated_close(&model);
    return result;
}

/* ---- classes of words ---- */

/* The words of a class, or of all: the rows of the loaded batch that are theirs. */
struct treated {
    const struct tagged_text *text;
    int class;  /* -1: all */
    bool *row;  /* [tokens of a batch] */
    int *words; /* [sentences] */
};

static bool is_treated(const struct treated *treated, int64_t piece)
{
    const int32_t word = treated->text->word[piece];
    return word != CORPUS_NO_WORD &&
           (treated->class < 0 || treated->text->class[word] == treated->class);
}

static void mark_rows(void *context, const struct batch *batch)
{
    const struct treated *treated = context;
    const struct field *field = &batch->field[FIELD_SOURCE];
    const int64_t *start = treated->text->split.side[SIDE_SOURCE].start;
    for (int b = 0; b < field->B; b++)
        for (int t = field->start[b]; t < field->start[b + 1]; t++)
            treated->row[t] = is_treated(treated, start[batch->sentence[b]] + t - field->start[b]);
}

/* Words of the class that have a piece. */
static int words_treated(const struct treated *treated, int sentence)
{
    const struct tagged_text *text = treated->text;
    int words = 0;
    for (int32_t w = text->first[sentence]; w < text->first[sentence + 1]; w++)
        words += text->pieces[w] && (treated->class < 0 || text->class[w] == treated->class);
    return words;
}

static int *gated_layers(const struct encoder_options *encoder, int *count, struct arena *arena)
{
    int *layer = ARENA_ARRAY(arena, int, encoder->layers);
    *count = 0;
    for (int l = 1; l <= encoder->layers; l++)
        if (gates_at(encoder, l - 1)) layer[(*count)++] = l;
    if (!*count) die("no layer of this encoder has a fusion with gates");
    return layer;
}

/* Of all gated layers (row 0), or of one, over the sentences that have a treated word. */
static void treat(struct ablated_model *model, const struct treated *treated,
                  const struct ablated_classes *of, int row, double number)
{
    const int sentences = model->split->sentences;
    struct rise *rise =
        of->rise + ((size_t)row * (size_t)(1 + of->classes) + (size_t)(1 + treated->class)) *
                       (size_t)sentences;
    model->overwrites = 0;
    for (int l = 0; l < of->layers; l++)
        if (!row || l == row - 1) hold_gates(model, of->layer[l], 0, number);
    measure(model, model->now, treated->row);
    for (int s = 0; s < sentences; s++)
        if (treated->words[s])
            rise[s] = (struct rise){model->now[s].nats - model->whole[s].nats, treated->words[s]};
}

/* Chooses the sentences that have a word of the class; returns whether there is one. */
static bool find_treated(struct ablated_model *model, struct treated *treated)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int sentences = model->split->sentences;
    bool *wanted = ARENA_ARRAY(&arena, bool, sentences), any = false;
    for (int s = 0; s < sentences; s++) {
        treated->words[s] = words_treated(treated, s);
        any |= wanted[s] = treated->words[s] > 0;
    }
    pass_choose(&model->list->pass, wanted);
    return any;
}

struct ablated_classes ablate_classes(const struct frozen *frozen, const struct tagged_text *text,
                                      double number, struct arena *arena)
{
    const struct split *split = &text->split;
    struct ablated_model model = ablated_open(frozen, split);
    struct ablated_classes result = {.classes = text->classes};
    result.layer = gated_layers(model.encoder, &result.layers, arena);
    const size_t rows = (size_t)(1 + result.layers) * (size_t)(1 + result.classes);
    result.rise = ARENA_ARRAY(arena, struct rise, rows * (size_t)split->sentences);
    struct pass *pass = &model.list->pass;
    struct treated treated = {text, -1, ARENA_ARRAY(&model.scratch, bool, pass->tokens),
                              ARENA_ARRAY(&model.scratch, int, split->sentences)};
    pass->before = mark_rows;
    pass->before_context = &treated;
    model.passes = 1 + (int)rows;
    measure(&model, model.whole, NULL);
    for (; treated.class < result.classes; treated.class ++) {
        const bool any = find_treated(&model, &treated);
        for (int r = 0; r <= result.layers && any; r++) treat(&model, &treated, &result, r, number);
        if (!any) model.done += 1 + result.layers;
    }
    ablated_close(&model);
    return result;
}

/* ---- means ---- */

struct rise_mean rise_mean(const struct rise *rise, int sentences)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct ratio_item *item = ARENA_ARRAY(&arena, struct ratio_item, sentences + 1);
    double sample[RISE_SAMPLES], nats = 0;
    struct rise_mean result = {NAN, NAN, NAN, NAN, 0, 0};
    for (int s = 0; s < sentences; s++) {
        if (!rise[s].tokens) continue;
        item[result.sentences++] = (struct ratio_item){rise[s].nats, rise[s].tokens};
        result.tokens += rise[s].tokens;
        nats += rise[s].nats;
    }
    if (result.sentences) result.mean = nats / (double)result.tokens;
    if (result.sentences > 1) {
        const void *items[] = {item};
        const struct resample_runs all = {&statistic_ratio, {1, &result.sentences}, 1, items};
        struct pcg64 random = pcg64_seed(1);
        resample_bootstrap(&all, &random, RISE_SAMPLES, sample);
        result.error = mean_deviation(sample, RISE_SAMPLES);
        resample_sort(sample, RISE_SAMPLES);
        resample_middle(sample, RISE_SAMPLES, &result.low, &result.high);
    }
    return result;
}
