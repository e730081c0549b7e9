/* The stages that a filter takes, with all that lists say of them; and what one stage has. */
#include "results/query/query.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "results/query/filter.h"

static int64_t step_at(sqlite3_stmt *ask, int column)
{
    return sqlite3_column_type(ask, column) == SQLITE_NULL ? -1 : sqlite3_column_int64(ask, column);
}

struct query_words query_words(sqlite3_stmt *ask, int column, struct arena *arena)
{
    json_t *list = json_loads((const char *)sqlite3_column_text(ask, column), 0, NULL);
    struct query_words words = {.count = (int)json_array_size(list)};
    words.word = ARENA_ARRAY(arena, const char *, words.count);
    for (int i = 0; i < words.count; i++)
        words.word[i] = arena_text(arena, json_string_value(json_array_get(list, (size_t)i)));
    json_decref(list);
    return words;
}

int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena)
{
    struct filter *filter = text ? filter_read(store, text, arena) : NULL;
    int64_t *number = NULL;
    int count = 0;
    sqlite3_stmt *ask = store_ask(
        store, "SELECT number FROM stage ORDER BY started IS NOT NULL, started DESC, folder", "");
    while (store_next(ask)) {
        ARENA_MORE(arena, number, count);
        number[count] = sqlite3_column_int64(ask, 0);
        count += !filter || filter_takes(filter, number[count]);
    }
    *stage = ARENA_ARRAY(arena, struct query_stage, count);
    for (ask = relation_rows(store, RELATION_STAGES, number, count), count = 0; store_next(ask);)
        (*stage)[count++] = (struct query_stage){.id = store_text(ask, 1, arena),
                                                 .kind = store_text(ask, 2, arena),
                                                 .folder = store_text(ask, 3, arena),
                                                 .status = store_text(ask, 4, arena),
                                                 .names = query_words(ask, 5, arena),
                                                 .tags = query_words(ask, 6, arena),
                                                 .key = store_text(ask, 7, arena),
                                                 .value = store_real(ask, 8),
                                                 .started = store_real(ask, 9),
                                                 .finished = store_real(ask, 10),
                                                 .wall = store_real(ask, 11),
                                                 .attempts = sqlite3_column_int64(ask, 12),
                                                 .step = step_at(ask, 13),
                                                 .message = store_text(ask, 14, arena),
                                                 .value_step = step_at(ask, 15),
                                                 .number = sqlite3_column_int64(ask, 16),
                                                 .part = store_text(ask, 17, arena)};
    return count;
}

/* The pair of a row (key, value) whose key stands in `column`. */
static void add_pair(struct query_pairs *pairs, sqlite3_stmt *ask, int column, struct arena *arena)
{
    char digits[REAL_TEXT];
    const char *value = store_value(ask, column + 1, digits);
    const bool is_text = sqlite3_column_type(ask, column + 1) == SQLITE_TEXT;
    ARENA_MORE(arena, pairs->pair, pairs->count);
    pairs->pair[pairs->count++] =
        (struct query_pair){.key = store_text(ask, column, arena),
                            .value = value ? arena_text(arena, value) : NULL,
                            .number = is_text ? (double)NAN : store_real(ask, column + 1)};
}

struct query_pairs query_pairs(struct store *store, const char *sql, int64_t stage,
                               struct arena *arena)
{
    struct query_pairs pairs = {0};
    sqlite3_stmt *ask = store_ask(store, sql, "i", stage);
    while (store_next(ask)) add_pair(&pairs, ask, 0, arena);
    return pairs;
}

const struct query_pair *query_find(const struct query_pairs *pairs, const char *key)
{
    for (int i = 0; i < pairs->count; i++)
        if (!strcmp(pairs->pair[i].key, key)) return &pairs->pair[i];
    return NULL;
}

static struct query_pairs add_defaults(const struct query_pairs *given,
                                       const struct query_defaults *defaults, struct arena *arena)
{
    struct query_pairs all = {0};
    all.pair = ARENA_ARRAY(arena, struct query_pair, given->count + defaults->count);
    for (int i = 0, k = 0; i < given->count || k < defaults->count;) {
        const struct query_default *option = &defaults->option[k];
        const int order = i == given->count      ? 1
                          : k == defaults->count ? -1
                                                 : strcmp(given->pair[i].key, option->key);
        k += order >= 0;
        if (order <= 0) {
            all.pair[all.count++] = given->pair[i++];
            continue;
        }
        const bool then = option->beside && query_find(given, option->beside);
        all.pair[all.count++] = (struct query_pair){
            .key = option->key, .value = then ? option->then : option->value, .is_default = true};
    }
    return all;
}

void query_facts(struct store *store, int64_t stage, const struct query_defaults *defaults,
                 struct query_pairs part[RELATION_PARTS], struct arena *arena)
{
    memset(part, 0, RELATION_PARTS * sizeof *part);
    sqlite3_stmt *ask = relation_rows(store, RELATION_FACTS, &stage, 1);
    while (store_next(ask)) {
        struct query_pairs *pairs = &part[sqlite3_column_int(ask, 1)];
        add_pair(pairs, ask, 2, arena);
        pairs->pair[pairs->count - 1].step = sqlite3_column_int64(ask, 4);
    }
    if (defaults) part[RELATION_OPTIONS] = add_defaults(&part[RELATION_OPTIONS], defaults, arena);
}
