/* Finds the stages at a place in a grid. These are the stages of the grid's current file, so some
 * may not have begun. If no grid has the place, the recorded names of stages are searched. */
#include "experiments/cli/stage_search.h"

#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "experiments/cli/grid_argument.h"

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

struct stage_place stage_search_in(struct verb_call *call, const struct grid *grid,
                                   const char *place, const char *kind)
{
    struct arena *arena = &call->arena;
    struct stage_place found = {.grid = grid->name};
    struct hash_table *known = hash_table_new(arena, 64);
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        const struct grid_stage *stage = grid_stage_at(grid, &at);
        const struct grid_row *row = &grid->row[at.row];
        if (place && !is_meant(place, grid, &at, arena)) continue;
        if (kind && strcmp(stage->kind, kind) != 0) continue;
        ARENA_ADD(arena, found.point, found.points,
                  arena_print(arena, "%s/%lld", row->name, (long long)row->seed[at.seed].seed));
        if (!(*hash_table_at(known, stage->id, strlen(stage->id), 0))++)
            ARENA_ADD(arena, found.id, found.ids, stage->id);
    }
    return found;
}

struct stage_place stage_search(struct verb_call *call, const char *word, const char *kind)
{
    struct grid grid;
    const char *place = split(call, word, &grid);
    return place ? stage_search_in(call, &grid, place, kind) : (struct stage_place){0};
}

struct stage_place stage_search_grid(struct verb_call *call, const char *word)
{
    struct grid grid;
    if (!grid_argument_points(call, word, &grid)) return (struct stage_place){0};
    grid = grid_with_trials(&grid, &call->arena);
    return stage_search_in(call, &grid, NULL, NULL);
}

/* Dies with the nearest place of the grid with which the word begins, or its places, rows first.
 * The word is also no recorded name of a stage. */
NORETURN static void refuse_place(struct verb_call *call, struct store *store, const char *word,
                                  const char *kind)
{
    struct arena *arena = &call->arena;
    struct grid grid;
    const char *rest = split(call, word, &grid), **name = NULL;
    struct hash_table *known = hash_table_new(arena, 64);
    int names = 0;
    if (!rest) find_stage(store, word, kind, arena);
    CHECK(rest, "%s is a stage", word);
    for (int depth = 0; depth < 3; depth++) { /* rows, then seeds, then stages */
        for (struct grid_cursor at = {0}; grid_next(&grid, &at); at.stage++) {
            const struct grid_row *row = &grid.row[at.row];
            const struct grid_stage *stage = grid_stage_at(&grid, &at);
            const char *text = row->name;
            if (kind && strcmp(stage->kind, kind) != 0) continue;
            if (depth > 0)
                text = arena_print(arena, "%s/%lld", text, (long long)row->seed[at.seed].seed);
            if (depth > 1) text = arena_print(arena, "%s/%s", text, grid_stage_title(stage, arena));
            if (!(*hash_table_at(known, text, strlen(text), 0))++)
                ARENA_ADD(arena, name, names, text);
        }
    }
    ARENA_ADD(arena, name, names, NULL);
    word_refuse((struct location){grid.name, 0, 0}, call->verb->name,
                kind ? arena_print(arena, "there is no %s stage at", kind) : "there is no place",
                rest, name);
}

int stage_search_all(struct verb_call *call, struct store *store, const char *word,
                     const char *kind, struct found_stage **found)
{
    const struct stage_place place = stage_search(call, word, kind);
    const int count = find_stages(store, place.id, place.ids, found, &call->arena);
    if (place.ids && !count)
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
    find_one(word, found, count);
    return *found;
}
