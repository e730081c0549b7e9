/* The stage `maps` writes the attention weights of chosen sentences, by layer, branch and head
 * (probes/maps.h), as .npy and .tsv. It also writes the pieces, with which figures label the
 * axes. */
/* sources: ..core/model probes/maps.* core/base/npy.* */
/* rank: 36 */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"
#include "experiments/stage/analysis.h"
#include "probes/maps.h"
#include "probes/maps_file.h"
#include "results/store/offer.h"

struct maps_options {
    struct analysis_options common; /* its member `sentences` is not an option here */
    struct texts sentences, layers, branches, heads;
};
#define FIELD(member) offsetof(struct maps_options, member)

static const struct option rows[] = {
    OPTION_CHOICE("split", FIELD(common.split), "dev", SECTION_SPLITS, OPTION_ID,
                  "split of the sentences", .when = "text = ''"),
    OPTION_ENCODER(FIELD(common.checkpoint)),
    OPTION_TEXTS("sentences", FIELD(sentences), "[1]", OPTION_ID,
                 "numbers of the sentences in the split or the text, from 1"),
    ANALYSIS_TEXT,
    OPTION_TEXTS("layers", FIELD(layers), "[last]", OPTION_ID,
                 "numbers of layers, from 1; last or all: of the layers with attention"),
    OPTION_TEXTS("branches", FIELD(branches), "[all]", OPTION_ID,
                 "numbers of branches in a layer's entry, from 1, or all"),
    OPTION_TEXTS("heads", FIELD(heads), "[mean]", OPTION_ID,
                 "numbers of heads, from 1; all; mean: the mean over a layer's heads"),
};
const struct evaluation evaluation_maps = {
    .section = SECTION("evaluate.maps", "attention weights of chosen sentences", rows,
                       struct maps_options)};

enum { HEAD_MEAN = 0 }; /* replaces the number of a head: the mean over all heads */

/* A list of numbers from 1. */
struct numbers {
    int count, *number;
};

static bool has_attention(const struct encoder_options *encoder, int layer)
{
    return layers_group(&encoder->stack, layer)->kind == LAYER_SAN;
}

static void add_number(struct numbers *list, int number, struct arena *arena)
{
    for (int i = 0; i < list->count; i++)
        if (list->number[i] == number) return;
    ARENA_ADD(arena, list->number, list->count, number);
}

/* Reads a list of numbers from 1 to `most`. Dies at another number, or if the list is empty: there
 * would be no map. `words` are the permitted words, for messages. If `encoder` is not NULL, the
 * numbers are layers, and only layers with attention are permitted. */
static struct numbers read_list(const struct tree *options, const struct texts *list,
                                const char *key, int most, const char *words,
                                const struct encoder_options *encoder, struct arena *arena)
{
    struct numbers numbers = {0};
    const struct location location =
        tree_location(options, arena_print(arena, "evaluate.maps.%s", key));
    if (!list->count) die_at(location, "evaluate.maps.%s: expected at least one", key);
    for (int i = 0; i < list->count; i++) {
        const char *text = list->text[i];
        double value;
        if (!strcmp(text, "all") && strstr(words, "all")) {
            for (int n = 1; n <= most; n++)
                if (!encoder || has_attention(encoder, n)) add_number(&numbers, n, arena);
            continue;
        }
        if (!strcmp(text, "last") && strstr(words, "last"))
            for (value = most; !has_attention(encoder, (int)value);) value--;
        else if (!strcmp(text, "mean") && strstr(words, "mean"))
            value = HEAD_MEAN;
        else if (!real_parse(text, &value) || !(value >= 1 && value <= most) ||
                 value != floor(value))
            die_at(location, "evaluate.maps.%s: \"%s\": expected a number from 1 to %d%s", key,
                   text, most, words);
        else if (encoder && !has_attention(encoder, (int)value))
            die_at(location,
                   "evaluate.maps.layers: layer %d is recurrent and has no attention; expected a "
                   "layer of kind san",
                   (int)value);
        add_number(&numbers, (int)value, arena);
    }
    return numbers;
}

struct chosen {
    struct numbers sentences, layers, branches, heads;
};

static struct chosen choose(const struct tree *tree, const struct maps_options *options,
                            const struct translator_options *model, int sentences,
                            struct arena *arena)
{
    const struct encoder_options *encoder = &model->encoder;
    struct chosen chosen = {.layers = read_list(tree, &options->layers, "layers", encoder->layers,
                                                ", last or all", encoder, arena)};
    int branches = 0;
    for (int i = 0; i < chosen.layers.count; i++) {
        const int R = encoder->attention.of_layer[chosen.layers.number[i] - 1].branches;
        if (R > branches) branches = R;
    }
    chosen.sentences =
        read_list(tree, &options->sentences, "sentences", sentences, "", NULL, arena);
    chosen.branches =
        read_list(tree, &options->branches, "branches", branches, " or all", NULL, arena);
    chosen.heads =
        read_list(tree, &options->heads, "heads", model->model.heads, ", all or mean", NULL, arena);
    return chosen;
}

static void check(struct kind_check *check)
{
    enum { SENTENCES = 1000000000 }; /* upper bound: the number is not known yet */
    analysis_check(check);
    choose(check->resolved->options, check->options, &check->resolved->settings->translator,
           SENTENCES, check->arena);
}

/* ---- output ---- */

static const char *const header[MAPS_COLUMNS] = {"sentence", "layer", "branch", "head",
                                                 "query",    "key",   "weight"};

