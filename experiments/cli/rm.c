/* sanlab rm: removes the stages of a place in a grid, or one stage, with the stages that read them.
 * Prints which of them stay, and why (gc_find_named). */
#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

/* A request to remove stages. */
struct removal_request {
    struct gc_named named;
    bool said; /* the stages that stay were printed */
};

static struct gc_list find(struct verb_call *call, struct store *store, void *asked)
{
    struct removal_request *request = asked;
    const char **stays;
    int count;
    const struct gc_list list = gc_find_named(store, &request->named, &stays, &count, &call->arena);
    for (int i = 0; i < count && !request->said; i++) puts(stays[i]);
    request->said = true;
    return list;
}

enum { RM_KEPT = 1 }; /* exit status: no stage can be removed */

static int run(struct verb_call *call)
{
    verb_take_one(call, "place or stage");
    struct store *store = stage_argument_store(call);
    struct found_stage *found;
    struct removal_request request = {0};
    const int stages = stage_search_all(call, store, call->word[0], NULL, &found);
    const struct stage_place place = stage_search(call, call->word[0], NULL);
    const char **id = ARENA_ARRAY(&call->arena, const char *, stages);
    for (int i = 0; i < stages; i++) id[i] = found[i].id;
    request.named = (struct gc_named){id, stages, place.grid, place.point, place.points};
    return removal(call, store, find, &request) ? 0 : RM_KEPT;
}

const struct verb verb_rm = {.name = "rm", .run = run};
