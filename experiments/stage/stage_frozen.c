/* The one place that knows which of a stage's options and files make its model. */
#include "experiments/stage/stage_frozen.h"

struct frozen_job stage_frozen(const struct stage *train, const struct corpus *corpus,
                               const struct ops *ops, const char *checkpoint)
{
    return (struct frozen_job){.ops = ops,
                               .corpus = corpus,
                               .options = &train->settings->translator,
                               .train_folder = train->folder,
                               .checkpoint = checkpoint,
                               .seed = train->seed};
}