struct map_rows {
    struct arena *arena;
    float (*row)[MAPS_COLUMNS];
    int64_t rows;
};

/* Returns the weight of a head; for HEAD_MEAN the mean over all heads. */
static float weight_of(const struct attention_map *map, int branch, int head, int i, int j)
{
    const int n = map->pieces;
    double sum = 0;
    for (int h = 0; h < map->heads; h++)
        if (head == HEAD_MEAN || h == head - 1)
            sum += (double)map->weight[((branch * map->heads + h) * n + i) * n + j];
    return (float)(head == HEAD_MEAN ? sum / map->heads : sum);
}

static void add_map(struct map_rows *to, const struct attention_map *map, int sentence, int layer,
                    int branch, int head)
{
    for (int i = 0; i < map->pieces * map->pieces; i++) {
        const int query = i / map->pieces, key = i % map->pieces;
        const float row[MAPS_COLUMNS] = {(float)sentence,
                                         (float)layer,
                                         (float)branch,
                                         (float)head,
                                         (float)(query + 1),
                                         (float)(key + 1),
                                         weight_of(map, branch - 1, head, query, key)};
        ARENA_MORE(to->arena, to->row, to->rows);
        memcpy(to->row[to->rows++], row, sizeof row);
    }
}

/* Prints a piece. Control characters become blanks, because a tab would begin a new column. */
static void put_piece(const char *piece, FILE *out)
{
    for (; *piece; piece++) fputc((unsigned char)*piece < ' ' ? ' ' : *piece, out);
    fputc('\n', out);
}

static void write_pieces(struct stage_work *work, const struct corpus *corpus,
                         const struct split *split, const struct numbers *sentences)
{
    const struct side *side = &split->side[SIDE_SOURCE];
    struct file_writer writer = stage_work_create(work, "pieces.tsv");
    fputs("sentence\tplace\tpiece\n", writer.stream);
    for (int i = 0; i < sentences->count; i++) {
        const int s = sentences->number[i] - 1;
        for (int64_t t = side->start[s]; t < side->start[s + 1]; t++) {
            fprintf(writer.stream, "%d\t%d\t", s + 1, (int)(t - side->start[s]) + 1);
            put_piece(corpus->vocabulary[SIDE_SOURCE].token[side->token[t]], writer.stream);
        }
    }
    stage_work_commit(work, &writer, "pieces.tsv");
}

static void write_branches(struct stage_work *work, const struct encoder_options *encoder,
                           const struct numbers *layers)
{
    struct file_writer writer = stage_work_create(work, "branches.tsv");
    fputs("layer\tbranch\tname\n", writer.stream);
    for (int i = 0; i < layers->count; i++) {
        const int layer = layers->number[i];
        const struct attention_spec *spec = &encoder->attention.of_layer[layer - 1];
        for (int r = 0; r < spec->branches; r++) {
            fprintf(writer.stream, "%d\t%d\t", layer, r + 1);
            attention_write_branch(spec->branch[r], writer.stream);
            fputc('\n', writer.stream);
        }
    }
    stage_work_commit(work, &writer, "branches.tsv");
}

static void check_lengths(const struct split *split, const struct numbers *sentences)
{
    const int64_t *start = split->side[SIDE_SOURCE].start;
    for (int i = 0; i < sentences->count; i++) {
        const int s = sentences->number[i];
        if (start[s] - start[s - 1] > CORPUS_LINE_PIECES)
            die("evaluate.maps.sentences: sentence %d has %lld pieces; expected at most %d", s,
                (long long)(start[s] - start[s - 1]), CORPUS_LINE_PIECES);
    }
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct translator_options *model = &work->stage->settings->translator;
    struct frozen *frozen;
    const struct split split = analysis_open(work, &frozen);
    const struct chosen chosen =
        choose(work->stage->options, stage_options(work->stage), model, split.sentences, arena);
    const struct numbers *sentences = &chosen.sentences, *layers = &chosen.layers,
                         *branches = &chosen.branches, *heads = &chosen.heads;
    check_lengths(&split, sentences);
    int32_t *index = ARENA_ARRAY(arena, int32_t, sentences->count + 1);
    for (int i = 0; i < sentences->count; i++) index[i] = sentences->number[i] - 1;
    const struct attention_map *map =
        maps_measure(frozen, &split, index, sentences->count, layers->number, layers->count, arena);
    struct map_rows to = {.arena = arena};
    for (int s = 0; s < sentences->count; s++)
        for (int l = 0; l < layers->count; l++, map++)
            for (int b = 0; b < branches->count; b++)
                for (int h = 0; h < heads->count && branches->number[b] <= map->branches; h++)
                    add_map(&to, map, sentences->number[s], layers->number[l], branches->number[b],
                            heads->number[h]);
    write_branches(work, &model->encoder, layers);
    write_pieces(work, frozen->job.corpus, &split, sentences);
    frozen_close(frozen);
    analysis_write(work, "maps", header, MAPS_COLUMNS, *to.row, to.rows);
    return WORK_DONE;
}

const struct offer offer_maps = {.kind = "maps", .numbers = "rows weight"};

const struct stage_kind kind_maps = {
    .name = "maps",
    .evaluation = &evaluation_maps,
    READS_FROZEN,
    .lacks = analysis_lacks_attention,
    .find_files = analysis_find_files,
    .check = check,
    .run = run,
    .opened = "maps.npy",
};
