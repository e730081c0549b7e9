/* Measures gates: reads the options, keeps gates in an inference list, and computes their
 * moments. */
#include "probes/gates.h"

#include <math.h>
#include <string.h>

#include "core/config/scalar.h"

enum { TOKENS = 2048, SENTENCES = 128 };

/* Reads the option `by`. The order of its values has no meaning. So the values become bits, and
 * by_write has a fixed order. */
static void by_read(const struct tree *value, void *field, struct arena *arena)
{
    unsigned *by = field;
    *by = value ? 0 : GATES_BY_LAYER;
    if (!value) return;
    const struct texts texts = scalar_texts(value, "evaluate.gates.by", arena);
    for (int i = 0; i < texts.count; i++) {
        const struct tree *item = value->kind == TREE_LIST ? value->item[i] : value;
        *by |= 1u << scalar_choice(item, "evaluate.gates.by", "layer|head|pos");
    }
    if (*by & GATES_BY_HEAD) *by |= GATES_BY_LAYER; /* a head belongs to a layer */
}

static void by_write(const void *field, FILE *out)
{
    static const char *const words[] = {"layer", "head", "pos"};
    const unsigned by = *(const unsigned *)field;
    if (by == GATES_BY_LAYER) return;
    const char *before = "[";
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (by & 1u << i) fprintf(out, "%s%s", before, words[i]);
        if (by & 1u << i) before = ", ";
    }
    fputs(by ? "]" : "[]", out);
}

static const struct option_custom by_custom = {"list of layer, head, pos", by_read, by_write, NULL};

/* Reads the option `tags`: a file, {words: FILE} or {command: [..]}. The id depends on the digest
 * of a file, or on the arguments of a command. */
static void tags_read(const struct tree *value, void *field, struct arena *arena)
{
    static const char *const keys[] = {"command", "words", NULL};
    struct gates_tags *tags = field;
    *tags = (struct gates_tags){0};
    if (!value) return;
    if (value->kind != TREE_MAP) {
        tags->file = arena_text(arena, scalar_text(value, "evaluate.gates.tags"));
        return;
    }
    tree_only_keys(value, "evaluate.gates.tags", keys);
    const struct tree *command = tree_get(value, "command"), *words = tree_get(value, "words");
    if (command) tags->command = scalar_texts(command, "evaluate.gates.tags.command", arena);
    if (words) tags->words = arena_text(arena, scalar_text(words, "evaluate.gates.tags.words"));
    const bool program = tags->command.count && *tags->command.text[0];
    const bool list = tags->words && *tags->words && strcmp(tags->words, "none") != 0;
    if (program == list || (command && words))
        die_at(value->location, "evaluate.gates.tags: expected a file, {words: FILE}, or {command: "
                                "[PROGRAM, WORD, ..]}");
}

static void tags_write(const void *field, FILE *out)
{
    const struct gates_tags *tags = field;
    for (int i = 0; i < tags->command.count; i++) {
        fputs(i ? ", " : "[", out);
        text_print_quoted(tags->command.text[i], out);
    }
    if (tags->command.count) fputc(']', out);
}

static const struct option_custom tags_custom = {"a file, {words: FILE} or {command: [..]}",
                                                 tags_read, tags_write, NULL};

static const struct option rows[] = {
    OPTION_CHOICE("split", offsetof(struct gates_options, split), "dev", "train|dev|test",
                  OPTION_ID, "split whose positions are analyzed", .when = "text = ''"),
    OPTION_TEXT("checkpoint", offsetof(struct gates_options, checkpoint), "best", OPTION_ID,
                "parameters: best, last, average(N), mean_of_best(N) or start (see "
                "evaluate.bleu.checkpoint)"),
    OPTION_CUSTOM("by", offsetof(struct gates_options, by), "[layer]", &by_custom, OPTION_ID,
                  "means that are written in addition to the overall mean; pos: by part of speech, "
                  "over words (needs text or tags)"),
    OPTION_BOOL("start", offsetof(struct gates_options, start), "false", OPTION_ID,
                "means with the parameters before training, in addition"),
    OPTION_TEXT("text", offsetof(struct gates_options, text), "", OPTION_NO_ID,
                "treebank in CoNLL-U, whose sentences replace the split's"),
    OPTION_CUSTOM(
        "tags", offsetof(struct gates_options, tags), "none", &tags_custom, OPTION_ID,
        "tags of the source of dev or test. A file has a line of tags per sentence. words: a "
        "list of words and their tags. command: a program that reads tokens and prints "
        "tags"),
    OPTION_CHOICE("tagset", offsetof(struct gates_options, read.own), "universal", "universal|own",
                  OPTION_ID, "tag set: the twelve tags of Xu et al., or the text's own (by: pos)",
                  .when = "by = pos"),
    OPTION_CHOICE("sconj", offsetof(struct gates_options, read.sconj), "ADP", "ADP|CONJ", OPTION_ID,
                  "tag that SCONJ becomes (tagset: universal)",
                  .when = "by = pos and tagset = universal"),
    OPTION_TEXT(
        "rules", offsetof(struct gates_options, rules), "", OPTION_NO_ID,
        "rules that first rewrite tokens of the text: moses, tatoeba, a path to a .tsv, or none"),
    OPTION_BOOL("lowercase", offsetof(struct gates_options, lowercase), "false", OPTION_ID,
                "lower-casing of the text, for a corpus that was lower-cased",
                .when = "text != ''"),
};
const struct section gates_section = {"evaluate.gates",
                                      "mean weights of branches in fusions with gates", rows,
                                      COUNT_OF(rows), sizeof(struct gates_options)};

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

