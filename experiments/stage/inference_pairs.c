/* Pairs of a part are drawn by the seed; rows are given to statements in the order of the text. */
#include "experiments/stage/inference_pairs.h"

#include "core/base/digest.h"
#include "core/base/random.h"
#include "core/train/relating.h"
#include "experiments/stage/logic_files.h"
#include "logic/ids.h"

/* Some of a part, drawn without replacement, as they stand in the file. */
static void choose(struct inference_pairs *pairs, enum probe_role role,
                   const struct relating_part *part, int most, int seed, struct arena *arena)
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
    const struct relating_parts parts =
        relating_parts(arena, &pairs->data, logic->bins.first, logic->bins.last, logic->dev);
    const struct relating_part test = {pairs->tested.count, pairs->tested.pair};
    if (!parts.train.count || !parts.dev.count)
        die("no %s pairs of %d to %d operators", parts.train.count ? "held-out" : "training",
            logic->bins.first, logic->bins.last);
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
    pairs->text.names = &pairs->names;
    logic_files_read(stage, logic, &pairs->text, arena);
    pairs->data = logic_labeled(arena, &pairs->text, logic_files_protocol(logic));
    pairs->tested = logic_tested_pairs(&pairs->data, arena);
    choose_pairs(pairs, options, arena);
    number_statements(pairs, arena);
    return pairs;
}

void inference_pairs_close(struct inference_pairs *pairs)
{
    logic_pairs_free(&pairs->text);
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
