/* The stage `ablate` removes one part of a trained encoder, or holds one gate at a constant
 * (probes/ablate.h). The stage measures how much the loss on a split rises. The values are by layer
 * and head. */
/* sources: ..core/model core/decode/likelihood.* core/decode/resample.* core/decode/statistic.*
 * probes/ablate.* probes/gates.*
 * experiments/stage/ablation.* */
/* rank: 37 */
#include <math.h>

#include "experiments/stage/ablation.h"
#include "experiments/stage/analysis.h"
#include "probes/gates.h"

static const struct option rows[] = {ANALYSIS_ROWS};
const struct evaluation evaluation_ablate = {
    .section = SECTION("evaluate.ablate", "rise of the loss without parts of the encoder", rows,
                       struct analysis_options)};

/* Returns the mean of the gate that a part holds at 0; NaN for all other parts. If each head has
 * its own gate, a part is one head, else a layer. */
static double gate_at(const struct gates *gates, const struct ablation *part)
{
    const bool shut = part->what == ABLATED_GATE && !(part->number > 0);
    for (int l = 0; l < gates->layers && shut; l++) {
        const bool whole = gates->heads[l] == 1 || part->head;
        if (gates->layer[l] != part->layer || !whole) continue;
        const struct moments moments = gates_over(gates, -1, l, part->head - 1);
        return moments_mean(&moments);
    }
    return (double)NAN;
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct analysis_options *options = stage_options(work->stage);
    struct frozen *frozen;
    const struct split split = analysis_open(work, &frozen);
    const struct ablations all = ablate_parts(frozen, &split, arena);
    struct gates gates = {0};
    double *gate = ARENA_ARRAY(arena, double, all.count);
    if (gates_any(&work->stage->settings->translator.encoder))
        gates = gates_measure(frozen, &split, NULL, arena);
    for (int i = 0; i < all.count; i++) gate[i] = gate_at(&gates, &all.of[i]);
    frozen_close(frozen);
    stage_work_text(work, "signature",
                    arena_print(arena, "nats per token|split:%s|sentences:%d",
                                split_names[options->split], split.sentences));
    ablation_write(work, &all, gate);
    return WORK_DONE;
}

const struct offer offer_ablate = {
    .kind = "ablate",
    VALUES(ABLATION_MEASURES("tokens")),
    .numbers = "rise_se rise_low rise_high ranked sentences",
};

const struct stage_kind kind_ablate = {
    .name = "ablate",
    .evaluation = &evaluation_ablate,
    READS_FROZEN,
    .lacks = analysis_lacks_attention,
    .check = analysis_check,
    .passes = 40,
    .run = run,
};
