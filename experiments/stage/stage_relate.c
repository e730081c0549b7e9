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

struct frozen_job relate_job(const struct stage *relate, const struct ops *ops,
                             const struct pair_options *model, const char *checkpoint,
                             struct arena *arena)
{
    return (struct frozen_job){.ops = ops,
                               .model = pair_classifier_new(arena, ops, model),
                               .train_folder = relate->folder,
                               .checkpoint = checkpoint,
                               .seed = relate->seed};
}

struct frozen *relate_frozen(struct stage_work *work, const struct stage *relate,
                             const struct pair_options *model, const char *checkpoint)
{
    return stage_work_open(work, relate_job(relate, work->ops, model, checkpoint, &work->arena));
}

/* Its options are {"model":{..},"encoder":{..},"train":{..},"logic":{..}}. */
struct metadata relate_description(const struct stage *relate, struct arena *arena)
{
    const struct settings *settings = relate->settings;
    const struct {
        const struct section *section;
        const void *fields;
    } said[] = {{&model_section, &settings->translator.model},
                {&encoder_section, &settings->translator.encoder},
                {&train_section, &settings->train},
                {&logic_section, logic_section_at(settings)}};
    struct metadata description = {0};
    struct arena_stream text;
    arena_stream_open(&text);
    for (size_t i = 0; i < COUNT_OF(said); i++) {
        fprintf(text.out, "%s\"%s\":", i ? "," : "{", said[i].section->name);
        section_json(said[i].section, said[i].fields, said[i].section != &logic_section, text.out);
    }
    putc('}', text.out);
    metadata_add(arena, &description, "seed", arena_print(arena, "%u", relate->seed));
    metadata_add(arena, &description, "options", arena_stream_close(arena, &text));
    return description;
}
