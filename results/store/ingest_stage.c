/* Reads the changed files of a stage's folder, and updates the rows of the stage in the
 * database. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/base/lease.h"
#include "results/store/notes.h"
#include "results/store/stage_folder.h"
#include "results/store/offer.h"
#include "results/store/status.h"

/* The files of a folder whose states the table `file` has: the records as one, and the journals. */
enum folder_file { FILE_RECORDS, FILE_METRICS, FILE_EVENTS, FILE_NOTES, FOLDER_FILES };
static const char *const file_name[FOLDER_FILES] = {"records", JOURNAL_METRICS, JOURNAL_EVENTS,
                                                    NOTES_FILE};
static const char *const record_name[] = {STAGE_RECORD, STAGE_ENVIRONMENT, STAGE_DONE};

struct folder {
    struct ingest *ingest;
    struct arena *arena;
    const char *name, *path;
    int64_t stage; /* number of the stage; 0: not in the database yet */
    const char *id, *status;
    struct ingest_file file[FOLDER_FILES];
};

static const char *path_in(struct folder *folder, const char *file)
{
    return arena_print(folder->arena, "%s/%s", folder->path, file);
}

static const char *ask_text(struct folder *folder, const char *sql)
{
    sqlite3_stmt *ask = store_ask(folder->ingest->store, sql, "i", folder->stage);
    const char *text = store_next(ask) ? store_text(ask, 0, folder->arena) : NULL;
    store_finish(ask);
    return text;
}

static void folder_load(struct folder *folder)
{
    sqlite3_stmt *ask =
        store_ask(folder->ingest->store, "SELECT number, id, status FROM stage WHERE folder = ?",
                  "s", folder->name);
    while (store_next(ask)) {
        folder->stage = sqlite3_column_int64(ask, 0);
        folder->id = store_text(ask, 1, folder->arena);
        folder->status = store_text(ask, 2, folder->arena);
    }
    ask = store_ask(folder->ingest->store,
                    "SELECT name, bytes, modified, tail, bad FROM file WHERE stage = ?", "i",
                    folder->stage);
    while (store_next(ask))
        for (int i = 0; i < FOLDER_FILES; i++)
            if (!strcmp(file_name[i], (const char *)sqlite3_column_text(ask, 0)))
                folder->file[i] = (struct ingest_file){.bytes = sqlite3_column_int64(ask, 1),
                                                       .modified = sqlite3_column_int64(ask, 2),
                                                       .tail = store_text(ask, 3, folder->arena),
                                                       .bad = sqlite3_column_int64(ask, 4)};
}

static bool is_identity(const char *text)
{
    return text && strlen(text) == DIGEST_TEXT - 1 &&
           strspn(text, "0123456789abcdef") == DIGEST_TEXT - 1;
}

static bool is_kind(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz")];
}

/* Inserts a name and a text into `table`. If `table` is NULL, inserts a number (or null) into the
 * table `value`, and any other value as text into the table `word`. */
static void take(struct folder *folder, const char *table, const char *name, const char *text,
                 const json_t *value)
{
    struct store *store = folder->ingest->store;
    if (!table && (json_is_number(value) || json_is_null(value)))
        store_run(store, "INSERT INTO value (stage, name, value, origin) VALUES (?, ?, ?, ?)",
                  "isdi", folder->stage, name,
                  json_is_number(value) ? json_number_value(value) : (double)NAN,
                  (int64_t)STORE_OF_DONE);
    else
        store_insert(store, table ? table : "word", "iss", folder->stage, name, text);
}

/* Inserts every value of an object. The keys of nested objects are joined by dots, for example
 * "train.epochs". `prefix` precedes them ("": no prefix). A list is one value. Strings are stored
 * without quotes, other values as JSON. */
static void take_object(struct folder *folder, const char *table, const json_t *object,
                        const char *prefix)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        const char *name = arena_print(folder->arena, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (json_is_object(value)) {
            take_object(folder, table, value, name);
        } else if (json_is_string(value)) {
            take(folder, table, name, json_string_value(value), value);
        } else {
            char *text =
                json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
            take(folder, table, name, text, value);
            free(text);
        }
    }
}

