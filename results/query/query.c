/* Every list of stages begins here: the stages that a filter takes, with all that lists say. */
#include "results/query/query.h"

#include <math.h>
#include <string.h>

#include "results/query/filter.h"
#include "results/store/offer.h"

int query_pairs(struct store *store, const char *sql, int64_t stage, struct query_pair **pair,
                struct arena *arena)
{
    int count = 0;
    sqlite3_stmt *ask = store_ask(store, sql, "i", stage);
    for (*pair = NULL; store_next(ask); count++) {
        ARENA_MORE(arena, *pair, count);
        char digits[REAL_TEXT];
        const char *value = store_value(ask, 1, digits);
        (*pair)[count] =
            (struct query_pair){store_text(ask, 0, arena), value ? arena_text(arena, value) : NULL,
                                .is_default = false};
    }
    return count;
}

static const char *default_at(struct store *store, int64_t stage,
                              const struct query_default *option)
{
    if (!option->beside) return option->value;
    sqlite3_stmt *ask = store_ask(store, "SELECT 1 FROM option WHERE stage = ? AND key = ?", "is",
                                  stage, option->beside);
    const bool given = store_next(ask);
    store_finish(ask);
    return given ? option->then : option->value;
}

int query_options(struct store *store, int64_t stage, const struct query_defaults *defaults,
                  struct query_pair **pair, struct arena *arena)
{
    struct query_pair *given;
    const int count = query_pairs(store, QUERY_OPTIONS, stage, &given, arena),
              most = defaults ? defaults->count : 0;
    int total = 0;
    *pair = ARENA_ARRAY(arena, struct query_pair, count + most);
    for (int i = 0, k = 0; i < count || k < most;) {
        const struct query_default *option = k < most ? &defaults->option[k] : NULL;
        const int order = i == count ? 1 : option ? strcmp(given[i].key, option->key) : -1;
        (*pair)[total++] =
            order <= 0 ? given[i++]
                       : (struct query_pair){option->key, default_at(store, stage, option), true};
        k += order >= 0;
    }
    return total;
}

/* The first of the words that the stage has a value of: as a whole, or on the way to it. */
static void read_telling(struct store *store, struct query_stage *stage, struct arena *arena)
{
    const struct offer *offer = offer_of(stage->kind);
    stage->value = (double)NAN;
    stage->value_step = -1;
    for (const char *word = offer ? offer->telling : NULL; word && *word && !stage->key;) {
        const size_t length = strcspn(word, " ");
        const char *name = arena_text_range(arena, word, length);
        sqlite3_stmt *whole = store_ask(
            store, "SELECT value FROM value WHERE stage = ? AND name = ? AND " STORE_WHOLE, "is",
            stage->number, name);
        for (; store_next(whole); stage->key = name) stage->value = store_real(whole, 0);
        sqlite3_stmt *last = store_ask(store,
                                       "SELECT value, coalesce(step, -1) FROM value WHERE stage = "
                                       "? AND name = ? AND " STORE_LINES " AND " STORE_PLAIN
                                       " ORDER BY step DESC, rowid DESC LIMIT 1",
                                       "is", stage->number, name);
        for (; store_next(last); stage->key = name) {
            if (!stage->key) stage->value = store_real(last, 0);
            stage->value_step = sqlite3_column_int64(last, 1);
        }
        word += length + (word[length] == ' ');
    }
}

int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena)
{
    struct filter *filter = text ? filter_read(store, text, arena) : NULL;
    int n = 0;
    *stage = NULL;
    sqlite3_stmt *ask =
        store_ask(store,
                  "SELECT number, id, kind, folder, status, started, finished, wall, attempts,"
                  " coalesce(step, -1), message,"
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
                                    .part = store_text(ask, 11, arena)};
        read_telling(store, one, arena);
        one->names = store_texts(store_ask(store,
                                           "SELECT name FROM called WHERE stage = ? "
                                           "ORDER BY substr(name, 1, instr(name, '/') - 1), name",
                                           "i", number),
                                 &one->name, arena);
        one->tags = store_texts(
            store_ask(store, "SELECT tag FROM tagged WHERE stage = ? ORDER BY tag", "i", number),
            &one->tag, arena);
    }
    return n;
}
