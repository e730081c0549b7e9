/* Verifies stages. A check that finds a problem reports it, and the next checks follow. If a stage
 * is not in the database or changes meanwhile, it is read again before a problem is reported. */
#include "experiments/keep/verify_runs.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/base/json_file.h"
#include "core/base/lease.h"
#include "core/base/mask_output.h"
#include "core/base/path.h"
#include "core/base/progress.h"
#include "core/model/checkpoint.h"
#include "experiments/keep/archive_pack.h"
#include "experiments/stage/stage.h"
#include "results/store/collector.h"
#include "results/store/kept_file.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"
#include "results/table/observations.h"

struct verify {
    struct store *store;
    const struct found_stage *stage;
    const char *folder; /* RUNS/stages/NAME */
    struct arena arena; /* freed after each stage */
    FILE *out;          /* stream for the problems of the current stage, before they are certain */
    const json_t *done; /* done.json; NULL: the stage is not done */
    struct arena names;
    const char **faulty; /* [faults] files of this stage with a problem: "stages/NAME/FILE" */
    int faults;
    const char **left_out; /* [left_outs] files that an archive omits: "stages/NAME/FILE" */
    int left_outs;
    struct verify_report report;
};

static void read_left_out(struct verify *verify)
{
    struct arena *arena = &verify->names;
    const char *runs = verify->store->runs, *problem,
               *path = arena_print(arena, "%s/" ARCHIVE_LEFT_OUT, runs);
    size_t bytes;
    int lines = 0;
    char *text = file_try_read(arena, path, 0, &bytes, &problem);
    if (text) verify->left_out = file_cut_lines(arena, text, bytes, &lines);
    for (int i = 0; i < lines; i++)
        if (!file_exists(arena_print(arena, "%s/%s", runs, verify->left_out[i])))
            verify->left_out[verify->left_outs++] = verify->left_out[i];
}

/* True if a message is about one of the files `name` [count], "stages/NAME/FILE". */
static bool is_about(const char *message, const char *const *name, int count)
{
    bool about = false;
    for (int i = 0; i < count && !about; i++) {
        const char *at = *name[i] ? strstr(message, name[i]) : NULL;
        about = at && strchr(" :", at[strlen(name[i])]);
    }
    return about;
}

static void complain(struct verify *verify, const char *format, ...) PRINTF(2, 3);
static void complain(struct verify *verify, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    const char *whole = arena_print(&verify->arena, "stages/%s/%s", verify->stage->folder, message);
    if (is_about(whole, verify->left_out, verify->left_outs)) {
        verify->report.left_out++;
        return;
    }
    mask_line(verify->out, "%s: %s", verify->stage->folder, message);
    verify->report.problems++;
}

/* Returns "stages/NAME/FILE", the form of verify->faulty and verify->left_out. */
static const char *file_of(struct verify *verify, const char *name)
{
    return arena_print(&verify->arena, "stages/%s/%s", verify->stage->folder, name);
}

/* Reports the message of a reader, unless the message is about a file with a reported problem. So
 * such a file is reported only once. */
static void complain_of_reader(struct verify *verify, const char *message)
{
    if (!is_about(message, verify->faulty, verify->faults)) complain(verify, "%s", message);
}

/* ---- bytes ---- */

static void verify_file(struct verify *verify, const char *name, const char *expected)
{
    const char *path = arena_print(&verify->arena, "%s/%s", verify->folder, name);
    if (*name == '/' || strstr(name, "..")) {
        complain(verify, "done.json: output \"%s\" is not a file of this folder", name);
        return;
    }
    const char *fault = kept_fault(&verify->arena, path, expected);
    const int before = verify->report.problems;
    if (fault) complain(verify, "%s %s", name, fault);
    /* The number is the same if the archive omits the file. */
    if (verify->report.problems > before) {
        ARENA_ADD(&verify->arena, verify->faulty, verify->faults, file_of(verify, name));
    }
    if (!file_exists(path)) return;
    verify->report.files++;
    verify->report.bytes += file_bytes(path);
}

