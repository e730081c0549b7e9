/* The stage `logic` measures the accuracy of a trained classifier of the relation of two
 * statements. The values are on test pairs, by number of operators. */
/* sources: ..core/model core/train/train.* core/train/state.* experiments/stage/logic_report.*
 * experiments/stage/stage_frozen.* */
/* rank: 65 */
#include "core/model/checkpoint.h"
#include "core/model/classify.h"
#include "core/train/train.h"
#include "experiments/stage/logic_report.h"
#include "experiments/stage/stage_frozen.h"

enum { INPUT_FORMULAS, INPUT_RELATE };

const struct evaluation evaluation_logic = {.section = &logic_section};

static void progress(void *context, int64_t done, int64_t total)
{
    stage_work_progress(context, done, total, "pairs");
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const char *pairs = stage_path(stage->input[INPUT_FORMULAS], LOGIC_FILE, arena);
    const struct labeled data = labeled_read(arena, pairs);
    const struct logic_tested tested = logic_tested_pairs(&data, arena);
    const struct stage *relate = stage->input[INPUT_RELATE];
    struct frozen *frozen = stage_work_open(
        work, relate_job(relate, work->ops, logic_section_at(stage->settings)->checkpoint, arena));
    struct classify *classify = classify_open(arena, frozen->model, &data);
    int32_t *told = ARENA_ARRAY(arena, int32_t, tested.count);
    double *mean = ARENA_ARRAY(arena, double, tested.count);
    int(*confusion)[RELATIONS][RELATIONS] = arena_alloc(arena, LOGIC_BINS * sizeof *confusion);
    for (int set = 0; set < frozen->sets; set++) {
        frozen_load(frozen, set);
        classify_pairs(classify, tested.pair, tested.count, told, progress, work);
        const double *number = logic_report_right(work, &tested, told, confusion);
        for (int i = 0; i < tested.count; i++) mean[i] += number[i] / frozen->sets;
        logic_report_items(work, &tested, number, items_file(set, frozen->sets, arena));
        if (frozen->sets > 1) logic_report_accuracy(work, &tested, number, "", set + 1);
    }
    logic_report(work, &tested, mean, confusion);
    const int64_t tran = train_other(relate->folder);
    if (tran >= 0 && frozen->steps) {
        checkpoint_load(relate->folder, tran, &frozen->model->parameters, false);
        classify_pairs(classify, tested.pair, tested.count, told, progress, work);
        logic_report_accuracy(work, &tested, logic_report_right(work, &tested, told, NULL), "tran_",
                              0);
        stage_work_real(work, "tran_step", tran);
    }
    stage_work_real(work, "items", tested.count);
    char digest[DIGEST_TEXT];
    digest_file(pairs, digest);
    stage_work_text(work, "signature",
                    arena_print(arena, "accuracy|pairs:%.8s|number:%d", digest, tested.count));
    classify_close(classify);
    frozen_close(frozen);
    return WORK_DONE;
}

const struct offer offer_logic = {
    .kind = "logic",
    VALUES(
        LOGIC_MEASURES,
        VALUE(
            "tran_accuracy", "Tran",
            "accuracy at Tran et al.'s choice of the checkpoint, which reads dev pairs as long as "
            "the test's (relate.dev_all_groups)",
            .traits = BY_CLASS, LOGIC_ACCURACY),
        VALUE("tran_short", "Tran, 1-6", "likewise", LOGIC_ACCURACY),
        VALUE("tran_long", "Tran, 7-12", "likewise", LOGIC_ACCURACY)),
    .numbers = "majority relation items tran_step",
    .telling = "long short accuracy",
    .section = "logic",
    .caption = "Pairs: trained on operators {bins}, checkpoint {checkpoint}",
};

const struct stage_kind kind_logic = {
    .name = "logic",
    .task = "logic",
    .evaluation = &evaluation_logic,
    .traits = KIND_COMPUTES,
    .ignores = (const char *const[]){"logic.data=", "logic.split=", "logic.pairs=",
                                     "logic.variables=", "logic.depth=", "logic.seed=",
                                     "logic.disjoint=", "logic.names=", "logic.bins=", "logic.dev=",
                                     "logic.pool=", "logic.features=", "logic.hidden=", NULL},
    .inputs = (const char *const[]){"formulas", "relate", NULL},
    .run = run,
};
