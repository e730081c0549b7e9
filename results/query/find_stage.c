/* Finds a stage by a prefix of its id or folder name, or by a name from a grid. One query finds all
 * candidates. If there are several, the program exits with a list of them. */
#include "core/config/word.h"
#include "results/query/find_stage.h"

#include <stdlib.h>
#include <string.h>

#include "results/sheet/cell.h"

enum {
    SHORTEST = 4, /* minimum number of digits of an id */
    NAMED = 8     /* maximum number of candidates in the message */
};

/* Parameters: ?1 is the word. ?2 and ?3 are its parts before and after the last slash. ?4 is the
 * kind. ?5 is SHORTEST. The digits of an id are smaller than "g". So the ids with the prefix ?1 are
 * in the range from ?1 to ?1 || 'g', which SQLite finds by an index. */
static const char question[] =
    "SELECT " FOUND_COLUMNS " FROM stage WHERE number IN ("
    " SELECT number FROM stage WHERE length(?1) >= ?5 AND id >= ?1 AND id < ?1 || 'g'"
    " UNION SELECT number FROM stage WHERE folder >= ?1 AND folder < ?1 || 'g'"
    "  AND length(?1) > length(kind) + ?5"
    " UNION SELECT stage FROM called WHERE name = ?1"
    " UNION SELECT stage FROM called JOIN stage ON number = stage WHERE name = ?2 AND (kind = ?3 OR"
    "  kind || (SELECT '.' || value FROM option o WHERE o.stage = number AND key = 'part') = ?3)"
    ") AND (?4 IS NULL OR kind = ?4) ORDER BY folder";

/* Returns the name of the folder in a path such as RUNS/stages/FOLDER. Returns other words
 * unchanged. */
static const char *without_path(const char *word, struct arena *arena)
{
    static const char stages[] = "stages/";
    const char *at = strstr(word, stages);
    if (!at || (at > word && at[-1] != '/')) return word;
    at += sizeof stages - 1;
    return arena_text_range(arena, at, strcspn(at, "/"));
}

int find_read(struct store *store, sqlite3_stmt *ask, struct found_stage **found,
              struct arena *arena)
{
    int count = 0;
    for (*found = ARENA_NEW(arena, struct found_stage); store_next(ask); count++) {
        ARENA_MORE(arena, *found, count);
        const char *folder = store_text(ask, 3, arena);
        (*found)[count] =
            (struct found_stage){.number = sqlite3_column_int64(ask, 0),
                                 .id = store_text(ask, 1, arena),
                                 .kind = store_text(ask, 2, arena),
                                 .folder = folder,
                                 .status = store_text(ask, 4, arena),
                                 .path = arena_print(arena, "%s/stages/%s", store->runs, folder)};
    }
    return count;
}

void find_one(const char *word, const struct found_stage *found, int count)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *list = NULL;
    for (int i = 0; i < count && i < NAMED; i++)
        list = arena_append(&arena, list, " ", found[i].folder);
    if (count > 1)
        die("\"%s\" matches %d stages: %s%s (append a seed, a kind or a part to select one: "
            "NAME/1/score, NAME/1/probe.Tense)",
            word, count, list, count > NAMED ? " .." : "");
}

bool find_stage_try(struct store *store, const char *word, const char *kind,
                    struct found_stage *found, struct arena *arena)
{
    const char *plain = without_path(word, arena), *slash = strrchr(plain, '/');
    const char *before = slash ? arena_text_range(arena, plain, (size_t)(slash - plain)) : NULL;
    struct found_stage *all;
    const int count = find_read(store,
                                store_ask(store, question, "ssssi", plain, before,
                                          slash ? slash + 1 : NULL, kind, (int64_t)SHORTEST),
                                &all, arena);
    find_one(word, all, count);
    if (count) *found = *all;
    return count;
}

struct found_stage find_stage(struct store *store, const char *word, const char *kind,
                              struct arena *arena)
{
    struct found_stage found, other;
    if (find_stage_try(store, word, kind, &found, arena)) return found;
    if (kind && find_stage_try(store, word, NULL, &other, arena))
        die("%s is %s %s stage; expected %s %s stage", other.folder, word_article(other.kind),
            other.kind, word_article(kind), kind);
    store_need_runs(store->runs);
    const char **place; /* of a place without its grid, or of the beginning of a place */
    const bool near =
        store_texts(store_ask(store,
                              "SELECT name FROM called WHERE ?1 != '' AND instr('/' || name, "
                              "'/' || ?1) ORDER BY name LIMIT 1",
                              "s", word),
                    &place, arena);
    die("no %s%sstage \"%s\" in %s%s%s%s (`sanlab ls` lists stages); expected an id, at least %d "
        "digits of it, the name of a folder, or GRID/ROW/SEED/KIND",
        kind ? kind : "", kind ? " " : "", word, store->runs, near ? "; nearest is \"" : "",
        near ? *place : "", near ? "\"" : "", SHORTEST);
}

int find_readers(struct store *store, const char *id, struct found_stage **found,
                 struct arena *arena)
{
    static const char sql[] =
        "WITH RECURSIVE again (id, depth) AS (VALUES (?1, 0) UNION SELECT stage.id, depth + 1 "
        "FROM again JOIN input ON input.input = again.id JOIN stage ON stage.number = "
        "input.stage) SELECT " FOUND_COLUMNS " FROM again JOIN stage USING (id) GROUP BY stage.id "
        "ORDER BY max(depth), folder";
    return find_read(store, store_ask(store, sql, "s", id), found, arena);
}

int find_stages(struct store *store, const char *const *id, int ids, struct found_stage **found,
                struct arena *arena)
{
    SCOPED(heap_free) char *text = cell_json_texts(id, ids);
    return find_read(store,
                     store_ask(store,
                               "SELECT " FOUND_COLUMNS " FROM json_each(?) AS one "
                               "CROSS JOIN stage ON stage.id = one.value",
                               "s", text),
                     found, arena);
}

int find_needed(struct store *store, const char *const *id, int ids, const char ***needed,
                struct arena *arena)
{
    static const char sql[] =
        "WITH RECURSIVE needed (id) AS (SELECT value FROM json_each(?) UNION SELECT input FROM "
        "needed JOIN stage USING (id) JOIN input ON input.stage = stage.number) SELECT id FROM "
        "needed ORDER BY id";
    SCOPED(heap_free) char *list = cell_json_texts(id, ids);
    return store_texts(store_ask(store, sql, "s", list), needed, arena);
}