static json_t *read_json(struct verify *verify, const char *name)
{
    const char *path = arena_print(&verify->arena, "%s/%s", verify->folder, name), *problem;
    json_t *json = strcmp(name, STAGE_DONE) != 0
                       ? json_file_try(&verify->arena, path, &problem)
                       : stage_folder_done(&verify->arena, verify->folder, &problem);
    if (problem) complain(verify, "%s", problem + strlen(verify->folder) + 1);
    return json;
}

static void verify_status(struct verify *verify, const char *status)
{
    if (status_is_final(status)) return;
    complain(verify, STAGE_DONE ": status is %s; expected " STATUS_DONE " or " STATUS_DIVERGED,
             status ? status : "missing");
}

static void verify_outputs(struct verify *verify, const json_t *done)
{
    const char *name;
    json_t *digest, *outputs = json_object_get(done, "outputs");
    verify->report.unchecked += done && !json_object_get(outputs, JOURNAL_METRICS);
    json_object_foreach(outputs, name, digest) {
        if (json_is_string(digest)) verify_file(verify, name, json_string_value(digest));
    }
}

static void verify_checkpoints(struct verify *verify)
{
    int64_t step[CHECKPOINTS_MOST];
    int count = checkpoint_steps(verify->folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count; i++) {
        const char *fault = checkpoint_fault(&verify->arena, verify->folder, step[i]);
        if (fault) complain(verify, "checkpoint of step %lld: %s", (long long)step[i], fault);
        verify->report.files++;
    }
}

/* ---- identity ---- */

/* Checks that stage.json belongs to the stage, and that the digest of its canonical text is the
 * id. */
static void verify_identity(struct verify *verify)
{
    json_auto_t *json = read_json(verify, STAGE_RECORD);
    const char *canonical = json_string_value(json_object_get(json, "canonical"));
    const char *id = json_string_value(json_object_get(json, "id"));
    char digest[DIGEST_TEXT] = "";
    if (canonical) digest_bytes(canonical, strlen(canonical), digest);
    if (!id || strcmp(id, verify->stage->id) != 0)
        complain(verify, "stage.json: belongs to another stage");
    else if (strcmp(digest, id) != 0)
        complain(verify, "stage.json: the digest of its canonical text is not its id");
}

/* ---- results ---- */

/* Recomputes a value from its observations, for one class of a stage (NULL: for the whole stage).
 * Returns true if the value equals the recorded value. If the stage has not measured the value yet,
 * returns false, but reports no problem. */
static bool verify_value(struct verify *verify, const struct stage *stage,
                         const struct measure *measure, const char *class)
{
    const struct observations *observations = observations_read(
        verify->store, stage->kind->name, stage->id, measure->name, class, measure->observations);
    if (observations->problem && !observations->absent)
        complain_of_reader(verify, observations->problem);
    return !observations->problem;
}

/* Recomputes a value for each class of the stage, until a class fails. */
static void verify_classes(struct verify *verify, const struct stage *stage,
                           const struct measure *measure)
{
    const char **class = NULL;
    int classes = 0;
    sqlite3_stmt *ask =
        store_ask(verify->store,
                  "SELECT class FROM value WHERE stage = ? AND name = ? AND class IS NOT NULL AND "
                  "layer IS NULL AND head IS NULL AND \"set\" IS NULL GROUP BY class "
                  "ORDER BY min(rowid)",
                  "is", verify->stage->number, measure->name);
    while (store_next(ask)) {
        ARENA_ADD(&verify->arena, class, classes, store_text(ask, 0, &verify->arena));
    }
    store_finish(ask);
    for (int i = 0; i < classes && verify_value(verify, stage, measure, class[i]);) i++;
}

/* Loads the stage. If the stage is done, runs the check of its kind, and recomputes its values from
 * observations. */