static void insert_list(struct folder *folder, const char *table, const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)list, i, item) {
        store_insert(folder->ingest->store, table, "iis", folder->stage, (int64_t)i,
                     json_string_value(item));
    }
}

static bool all_strings(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)list, i, item) {
        if (!json_is_string(item)) return false;
    }
    return true;
}

/* Creates the row of the stage. If there is a row with the same id, deletes only what comes from
 * records, so the values of journals are kept. */
static void folder_renew(struct folder *folder, const char *id, const char *kind,
                         const char *canonical)
{
    static const char *const forget[] = {
        "DELETE FROM option WHERE stage = ?", "DELETE FROM input WHERE stage = ?",
        "DELETE FROM name WHERE stage = ?",   "DELETE FROM environment WHERE stage = ?",
        "DELETE FROM word WHERE stage = ?",   "DELETE FROM value WHERE stage = ? AND " STORE_DONE};
    struct store *store = folder->ingest->store;
    folder->ingest->renamed = true;
    if (folder->stage && !strcmp(folder->id, id)) {
        for (size_t i = 0; i < COUNT_OF(forget); i++)
            store_run(store, forget[i], "i", folder->stage);
        return;
    }
    store_run(store, "DELETE FROM stage WHERE number = ? OR id = ?", "is", folder->stage, id);
    store_run(store,
              "INSERT INTO stage (id, kind, folder, canonical, status) VALUES (?, ?, ?, ?, 'new')",
              "ssss", id, kind, folder->name, canonical);
    folder->stage = sqlite3_last_insert_rowid(store->database);
    folder->status = STATUS_NEW;
    for (int i = FILE_METRICS; i < FOLDER_FILES; i++) folder->file[i] = (struct ingest_file){0};
}

/* Reads stage.json, and creates or renews the row of the stage. If the file is invalid, complains
 * and returns false. */
static bool read_stage(struct folder *folder)
{
    struct ingest *ingest = folder->ingest;
    const char *path = path_in(folder, STAGE_RECORD), *id, *kind, *canonical;
    json_auto_t *object = ingest_object(ingest, path);
    json_t *options = NULL, *inputs = NULL, *names = NULL;
    if (!object) return false;
    if (json_unpack(object, "{s:s, s:s, s:s, s?o, s?o, s?o}", "id", &id, "kind", &kind, "canonical",
                    &canonical, "options", &options, "inputs", &inputs, "names", &names) != 0 ||
        !is_identity(id) || !is_kind(kind) || !all_strings(inputs) || !all_strings(names)) {
        ingest_complain(ingest,
                        "%s: expected id (64 hexadecimal digits), kind (lower-case letters), "
                        "canonical, and strings in inputs and names",
                        path);
        return false;
    }
    if (strcmp(folder->name, arena_print(folder->arena, STAGE_FOLDER, kind, id)) != 0) {
        ingest_complain(ingest, "%s: belongs to stage " STAGE_FOLDER ", not to this folder", path,
                        kind, id);
        return false;
    }
    folder_renew(folder, id, kind, canonical);
    take_object(folder, "option", options, "");
    insert_list(folder, "input", inputs);
    insert_list(folder, "name", names);
    return true;
}

/* Reads environment.json. A file without `products` is from a stage with OpenBLAS. Then `products`
 * is the name of OpenBLAS, followed by the core for which OpenBLAS was optimized. */
static void read_environment(struct folder *folder, const json_t *object)
{
    const char *blas = json_string_value(json_object_get(object, "blas")),
               *core = json_string_value(json_object_get(object, "blas_core"));
    take_object(folder, "environment", object, "");
    if (json_object_get(object, "products")) return;
    if (!blas) blas = "OpenBLAS";
    if (core && !strstr(blas, core)) blas = arena_print(folder->arena, "%s %s", blas, core);
    take(folder, "environment", "products", blas, NULL);
}

