/* The one place that knows which of a stage's options and files make its model. */
#include "experiments/stage/stage_frozen.h"

#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"

static const char *options_text(const struct settings *settings, struct arena *arena)
{
    struct arena_stream text;
    arena_stream_open(&text);
    settings_json(settings, text.out);
    return arena_stream_close(arena, &text);
}

static void add_digest(struct metadata *description, const char *key, const struct corpus *corpus,
                       const char *file, struct arena *arena)
{
    char *digest = arena_alloc(arena, DIGEST_TEXT);
    digest_file(arena_print(arena, "%s/%s", corpus->folder, file), digest);
    metadata_add(arena, description, key, digest);
}

struct metadata stage_description(const struct stage *train, const struct corpus *corpus,
                                  struct arena *arena)
{
    struct metadata description = {0};
    metadata_add(arena, &description, "seed", arena_print(arena, "%u", train->seed));
    metadata_add(arena, &description, "options", options_text(train->settings, arena));
    add_digest(&description, "source_vocabulary", corpus, "vocabulary.source", arena);
    add_digest(&description, "target_vocabulary", corpus, "vocabulary.target", arena);
    add_digest(&description, "codes", corpus, "codes.bpe", arena);
    if (!corpus->threshold) return description;
    add_digest(&description, "source_pieces", corpus, "pieces.source", arena);
    add_digest(&description, "target_pieces", corpus, "pieces.target", arena);
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
        die_at(tree_place(check->point->options, option),
               "%s: %s is several encoders; expected one: best, last, average(N) or start", option,
               words);
}
