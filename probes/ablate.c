/* Ablates parts of an encoder. For each part, one pass over the text overwrites the values of the
 * part in an inference list. */
#include "probes/ablate.h"

#include <math.h>

#include "core/base/mean.h"
#include "core/decode/resample.h"
#include "core/tensor/overwrite.h"
#include "probes/gates.h"

enum { FAR = 10000 }; /* the gate is 0 at energy -FAR and 1 at FAR, up to rounding */

/* ---- an encoder and its list with losses ---- */

struct ablated_model {
    const struct frozen *frozen;
    const struct encoder_options *encoder;
    const struct split *split;
    struct likelihood_list *list;
    /* [sentences] losses of the intact model; losses with the current part overwritten. */
    struct likelihood *whole, *now;
    /* [overwrites] for the current part; room for all branches of all layers. */
    struct overwrite *overwrite;
    int overwrites, done;
    struct ablation *part; /* [parts] in the arena of the result */
    int parts;
    /* For ablations by class; NULL: the next three members are unused. */
    const struct tagged_text *text;
    int class;  /* class of the words with a held gate, from 1; 0: all words */
    bool *row;  /* [tokens of a batch] true for tokens of these words */
    int *words; /* [sentences] number of these words */
    struct arena scratch;
};

static struct value *value_of(const struct ablated_model *model, int layer, const char *name)
{
    struct graph *graph = model->list->pass.graph;
    return graph_find(graph, arena_print(graph->arena, "encoder.%d.attention.%s", layer, name));
}

static bool is_treated(const struct ablated_model *model, int32_t word)
{
    return !model->class || model->text->class[word] == model->class - 1;
}

/* Marks the rows of the loaded batch that belong to words of the class. */
static void mark_rows(void *context, const struct batch *batch)
{
    const struct ablated_model *model = context;
    const struct field *field = &batch->field[FIELD_SOURCE];
    const int64_t *start = model->split->side[SIDE_SOURCE].start;
    for (int b = 0; b < field->B; b++)
        for (int t = field->start[b]; t < field->start[b + 1]; t++) {
            const int32_t word = model->text->word[start[batch->sentence[b]] + t - field->start[b]];
            model->row[t] = word != CORPUS_NO_WORD && is_treated(model, word);
        }
}

static void ablated_open(struct ablated_model *model, const struct frozen *frozen,
                         const struct split *split, const struct tagged_text *text)
{
    *model = (struct ablated_model){.frozen = frozen,
                                    .encoder = &frozen->job.options->encoder,
                                    .split = split,
                                    .text = text,
                                    .list = likelihood_open(frozen, split)};
    struct arena *arena = &model->scratch;
    struct pass *pass = &model->list->pass;
    model->whole = ARENA_ARRAY(arena, struct likelihood, split->sentences);
    model->now = ARENA_ARRAY(arena, struct likelihood, split->sentences);
    model->overwrite =
        ARENA_ARRAY(arena, struct overwrite, model->encoder->layers * ATTENTION_BRANCHES);
    if (!text) return;
    model->row = ARENA_ARRAY(arena, bool, pass->tokens);
    model->words = ARENA_ARRAY(arena, int, split->sentences);
    pass->before = mark_rows;
    pass->before_context = model;
}

static void measure(struct ablated_model *model, struct likelihood *result)
{
    const int sentences = model->split->sentences, passes = 1 + model->parts;
    graph_overwrite(model->list->pass.graph, model->overwrite, model->overwrites, model->row);
    likelihood_measure(model->list, result);
    if (++model->done < passes)
        frozen_progress(model->frozen, (int64_t)sentences * model->done / passes, sentences);
}

static void overwrite(struct ablated_model *model, const struct value *value, int column,
                      int columns, double number)
{
    model->overwrite[model->overwrites++] =
        (struct overwrite){value, column, columns, (real)number};
}

/* Overwrites the columns of a head in all branches, or the columns of a branch. */
static void take_heads(struct ablated_model *model, const struct ablation *part)
{
    const struct value *heads = value_of(model, part->layer, "heads");
    const int R = model->encoder->attention.of_layer[part->layer - 1].branches;
    const int D = heads->columns / R, d = D / model->frozen->job.options->model.heads;
    for (int r = 0; r < R; r++) {
        if (part->what == ABLATED_HEAD)
            overwrite(model, heads, r * D + (part->head - 1) * d, d, 0);
        else if (r == part->branch - 1)
            overwrite(model, heads, r * D, D, 0);
    }
}

