/* The stage `trees` builds trees from the master gates of ON-LSTM layers, and from the norms of the
 * cells of recurrent layers (probes/trees.h). It compares them with the trees of a treebank. */
/* sources: ..core/model probes/trees.* probes/words.* probes/word_vectors.* probes/vectors.*
 * probes/kept_rows.* */
/* rank: 35 */
#include <math.h>

#include "core/corpus/corpus_sources.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_work.h"
#include "probes/trees.h"
#include "probes/word_vectors.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

struct trees_options {
    const char *text, *checkpoint, *rules;
    bool start, lowercase;
};
#define FIELD(member) offsetof(struct trees_options, member)
static const struct option rows[] = {
    OPTION_TEXT("text", FIELD(text), "pos/en_ewt-ud-dev.conllu", OPTION_NO_ID,
                "treebank in CoNLL-U, with heads"),
    OPTION_ENCODER(FIELD(checkpoint)),
    OPTION_BOOL("start", FIELD(start), "true", OPTION_ID,
                "control with the parameters before training, in addition"),
    OPTION_TEXT("rules", FIELD(rules), "", OPTION_NO_ID,
                "rules that first rewrite tokens: moses, tatoeba, a path to a .tsv, or none"),
    OPTION_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
                "lower-casing of the words, for a corpus that was lower-cased"),
};
const struct evaluation evaluation_trees = {
    .section = SECTION("evaluate.trees", "trees from gates and cells of recurrent layers", rows,
                       struct trees_options)};

/* ---- before anything runs ---- */

static const char rules_option[] = "evaluate.trees.rules";

static const char *lacks(const struct settings *settings)
{
    const struct encoder_options *encoder = &settings->translator.encoder;
    bool any = false;
    for (int l = 1; l <= encoder->layers; l++)
        any |= layers_group(&encoder->stack, l)->kind != LAYER_SAN;
    return any ? NULL : "a recurrent layer";
}

static void check(struct kind_check *check)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct trees_options *options = check->options;
    stage_frozen_check(check, options->checkpoint);
    stage_check_rules(check->resolved->options, options->rules, rules_option, check->arena);
    const char *file = corpus_find_file(&arena, options->text);
    if (!file || !kind_check_first(check, arena_print(check->arena, "trees %s", file))) return;
    const struct words words = words_read(&arena, &file, 1);
    trees_of(&words, WORDS_TRAIN, &arena);
}

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct trees_options *options = stage_options(stage);
    stage_digest_text(stage, "text", options->text, arena);
    stage_digest_rules(stage, planned, options->rules, rules_option, arena);
}

/* ---- numbers of words ---- */

enum measured { GATES, CELLS, MEASURED_KINDS };

/* Returns the norm of a cell or, for a master forget gate, 1 - mean, which is the expected
 * split. */
static double number_of(enum measured source, const float *value, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += source == GATES ? (double)value[i] : (double)value[i] * (double)value[i];
    return source == GATES ? 1 - sum / count : sqrt(sum);
}

/* An encoder with one set of parameters, and the words of the treebank. */
struct measuring {
    const struct frozen *frozen;
    const struct encoder_options *encoder;
    struct words *words;
    const struct tokenized_reading *reading;
};

/* Adds the numbers of a layer to gap[words]: the number before each word. It is the mean over the
 * directions. A forward direction has it at the first piece of the word, a backward direction at
 * the last piece of the previous word. gap[] of the first word of a sentence has no meaning. */
static void add_gaps(const struct measuring *m, enum measured source, int layer, double *gap)
{
    SCOPED(arena_free) struct arena arena = {0};
    static const char *const names[MEASURED_KINDS] = {"master_forget", "recurrence.cell"};
    const int direction = layers_group(&m->encoder->stack, layer)->direction;
    const int directions = direction == LAYER_BOTH ? 2 : 1;
    const char *path = arena_print(&arena, "encoder.%d.%s", layer, names[source]);
    for (int e = 0; e < directions; e++) {
        const bool back = e || direction == LAYER_BACKWARD;
        const struct word_vectors value = word_vectors_measure(
            m->frozen, m->words, m->reading, path, back ? PIECES_LAST : PIECES_FIRST, &arena);
        const int width = value.columns / directions;
        for (int w = 1; w < m->words->words; w++)
            gap[w] +=
                number_of(source, value.vector + (int64_t)(w - back) * value.columns + e * width,
                          width) /
                directions;
    }
}

/* ---- shares of edges ---- */

static struct trees_share *cut_all(const struct trees *trees, const double *gap,
                                   enum trees_rule rule, int *count, struct arena *arena)
{
    struct trees_share *of = ARENA_ARRAY(arena, struct trees_share, trees->sentences + 1);
    int32_t *parent = ARENA_ARRAY(arena, int32_t, trees->longest + 1);
    *count = 0;
    for (int s = 0; s < trees->sentences; s++) {
        const int32_t first = trees->start[s];
        trees_cut(gap + trees->word[first], trees->punctuation + first, trees->start[s + 1] - first,
                  rule, parent);
        *count = trees_add(trees, s, parent, of, *count);
    }
    return of;
}

/* Names of the values, by source and rule. */
static const char *const names[MEASURED_KINDS][TREES_RULES] = {
    {"gates", "gates_first", "gates_last"}, {"cells", "cells_first", "cells_last"}};

/* Writes the items of a value, one for each document with an edge. */
static void write_items(struct stage_work *work, const char *prefix,
                        const struct trees_share *share, int count)
{
    struct item *item = ARENA_ARRAY(&work->arena, struct item, count);
    int items = 0;
    for (int i = 0; i < count; i++)
        if (share[i].all)
            item[items++] = (struct item){100. * share[i].right, "", "", share[i].all};
    stage_work_items(work, *prefix ? "start.tsv" : items_file(0, 1, &work->arena), item, items);
    if (!*prefix) stage_work_real(work, "items", items);
}

