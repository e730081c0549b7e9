/* Chooses the pairs for the stage `inference`. Pairs are drawn at random with the seed in the
 * options. The statements get their rows in the order of the text. */
#include "experiments/stage/inference_pairs.h"

#include "core/base/digest.h"
#include "core/base/random.h"
#include "core/train/relating.h"
#include "experiments/stage/logic_options.h"
#include "logic/ids.h"
#include "core/tensor/ops.h"
#include "logic/generate.h"
#include "probes/protocol.h"
#include <string.h>

/* Draws at most `most` pairs of `part` without replacement, for `role`. The drawn pairs keep the
 * order of the file. */
static void choose(struct inference_pairs *pairs, enum probe_role role,
                   const struct relating_subset *part, int most, int seed, struct arena *arena)
{
    const int count = part->count < most ? part->count : most;
    int32_t *order = ARENA_ARRAY(arena, int32_t, part->count + 1),
            *item = ARENA_ARRAY(arena, int32_t, count + 1);
    bool *taken = ARENA_ARRAY(arena, bool, part->count + 1);
    random_permute((struct random_key){(uint32_t)seed, random_stream("inference.pairs")},
                   (uint32_t)role, order, part->count);
    for (int i = 0; i < count; i++) taken[order[i]] = true;
    for (int i = 0, n = 0; i < part->count; i++)
        if (taken[i]) {
            item[n++] = pairs->count;
            pairs->pair[pairs->count++] = part->pair[i];
        }
    pairs->items[role] = (struct probe_items){item, count};
}

static void choose_pairs(struct inference_pairs *pairs, const struct inference_options *options,
                         struct arena *arena)
{
    const struct logic_section *logic = &options->logic;
    const struct relating_subsets parts =
        relating_subsets(arena, &pairs->data, logic->bins.first, logic->bins.last, logic->dev);
    const struct relating_subset test = {pairs->tested.count, pairs->tested.pair};
    if (!parts.train.count || !parts.dev.count)
        die("there are no %s pairs of %d to %d operators; expected other bins",
            parts.train.count ? "held-out" : "training", logic->bins.first, logic->bins.last);
    pairs->pair = ARENA_ARRAY(arena, int32_t, pairs->data.pairs);
    choose(pairs, PROBE_TRAIN, &parts.train, options->train, logic->seed, arena);
    choose(pairs, PROBE_DEV, &parts.dev, options->train / 10, logic->seed, arena);
    choose(pairs, PROBE_TEST, &test, test.count, logic->seed, arena);
}

static void number_statements(struct inference_pairs *pairs, struct arena *arena)
{
    pairs->row = ARENA_ARRAY(arena, int32_t, pairs->text.statements + 1);
    for (int s = 0; s < pairs->text.statements; s++) pairs->row[s] = -1;
    for (int i = 0; i < pairs->count; i++)
        for (int side = 0; side < 2; side++)
            pairs->row[pairs->data.pair[pairs->pair[i]].side[side]] = 0;
    for (int s = 0; s < pairs->text.statements; s++)
        if (!pairs->row[s]) pairs->row[s] = pairs->statements++;
}

struct inference_pairs *inference_pairs_read(struct arena *arena, const struct stage *stage)
{
    const struct inference_options *options = inference_options_at(stage->settings);
    const struct logic_section *logic = &options->logic;
    struct inference_pairs *pairs = ARENA_NEW(arena, struct inference_pairs);
    pairs->names = logic_files_names(logic);
    pairs->text = (struct logic_pairs){.names = &pairs->names, .arena = arena};
    logic_files_read(stage, logic, &pairs->text, arena);
    pairs->data = logic_labeled(arena, &pairs->text, logic_files_protocol(logic));
    pairs->tested = logic_tested_pairs(&pairs->data, arena);
    choose_pairs(pairs, options, arena);
    number_statements(pairs, arena);
    return pairs;
}

const char *inference_pairs_digest(const struct inference_pairs *pairs, struct arena *arena)
{
    struct digest digest;
    char *said = arena_alloc(arena, DIGEST_TEXT);
    digest_open(&digest);
    for (int i = 0; i < pairs->count; i++) {
        const struct labeled_pair *pair = &pairs->data.pair[pairs->pair[i]];
        for (int side = 0; side < 2; side++) {
            const struct logic_statement *statement = &pairs->text.statement[pair->side[side]];
            digest_add(&digest, statement->text, statement->bytes);
            digest_add(&digest, "\t", 1);
        }
        digest_add(&digest, relation_names[pair->label], 1);
    }
    digest_close(&digest, said);
    return said;
}

/* ---- the section ---- */

#define FIELD(member) offsetof(struct inference_options, member)

static const struct option rows[] = {
    LOGIC_PAIR_ROWS(FIELD(logic)),
    OPTION_INT("train", FIELD(train), "30000", 100, LOGIC_MOST_PAIRS, OPTION_ID,
               "number of training pairs of the classifier, plus a tenth as many dev pairs; all if "
               "there are fewer"),
    OPTION_CHOICE("features", FIELD(logic.features), "match", "concat|match", OPTION_ID,
                  "features of a pair: [u; v], or [u; v; u v; |u - v|]"),
    OPTION_CHOICE("protocol", FIELD(protocol), "fixed", PROTOCOL_WORDS, OPTION_ID,
                  "training procedure of the classifier (see evaluate.probe.protocol)"),
    OPTION_BOOL("standardize", FIELD(standardize), "true", OPTION_ID,
                "standardization of each number by mean and deviation over the training pairs"),
    OPTION_TEXT("checkpoint", FIELD(checkpoint), "best", OPTION_ID,
                "parameters: best, last, average(N) or start (see evaluate.bleu.checkpoint)"),
    OPTION_BOOL("start", FIELD(start), "true", OPTION_ID,
                "control with the parameters before training, in addition"),
    OPTION_CHOICE(
        "pool", FIELD(pool), "mean", "mean|max|last|own", OPTION_ID,
        "pooling of a statement's piece vectors; own: the model's own pooling (task: logic "
        "only, there the default)"),
    OPTION_BOOL("end", FIELD(end), "true", OPTION_ID, "inclusion of the end symbol in the pooling"),
    OPTION_TEXT("rules", FIELD(rules), "none", OPTION_NO_ID,
                "rules that first rewrite symbols: formulas-words, a path to a .tsv, or none"),
};
const struct section inference_section = {"evaluate.inference",
                                          "logical inference on the frozen encoder", rows,
                                          COUNT_OF(rows), sizeof(struct inference_options)};

const struct inference_options *inference_options_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_inference)->fields;
}

void inference_ask(struct grid *grid, struct arena *arena)
{
    static const struct option same[] = {LOGIC_PAIR_ROWS(0)};
    if (strcmp(grid->task, "logic") != 0) return;
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid_row_asks(grid, r, &evaluation_inference);
        if (!resolved) continue;
        struct tree *options = tree_merge(arena, NULL, resolved->options);
        const struct tree *asked = tree_find(options, inference_section.name);
        for (size_t i = 0; i < COUNT_OF(same); i++) {
            const char *key = arena_print(arena, "%s.%s", inference_section.name, same[i].key);
            const struct tree *said =
                tree_find(options, arena_print(arena, "%s.%s", logic_section.name, same[i].key));
            if (said && !tree_find(options, key))
                tree_put(arena, options, key, tree_copy(arena, said));
        }
        const char *pool = arena_print(arena, "%s.pool", inference_section.name);
        if (!tree_find(options, pool))
            tree_put(arena, options, pool, tree_new_text(arena, asked->location, "own"));
        grid_row_say(grid, r, options, arena);
    }
}