int gates_branches(const struct encoder_options *encoder)
{
    int most = 0;
    for (int l = 0; l < encoder->layers; l++) {
        const struct attention_spec *spec = &encoder->attention.of_layer[l];
        if (spec->fusion && spec->fusion->weigh && spec->branches > most) most = spec->branches;
    }
    return most;
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

struct gates_sums gates_sums(const struct gates *gates, int set, int layer)
{
    const size_t at = (size_t)set * (size_t)gates->layers + (size_t)layer;
    struct gates_sums sums = {.cell = gates->cell + at * (size_t)gates->width};
    if (!gates->text) return sums;
    sums.word = gates->word + at * (size_t)gates->text->words;
    sums.sentence = gates->sentence + at * (size_t)gates->text->split.sentences;
    return sums;
}

struct moments gates_over(const struct gates *gates, int set, int layer, int head)
{
    struct moments sum = {0};
    for (int s = 0; s < gates->sets; s++)
        for (int l = 0; l < gates->layers; l++)
            for (int h = 0; h < gates->heads[l]; h++)
                if ((set < 0 || s == set) && (layer < 0 || l == layer) && (head < 0 || h == head))
                    sum = moments_join(sum, gates_sums(gates, s, l).cell[h]);
    return sum;
}

/* A layer whose gates are measured. */
struct gated_layer {
    int number; /* from 1 */
    const struct attention_spec *spec;
    struct value *value; /* gates of the layer, or outputs of its branches */
    int parts;           /* 1, or the number of branches */
};

/* A measurement of the gates of second branches (one part), or of the weights of all branches
 * (one part for each branch). */
struct measurement {
    struct frozen *frozen;
    bool branches;
    int layers, parts;
    struct gated_layer *layer; /* [layers] */
    struct gates *gates;       /* [parts] */
    real *host, *weight;       /* working memory for one layer and batch: its value; its weights */
};

/* Keeps the gates of every gated layer, or the branches of every layer with a weight for each
 * branch. Returns the largest number of columns. */
static int keep_layers(struct measurement *all, struct graph *graph)
{
    const struct encoder_options *encoder = &all->frozen->job.options->encoder;
    int columns = 0;
    all->layer = ARENA_ARRAY(graph->arena, struct gated_layer, encoder->layers);
    for (int l = 0; l < encoder->layers; l++) {
        const struct attention_spec *spec = &encoder->attention.of_layer[l];
        if (all->branches ? !spec->fusion || !spec->fusion->weigh : !gates_at(encoder, l)) continue;
        const char *path = arena_print(graph->arena, "encoder.%d.attention.%s", l + 1,
                                       all->branches ? "heads" : "gate");
        struct gated_layer layer = {l + 1, spec, graph_keep(graph, path),
                                    all->branches ? spec->branches : 1};
        all->layer[all->layers++] = layer;
        if (layer.value->columns > columns) columns = layer.value->columns;
    }
    if (!all->layers) die("evaluate.gates: no layer of the encoder has a fusion with gates");
    return columns;
}

/* Allocates the gates of a part, for the layers that have the part. */
static struct gates open_gates(const struct measurement *all, int part,
                               const struct tagged_text *text, struct arena *arena)
{
    struct gates gates = {.sets = all->frozen->sets, .text = text};
    int *layer = ARENA_ARRAY(arena, int, all->layers),
        *heads = ARENA_ARRAY(arena, int, all->layers);
    for (int l = 0; l < all->layers; l++) {
        if (all->layer[l].parts <= part) continue;
        const int columns = all->branches ? 1 : all->layer[l].value->columns;
        layer[gates.layers] = all->layer[l].number;
        heads[gates.layers++] = columns;
        if (columns > gates.width) gates.width = columns;
    }
    const size_t layers = (size_t)gates.sets * (size_t)gates.layers;
    gates.layer = layer;
    gates.heads = heads;
    gates.cell = ARENA_ARRAY(arena, struct moments, layers * (size_t)gates.width);
    if (text) gates.word = ARENA_ARRAY(arena, double, layers *(size_t)text->words);
    if (text) gates.sentence = ARENA_ARRAY(arena, double, layers *(size_t)text->split.sentences);
    return gates;
}

/* Adds the gates of one position: [heads]. */
static void add_position(struct moments *cell, const real *gate, int heads)
{
    for (int h = 0; h < heads; h++) {
        const double g = (double)gate[h];
        cell[h].n++;
        cell[h].sum += g;
        cell[h].squares += g * g;
    }
}

/* Adds the gates of a sentence, [pieces][heads], to its words and to the sentence. */
static void add_words(const struct tagged_text *text, int sentence, const real *gate, int heads,
                      const struct gates_sums *to)
{
    const int64_t *start = text->split.side[SIDE_SOURCE].start;
    for (int64_t p = start[sentence]; p < start[sentence + 1]; p++, gate += heads) {
        const int32_t word = text->word[p];
        double sum = 0;
        for (int h = 0; h < heads; h++) sum += (double)gate[h];
        to->sentence[sentence] += sum / heads;
        if (word != CORPUS_NO_WORD) to->word[word] += sum / heads / text->pieces[word];
    }
}

/* Adds the gates of one layer in a batch, [count][heads], to the gates of a part. */
static void add_layer(const struct gates *gates, int layer, int set, const struct batch *batch,
                      const real *gate, int count)
{
    const struct field *field = &batch->field[FIELD_SOURCE];
    const int heads = gates->heads[layer];
    const struct gates_sums to = gates_sums(gates, set, layer);
    for (int t = 0; t < count; t++) add_position(to.cell, gate + t * heads, heads);
    for (int b = 0; gates->text && b < field->B; b++)
        add_words(gates->text, batch->sentence[b], gate + field->start[b] * heads, heads, &to);
}

/* Adds the gates of the loaded batch. */
static void add_batch(const struct measurement *all, const struct graph *graph, int set,
                      const struct batch *batch)
{
    int at[ATTENTION_BRANCHES] = {0}; /* index of the layer in the gates of each part */
    for (int l = 0; l < all->layers; l++) {
        const struct gated_layer *layer = &all->layer[l];
        const int count = layer->value->rows->count;
        const real *weight = all->host;
        graph_read(graph, layer->value, all->host);
        if (all->branches) {
            SCOPED(arena_free) struct arena arena = {0};
            const char *path = arena_print(&arena, "encoder.%d.attention", layer->number);
            layer->spec->fusion->weigh(&all->frozen->model->parameters, layer->spec, path,
                                       all->host, count, all->frozen->model->width, all->weight);
            weight = all->weight;
        }
        for (int part = 0; part < layer->parts; part++)
            add_layer(&all->gates[part], at[part]++, set, batch, weight + part * count, count);
    }
}

/* Measures all sets. Returns the gates of each part. */
static struct gates *measure(struct measurement *all, const struct split *split,
                             const struct tagged_text *text, struct arena *arena)
{
    struct frozen *frozen = all->frozen;
    SCOPED(arena_free) struct arena scratch = {0};
    if (text) split = &text->split;
    CHECK(split->sentences, "gates of no sentence");
    struct graph *graph = model_list(frozen->model, &scratch, GRAPH_INFER);
    const int columns = keep_layers(all, graph);
    struct pass pass =
        pass_open(frozen, graph, split, (struct pass_form){PASS_BY_LENGTH, TOKENS, SENTENCES});
    all->host = ARENA_ARRAY(&scratch, real, (size_t)pass.tokens * (size_t)columns);
    all->weight = ARENA_ARRAY(&scratch, real, (size_t)pass.tokens * (size_t)all->parts);
    all->gates = ARENA_ARRAY(arena, struct gates, all->parts);
    for (int part = 0; part < all->parts; part++)
        all->gates[part] = open_gates(all, part, text, arena);
    for (int set = 0; set < frozen->sets; set++) {
        frozen_load(frozen, set);
        for (const struct batch *batch; (batch = pass_next(&pass));)
            add_batch(all, graph, set, batch);
    }
    pass_close(&pass);
    return all->gates;
}

struct gates gates_measure(struct frozen *frozen, const struct split *split,
                           const struct tagged_text *text, struct arena *arena)
{
    struct measurement all = {.frozen = frozen, .parts = 1};
    return *measure(&all, split, text, arena);
}

const struct gates *gates_measure_branches(struct frozen *frozen, const struct split *split,
                                           const struct tagged_text *text, struct arena *arena)
{
    struct measurement all = {
        .frozen = frozen, .branches = true, .parts = gates_branches(&frozen->job.options->encoder)};
    return measure(&all, split, text, arena);
}
