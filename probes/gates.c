#include "probes/gates.h"

#include <math.h>
#include <string.h>

#include "core/model/checkpoint.h"
#include "core/model/translator.h"
#include "core/text/batch.h"

enum { TOKENS = 2048, SENTENCES = 128 };

/* by: [layer, head] in any order is one meaning: bits, written in one order. */
static void by_read(const struct tree *value, void *field, struct arena *arena)
{
    unsigned *by = field;
    *by = value ? 0 : GATES_BY_LAYER;
    if (!value) return;
    const struct texts texts = scalar_texts(value, "evaluate.gates.by", arena);
    for (int i = 0; i < texts.count; i++) {
        const struct tree *item = value->kind == TREE_LIST ? value->item[i] : value;
        *by |= 1u << scalar_choice(item, "evaluate.gates.by", "layer|head");
    }
    if (*by & GATES_BY_HEAD) *by |= GATES_BY_LAYER; /* a head is a head of a layer */
}

static void by_write(const void *field, FILE *out)
{
    if (*(const unsigned *)field == (GATES_BY_LAYER | GATES_BY_HEAD)) fputs("[layer, head]", out);
    if (*(const unsigned *)field == 0) fputs("[]", out);
}

static const struct option_custom by_custom = {"list of layer, head", by_read, by_write};

static const struct option rows[] = {
    {.key = "split",
     .type = OPTION_CHOICE,
     .offset = offsetof(struct gates_options, split),
     .fallback = "dev",
     .choices = "train|dev|test",
     .flags = OPTION_ID,
     .help = "the sentences whose positions are looked at"},
    {.key = "checkpoint",
     .type = OPTION_TEXT,
     .offset = offsetof(struct gates_options, checkpoint),
     .fallback = "best",
     .flags = OPTION_ID,
     .help = "best, last, average(N) or mean_of_best(N): as evaluate.bleu has it"},
    {.key = "by",
     .type = OPTION_CUSTOM,
     .offset = offsetof(struct gates_options, by),
     .fallback = "[layer]",
     .custom = &by_custom,
     .flags = OPTION_ID,
     .help = "means that are written beside the one over all"},
};
const struct section gates_section = {"evaluate.gates", "weights of the second branch, averaged",
                                      rows, COUNT_OF(rows), sizeof(struct gates_options)};

bool gates_at(const struct encoder_options *encoder, int layer)
{
    const struct fusion_type *fusion = encoder->attention.of_layer[layer].fusion;
    return fusion && fusion->gated;
}

bool gates_any(const struct encoder_options *encoder)
{
    for (int l = 0; l < encoder->layers; l++)
        if (gates_at(encoder, l)) return true;
    return false;
}

double moments_mean(const struct moments *moments)
{
    return moments->n ? moments->sum / (double)moments->n : (double)NAN;
}

double moments_deviation(const struct moments *moments)
{
    const double n = (double)moments->n;
    if (moments->n < 2) return 0;
    const double variance = (moments->squares - moments->sum * moments->sum / n) / (n - 1);
    return variance > 0 ? sqrt(variance) : 0;
}

struct moments moments_join(struct moments a, struct moments b)
{
    return (struct moments){a.n + b.n, a.sum + b.sum, a.squares + b.squares};
}

struct moments gates_over(const struct gates *gates, int set, int layer, int head)
{
    struct moments sum = {0};
    for (int s = 0; s < gates->sets; s++)
        for (int l = 0; l < gates->layers; l++)
            for (int h = 0; h < gates->heads[l]; h++)
                if ((set < 0 || s == set) && (layer < 0 || l == layer) && (head < 0 || h == head))
                    sum = moments_join(sum,
                                       gates->cell[((size_t)s * (size_t)gates->layers + (size_t)l) *
                                                       (size_t)gates->width +
                                                   (size_t)h]);
    return sum;
}

/* The model with its infer list, which computes the kept gates and what they need. */
struct measurer {
    struct model *model;
    struct graph *graph;
    struct value **gate; /* [layers] */
    struct epoch epoch;
    const struct split *split;
    real *host; /* of one layer's gates */
};

