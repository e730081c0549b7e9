/* Describes the models of stages. Only this file determines which options and files describe the
 * model or the classifier of pairs of a stage. */
#include "experiments/stage/stage_frozen.h"

#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"

static struct metadata described(const struct stage *train, const char *options,
                                 struct arena *arena)
{
    struct metadata description = {0};
    metadata_add(arena, &description, "seed", arena_print(arena, "%u", train->seed));
    metadata_add(arena, &description, "options", options);
    return description;
}

const char *const stage_words[STAGE_WORDS][2] = {{"source_vocabulary", "vocabulary.source"},
                                                 {"target_vocabulary", "vocabulary.target"},
                                                 {"codes", "codes.bpe"},
                                                 {"source_pieces", "pieces.source"},
                                                 {"target_pieces", "pieces.target"}};

struct metadata stage_description(const struct stage *train, const struct corpus *corpus,
                                  struct arena *arena)
{
    ARENA_STREAM(text);
    settings_json(train->settings, text.out);
    struct metadata description = described(train, arena_stream_close(arena, &text), arena);
    const int count = corpus->threshold ? STAGE_WORDS : STAGE_WORDS - SIDES;
    for (int i = 0; i < count; i++) {
        char *digest = arena_alloc(arena, DIGEST_TEXT);
        digest_file(arena_print(arena, "%s/%s", corpus->folder, stage_words[i][1]), digest);
        metadata_add(arena, &description, stage_words[i][0], digest);
    }
    return description;
}

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

void stage_frozen_check(const struct kind_check *check, const char *words)
{
    const char *option = arena_print(check->arena, "%s.checkpoint", check->section);
    int count;
    if (checkpoint_parse(words, option, false, &count) == CHECKPOINT_MEAN_OF_BEST)
        die_at(tree_location(check->resolved->options, option),
               "%s: %s is several encoders; expected one: best, last, average(N), start or at(..)",
               option, words);
}

/* ---- classifiers of pairs ---- */

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
                             const char *checkpoint, struct arena *arena)
{
    struct pair_options *model = ARENA_NEW(arena, struct pair_options);
    *model = logic_model(relate->settings);
    return (struct frozen_job){.ops = ops,
                               .model = pair_classifier_new(arena, ops, model),
                               .train_folder = relate->folder,
                               .checkpoint = checkpoint,
                               .seed = relate->seed};
}

/* The value of "options" is {"model":{..},"encoder":{..},"train":{..},"logic":{..}}. */
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
    ARENA_STREAM(text);
    for (size_t i = 0; i < COUNT_OF(said); i++) {
        fprintf(text.out, "%s\"%s\":", i ? "," : "{", said[i].section->name);
        section_json(said[i].section, said[i].fields, said[i].section != &logic_section, text.out);
    }
    putc('}', text.out);
    return described(relate, arena_stream_close(arena, &text), arena);
}

const char *stage_side_words(const struct stage *stage, struct arena *arena)
{
    const struct evaluation *evaluation = stage->kind->evaluation;
    const char *const *words =
        evaluation && !(stage->kind->traits & KIND_SEEDED)
            ? section_field(evaluation->section, "checkpoint", NULL, stage_options(stage))
            : NULL;
    struct checkpoint_at at;
    if (words && checkpoint_at_read(&at, *words, "checkpoint"))
        return checkpoint_at_words(arena, &at, at.side);
    const char *found = NULL;
    for (int i = 0; !found && i < stage->inputs; i++)
        found = stage_side_words(stage->input[i], arena);
    return found;
}

const struct stage *stage_trained(const struct stage *stage)
{
    const struct stage *trained = stage->kind->traits & KIND_SEEDED ? stage : NULL;
    for (int i = 0; !trained && i < stage->inputs; i++) trained = stage_trained(stage->input[i]);
    return trained;
}

const char *stage_missed(const struct stage *stage, struct arena *arena)
{
    const struct stage *train = stage_trained(stage);
    const char *words = train && train != stage ? stage_side_words(stage, arena) : NULL;
    struct checkpoint_at at;
    if (!words || !checkpoint_at_read(&at, words, "checkpoint")) return NULL;
    const struct crossing crossing = checkpoint_crossing(train->folder, &at, INT64_MAX);
    if (crossing.reached) return NULL;
    return arena_print(arena, "%s was not reached by %s; its best value is %.6g", words,
                       train->name, crossing.best);
}
