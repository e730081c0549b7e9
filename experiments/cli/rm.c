/* sanlab rm: removes the stages of a place in a grid, or one stage, with the stages that read them.
 * Keeps stages that another grid, another row or a report (RUNS/reports) needs, or on which a
 * process works. Also keeps the inputs of these stages. */
#include <string.h>

#include "core/base/lease.h"
#include "core/base/hash_table.h"
#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/keep/garbage.h"
#include "experiments/plan/plan.h"
#include "results/query/find_stage.h"
#include "results/report/report.h"
#include "results/store/value_cache.h"

enum { NOWHERE = -2 }; /* index of a stage without a folder */

/* A request to remove stages. */
struct removal_request {
    const char **id; /* [count] */
    int count;
    const char *grid;   /* name of the place's grid; NULL: the request names a stage */
    const char **other; /* [others] ids of the grid's other rows and seeds */
    const char **whose; /* [others] their places: "g/Base/1" */
    int others;
    bool said; /* the kept stages were printed, with the reasons */
};

struct removable {
    struct found_stage stage;
    const char *why;   /* reason of its removal */
    const char *stays; /* reason to keep it, or NULL */
};

struct removal {
    struct store *store;
    struct value_cache *cache; /* values of all stages */
    struct arena *arena;
    const struct removal_request *request;
    struct hash_table *known; /* maps an id to its index */
    int count;
    struct removable **one; /* [count] readers after the stages that they read */
    int cited;
    const char **citation; /* ids cited by reports, sorted */
};

/* Returns a text on the other grids that need a stage; NULL if there are none. If the request names
 * a stage, one grid may have it, and a second grid counts as another grid. */
static const char *grids_need(struct removal *removal, int64_t stage)
{
    const char **grid, *own = removal->request->grid;
    int all, grids = 0;
    const struct value_cache_line *of =
        value_cache_texts(removal->cache, stage, VALUE_CACHE_FIELD, "grid", &all);
    grid = ARENA_ARRAY(removal->arena, const char *, all + 1);
    for (int i = 0; i < all; i++)
        if (!own || strcmp(of[i].text, own) != 0) grid[grids++] = of[i].text;
    if (grids < (own ? 1 : 2)) return NULL;
    const char *list = grid[0];
    for (int i = 1; i < grids; i++)
        list = arena_print(removal->arena, "%s%s%s", list, i + 1 < grids ? ", " : " and ", grid[i]);
    return arena_print(removal->arena, "%s need%s it", list, grids > 1 ? "" : "s");
}

static const char *rows_need(const struct removal *removal, const char *id)
{
    for (int i = 0; i < removal->request->others; i++)
        if (!strcmp(removal->request->other[i], id))
            return arena_print(removal->arena, "%s needs it", removal->request->whose[i]);
    return NULL;
}

static const char *why_kept(struct removal *removal, const struct found_stage *stage)
{
    struct lease_owner owner;
    const char *reason = grids_need(removal, stage->number);
    if (!reason) reason = rows_need(removal, stage->id);
    for (int i = 0; i < removal->cited && !reason; i++)
        if (!strcmp(removal->citation[i], stage->id)) reason = "a report cites it";
    if (!reason && lease_held(stage->path, &owner))
        reason = arena_print(removal->arena, "process %d on %s works on it", owner.pid, owner.host);
    return reason;
}

/* Returns `why` with the stage's tags: "named in the command, tagged best". */
static const char *with_tags(struct removal *removal, int64_t stage, const char *why)
{
    int tags;
    const struct value_cache_line *tag =
        value_cache_texts(removal->cache, stage, VALUE_CACHE_TAG, "", &tags);
    for (int i = 0; i < tags; i++)
        why = arena_print(removal->arena, "%s%s%s", why, i ? " " : ", tagged ", tag[i].text);
    return why;
}

/* Adds a stage, unless it was added before, and then its readers. If a reader is kept, the stage is
 * kept, too. Returns NULL if the stage has no folder. */
static const struct removable *add(struct removal *removal, const char *id, const char *why)
{
    struct arena *arena = removal->arena;
    struct found_stage *found;
    int readers;
    int64_t *index = hash_table_at(removal->known, id, strlen(id), removal->count);
    if (*index < removal->count) return *index == NOWHERE ? NULL : removal->one[*index];
    if (!find_stages(removal->store, &id, 1, &found, arena)) {
        *index = NOWHERE;
        return NULL;
    }
    struct removable *one = ARENA_NEW(arena, struct removable);
    *one = (struct removable){.stage = *found,
                              .why = with_tags(removal, found->number, why),
                              .stays = why_kept(removal, found)};
    ARENA_ADD(arena, removal->one, removal->count, one);
    if (one->stays) return one;
    const struct value_cache_line *reader =
        value_cache_texts(removal->cache, found->number, VALUE_CACHE_READER, "", &readers);
    const char *reads = arena_print(arena, "reads %s", found->folder);
    for (int i = 0; i < readers; i++) {
        const struct removable *by = add(removal, reader[i].text, reads);
        if (by && by->stays && !one->stays)
            one->stays = arena_print(arena, "%s reads it", by->stage.folder);
    }
    return one;
}

static struct gc_list find(struct verb_call *call, struct store *store, void *asked)
{
    struct removal_request *request = asked;
    struct arena *arena = &call->arena;
    struct removal removal = {.store = store,
                              .cache = value_cache_open(store, NULL, 0, arena),
                              .arena = arena,
                              .request = request,
                              .known = hash_table_new(arena, 64)};
    struct gc_list list = {0};
    removal.cited = report_cited(store->runs, &removal.citation, arena);
    for (int i = 0; i < request->count; i++) add(&removal, request->id[i], "named in the command");
    for (int i = 0; i < removal.count; i++) {
        const struct removable *one = removal.one[i];
        if (one->stays) {
            if (!request->said) printf("%s stays: %s\n", one->stage.folder, one->stays);
            continue;
        }
        const int64_t bytes = (int64_t)plan_disk_bytes(one->stage.path, true);
        ARENA_ADD(arena, list.item, list.count,
                  (struct gc_item){GC_STAGE, arena_print(arena, "stages/%s", one->stage.folder),
                                   one->why, bytes});
        list.bytes += bytes;
    }
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
    request.count = stage_search_all(call, store, call->word[0], NULL, &found);
    request.id = ARENA_ARRAY(&call->arena, const char *, request.count);
    for (int i = 0; i < request.count; i++) request.id[i] = found[i].id;
    request.others =
        stage_search_others(call, call->word[0], &request.grid, &request.other, &request.whose);
    return removal(call, store, find, &request) ? 0 : RM_KEPT;
}

const struct verb verb_rm = {.name = "rm", .run = run};
