/* Finds the stages at a place in a grid. These are the stages of the grid's current file, so some
 * may not have begun. If no grid has the place, the recorded names of stages are searched. */
#include "experiments/cli/stage_search.h"

#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "experiments/cli/grid_argument.h"

struct stage_search {
    struct arena *arena;
    const char *kind; /* wanted kind; NULL: any */
    int count;
    const char **id;
    struct hash_table *known;
};

/* Adds a stage of the wanted kind. False if it was added before, or is of another kind. */
static bool add(struct stage_search *search, const struct grid_stage *stage)
{
    if (search->kind && strcmp(stage->kind, search->kind) != 0) return false;
    int64_t *index = hash_table_at(search->known, stage->id, strlen(stage->id), search->count);
    if (*index != search->count) return false;
    ARENA_ADD(search->arena, search->id, search->count, stage->id);
    return true;
}

/* Returns the rest of a place after a word and a slash; "" if nothing follows; NULL if the place
 * begins with another word. */
static const char *text_after(const char *place, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(place, word, length) != 0) return NULL;
    return !place[length] ? "" : place[length] == '/' ? place + length + 1 : NULL;
}

/* True if a place includes a stage. The place is ROW or ROW/SEED, optionally followed by a kind or
 * title. */
static bool is_meant(const char *place, const struct grid *grid, const struct grid_cursor *at,
                     struct arena *arena)
{
    const struct grid_row *row = &grid->row[at->row];
    const struct grid_stage *stage = grid_stage_at(grid, at);
    const char *rest = text_after(place, row->name);
    if (!rest || !*rest) return rest;
    const char *kind =
        text_after(rest, arena_print(arena, "%lld", (long long)row->seed[at->seed].seed));
    if (!kind) kind = rest;
    return !*kind || !strcmp(stage->kind, kind) || !strcmp(grid_stage_title(stage, arena), kind);
}

static struct stage_search search_of(struct verb_call *call, const char *kind)
{
    struct arena *arena = &call->arena;
    return (struct stage_search){.arena = arena, .kind = kind, .known = hash_table_new(arena, 64)};
}

/* Reads the grid with which a place begins, with its trials as rows. Returns the rest after the
 * slash; NULL if there is no grid. */
