/* sanlab tag: adds tags and notes to stages, or removes tags. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/store/collector.h"
#include "results/store/notes.h"

/* Finds a stage, or every stage of a grid that has begun. Returns their number. */
static int find_marked(struct verb_call *call, struct store *store, struct found_stage **stage)
{
    const char *word = call->word[0];
    const struct stage_place place = stage_search_grid(call, word);
    if (!place.grid) {
        *stage = ARENA_NEW(&call->arena, struct found_stage);
        **stage = stage_search_one(call, store, word, NULL);
        return 1;
    }
    const int count = find_stages(store, place.id, place.ids, stage, &call->arena);
    if (!count) die("tag: no stage of the grid %s has begun", word);
    return count;
}

static int run(struct verb_call *call)
{
    const char *note = verb_value(call, "--note");
    verb_take_changes(call, 1);
    bool remove = verb_switch(call, "--remove");
    if (call->words == 1 && !note)
        die("tag: expected a tag or --note; usage: sanlab tag %s", call->page.usage);
    if (remove && note) die("tag: --remove removes tags only; expected no --note");
    for (int i = 1; i < call->words; i++) notes_check_tag(call->word[i]);
    if (note) notes_check_text(note);

    struct store *store = stage_argument_store(call);
    struct found_stage *stage;
    int count = find_marked(call, store, &stage);
    for (int i = 0; i < count; i++) {
        for (int k = 1; k < call->words; k++)
            notes_add(stage[i].path, remove ? "untag" : "tag", call->word[k]);
        if (note) notes_add(stage[i].path, "note", note);
    }
    if (!verb_switch(call, "--quiet"))
        printf("%d stage%s: %s\n", count, count == 1 ? "" : "s",
               remove ? "tags removed" : "tags and notes added");
    collect_runs(store);
    return 0;
}

const struct verb verb_tag = {.name = "tag", .run = run, .words = {1, 64}};
