/* Numbers of two versions of a kind, a term or a fusion must not look like those of one. */
#include <string.h>

#include "results/table/table_maker.h"

/* Sources that stages name in their environment ("code.train"), and by which digest of them they
 * were done. */
struct sources {
    const char *name;
    struct name_groups digests;
};

static struct sources *find_sources(struct sources **all, int *count, const char *name,
                                    struct arena *arena)
{
    for (int i = 0; i < *count; i++)
        if (!strcmp((*all)[i].name, name)) return &(*all)[i];
    ARENA_MORE(arena, *all, *count);
    (*all)[*count] = (struct sources){name, {.arena = arena}};
    return &(*all)[(*count)++];
}

void summary_caption_code(struct table_maker *maker)
{
    static const char prefix[] = "code.";
    struct arena *arena = maker->arena;
    struct sources *all = NULL;
    int count = 0;
    sqlite3_stmt *ask = store_prepare(maker->store, "SELECT key, value FROM environment WHERE "
                                                    "stage = ? AND key GLOB 'code.*'");
    for (struct summary_place at = {0}; summary_next(maker->grid, &at); at.stage++) {
        const struct sample_stage *stage = sample_stage_at(&maker->sampler, &at);
        const struct summary_row *row = &maker->grid->row[at.row];
        if (strcmp(stage->status, "done") != 0) continue;
        store_bind(ask, "i", stage->number);
        while (store_next(ask)) {
            const char *name = store_text(ask, 0, arena) + sizeof prefix - 1;
            const char *digest = store_text(ask, 1, arena);
            name_groups_add(&find_sources(&all, &count, name, arena)->digests,
                            arena_print(arena, "%.8s", digest),
                            row->count > 1 ? arena_print(arena, "%s/%lld", row->name,
                                                         (long long)row->seed[at.seed].seed)
                                           : row->name);
        }
    }
    store_finish(ask);
    for (int i = 0; i < count; i++)
        if (all[i].digests.count > 1)
            sheet_caption(arena, maker->sheet, "Done by different code of %s: %s.", all[i].name,
                          name_groups_text(&all[i].digests));
}