static void verify_results(void *context)
{
    struct verify *verify = context;
    const struct stage *stage = stage_load(&verify->arena, verify->folder);
    if (!verify->done) return;
    const struct offer *offer = offer_of(stage->kind->name);
    bool again = false;
    json_auto_t *summary = stage_folder_summary(verify->folder, stage->kind->name, verify->done);
    if (stage_is_missed(stage)) return;
    if (stage->kind->verify) stage->kind->verify(stage, &verify->arena);
    for (const struct measure *measure = offer_measures(offer); measure->name; measure++) {
        if (!observations_of(measure)) continue;
        if (offer_is_control(measure) && !json_object_get(summary, measure->name))
            continue; /* the stage did not measure this control */
        const int left_out = verify->report.left_out;
        const bool right = verify_value(verify, stage, measure, NULL);
        if (right && measure->traits & 1u << DIMENSION_CLASS)
            verify_classes(verify, stage, measure);
        again |= verify->report.left_out == left_out;
    }
    verify->report.recomputed += again;
}

/* ---- the database ---- */

/* Returns the number of complete lines of a file. */
static int64_t count_lines(const char *path)
{
    char block[1 << 16];
    int64_t lines = 0;
    FILE *file = file_lines(path);
    for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
        lines += file_count_lines(block, got);
    file_close(file, path);
    return lines;
}

/* Returns the integer that a query finds for the stage, and for `name` unless it is NULL; 0 if
 * none. */
static int64_t ask_number(struct verify *verify, const char *sql, const char *name)
{
    sqlite3_stmt *ask =
        store_ask(verify->store, sql, name ? "is" : "i", verify->stage->number, name);
    const int64_t number = store_next(ask) ? sqlite3_column_int64(ask, 0) : 0;
    store_finish(ask);
    return number;
}

static void verify_rows(struct verify *verify)
{
    static const struct {
        const char *name, *sql;
    } journal[] = {
        {JOURNAL_METRICS, "SELECT count(*) FROM value WHERE stage = ?1 AND " STORE_LINES},
        {JOURNAL_EVENTS, "SELECT (SELECT count(*) FROM event WHERE stage = ?1) + "
                         "(SELECT count(*) FROM timing WHERE stage = ?1)"},
    };
    for (size_t i = 0; i < COUNT_OF(journal); i++) {
        int64_t lines =
            count_lines(arena_print(&verify->arena, "%s/%s", verify->folder, journal[i].name));
        const int64_t rows = ask_number(verify, journal[i].sql, NULL);
        const int64_t bad = ask_number(verify, "SELECT bad FROM file WHERE stage = ? AND name = ?",
                                       journal[i].name);
        const char *file = file_of(verify, journal[i].name);
        if (rows + bad != lines && (lines || !is_about(file, verify->faulty, verify->faults)))
            complain(verify,
                     "%s: has %lld lines, the database %lld; run `sanlab collect --rebuild`",
                     journal[i].name, (long long)lines, (long long)(rows + bad));
        if (bad)
            complain(verify, "%s: %lld lines are not valid records", journal[i].name,
                     (long long)bad);
    }
}

static void verify_stage(struct verify *verify)
{
    if (stage_folder_denied(verify->folder)) {
        complain(verify, "cannot be read: permission denied");
        return;
    }
    json_auto_t *done = read_json(verify, STAGE_DONE);
    verify->done = done;
    verify->faults = 0;
    verify_identity(verify);
    if (done) verify_status(verify, json_string_value(json_object_get(done, "status")));
    verify_outputs(verify, done);
    verify_checkpoints(verify);
    verify_rows(verify);
    /* The readers below die at the first error. die_caught catches this error, and it is reported
     * as one problem. */
    char message[MESSAGE_BYTES];
    if (!die_caught(verify_results, verify, message)) complain_of_reader(verify, message);
    observations_forget(); /* also frees what a reader that died has left */
}

/* ---- stages that change meanwhile ---- */

/* Verifies a stage, until its problems are certain, and reports them. Problems are certain if the
 * same ones are found twice in a row while no process holds the lease, or at the last try. Before
 * each further try, the database is updated. Problems are not reported if the stage is unfinished
 * and a worker holds its lease. Nor are they reported if the folder was removed meanwhile, for
 * example by `gc`. */