/* Inserts the texts of done.json, and in its first format also the numbers. Other entries, such as
 * status and outputs.hypotheses.txt, are also inserted as texts. Complains and returns false if a
 * newer program wrote the file, or if the status is missing. */
static bool read_done(struct folder *folder, json_t *object)
{
    const char *path = path_in(folder, STAGE_DONE);
    const char *newer = stage_folder_newer(folder->arena, path, object);
    if (newer || !status_is_final(json_string_value(json_object_get(object, "status")))) {
        ingest_complain(folder->ingest, "%s",
                        newer ? newer
                              : arena_print(folder->arena,
                                            "%s: status is missing; expected done or diverged",
                                            path));
        return false;
    }
    take_object(folder, NULL, stage_folder_texts(object), "");
    if (json_object_get(object, "format"))
        json_object_set_new(object, "format", json_sprintf("%d", STAGE_FORMAT));
    json_object_del(object, "summary");
    json_object_del(object, "texts");
    json_object_del(object, STAGE_SUMMARY_DIGEST); /* no value */
    take_object(folder, NULL, object, "");
    return true;
}

/* Reads all records anew. Returns false if stage.json is invalid. */
static bool read_records(struct folder *folder)
{
    struct ingest_file *records = &folder->file[FILE_RECORDS];
    if (!read_stage(folder)) return false;
    for (size_t i = 1; i < COUNT_OF(record_name); i++) {
        const char *path = path_in(folder, record_name[i]);
        const int64_t bytes = file_bytes(path);
        json_auto_t *object = bytes >= 0 ? ingest_object(folder->ingest, path) : NULL;
        if (object && i == 1)
            read_environment(folder, object);
        else if (!object || !read_done(folder, object))
            records->bad += bytes >= 0;
    }
    return true;
}

static bool folder_trains(struct folder *folder)
{
    return offer_trains(offer_of(ask_text(folder, "SELECT kind FROM stage WHERE number = ?")));
}

/* True if a training is diverged by the limit of this version (OFFER_VALIDATION_MOST). An older
 * version may have recorded the training as done. */
static bool folder_diverged(struct folder *folder)
{
    if (!folder_trains(folder)) return false;
    sqlite3_stmt *ask =
        store_ask(folder->ingest->store,
                  "SELECT value FROM value WHERE stage = ? AND name = ? AND " STORE_WHOLE, "is",
                  folder->stage, OFFER_VALIDATION);
    const bool diverged = store_next(ask) && store_real(ask, 0) > OFFER_VALIDATION_MOST;
    store_finish(ask);
    return diverged;
}

static const char *folder_status(struct folder *folder)
{
    const char *done =
        ask_text(folder, "SELECT text FROM word WHERE stage = ? AND name = 'status'");
    if (done) return folder_diverged(folder) ? STATUS_DIVERGED : done;
    if (lease_held(folder->path, NULL)) return STATUS_RUNNING;
    const char *event =
        ask_text(folder, "SELECT event FROM event WHERE stage = ? ORDER BY rowid DESC LIMIT 1");
    if (!event) return STATUS_NEW;
    return !strcmp(event, "failed") ? STATUS_FAILED : STATUS_STOPPED;
}

/* Marks the lines of metrics.jsonl that are values of the stage as a whole, if the stage is final
 * and done.json has no values. The rule is the same as in stage_folder_summary. */
static void find_whole(struct folder *folder, const char *status)
{
    store_run(folder->ingest->store,
              "UPDATE value SET origin = 0 WHERE stage = ? AND " STORE_WHOLE " AND " STORE_LINES,
              "i", folder->stage);
    if (!status_is_final(status) ||
        !ask_text(folder, "SELECT text FROM word WHERE stage = ? AND name = 'format'"))
        return;
    store_run(folder->ingest->store,
              "WITH RECURSIVE named (name) AS (SELECT min(name) FROM value WHERE stage = ?1 UNION "
              "ALL SELECT (SELECT min(name) FROM value WHERE stage = ?1 AND name > named.name) "
              "FROM named WHERE name IS NOT NULL) UPDATE value SET origin = 2 WHERE rowid IN "
              "(SELECT (SELECT rowid FROM value WHERE stage = ?1 AND name = named.name "
              "AND " STORE_PLAIN " AND (step IS NULL OR ?2 AND name <> ?3) "
              "ORDER BY step DESC, rowid DESC LIMIT 1) FROM named)",
              "iis", folder->stage, (int64_t)folder_trains(folder), STAGE_TRAINING_LOSS);
}

