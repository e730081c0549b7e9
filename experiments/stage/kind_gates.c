/* The stage `gates`: how much a trained encoder listens to its second branch (probes/gates.h). */
/* sources: ..core/model probes/gates.* */
#include <string.h>

#include "code.h"
#include "core/model/checkpoint.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/stage_work.h"
#include "probes/gates.h"
#include "results/store/offer.h"

const struct evaluation evaluation_gates = {.section = &gates_section,
                                            .split = offsetof(struct gates_options, split),
                                            .checkpoint =
                                                offsetof(struct gates_options, checkpoint)};

static const struct gates_options *options_of(const struct stage *stage)
{
    return settings_evaluated(stage->settings, &evaluation_gates)->fields;
}

/* Rows without gates have nothing to measure; a grid of none is refused. */
static bool wanted(const struct settings *settings)
{
    return gates_any(&settings->translator.encoder);
}

/* Where a row says evaluate.gates itself, or NULL. */
static const struct tree *own_wish(const struct tree *entry)
{
    const char word[] = "evaluate.gates";
    for (int i = 0; entry && entry->kind == TREE_MAP && i < entry->count; i++) {
        const struct tree *key = entry->key[i];
        if (!strncmp(key->text, word, strlen(word))) return key;
        if (!strcmp(key->text, "evaluate") && tree_get(entry->item[i], "gates")) return key;
    }
    return NULL;
}

static void check_grid(const struct grid *grid)
{
    const struct tree *asked = NULL;
    bool any = false;
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_point *point = &grid->point[r * grid->seeds];
        if (!point->options || !settings_evaluated(&point->settings, &evaluation_gates)->asked)
            continue;
        const bool has = gates_any(&point->settings.translator.encoder);
        const struct tree *own = own_wish(grid->summary.row[r].entry);
        if (own && !has)
            die_at(own->place, "evaluate.gates: no encoder layer of \"%s\" has a fusion with gates",
                   grid->row[r]);
        any |= has;
        asked = tree_find(point->options, "evaluate.gates");
    }
    if (asked && !any)
        die_at(asked->place, "evaluate.gates: no row's encoder has a fusion with gates");
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct gates_options *gates = options_of(stage);
    const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
    const double source = (double)facts->tokens[gates->split][SIDE_SOURCE];
    int count;
    const bool one_by_one = checkpoint_parse(gates->checkpoint, "evaluate.gates.checkpoint", false,
                                             &count) == CHECKPOINT_MEAN_OF_BEST;
    const struct translator_cost cost =
        facts_forward_cost(stage->settings, facts, source, 0); /* no decoder */
    const double times = one_by_one ? count : 1;
    return (struct estimate){.flops = times * cost.flops, .work = times * cost.work};
}

static void write_row(struct stage_work *work, const char *name, double value, int64_t n, int set,
                      int layer, int head)
{
    journal_metric(work->journal, &(struct metric){.name = name,
                                                   .step = JOURNAL_NONE,
                                                   .value = value,
                                                   .layer = layer,
                                                   .head = head,
                                                   .set = set,
                                                   .n = n});
}

/* The mean and the sample standard deviation, with n, the gates counted. */
static void write_pair(struct stage_work *work, int set, int layer, int head,
                       struct moments moments)
{
    write_row(work, "gate", moments_mean(&moments), moments.n, set, layer, head);
    write_row(work, "gate_sd", moments_deviation(&moments), moments.n, set, layer, head);
}

/* Over all, by layer, by layer and head: of one set, the checkpoint of mean_of_best(N), or with -1
 * of all together. */
static void write_rows(struct stage_work *work, const struct gates *gates, int set)
{
    const unsigned by = options_of(work->stage)->by;
    const int place = set < 0 ? JOURNAL_NONE : set + 1;
    write_pair(work, place, JOURNAL_NONE, JOURNAL_NONE, gates_over(gates, set, -1, -1));
    for (int l = 0; l < gates->layers && by & GATES_BY_LAYER; l++) {
        write_pair(work, place, gates->layer[l], JOURNAL_NONE, gates_over(gates, set, l, -1));
        for (int h = 0; h < gates->heads[l] && by & GATES_BY_HEAD && gates->heads[l] > 1; h++)
            write_pair(work, place, gates->layer[l], h + 1, gates_over(gates, set, l, h));
    }
}

static void summarize(struct stage_work *work, const struct frozen *frozen,
                      const struct gates *gates)
{
    struct moments all = gates_over(gates, -1, -1, -1);
    const struct gates_options *options = options_of(work->stage);
    json_object_set_new(work->summary, "gate", json_real(moments_mean(&all)));
    json_object_set_new(work->summary, "gate_sd", json_real(moments_deviation(&all)));
    json_object_set_new(work->summary, "gates", json_integer(all.n));
    json_object_set_new(work->summary, "split", json_string(split_names[options->split]));
    const char *steps = frozen->steps ? "" : "start";
    for (int i = 0; i < frozen->steps; i++)
        steps =
            arena_print(&work->arena, "%s%s%lld", steps, i ? ", " : "", (long long)frozen->step[i]);
    json_object_set_new(work->summary, "checkpoints", json_string(steps));
    for (int l = 0; l < gates->layers; l++) {
        struct moments layer = gates_over(gates, -1, l, -1);
        json_object_set_new(work->summary, arena_print(&work->arena, "gate.%d", gates->layer[l]),
                            json_real(moments_mean(&layer)));
    }
}

static enum work_end run(struct stage_work *work)
{
    const struct gates_options *options = options_of(work->stage);
    struct frozen *frozen = stage_work_frozen(work, options->checkpoint);
    const struct gates gates = gates_measure(frozen, (enum split_name)options->split, &work->arena);
    frozen_close(frozen);
    for (int set = 0; gates.sets > 1 && set < gates.sets; set++) write_rows(work, &gates, set);
    write_rows(work, &gates, -1);
    summarize(work, frozen, &gates);
    return WORK_DONE;
}

static const struct measure measures[] = {
    {.name = "gate",
     .form = COLUMN_SHORT,
     .dimensions = 1u << DIMENSION_LAYER | 1u << DIMENSION_HEAD | 1u << DIMENSION_SET,
     .deviation = "gate_sd",
     .axis = "Mean gate",
     .counted = "gates",
     .points = "mean gate (weight of the second branch) over positions and heads",
     .layers = "Encoder layer",
     .high = 1,
     .middle = 0.5,
     .balance = "both branches weigh the same"},
};
const struct offer offer_gates = {
    .kind = "gates",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .numeric = true,
};

const struct stage_kind kind_gates = {
    .name = "gates",
    .help = "mean weights of the second branch, by layer and head",
    .version = 1,
    .code = CODE_gates,
    .evaluation = &evaluation_gates,
    .computes = true,
    .rank = 30,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .wanted = wanted,
    .check_grid = check_grid,
    .estimate = estimate,
    .run = run,
};