static void verify_settled(struct verify *verify, FILE *out)
{
    enum { LOOKS_MOST = 4 };
    const struct verify_report before = verify->report;
    const char *done = arena_print(&verify->arena, "%s/" STAGE_DONE, verify->folder);
    char *last = NULL, *text;
    size_t length;
    for (int looks = 1;; looks++) {
        const bool held = lease_held(verify->folder, NULL);
        verify->report = before;
        verify->out = heap_stream(&text, &length);
        verify_stage(verify);
        fclose(verify->out);
        const bool sound = verify->report.problems == before.problems;
        const bool working = !sound && (held || lease_held(verify->folder, NULL));
        const bool gone = !file_is_folder(verify->folder), begun = working && !file_exists(done);
        const bool same = !working && last && !strcmp(last, text);
        const bool wrong = !sound && !gone && !begun && (same || looks == LOOKS_MOST);
        if (wrong) fputs(text, out);
        if (!wrong && !sound) verify->report = before;
        verify->report.working += begun && !gone;
        free(last);
        last = text;
        if (wrong || sound || gone || begun) break;
        collect_runs(verify->store);
    }
    free(last);
}

static bool is_stored(struct store *store, const char *folder)
{
    sqlite3_stmt *ask = store_ask(store, "SELECT 1 FROM stage WHERE folder = ?", "s", folder);
    const bool stored = store_next(ask);
    store_finish(ask);
    return stored;
}

/* Reports a done stage that is not in the database, because its stage.json is missing or
 * unusable. */
static void verify_unknown(struct verify *verify, const char *name)
{
    verify->stage = &(struct found_stage){.folder = name};
    verify->folder = arena_print(&verify->arena, "%s/stages/%s", verify->store->runs, name);
    const char *done = arena_print(&verify->arena, "%s/" STAGE_DONE, verify->folder);
    const char *record = arena_print(&verify->arena, "%s/" STAGE_RECORD, verify->folder);
    if (is_stored(verify->store, name) || !file_exists(done)) return;
    if (lease_held(verify->folder, NULL)) return;
    if (file_exists(record)) {
        collect_runs(verify->store); /* the stage may have ended after the database was updated */
        if (!is_stored(verify->store, name))
            complain(verify, STAGE_RECORD ": is damaged, or belongs to another folder");
    } else if (file_exists(done)) { /* false: the folder was removed meanwhile */
        complain(verify, STAGE_RECORD " is gone");
    }
}

static void verify_folders(struct verify *verify, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    int count;
    const char **name =
        file_folder_names(&arena, arena_print(&arena, "%s/stages", verify->store->runs), &count);
    verify->out = out;
    for (int i = 0; i < count; i++) {
        verify_unknown(verify, name[i]);
        arena_free(&verify->arena);
    }
}

struct verify_report verify_stages(struct store *store, const struct found_stage *stage, int count,
                                   FILE *out)
{
    struct verify *verify = heap_alloc(sizeof *verify);
    *verify = (struct verify){.store = store};
    struct progress *progress = progress_open("verify", count);
    read_left_out(verify);
    const char *damage = store_damage(store, true, &verify->arena);
    if (damage) {
        mask_line(out, "%s: is damaged (%s); `sanlab collect --rebuild` rebuilds it", store->path,
                  damage);
        verify->report.problems++;
    }
    for (int i = 0; i < count; i++) {
        verify->stage = &stage[i];
        verify->folder = arena_print(&verify->arena, "%s/stages/%s", store->runs, stage[i].folder);
        verify_settled(verify, out);
        verify->report.stages++;
        arena_free(&verify->arena);
        progress_step(progress, i + 1, NULL);
    }
    progress_close(progress, NULL);
    verify_folders(verify, out);
    struct verify_report report = verify->report;
    arena_free(&verify->names);
    free(verify);
    return report;
}
