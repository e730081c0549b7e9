/* Few values are different, so each is compared with all that there are. */
#include "results/report/facts.h"

#include <string.h>

#include "results/sheet/cell.h"

struct facts facts_new(struct arena *arena, int members)
{
    return (struct facts){members, .any = ARENA_ARRAY(arena, bool, members + 1)};
}

void facts_add(struct arena *arena, struct facts *facts, const char *key, const char *value,
               int member)
{
    facts->any[member] = true;
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key) && !strcmp(facts->fact[i].value, value)) {
            facts->fact[i].has[member] = true;
            return;
        }
    ARENA_MORE(arena, facts->fact, facts->count);
    struct fact *fact = &facts->fact[facts->count++];
    *fact = (struct fact){key, value, ARENA_ARRAY(arena, bool, facts->members + 1)};
    fact->has[member] = true;
}

void facts_ask(struct arena *arena, struct store *store, struct facts *facts, const char *sql,
               const char *id, int member)
{
    sqlite3_stmt *ask = store_ask(store, sql, "s", id);
    while (store_next(ask))
        facts_add(arena, facts, store_text(ask, 0, arena), store_text(ask, 1, arena), member);
}

bool facts_of_all(const struct facts *facts, const struct fact *fact)
{
    for (int i = 0; i < facts->members; i++)
        if (facts->any[i] && !fact->has[i]) return false;
    return true;
}

const char *facts_list(struct arena *arena, const struct facts *facts)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        list = arena_append(arena, list, ", ", facts->fact[i].value);
    return list;
}
