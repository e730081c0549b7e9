/* sanlab rm: removes the stages of a place in a grid, or one stage, with the stages that read them.
 * Prints which of them stay, and why (gc_find_named). */
#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

enum { RM_KEPT = 1 }; /* exit status: no stage can be removed */

static int run(struct verb_call *call)
{
    verb_take_one(call, "place or stage");
    struct store *store = stage_argument_store(call);
    struct found_stage *found;
    const int stages = stage_search_all(call, store, call->word[0], NULL, &found);
    const struct stage_place place = stage_search(call, call->word[0], NULL);
    const char **id = ARENA_ARRAY(&call->arena, const char *, stages);
    for (int i = 0; i < stages; i++) id[i] = found[i].id;
    const struct gc_named named = {id, stages, place.grid, place.point, place.points};
    return removal(call, store, &named) ? 0 : RM_KEPT;
}

const struct verb verb_rm = {.name = "rm", .run = run};
