/* Checks the application, version, schema and pages of a database. If the database is damaged,
 * returns a description of the damage, and does not exit. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "results/store/schema.h"
#include "results/store/stage_folder.h"
#include "results/store/store_file.h"

enum { SMALLEST = 512 }; /* minimum size of a page in bytes, by SQLite's file format */

/* Selects the schema as one text. Tables, indexes and sanlab's views must equal those of schema.h,
 * and triggers are forbidden. Views that a user has added are allowed, because sanlab reads no
 * views. This check comes before any table is read, because a query may never end if a table is not
 * sanlab's. */
static const char schema_list[] =
    "SELECT group_concat(line, char(10)) FROM (SELECT printf('%s %s %s %s', type, name, tbl_name, "
    "sql) AS line FROM sqlite_schema WHERE (type <> 'view' OR name IN ('point', 'result', 'curve', "
    "'summary', 'metric', 'latest')) AND sql NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' "
    "ORDER BY name)";

bool store_is_damage(int code)
{
    return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

/* Returns the first column of the first row; NULL if there is none. If the database is damaged,
 * *damage is SQLite's message. */
static const char *first_text(sqlite3 *database, const char *sql, const char **damage,
                              struct arena *arena)
{
    sqlite3_stmt *ask = NULL;
    int code = sqlite3_prepare_v2(database, sql, -1, &ask, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(ask);
    const char *text = code == SQLITE_ROW ? store_text(ask, 0, arena) : NULL;
    if (store_is_damage(code))
        *damage = arena_text(arena, sqlite3_errmsg(database));
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        store_refuse_now(database);
    sqlite3_finalize(ask);
    return text;
}

/* Selects a message about a stage whose folder is not KIND-<first 12 digits of the id>. sanlab
 * reads and removes the folder that the database names, so a wrong name could lead to other
 * files. */
static const char wrong_folder[] =
    "SELECT '\"' || folder || '\" is not the folder of that stage' FROM stage WHERE folder <> kind "
    "|| '-' || substr(id, 1, " STAGE_DIGITS ") "
    "OR length(id) <> 64 OR id GLOB '*[^0-9a-f]*' OR kind GLOB '*[^a-z]*' OR kind = ''";

const char *store_damage(struct store *store, bool whole, struct arena *arena)
{
    const char
        *damage = NULL,
        *verdict = first_text(
            store->database,
            whole
                ? "PRAGMA quick_check(1)"
                : "SELECT quick_check FROM sqlite_schema AS s, pragma_quick_check(s.name) WHERE "
                  "s.type = 'table' AND s.name NOT IN ('value', 'event', 'timing') AND quick_check "
                  "<> 'ok'",
            &damage, arena);
    return damage || !verdict || !strcmp(verdict, "ok") ? damage : verdict;
}

const char *store_check(struct store *store, struct arena *arena)
{
    static_assert(STORE_APPLICATION == 0x73616e6c && STORE_VERSION == 11, "see schema_create");
    if (file_bytes(store->path) < SMALLEST) return "it is too short for a database";
    const char *damage = NULL;
    const char *id = first_text(store->database, "PRAGMA application_id", &damage, arena);
    if (!damage && atoll(id) != STORE_APPLICATION)
        die("%s: is a database, but not one of sanlab; `sanlab collect --rebuild` replaces it",
            store->path);
    const char *version =
        damage ? NULL : first_text(store->database, "PRAGMA user_version", &damage, arena);
    if (version && atoll(version) != STORE_VERSION)
        die("%s: has schema version %s, this program has %d; `sanlab collect --rebuild` builds "
            "it anew from the run folders",
            store->path, version, STORE_VERSION);
    sqlite3 *model = NULL;
    if (sqlite3_open(":memory:", &model) != SQLITE_OK ||
        sqlite3_exec(model, store_schema, NULL, NULL, NULL) != SQLITE_OK)
        store_refuse_now(model);
    const char *ours = first_text(model, schema_list, &damage, arena);
    sqlite3_close(model);
    const char *found = damage ? NULL : first_text(store->database, schema_list, &damage, arena);
    if (!damage && (!found || strcmp(found, ours) != 0))
        damage = "its tables are not those of this version";
    if (!damage) damage = store_damage(store, file_bytes(store->path) <= STORE_CHECK_BYTES, arena);
    return damage ? damage : first_text(store->database, wrong_folder, &damage, arena);
}
