#include "results/query/query.h"

#include <string.h>

#include "results/query/filter.h"

/* What a statement with one column gives for a stage; returns how many. */
static int read_list(sqlite3_stmt *ask, int64_t stage, const char ***text, struct arena *arena)
{
    int count = 0, room = 0;
    store_bind(ask, "i", stage);
    while (store_next(ask)) {
        if (count == room) {
            const char **more = ARENA_ARRAY(arena, const char *, room = 4 * room + 4);
            for (int i = 0; i < count; i++) more[i] = (*text)[i];
            *text = more;
        }
        (*text)[count++] = store_text(ask, 0, arena);
    }
    return count;
}

const char *query_default_at(struct store *store, const char *id,
                             const struct query_default *option)
{
    if (!option->beside) return option->value;
    sqlite3_stmt *ask = store_ask(
        store, "SELECT 1 FROM option JOIN stage ON number = stage WHERE id = ? AND key = ?", "ss",
        id, option->beside);
    const bool given = store_next(ask);
    store_finish(ask);
    return given ? option->then : option->value;
}

int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena)
{
    struct filter *filter = text ? filter_read(store, text, arena) : NULL;
    int n = 0;
    *stage = NULL;
    sqlite3_stmt *names =
        store_prepare(store, "SELECT name FROM called WHERE stage = ? ORDER BY name");
    sqlite3_stmt *tags =
        store_prepare(store, "SELECT tag FROM tagged WHERE stage = ? ORDER BY tag");
    sqlite3_stmt *ask =
        store_ask(store,
                  "SELECT number, id, kind, folder, status, started, finished, wall, attempts,"
                  " coalesce(step, -1), message, telling, telling_value,"
                  " (SELECT value FROM option WHERE option.stage = number AND key = 'part') "
                  "FROM stage ORDER BY started IS NOT NULL, started DESC, folder",
                  "");
    while (store_next(ask)) {
        int64_t number = sqlite3_column_int64(ask, 0);
        if (filter && !filter_takes(filter, number)) continue;
        ARENA_MORE(arena, *stage, n);
        struct query_stage *one = &(*stage)[n++];
        *one = (struct query_stage){.number = number,
                                    .id = store_text(ask, 1, arena),
                                    .kind = store_text(ask, 2, arena),
                                    .folder = store_text(ask, 3, arena),
                                    .status = store_text(ask, 4, arena),
                                    .started = store_real(ask, 5),
                                    .finished = store_real(ask, 6),
                                    .wall = store_real(ask, 7),
                                    .attempts = sqlite3_column_int64(ask, 8),
                                    .step = sqlite3_column_int64(ask, 9),
                                    .message = store_text(ask, 10, arena),
                                    .key = store_text(ask, 11, arena),
                                    .value = store_real(ask, 12),
                                    .part = store_text(ask, 13, arena)};
        one->names = read_list(names, number, &one->name, arena);
        one->tags = read_list(tags, number, &one->tag, arena);
    }
    if (filter) filter_close(filter);
    store_finish(ask);
    store_finish(names);
    store_finish(tags);
    return n;
}