static void folder_set_status(struct folder *folder, bool changed)
{
    const char *status = folder_status(folder);
    if (!changed && !strcmp(status, folder->status)) return;
    find_whole(folder, status);
    folder->status = status;
    store_run(folder->ingest->store,
              "UPDATE stage SET status = ?2,"
              " message = (SELECT text FROM event WHERE stage = ?1 AND ?2 IN ('failed', "
              "            'diverged') AND event = ?2 ORDER BY rowid DESC LIMIT 1),"
              " step = (SELECT max(step) FROM value WHERE stage = ?1),"
              " attempts = (SELECT coalesce(max(attempt), 0) FROM event WHERE stage = ?1),"
              " started = (SELECT min(time) FROM event WHERE stage = ?1),"
              " finished = (SELECT max(time) FROM event WHERE stage = ?1 AND event <> 'copied' AND"
              "             ?2 IN ('done', 'diverged', 'failed')),"
              " wall = (SELECT coalesce(sum(seconds), 0) FROM"
              "         (SELECT max(clock) AS seconds FROM"
              "          (SELECT attempt, clock FROM event WHERE stage = ?1 UNION ALL"
              "           SELECT attempt, clock FROM timing WHERE stage = ?1) GROUP BY attempt))"
              " WHERE number = ?1",
              "is", folder->stage, status);
}

/* Stores the modification time of a final stage's folder, so that the stage is read again only if
 * its folder changes. A recent time is not stored, because a later change could have the same
 * time. */
static void folder_remember(struct folder *folder, int64_t modified)
{
    enum { CLOCK_GRAIN = 2 }; /* seconds; at least the resolution of every file system */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    bool old = modified / 1000000000 + CLOCK_GRAIN < now.tv_sec;
    store_run(folder->ingest->store,
              "UPDATE stage SET folder_modified = ?2 WHERE number = ?1 AND folder_modified <> ?2",
              "ii", folder->stage, old && status_is_final(folder->status) ? modified : 0);
}

void ingest_stage(struct ingest *ingest, const char *name, int64_t modified)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct folder folder = {.ingest = ingest, .arena = &arena, .name = name};
    struct ingest_file now = {0}, *known = &folder.file[FILE_RECORDS];
    folder.path = arena_print(&arena, "%s/stages/%s", ingest->store->runs, name);
    folder_load(&folder);
    for (size_t i = 0; i < COUNT_OF(record_name); i++) {
        const struct ingest_file file = ingest_look(path_in(&folder, record_name[i]));
        now.bytes += file.bytes;
        now.modified += file.modified;
    }
    if (!now.bytes && !folder.stage) return; /* the runner creates the folder before stage.json */
    bool changed = now.bytes != known->bytes || now.modified != known->modified;
    if (changed) *known = now;
    if (changed && !read_records(&folder)) {
        ingest->report.bad++;
        if (folder.stage)
            store_run(ingest->store, "DELETE FROM stage WHERE number = ?", "i", folder.stage);
        return;
    }
    if (changed) ingest_remember(ingest, folder.stage, file_name[FILE_RECORDS], known);
    ingest->report.stages++;
    for (int file = FILE_METRICS; file < FOLDER_FILES; file++) {
        const bool more = ingest_journal(ingest, folder.stage, path_in(&folder, file_name[file]),
                                         file_name[file], &folder.file[file]);
        ingest->renamed |= more && file == FILE_NOTES;
        changed |= more;
    }
    if (changed || !status_is_final(folder.status)) folder_set_status(&folder, changed);
    folder_remember(&folder, modified);
}