/* Overwrites the attention or the gates of a layer, or of all layers that have them. */
static void take_layers(struct ablated_model *model, const struct ablation *part)
{
    const bool gate = part->what == ABLATED_GATE;
    for (int l = 1; l <= model->encoder->layers; l++) {
        const struct value *value = value_of(model, l, gate ? "gate.energy" : "output");
        if (!value || (part->layer && l != part->layer)) continue;
        overwrite(model, value, part->head ? part->head - 1 : 0, part->head ? 1 : value->columns,
                  gate ? FAR * (2 * part->number - 1) : 0);
    }
}

/* Chooses the sentences that have a word of the class with at least one piece. Returns false if
 * there are none. */
static bool find_words(struct ablated_model *model, int class)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct tagged_text *text = model->text;
    bool *wanted = ARENA_ARRAY(&arena, bool, model->split->sentences), any = false;
    model->class = class;
    for (int s = 0; s < model->split->sentences; s++) {
        model->words[s] = 0;
        for (int32_t w = text->first[s]; w < text->first[s + 1]; w++)
            model->words[s] += text->pieces[w] && is_treated(model, w);
        any |= wanted[s] = model->words[s] > 0;
    }
    pass_choose(&model->list->pass, wanted);
    return any;
}

static struct ablations measure_all(struct ablated_model *model, struct arena *arena)
{
    const int sentences = model->split->sentences;
    struct ablations all = {sentences, model->parts, model->part, NULL};
    struct rise *rise = all.rise =
        ARENA_ARRAY(arena, struct rise, (size_t)all.count * (size_t)sentences);
    measure(model, model->whole);
    for (int i = 0; i < all.count; i++, rise += sentences) {
        const struct ablation *part = &all.of[i];
        model->overwrites = 0;
        if (model->text && !find_words(model, part->class)) {
            model->done++;
            continue;
        }
        if (part->what == ABLATED_HEAD || part->what == ABLATED_BRANCH)
            take_heads(model, part);
        else
            take_layers(model, part);
        measure(model, model->now);
        for (int s = 0; s < sentences; s++) {
            const int tokens = model->text ? model->words[s] : model->whole[s].tokens;
            if (tokens) rise[s] = (struct rise){model->now[s].nats - model->whole[s].nats, tokens};
        }
    }
    likelihood_close(model->list);
    arena_free(&model->scratch);
    return all;
}

/* ---- parts ---- */

static void add_part(struct ablated_model *model, struct arena *arena, struct ablation part)
{
    ARENA_ADD(arena, model->part, model->parts, part);
}

static void add_gates(struct ablated_model *model, struct arena *arena, int layer, int head)
{
    static const double held[] = {0, 0.5, 1};
    for (size_t i = 0; i < COUNT_OF(held); i++)
        add_part(model, arena,
                 (struct ablation){ABLATED_GATE, layer, head, .number = held[i],
                                   .name = arena_print(arena, "gate %g", held[i])});
}

static void add_layer(struct ablated_model *model, struct arena *arena, int layer)
{
    const int heads = model->frozen->job.options->model.heads;
    const int branches = model->encoder->attention.of_layer[layer - 1].branches;
    const struct value *energy = value_of(model, layer, "gate.energy");
    add_part(model, arena, (struct ablation){ABLATED_ATTENTION, layer, .name = "attention"});
    for (int h = 1; h <= heads; h++)
        add_part(model, arena, (struct ablation){ABLATED_HEAD, layer, h, .name = "head"});
    for (int b = 1; b <= branches && branches > 1; b++)
        add_part(model, arena,
                 (struct ablation){ABLATED_BRANCH, layer, .branch = b,
                                   .name = arena_print(arena, "branch %d", b)});
    if (energy) add_gates(model, arena, layer, 0);
    for (int h = 1; energy && h <= energy->columns && energy->columns > 1; h++)
        add_gates(model, arena, layer, h);
}

struct ablations ablate_parts(const struct frozen *frozen, const struct split *split,
                              struct arena *arena)
{
    struct ablated_model model;
    ablated_open(&model, frozen, split, NULL);
    for (int l = 1; l <= model.encoder->layers; l++) {
        if (!value_of(&model, l, "heads")) continue;
        if (!model.parts) add_part(&model, arena, (struct ablation){.what = ABLATED_ATTENTION});
        add_layer(&model, arena, l);
    }
    return measure_all(&model, arena);
}

struct ablations ablate_classes(const struct frozen *frozen, const struct tagged_text *text,
                                double number, struct arena *arena)
{
    struct ablated_model model;
    ablated_open(&model, frozen, &text->split, text);
    for (int l = 0; l <= model.encoder->layers; l++)
        for (int c = 0; c <= text->classes && (!l || gates_at(model.encoder, l - 1)); c++)
            add_part(&model, arena,
                     (struct ablation){ABLATED_GATE, l, .number = number, .class = c,
                                       .name = c ? text->name[c - 1] : NULL});
    return measure_all(&model, arena);
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