static const char *split(struct verb_call *call, const char *word, struct grid *grid)
{
    for (const char *slash = strchr(word, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *name = arena_text_range(&call->arena, word, (size_t)(slash - word));
        if (!*name || !slash[1] || !grid_argument_points(call, name, grid)) continue;
        *grid = grid_with_trials(grid, &call->arena);
        return slash + 1;
    }
    return NULL;
}

int stage_search(struct verb_call *call, const char *word, const char *kind, const char ***id)
{
    struct grid grid;
    struct stage_search search = search_of(call, kind);
    const char *place = split(call, word, &grid);
    for (struct grid_cursor at = {0}; place && grid_next(&grid, &at); at.stage++)
        if (is_meant(place, &grid, &at, &call->arena)) add(&search, grid_stage_at(&grid, &at));
    *id = search.id;
    return search.count;
}

int stage_search_points(struct verb_call *call, const char *word, const char **name,
                        const char *const **point)
{
    struct grid grid;
    const char *place = split(call, word, &grid), **list = NULL;
    int count = 0;
    for (struct grid_cursor at = {0}; place && grid_next(&grid, &at); at.stage++) {
        const struct grid_row *row = &grid.row[at.row];
        if (is_meant(place, &grid, &at, &call->arena))
            ARENA_ADD(&call->arena, list, count,
                      arena_print(&call->arena, "%s/%lld", row->name,
                                  (long long)row->seed[at.seed].seed));
    }
    *name = place ? grid.name : NULL;
    *point = list;
    return count;
}

int stage_search_ids(struct verb_call *call, const struct grid *grid, const char ***id)
{
    struct stage_search search = search_of(call, NULL);
    const struct grid all = grid_with_trials(grid, &call->arena);
    for (struct grid_cursor at = {0}; grid_next(&all, &at); at.stage++)
        add(&search, grid_stage_at(&all, &at));
    *id = search.id;
    return search.count;
}

int stage_search_grid(struct verb_call *call, const char *word, const char ***id)
{
    struct grid grid;
    return grid_argument_points(call, word, &grid) ? stage_search_ids(call, &grid, id) : -1;
}

/* Returns ROW for ROW/SEED, ROW/KIND and ROW/SEED/KIND. */
static const char *without_seed(struct arena *arena, const char *rest)
{
    for (const char *slash; (slash = strrchr(rest, '/'));) {
        const char *component = slash + 1;
        const bool number = *component && !component[strspn(component, "0123456789")];
        const char *kind = arena_text_range(arena, component, strcspn(component, "."));
        if (slash == rest || (!number && !stage_kind_find(kind))) break;
        rest = arena_text_range(arena, rest, (size_t)(slash - rest));
    }
    return rest;
}

/* Dies if the row has no stage of the kind. For example, rows of the task logic have no score
 * stages, and a row with hypotheses of another system has no stages. */
static void refuse_kind(struct verb_call *call, const struct grid *grid, const struct grid_row *row,
                        const char *kind)
{
    const struct grid_seed *seed = row->count ? row->seed : NULL;
    const char *has = NULL;
    for (int i = 0; seed && i < seed->count; i++) {
        const char *one = seed->stage[i].kind;
        if (!kind || !strcmp(one, kind)) return;
        if (!i || strcmp(one, seed->stage[i - 1].kind) != 0)
            has = arena_append(&call->arena, has, ", ", one);
    }
    if (!has)
        die("%s: the row \"%s\" of %s has no stages to run; expected a row that has stages",
            call->verb->name, row->name, grid->name);
    die("%s: the row \"%s\" of %s has no stage %s; it has %s", call->verb->name, row->name,
        grid->name, kind, has);
}

/* Dies with the reason why no grid has this place. It is also no recorded name of a stage. */
NORETURN static void refuse_place(struct verb_call *call, struct store *store, const char *word,
                                  const char *kind)
{
    struct grid grid;
    const char *rest = split(call, word, &grid);
    if (!rest) find_stage(store, word, kind, &call->arena);
    CHECK(rest, "%s is a stage", word);
    const char **row = ARENA_ARRAY(&call->arena, const char *, grid.rows + 1);
    for (int r = 0; r < grid.rows; r++) {
        const size_t length = strlen(row[r] = grid.row[r].name);
        if (!strcmp(without_seed(&call->arena, rest), row[r]))
            refuse_kind(call, &grid, &grid.row[r], kind);
        if (!strncmp(rest, row[r], length) && rest[length] == '/')
            die("%s: the row \"%s\" of %s has no %s%s\"%s\"; expected SEED, SEED/KIND or KIND",
                call->verb->name, row[r], grid.name, kind ? kind : "", kind ? " at " : "",
                rest + length + 1);
    }
    word_refuse((struct location){grid.name, 0, 0}, call->verb->name, "there is no row",
                without_seed(&call->arena, rest), row);
}

int stage_search_all(struct verb_call *call, struct store *store, const char *word,
                     const char *kind, struct found_stage **found)
{
    const char **id;
    const int ids = stage_search(call, word, kind, &id);
    const int count = find_stages(store, id, ids, found, &call->arena);
    if (ids && !count)
        die("%s: no stage of \"%s\" has begun in %s (`sanlab run` starts them)", call->verb->name,
            word, store->runs);
    if (count) return count;
    if (!find_stage_try(store, word, kind, *found, &call->arena)) {
        if (strchr(word, '/')) refuse_place(call, store, word, kind);
        **found = find_stage(store, word, kind, &call->arena);
    }
    return 1;
}

struct found_stage stage_search_one(struct verb_call *call, struct store *store, const char *word,
                                    const char *kind)
{
    struct found_stage *found;
    const int count = stage_search_all(call, store, word, kind, &found);
    const char *list = "";
    for (int i = 0; i < count && i < 8; i++)
        list = arena_print(&call->arena, "%s %s", list, found[i].folder);
    if (count > 1)
        die("\"%s\" matches %d stages:%s%s (append a seed or a kind to select one: NAME/1/score)",
            word, count, list, count > 8 ? " .." : "");
    return found[0];
}
