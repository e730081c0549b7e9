/* The one place that knows which of a point's settings make a classifier of pairs. */
#include "experiments/stage/stage_relate.h"

struct relating relate_learner(const struct settings *settings, const struct ops *ops,
                               const struct labeled *data, const struct pair_options *model,
                               uint32_t seed)
{
    const struct logic_section *logic = logic_section_at(settings);
    return (struct relating){.ops = ops,
                             .data = data,
                             .model = model,
                             .train = &settings->train,
                             .first_group = logic->bins.first,
                             .last_group = logic->bins.last,
                             .judged = LOGIC_TESTED,
                             .dev_every = logic->dev,
                             .seed = seed};
}

struct frozen *relate_frozen(struct stage_work *work, const struct stage *relate,
                             const struct pair_options *model, const char *checkpoint)
{
    const struct frozen_job job = {.ops = work->ops,
                                   .model = pair_classifier_new(&work->arena, work->ops, model),
                                   .train_folder = relate->folder,
                                   .checkpoint = checkpoint,
                                   .seed = relate->seed,
                                   .progress = stage_work_sentences,
                                   .progress_context = work};
    return frozen_open(&work->arena, &job);
}
