#include "results/query.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "results/filter.h"
#include "results/number.h"

int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena)
{
    struct filter *filter = text ? filter_read(store, text, arena) : NULL;
    sqlite3_stmt *count = store_ask(store, "SELECT count(*) FROM stage", "");
    int room = store_next(count) ? sqlite3_column_int(count, 0) : 0, n = 0;
    store_finish(count);
    *stage = ARENA_ARRAY(arena, struct query_stage, room);
    sqlite3_stmt *ask =
        store_ask(store,
                  "SELECT number, id, kind, folder, status,"
                  " (SELECT group_concat(name, ', ') FROM called WHERE stage = number),"
                  " started, finished, wall, attempts, coalesce(step, -1), message, telling,"
                  " telling_value "
                  "FROM stage ORDER BY started IS NOT NULL, started DESC, folder LIMIT ?",
                  "i", (int64_t)room);
    while (store_next(ask)) {
        int64_t number = sqlite3_column_int64(ask, 0);
        if (filter && !filter_takes(filter, number)) continue;
        struct query_stage *one = &(*stage)[n++];
        *one = (struct query_stage){.number = number,
                                    .id = store_text(ask, 1, arena),
                                    .kind = store_text(ask, 2, arena),
                                    .folder = store_text(ask, 3, arena),
                                    .status = store_text(ask, 4, arena),
                                    .names = store_text(ask, 5, arena),
                                    .started = store_real(ask, 6),
                                    .finished = store_real(ask, 7),
                                    .wall = store_real(ask, 8),
                                    .attempts = sqlite3_column_int64(ask, 9),
                                    .step = sqlite3_column_int64(ask, 10),
                                    .message = store_text(ask, 11, arena),
                                    .key = store_text(ask, 12, arena),
                                    .value = store_real(ask, 13)};
    }
    if (filter) filter_close(filter);
    store_finish(ask);
    return n;
}

const char *query_find(struct store *store, const char *word, struct arena *arena)
{
    enum { SHORTEST = 4, NAMED = 8 };
    sqlite3_stmt *ask = store_ask(
        store,
        "SELECT id, folder FROM stage WHERE (length(?1) >= ?2 AND substr(id, 1, length(?1)) = ?1)"
        " OR (length(?1) > length(kind) + ?2 AND substr(folder, 1, length(?1)) = ?1)"
        " OR EXISTS (SELECT 1 FROM name WHERE stage = number AND name = ?1) ORDER BY folder",
        "si", word, (int64_t)SHORTEST);
    const char *id = NULL, *list = "";
    int count = 0;
    for (; store_next(ask); count++) {
        id = store_text(ask, 0, arena);
        if (count < NAMED)
            list = arena_print(arena, "%s %s", list, (const char *)sqlite3_column_text(ask, 1));
    }
    store_finish(ask);
    if (count == 0)
        die("no stage \"%s\" in %s: `sanlab ls` lists them (an id, at least %d digits of it, or a "
            "name)",
            word, store->runs, SHORTEST);
    if (count > 1)
        die("\"%s\" means %d stages:%s%s", word, count, list, count > NAMED ? " .." : "");
    return id;
}

/* "bleu 36.12", "step 1,200: loss 3.21" */
static const char *say_value(const struct query_stage *stage, struct arena *arena)
{
    if (!stage->key || !isfinite(stage->value)) return "";
    const char *text = arena_print(arena, "%s %s", stage->key, number_short(arena, stage->value));
    bool over = !strcmp(stage->status, "done") || stage->step < 0;
    return over ? text
                : arena_print(arena, "step %s: %s", number_count(arena, (double)stage->step), text);
}

struct sheet *query_list(struct store *store, const char *filter, struct arena *arena)
{
    static const char *const header[] = {"stage", "status", "value", "time", "age", "names"};
    struct query_stage *stage;
    int count = query_stages(store, filter, &stage, arena);
    struct sheet *sheet = sheet_new(arena, count, (int)COUNT_OF(header));
    for (int i = 0; i < sheet->columns; i++)
        sheet->column[i] =
            (struct sheet_column){header[i], i == 3 || i == 4 ? SHEET_RIGHT : SHEET_LEFT, 0};
    double now = (double)time(NULL);
    for (int i = 0; i < count; i++) {
        double since = isfinite(stage[i].finished) ? stage[i].finished : stage[i].started;
        sheet_set(sheet, i, 0, stage[i].folder);
        sheet_set(sheet, i, 1, stage[i].status);
        sheet_set(sheet, i, 2, say_value(&stage[i], arena));
        if (stage[i].attempts) sheet_set(sheet, i, 3, number_seconds(arena, stage[i].wall));
        if (isfinite(since)) sheet_set(sheet, i, 4, number_age(arena, now - since));
        sheet_set(sheet, i, 5, stage[i].message ? stage[i].message : stage[i].names);
    }
    return sheet;
}
