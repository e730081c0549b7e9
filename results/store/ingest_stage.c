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

enum record_file {
    FILE_STAGE,
    FILE_ENVIRONMENT,
    FILE_DONE,
    FILE_METRICS,
    FILE_EVENTS,
    FILE_NOTES,
    STAGE_FILES
};
static const char *const file_name[STAGE_FILES] = {STAGE_RECORD,    STAGE_ENVIRONMENT, STAGE_DONE,
                                                   JOURNAL_METRICS, JOURNAL_EVENTS,    NOTES_FILE};

struct folder {
    struct ingest *ingest;
    struct arena *arena;
    const char *name, *path;
    int64_t stage; /* number of the stage; 0: not in the database yet */
    const char *id, *status;
    struct ingest_file file[STAGE_FILES];
    bool was_done;   /* true: done.json existed at the last collect */
    bool whole_said; /* true: done.json has a format without values, so the stage's values are lines
                        of metrics.jsonl */
};

static const char *folder_file(struct folder *folder, enum record_file file)
{
    return arena_print(folder->arena, "%s/%s", folder->path, file_name[file]);
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
        for (int i = 0; i < STAGE_FILES; i++)
            if (!strcmp(file_name[i], (const char *)sqlite3_column_text(ask, 0)))
                folder->file[i] = (struct ingest_file){.bytes = sqlite3_column_int64(ask, 1),
                                                       .modified = sqlite3_column_int64(ask, 2),
                                                       .tail = store_text(ask, 3, folder->arena),
                                                       .bad = sqlite3_column_int64(ask, 4)};
    folder->was_done = folder->file[FILE_DONE].bytes > 0;
    folder->whole_said =
        folder->was_done &&
        ask_text(folder, "SELECT text FROM word WHERE stage = ? AND name = 'format'");
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

/* Creates or updates the row of the stage. If the id is unchanged, only the data of stage.json is
 * replaced, and the metrics are kept. */
static void folder_renew(struct folder *folder, const char *id, const char *kind,
                         const char *canonical)
{
    struct ingest *ingest = folder->ingest;
    if (folder->stage && !strcmp(folder->id, id)) {
        store_run(ingest->store, "UPDATE stage SET kind = ?2, canonical = ?3 WHERE number = ?1",
                  "iss", folder->stage, kind, canonical);
        store_run(ingest->store, "DELETE FROM option WHERE stage = ?", "i", folder->stage);
        store_run(ingest->store, "DELETE FROM input WHERE stage = ?", "i", folder->stage);
        store_run(ingest->store, "DELETE FROM name WHERE stage = ?", "i", folder->stage);
    } else {
        store_run(ingest->store, "DELETE FROM stage WHERE number = ? OR id = ?", "is",
                  folder->stage, id);
        store_run(ingest->store,
                  "INSERT INTO stage (id, kind, folder, canonical, status) "
                  "VALUES (?, ?, ?, ?, 'new')",
                  "ssss", id, kind, folder->name, canonical);
        folder->stage = sqlite3_last_insert_rowid(ingest->store->database);
        folder->status = STATUS_NEW;
        for (int i = 0; i < STAGE_FILES; i++)
            if (i != FILE_STAGE) folder->file[i] = (struct ingest_file){0};
    }
    ingest_remember(ingest, folder->stage, file_name[FILE_STAGE], &folder->file[FILE_STAGE]);
    ingest->renamed = true;
}

/* Reads stage.json, and creates or updates the row of the stage. If the file is invalid, complains
 * and returns false. */
static bool folder_read_stage(struct folder *folder)
{
    struct ingest *ingest = folder->ingest;
    const char *path = folder_file(folder, FILE_STAGE), *id, *kind, *canonical;
    json_t *object = ingest_object(ingest, path), *options = NULL, *inputs = NULL, *names = NULL;
    if (!object) return false;
    bool good =
        json_unpack(object, "{s:s, s:s, s:s, s?o, s?o, s?o}", "id", &id, "kind", &kind, "canonical",
                    &canonical, "options", &options, "inputs", &inputs, "names", &names) == 0 &&
        is_identity(id) && is_kind(kind) && all_strings(inputs) && all_strings(names);
    if (!good) {
        ingest_complain(ingest,
                        "%s: expected id (64 hexadecimal digits), kind (lower-case letters), "
                        "canonical, and strings in inputs and names",
                        path);
    } else if (strcmp(folder->name, arena_print(folder->arena, STAGE_FOLDER, kind, id)) != 0) {
        ingest_complain(ingest, "%s: belongs to stage " STAGE_FOLDER ", not to this folder", path,
                        kind, id);
        good = false;
    } else {
        folder_renew(folder, id, kind, canonical);
        take_object(folder, "option", options, "");
        insert_list(folder, "input", inputs);
        insert_list(folder, "name", names);
    }
    json_decref(object);
    return good;
}

/* Returns the value of `products` for an environment.json without this key. It is the name of
 * OpenBLAS, followed by the core for which OpenBLAS was optimized. */
static const char *products_of_blas(struct folder *folder, const json_t *object)
{
    const char *blas = json_string_value(json_object_get(object, "blas")),
               *core = json_string_value(json_object_get(object, "blas_core"));
    if (!blas) blas = "OpenBLAS";
    return !core || strstr(blas, core) ? blas : arena_print(folder->arena, "%s %s", blas, core);
}

static void read_environment(struct folder *folder, const json_t *object)
{
    store_run(folder->ingest->store, "DELETE FROM environment WHERE stage = ?", "i", folder->stage);
    take_object(folder, "environment", object, "");
    if (object && !json_object_get(object, "products"))
        take(folder, "environment", "products", products_of_blas(folder, object), NULL);
}

/* Inserts the texts of done.json, and in its first format also the numbers. Other entries, such as
 * status and outputs.hypotheses.txt, are also inserted as texts. Complains and returns false if a
 * newer program wrote the file, or if the status is missing. */
static bool read_done(struct folder *folder, json_t *object)
{
    const char *path = folder_file(folder, FILE_DONE);
    store_run(folder->ingest->store, "DELETE FROM value WHERE stage = ? AND " STORE_DONE, "i",
              folder->stage);
    store_run(folder->ingest->store, "DELETE FROM word WHERE stage = ?", "i", folder->stage);
    const char *newer = stage_folder_newer(folder->arena, path, object);
    folder->whole_said = json_object_get(object, "format");
    if (!object) return true;
    if (newer || !status_is_final(json_string_value(json_object_get(object, "status")))) {
        if (newer)
            ingest_complain(folder->ingest, "%s", newer);
        else
            ingest_complain(folder->ingest, "%s: status is missing; expected done or diverged",
                            path);
        return false;
    }
    take_object(folder, NULL, stage_folder_texts(object), "");
    if (folder->whole_said) json_object_set_new(object, "format", json_sprintf("%d", STAGE_FORMAT));
    json_object_del(object, "summary");
    json_object_del(object, "texts");
    json_object_del(object, STAGE_SUMMARY_DIGEST); /* no value */
    take_object(folder, NULL, object, "");
    return true;
}

/* Replaces the rows of environment.json or done.json after the file has changed or was removed. */
static void folder_read_object(struct folder *folder, enum record_file file)
{
    const char *path = folder_file(folder, file);
    struct ingest_file *known = &folder->file[file];
    json_t *object = file_exists(path) ? ingest_object(folder->ingest, path) : NULL;
    known->bad = known->bytes && !object;
    if (file == FILE_ENVIRONMENT)
        read_environment(folder, object);
    else if (!read_done(folder, object))
        known->bad = 1;
    ingest_remember(folder->ingest, folder->stage, file_name[file], known);
    json_decref(object);
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

/* Marks the lines of metrics.jsonl that are values of the stage as a whole, if the stage is final.
 * The rule is the same as in stage_folder_summary. */
static void find_whole(struct folder *folder, const char *status)
{
    if (folder->was_done)
        store_run(folder->ingest->store,
                  "UPDATE value SET origin = 0 WHERE stage = ? AND " STORE_WHOLE
                  " AND " STORE_LINES,
                  "i", folder->stage);
    if (!folder->whole_said || !status_is_final(status)) return;
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

/* True if the stage is not in the database and its folder has no record. Such a folder causes no
 * complaint, because the runner creates the folder before stage.json. */
static bool folder_is_new(struct folder *folder)
{
    for (int i = 0; i < STAGE_FILES; i++)
        if (folder->stage || file_exists(folder_file(folder, i))) return false;
    return true;
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
    folder.path = arena_print(&arena, "%s/stages/%s", ingest->store->runs, name);
    folder_load(&folder);
    bool changed = ingest_changed(folder_file(&folder, FILE_STAGE), &folder.file[FILE_STAGE]);
    if (folder_is_new(&folder)) {
        trace("collect", "%s is empty", folder.path);
    } else if ((changed || !folder.stage) && !folder_read_stage(&folder)) {
        ingest->report.bad++;
        if (folder.stage)
            store_run(ingest->store, "DELETE FROM stage WHERE number = ?", "i", folder.stage);
    } else {
        ingest->report.stages++;
        for (enum record_file file = FILE_ENVIRONMENT; file <= FILE_DONE; file++) {
            if (!ingest_changed(folder_file(&folder, file), &folder.file[file])) continue;
            folder_read_object(&folder, file);
            changed = true;
        }
        for (enum record_file file = FILE_METRICS; file <= FILE_EVENTS; file++) {
            changed |= ingest_journal(ingest, folder.stage, folder_file(&folder, file),
                                      file_name[file], &folder.file[file]);
        }
        ingest->renamed |= ingest_journal(ingest, folder.stage, folder_file(&folder, FILE_NOTES),
                                          NOTES_FILE, &folder.file[FILE_NOTES]);
        if (changed || !status_is_final(folder.status)) folder_set_status(&folder, changed);
        folder_remember(&folder, modified);
    }
}
