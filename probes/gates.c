/* Gates are values that an infer list keeps; what is kept of them is their moments. */
#include "probes/gates.h"

#include <math.h>

#include "core/config/scalar.h"

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

static const struct option_custom by_custom = {"list of layer, head", by_read, by_write, NULL};

static const struct option rows[] = {
    ROW_CHOICE("split", offsetof(struct gates_options, split), "dev", "train|dev|test", OPTION_ID,
               "the sentences whose positions are looked at"),
    ROW_TEXT("checkpoint", offsetof(struct gates_options, checkpoint), "best", OPTION_ID,
             "best, last, average(N), mean_of_best(N) or start: as evaluate.bleu has it"),
    ROW_CUSTOM("by", offsetof(struct gates_options, by), "[layer]", &by_custom, OPTION_ID,
               "means that are written beside the one over all"),
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

/* Keeps the gates of every gated layer, gate[gates->layers]; what they are goes to `arena`. */
static struct value **keep_gates(struct graph *graph, const struct encoder_options *encoder,
                                 struct gates *gates, struct arena *arena)
{
    struct value **gate = ARENA_ARRAY(graph->arena, struct value *, encoder->layers);
    int *layer = ARENA_ARRAY(arena, int, encoder->layers);
    int *heads = ARENA_ARRAY(arena, int, encoder->layers);
    for (int l = 0; l < encoder->layers; l++) {
        if (!gates_at(encoder, l)) continue;
        const char *path = arena_print(graph->arena, "encoder.%d.attention.gate", l + 1);
        struct value *value = gate[gates->layers] = graph_keep(graph, path);
        layer[gates->layers] = l + 1;
        heads[gates->layers++] = value->columns;
        if (value->columns > gates->width) gates->width = value->columns;
    }
    gates->layer = layer;
    gates->heads = heads;
    if (!gates->layers) die("evaluate.gates: no layer of this encoder has a fusion with gates");
    return gate;
}

/* Adds the gates of the loaded batch to cell [layers][width]; `host` has room for one layer's. */
static void add_batch(const struct graph *graph, struct value *const *gate,
                      const struct gates *gates, struct moments *cell, real *host)
{
    for (int l = 0; l < gates->layers; l++) {
        const int heads = gates->heads[l], count = gate[l]->rows->count;
        graph_read(graph, gate[l], host);
        for (int h = 0; h < heads; h++) {
            struct moments *to = &cell[l * gates->width + h];
            for (int t = 0; t < count; t++) {
                const double g = (double)host[t * heads + h];
                to->n++;
                to->sum += g;
                to->squares += g * g;
            }
        }
    }
}

struct gates gates_measure(struct frozen *frozen, enum split_name which, struct arena *arena)
{
    struct arena scratch = {0};
    struct gates gates = {.sets = frozen->sets};
    const struct split *split = &frozen->job.corpus->split[which];
    if (!split->sentences)
        die("evaluate.gates.split: the corpus has no %s split", split_names[which]);
    struct graph *graph = model_list(frozen->model, &scratch, GRAPH_INFER);
    struct value **gate = keep_gates(graph, &frozen->job.options->encoder, &gates, arena);
    struct pass pass =
        pass_open(frozen, graph, split, (struct pass_form){PASS_BY_LENGTH, TOKENS, SENTENCES});
    real *host = ARENA_ARRAY(&scratch, real, (size_t)pass.tokens * (size_t)gates.width);
    const size_t cells = (size_t)gates.layers * (size_t)gates.width;
    gates.cell = ARENA_ARRAY(arena, struct moments, (size_t)gates.sets * cells);
    for (int set = 0; set < gates.sets; set++) {
        frozen_load(frozen, set);
        while (pass_next(&pass)) add_batch(graph, gate, &gates, gates.cell + set * cells, host);
    }
    pass_close(&pass);
    arena_free(&scratch);
    return gates;
}
