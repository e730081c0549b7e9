/* Reads the record of a grid, RUNS/grids/GRID/NAME.json, into the database.
 * experiments/grid/grid_record.h writes records. */
#include "core/base/file.h"
#include "results/store/ingest.h"

static bool insert_axes(struct store *store, int64_t grid, size_t position, const json_t *places)
{
    size_t i;
    json_t *place, *value;
    const char *name;
    json_array_foreach((json_t *)places, i, place)
        json_object_foreach(place, name, value) {
            if (!json_is_string(value)) return false;
            store_insert(store, "axis", "iiss", grid, (int64_t)position, name,
                         json_string_value(value));
        }
    return true;
}

static bool insert_grid(struct store *store, const char *path, const json_t *object,
                        const struct ingest_file *file)
{
    const char *grid, *row_name, *kind, *id;
    const char *title = json_string_value(json_object_get(object, "title")); /* NULL: none */
    const char *note = json_string_value(json_object_get(object, "note"));
    json_t *rows, *row, *seeds, *seed, *stages, *stage, *tags = NULL, *tag;
    json_int_t number;
    size_t i, j, k;
    if (json_unpack((json_t *)object, "{s:s, s?o, s:o}", "grid", &grid, "tags", &tags, "rows",
                    &rows) != 0)
        return false;
    store_insert(store, "grid", "nssssii", (int64_t)-1, path, grid, title, note, file->bytes,
                 file->modified);
    int64_t key = sqlite3_last_insert_rowid(store->database);
    json_array_foreach(tags, i, tag) {
        if (!json_is_string(tag)) return false;
        store_insert(store, "grid_tag", "is", key, json_string_value(tag));
    }
    json_array_foreach(rows, i, row) {
        if (json_unpack(row, "{s:s, s:o}", "name", &row_name, "seeds", &seeds) != 0) return false;
        if (!insert_axes(store, key, i, json_object_get(row, "axes"))) return false;
        json_array_foreach(seeds, j, seed) {
            if (json_unpack(seed, "{s:I, s:o}", "seed", &number, "stages", &stages) != 0)
                return false;
            json_array_foreach(stages, k, stage) {
                if (json_unpack(stage, "{s:s, s:s}", "kind", &kind, "id", &id) != 0) return false;
                store_insert(store, "member", "iisiiss", key, (int64_t)i, row_name, (int64_t)number,
                             (int64_t)k, kind, id);
            }
        }
    }
    return true;
}

void ingest_grid(struct ingest *ingest, const char *name)
{
    struct store *store = ingest->store;
    SCOPED(arena_free) struct arena arena = {0};
    const char *path = arena_print(&arena, "%s/grids/%s", store->runs, name);
    struct ingest_file known = {0};
    sqlite3_stmt *ask =
        store_ask(store, "SELECT bytes, modified FROM grid WHERE path = ?", "s", name);
    if (store_next(ask))
        known = (struct ingest_file){.bytes = sqlite3_column_int64(ask, 0),
                                     .modified = sqlite3_column_int64(ask, 1)};
    store_finish(ask);
    if (ingest_changed(path, &known)) {
        ingest->renamed = true;
        json_auto_t *object = ingest_object(ingest, path);
        store_run(store, "DELETE FROM grid WHERE path = ?", "s", name);
        store_run(store, "SAVEPOINT one_grid", "");
        if (!object || !insert_grid(store, name, object, &known)) {
            if (object) ingest_complain(ingest, "%s: is not the record of a grid", path);
            store_run(store, "ROLLBACK TO one_grid", "");
            ingest->report.bad++;
        }
        store_run(store, "RELEASE one_grid", "");
    }
}
