/* Reads the argument STAGE. Every verb first brings the store up to date, so that the verb shows
 * the current state of the folders. */
#include "experiments/cli/stage_argument.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/config/shipped.h"
#include "core/model/checkpoint_choice.h"
#include "core/model/device_choice.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/stage/model_file.h"
#include "experiments/stage/stage_frozen.h"
#include "results/store/collector.h"
#include "results/store/stage_folder.h"

struct store *stage_argument_store(struct verb_call *call)
{
    store_need_runs(verb_value(call, "--runs"));
    if (!call->store) call->store = store_open(verb_value(call, "--runs"));
    collect_runs(call->store);
    return call->store;
}

void stage_argument_close(struct verb_call *call)
{
    store_close(call->store);
    call->store = NULL;
}

/* Returns the train stage that a file of `export model` becomes; `word` if it is no such file. */
static const char *take_file(struct verb_call *call, const char *word, const char *const *kind)
{
    if (strcmp(*kind, "train") != 0 || !shipped_ends(word, MODEL_FILE_ENDING)) return word;
    if (!file_exists(word))
        die("%s: there is no file %s; expected a file of `sanlab export model`, or a train stage",
            call->verb->name, word);
    if (verb_switch(call, "--checkpoint") && strcmp(verb_value(call, "--checkpoint"), "start") != 0)
        die("%s: --checkpoint %s: %s has the parameters of one checkpoint; expected start, or no "
            "--checkpoint",
            call->verb->name, verb_value(call, "--checkpoint"), word);
    return model_file_take(word, verb_value(call, "--runs"), &call->arena);
}

struct found_stage stage_argument(struct verb_call *call, const char *word, const char *const *kind)
{
    word = take_file(call, word, kind);
    struct store *store = stage_argument_store(call);
    const char *meant = NULL;
    struct found_stage found;
    for (int i = 0; kind[i] && !meant; i++)
        if (stage_search(call, word, kind[i]).ids ||
            find_stage_try(store, word, kind[i], &found, &call->arena))
            meant = kind[i];
    found = stage_search_one(call, store, word, meant ? meant : kind[0]);
    stage_argument_close(call);
    return found;
}

struct frozen_job stage_argument_job(const struct stage *stage, const char *checkpoint,
                                     struct arena *arena)
{
    const struct ops *ops = device_ops(device_used());
    if (strcmp(stage->kind->name, "relate") != 0)
        return stage_frozen(stage, corpus_open_words(arena, stage->input[0]->folder), ops,
                            checkpoint);
    return relate_job(stage, ops, checkpoint, arena);
}

struct frozen *stage_argument_frozen(struct verb_call *call, const char *word,
                                     const char *const *kind, const struct stage **train)
{
    const char *words = verb_value(call, "--checkpoint");
    int count;
    checkpoint_parse(words, "--checkpoint", true, &count);
    const struct found_stage found = stage_argument(call, word, kind);
    const struct stage *stage = stage_load(&call->arena, found.path);
    if (train) *train = stage;
    const struct frozen_job job = stage_argument_job(stage, words, &call->arena);
    struct frozen *frozen = frozen_open(&call->arena, &job);
    frozen_load(frozen, 0);
    if (!file_exists(arena_print(&call->arena, "%s/" STAGE_DONE, found.path)))
        warn("%s is not finished; its checkpoints so far are used", found.folder);
    return frozen;
}

int stage_argument_choose(struct verb_call *call, struct store *store, int first,
                          struct found_stage **stage, struct grid *grid)
{
    struct arena *arena = &call->arena;
    const char *filter = call->words > first ? call->word[first] : NULL;
    bool alone = filter && !strpbrk(filter, "<>! ");
    *grid = (struct grid){0};
    for (int i = first + 1; i < call->words; i++) alone &= verb_is_change(call->word[i]);
    if (alone) {
        const int words = call->words, changes = call->changes;
        verb_take_changes(call, first + 1);
        if (grid_argument_points(call, filter, grid)) {
            const struct grid all = grid_with_trials(grid, arena);
            const struct stage_place place = stage_search_in(call, &all, NULL, NULL);
            return query_stages_of(store, place.ids ? place.id : &filter, place.ids, stage, arena);
        }
        call->words = words; /* restored for the filter */
        call->changes = changes;
        if (!strpbrk(filter, "=~")) grid_find(arena, filter); /* dies if no grid */
    }
    for (int i = first + 1; i < call->words; i++)
        filter = arena_print(arena, "%s %s", filter, call->word[i]);
    return query_stages(store, filter, stage, arena);
}

static void add_options(json_t *list, const struct tree *tree, const char *prefix)
{
    SCOPED(arena_free) struct arena arena = {0};
    for (int i = 0; tree && i < tree->count; i++) {
        const struct tree *value = tree->item[i];
        const char *key = arena_print(&arena, "%s.%s", prefix, tree->key[i]->text);
        if (value->kind == TREE_MAP) {
            add_options(list, value, key);
            continue;
        }
        const struct option *option = settings_option(key);
        const char *beside =
            option && option->beside ? arena_print(&arena, "%s.%s", prefix, option->beside) : NULL;
        json_array_append_new(list, json_pack("[s, s, s?, s?]", key, tree_text(&arena, value),
                                              beside, beside ? option->then : NULL));
    }
}

const char *stage_argument_defaults(struct arena *arena, const char *kind)
{
    const struct stage_kind *known = stage_kind_find(kind);
    const struct tree *all = settings_defaults(arena);
    json_auto_t *list = json_array();
    for (const char *const *name =
             settings_sections(known ? known->traits : 0, known ? known->evaluation : NULL, arena);
         *name; name++)
        add_options(list, tree_find(all, *name), *name);
    SCOPED(heap_free) char *text = json_dumps(list, JSON_COMPACT);
    return arena_text(arena, text);
}
