/* The stages of a place are those that its grid has there today, so they need not have begun; only
 * what no grid has is looked for among the names that stages were given. */
#include "experiments/cli/stage_place.h"

#include <string.h>

#include "core/base/table.h"
#include "core/config/word.h"
#include "experiments/cli/grid_argument.h"

struct place_search {
    struct arena *arena;
    const char *kind; /* that is wanted; NULL: any */
    int count;
    const char **id;
    struct table *known;
};

static void add_stages(struct place_search *search, const struct summary_seed *seed,
                       const char *title)
{
    for (int i = 0; i < seed->count; i++) {
        const struct summary_stage *stage = &seed->stage[i];
        if (search->kind && strcmp(stage->kind, search->kind) != 0) continue;
        if (title && strcmp(stage->kind, title) != 0 &&
            strcmp(summary_stage_title(stage, search->arena), title) != 0)
            continue;
        int64_t *index = table_at(search->known, stage->id, strlen(stage->id), search->count);
        if (*index != search->count) continue;
        ARENA_MORE(search->arena, search->id, search->count);
        search->id[search->count++] = stage->id;
    }
}

/* What stands behind GRID/: ROW, ROW/SEED, and a kind behind either. */
static void match(struct place_search *search, const struct summary_grid *grid, const char *rest)
{
    for (int r = 0; r < grid->rows; r++) {
        const struct summary_row *row = &grid->row[r];
        const size_t length = strlen(row->name);
        if (strncmp(rest, row->name, length) != 0 || (rest[length] && rest[length] != '/'))
            continue;
        const char *behind = rest[length] ? rest + length + 1 : NULL;
        for (int s = 0; s < row->count; s++) {
            char seed[32];
            const int digits = snprintf(seed, sizeof seed, "%lld", (long long)row->seed[s].seed);
            const bool is_seed = behind && !strncmp(behind, seed, (size_t)digits) &&
                                 (!behind[digits] || behind[digits] == '/');
            if (!is_seed)
                add_stages(search, &row->seed[s], behind);
            else
                add_stages(search, &row->seed[s], behind[digits] ? behind + digits + 1 : NULL);
        }
    }
}

/* The grid that stands before the place, and what stands behind its slash; NULL: there is none. */
static const char *split(struct verb_call *call, const char *word, struct summary_grid *grid)
{
    for (const char *slash = strchr(word, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *name = arena_text_range(&call->arena, word, (size_t)(slash - word));
        if (*name && slash[1] && grid_argument_points(call, name, grid)) return slash + 1;
    }
    return NULL;
}

int stage_place(struct verb_call *call, const char *word, const char *kind, const char ***id)
{
    struct summary_grid grid;
    struct place_search search = {
        .arena = &call->arena, .kind = kind, .known = table_new(&call->arena, 64)};
    const char *rest = split(call, word, &grid);
    if (rest) match(&search, &grid, rest);
    *id = search.id;
    return search.count;
}

int stage_place_grid(struct verb_call *call, const char *word, const char ***id)
{
    struct summary_grid grid;
    struct place_search search = {.arena = &call->arena, .known = table_new(&call->arena, 64)};
    if (!grid_argument_points(call, word, &grid)) return -1;
    for (int r = 0; r < grid.rows; r++)
        for (int s = 0; s < grid.row[r].count; s++) add_stages(&search, &grid.row[r].seed[s], NULL);
    *id = search.id;
    return search.count;
}

/* ROW of ROW/SEED and ROW/SEED/KIND. */
static const char *without_seed(struct arena *arena, const char *rest)
{
    for (const char *slash; (slash = strrchr(rest, '/'));) {
        const char *behind = slash + 1;
        const bool number = *behind && !behind[strspn(behind, "0123456789")];
        const char *kind = arena_text_range(arena, behind, strcspn(behind, "."));
        if (slash == rest || (!number && !stage_kind_find(kind))) break;
        rest = arena_text_range(arena, rest, (size_t)(slash - rest));
    }
    return rest;
}

/* Neither the grid has this place nor was a stage ever called so. */
NORETURN static void refuse_place(struct verb_call *call, struct store *store, const char *word,
                                  const char *kind)
{
    struct summary_grid grid;
    const char *rest = split(call, word, &grid);
    if (!rest) find_stage(store, word, kind, &call->arena);
    CHECK(rest, "%s is a stage", word);
    const char **row = ARENA_ARRAY(&call->arena, const char *, grid.rows + 1);
    for (int r = 0; r < grid.rows; r++) {
        const size_t length = strlen(row[r] = grid.row[r].name);
        if (!strncmp(rest, row[r], length) && rest[length] == '/')
            die("%s: the row \"%s\" of %s has no %s%s\"%s\"; expected SEED, SEED/KIND or KIND",
                call->verb->name, row[r], grid.grid, kind ? kind : "", kind ? " at " : "",
                rest + length + 1);
    }
    word_refuse((struct place){grid.grid, 0, 0}, call->verb->name, "there is no row",
                without_seed(&call->arena, rest), row);
}

int stage_place_all(struct verb_call *call, struct store *store, const char *word, const char *kind,
                    struct found_stage **found)
{
    const char **id;
    const int ids = stage_place(call, word, kind, &id);
    const int count = find_stages(store, id, ids, found, &call->arena);
    if (ids && !count)
        die("%s: nothing of \"%s\" has begun in %s (`sanlab run` does it)", call->verb->name, word,
            store->runs);
    if (count) return count;
    if (!find_stage_try(store, word, kind, *found, &call->arena)) {
        if (strchr(word, '/')) refuse_place(call, store, word, kind);
        **found = find_stage(store, word, kind, &call->arena);
    }
    return 1;
}

struct found_stage stage_place_one(struct verb_call *call, struct store *store, const char *word,
                                   const char *kind)
{
    struct found_stage *found;
    const int count = stage_place_all(call, store, word, kind, &found);
    const char *list = "";
    for (int i = 0; i < count && i < 8; i++)
        list = arena_print(&call->arena, "%s %s", list, found[i].folder);
    if (count > 1)
        die("\"%s\" means %d stages:%s%s (a seed or a kind may stand behind it: NAME/1/score)",
            word, count, list, count > 8 ? " .." : "");
    return found[0];
}