/* Writes the UUAS of the trees of gap[words] for all rules. `telling` is true for the numbers of
 * the value uuas. */
static void write_trees(struct stage_work *work, const char *prefix, enum measured source,
                        int layer, const struct trees *trees, const double *gap, bool telling)
{
    struct arena *arena = &work->arena;
    for (int rule = 0; rule < TREES_RULES; rule++) {
        int count;
        const struct trees_share *share = cut_all(trees, gap, (enum trees_rule)rule, &count, arena);
        const double percent = trees_percent(share, count);
        stage_work_value(work, arena_print(arena, "%s%s", prefix, names[source][rule]), percent,
                         trees_sum(share, count), (struct value_at){.layer = layer});
        if (!telling || rule) continue;
        stage_work_value(work, arena_print(arena, "%suuas", prefix), percent,
                         trees_sum(share, count), (struct value_at){.layer = layer});
        if (!layer) write_items(work, prefix, share, count);
    }
}

/* Measures all layers with one set of parameters, then the mean numbers over the layers. */
static struct trees measure(struct stage_work *work, struct words *words, const char *checkpoint,
                            const char *prefix)
{
    struct arena *arena = &work->arena;
    const struct trees_options *options = stage_options(work->stage);
    const struct tokenized_reading reading =
        stage_reading(work->stage, options->rules, rules_option, options->lowercase, arena);
    struct frozen *frozen = stage_work_frozen(work, checkpoint);
    const struct encoder_options *encoder = &frozen->job.options->encoder;
    const struct measuring m = {frozen, encoder, words, &reading};
    bool gates = false;
    struct trees trees = {0};
    frozen_load(frozen, 0);
    for (int source = 0; source < MEASURED_KINDS; source++) {
        double *mean = ARENA_ARRAY(arena, double, words->words);
        int layers = 0;
        for (int l = 1; l <= encoder->layers; l++) {
            const enum layer_kind kind = layers_group(&encoder->stack, l)->kind;
            if (kind == LAYER_SAN || (source == GATES && kind != LAYER_ONLSTM)) continue;
            double *gap = ARENA_ARRAY(arena, double, words->words);
            add_gaps(&m, (enum measured)source, l, gap);
            trees = trees_of(words, WORDS_TRAIN, arena);
            for (int w = 0; w < words->words; w++) mean[w] += (gap[w] - mean[w]) / (layers + 1);
            layers++;
            write_trees(work, prefix, (enum measured)source, l, &trees, gap,
                        source == GATES || !gates);
        }
        if (layers)
            write_trees(work, prefix, (enum measured)source, 0, &trees, mean,
                        source == GATES || !gates);
        gates |= source == GATES && layers;
    }
    frozen_close(frozen);
    return trees;
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct trees_options *options = stage_options(work->stage);
    const char *file = stage_text_file(options->text, arena);
    struct words words = words_read(arena, &file, 1);
    if (options->start) measure(work, &words, "start", START_OF);
    const struct trees trees = measure(work, &words, options->checkpoint, "");
    int count;
    const struct trees_share *joined = trees_neighbors(&trees, &count, arena);
    stage_work_real(work, "neighbors", trees_percent(joined, count));
    stage_work_real(work, "sentences", trees.sentences);
    stage_work_real(work, "left_out", trees.left_out);
    stage_work_real(work, "removed", words.removed[WORDS_TRAIN]);
    const char *text = stage_file_signature(stage_file(work->stage, "text"), arena);
    stage_work_text(work, "signature",
                    arena_print(arena, "UUAS|text:%s|sentences:%d", text, trees.sentences));
    return WORK_DONE;
}

#define UUAS(name_, header_, help_, ...)                                                           \
    VALUE(name_, header_, help_, .decimals = 2, .best = COLUMN_MOST, .traits = BY_LAYER,           \
          .counted = "edges", __VA_ARGS__)
#define MEASURED .observations = observations_items, .items = "documents"
const struct offer offer_trees = {
    .kind = "trees",
    VALUES(UUAS("uuas", "UUAS", "gates; without an ON-LSTM layer: cells", MEASURED),
           UUAS("gates", "UUAS of gates", "1 - mean of the master forget gate", ),
           UUAS("gates_first", "UUAS of gates, first", "likewise, first words as heads", ),
           UUAS("gates_last", "UUAS of gates, last", "likewise, last words as heads", ),
           UUAS("cells", "UUAS of cells", "norm of the cell", ),
           UUAS("cells_first", "UUAS of cells, first", "likewise, first words as heads", ),
           UUAS("cells_last", "UUAS of cells, last", "likewise, last words as heads", ),
           UUAS(START_OF "uuas", "Start", "UUAS with the parameters before training", MEASURED),
           UUAS(START_OF "gates", NULL, NULL, ), UUAS(START_OF "gates_first", NULL, NULL, ),
           UUAS(START_OF "gates_last", NULL, NULL, ), UUAS(START_OF "cells", NULL, NULL, ),
           UUAS(START_OF "cells_first", NULL, NULL, ), UUAS(START_OF "cells_last", NULL, NULL, ),
           VALUE("neighbors", "Neighbors", "UUAS of joined neighbors", .decimals = 2,
                 .traits = BASELINE)),
    .numbers = "sentences left_out removed items",
    .section = "evaluate.trees",
    .caption = "Trees: {text}",
};

const struct stage_kind kind_trees = {
    .name = "trees",
    .evaluation = &evaluation_trees,
    READS_FROZEN,
    .lacks = lacks,
    .find_files = find_files,
    .check = check,
    .passes = 10,
    .run = run,
};
