/* The stage `formulas` reads or generates pairs of statements, and converts them to token ids
 * (logic/ids.h). */
/* sources: core/base core/config core/corpus/labeled.* logic experiments/stage/logic_files.* */
/* rank: 60 */
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_work.h"
#include "logic/ids.h"
#include "results/store/offer.h"

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    struct arena *arena = &work->arena;
    const struct logic_section *logic = logic_section_at(stage->settings);
    const struct formula_names names = logic_files_names(logic);
    struct logic_pairs pairs = {.names = &names, .arena = arena};
    logic_files_read(stage, logic, &pairs, arena);
    const struct labeled labeled = logic_labeled(arena, &pairs, logic_files_protocol(logic));
    int count[LOGIC_SPLITS] = {0};
    for (int p = 0; p < labeled.pairs; p++) count[labeled.pair[p].split]++;
    labeled_write(stage_work_path(work, LOGIC_FILE), &labeled);
    stage_work_output(work, LOGIC_FILE);
    for (int split = 0; split < LOGIC_SPLITS; split++)
        stage_work_real(work, split_names[split], count[split]);
    stage_work_real(work, "statements", labeled.text.sentences);
    stage_work_real(work, "longest", labeled.text.longest[SIDE_SOURCE]);
    return WORK_DONE;
}

static void verify(const struct stage *stage, struct arena *arena)
{
    labeled_read(arena, arena_print(arena, "%s/" LOGIC_FILE, stage->folder));
}

const struct offer offer_formulas = {
    .kind = "formulas",
    .traits = OFFER_EXACT,
    .numbers = "train dev test statements longest",
    .telling = "train",
};

const struct stage_kind kind_formulas = {
    .name = "formulas",
    .task = "logic",
    .evaluation = &evaluation_logic,
    .traits = KIND_SINGLE,
    .ignores = (const char *const[]){"logic.bins=", "logic.dev=", "logic.pool=", "logic.features=",
                                     "logic.hidden=", "logic.checkpoint=", NULL},
    .find_files = logic_files_find,
    .check = logic_files_check,
    .run = run,
    .verify = verify,
    .opened = LOGIC_FILE,
};