static struct measurer measurer_open(const struct gates_job *job, struct gates *gates,
                                     struct arena *arena, struct arena *keep)
{
    const struct translator_options *options = job->model;
    const struct split *split = &job->corpus->split[job->options->split];
    struct measurer m = {.model = translator_of(arena, job->ops, options, job->corpus, 0),
                         .split = split};
    parameters_place(&m.model->parameters, job->ops, false);
    m.graph = model_list(m.model, m.model->arena, GRAPH_INFER);
    m.gate = ARENA_ARRAY(arena, struct value *, options->encoder.layers);
    int *layer = ARENA_ARRAY(keep, int, options->encoder.layers);
    int *heads = ARENA_ARRAY(keep, int, options->encoder.layers);
    for (int l = 0; l < options->encoder.layers; l++) {
        if (!gates_at(&options->encoder, l)) continue;
        const char *path = arena_print(arena, "encoder.%d.attention.gate", l + 1);
        struct value *gate = m.gate[gates->layers] = graph_keep(m.graph, path);
        layer[gates->layers] = l + 1;
        heads[gates->layers++] = gate->columns;
        if (gate->columns > gates->width) gates->width = gate->columns;
    }
    gates->layer = layer;
    gates->heads = heads;
    if (!gates->layers) die("evaluate.gates: no layer of this encoder has a fusion with gates");
    /* The gates are squashed by the node behind them, which must so be needed, too. */
    graph_keep(m.graph, "encoder.output");
    int longest = split->longest[SIDE_SOURCE];
    if (split->longest[SIDE_TARGET] > longest) longest = split->longest[SIDE_TARGET];
    const int tokens = longest > TOKENS ? longest : TOKENS;
    m.epoch = epoch_by_length(arena, split, tokens, SENTENCES);
    graph_plan(m.graph, (struct capacity){{tokens, tokens}, SENTENCES, longest});
    graph_place(m.graph);
    m.host = ARENA_ARRAY(arena, real, (size_t)tokens * (size_t)gates->width);
    return m;
}

/* Adds the gates of the loaded batch to cell [layers][width]. */
static void add_batch(const struct measurer *m, const struct gates *gates, struct moments *cell)
{
    for (int l = 0; l < gates->layers; l++) {
        const int heads = gates->heads[l], count = graph_rows(m->graph, m->gate[l]);
        graph_read(m->graph, m->gate[l], m->host);
        for (int h = 0; h < heads; h++) {
            struct moments *to = &cell[l * gates->width + h];
            for (int t = 0; t < count; t++) {
                const double g = (double)m->host[t * heads + h];
                to->n++;
                to->sum += g;
                to->squares += g * g;
            }
        }
    }
}

static void measure_set(const struct measurer *m, const struct gates_job *job,
                        const struct gates *gates, int set)
{
    struct moments *cell = gates->cell + (size_t)set * (size_t)(gates->layers * gates->width);
    const int64_t sentences = m->split->sentences;
    graph_pack(m->graph);
    for (int b = 0; b < m->epoch.batches; b++) {
        struct arena arena = {0};
        const int begin = m->epoch.begin[b], end = m->epoch.begin[b + 1];
        const struct batch batch =
            batch_pack(&arena, m->split, m->epoch.sentence + begin, end - begin);
        graph_load(m->graph, &batch);
        graph_forward(m->graph);
        add_batch(m, gates, cell);
        arena_free(&arena);
        if (job->progress)
            job->progress(job->progress_context, set * sentences + end, gates->sets * sentences);
    }
}

struct gates gates_measure(const struct gates_job *job, struct arena *arena)
{
    struct arena scratch = {0};
    struct gates gates = {0};
    const char *words = job->options->checkpoint;
    int64_t *step = ARENA_ARRAY(arena, int64_t, CHECKPOINTS_MOST);
    int each;
    const bool one_by_one =
        checkpoint_parse(words, "evaluate.gates.checkpoint", &each) == CHECKPOINT_MEAN_OF_BEST;
    if (!job->corpus->split[job->options->split].sentences)
        die("evaluate.gates.split: the corpus has no %s split", split_names[job->options->split]);
    gates.checkpoints = checkpoint_select(job->train_folder, words, step, CHECKPOINTS_MOST);
    gates.step = step;
    gates.sets = one_by_one ? gates.checkpoints : 1;
    struct measurer m = measurer_open(job, &gates, &scratch, arena);
    gates.cell = ARENA_ARRAY(arena, struct moments, gates.sets * gates.layers * gates.width);
    for (int set = 0; set < gates.sets; set++) {
        if (one_by_one)
            checkpoint_load(job->train_folder, step[set], &m.model->parameters, false);
        else
            checkpoint_load_mean(job->train_folder, step, gates.checkpoints, &m.model->parameters);
        measure_set(&m, job, &gates, set);
    }
    graph_release(m.graph);
    model_release(m.model);
    arena_free(&scratch);
    return gates;
}
