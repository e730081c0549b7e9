/* Verifies stages. If files of a stage have problems, its results are not recomputed. If a stage
 * has a problem, it is read again before the problem is reported. */
#include "experiments/keep/verify_runs.h"

#include <jansson.h>
#include <math.h>
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

#define COPY_NEAR 1e-9 /* relative distance of two copies of a value */

struct verify {
    struct store *store;
    const struct found_stage *stage;
    const char *folder; /* RUNS/stages/NAME */
    struct arena arena; /* freed after each stage */
    FILE *out;          /* stream for the problems of the current stage, before they are certain */
    const json_t *done; /* done.json; NULL: the stage is not done */
    struct arena names;
    const char **left_out; /* [left_outs] files that an archive omits: "stages/NAME/FILE" */
    int left_outs;
    struct verify_report report;
};

static void read_left_out(struct verify *verify)
{
    struct arena *arena = &verify->names;
    const char *problem, *path = arena_print(arena, "%s/" ARCHIVE_LEFT_OUT, verify->store->runs);
    size_t bytes;
    char *text = file_try_read(arena, path, 0, &bytes, &problem);
    if (text) verify->left_out = file_cut_lines(arena, text, bytes, &verify->left_outs);
}

/* True if a message is about a file that the archive omits. */
static bool is_left_out(struct verify *verify, const char *message)
{
    bool about = false;
    for (int i = 0; i < verify->left_outs && !about; i++) {
        const char *name = verify->left_out[i], *at = *name ? strstr(message, name) : NULL;
        about = at && strchr(" :", at[strlen(name)]) &&
                !file_exists(arena_print(&verify->arena, "%s/%s", verify->store->runs, name));
    }
    return about;
}

static void complain(struct verify *verify, const char *format, ...) PRINTF(2, 3);
static void complain(struct verify *verify, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    const char *whole = arena_print(&verify->arena, "stages/%s/%s", verify->stage->folder, message);
    if (is_left_out(verify, whole)) {
        verify->report.left_out++;
        return;
    }
    mask_line(verify->out, "%s: %s", verify->stage->folder, message);
    verify->report.problems++;
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
    if (fault) complain(verify, "%s %s", name, fault);
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
    const struct observations *observations =
        observations_read(verify->store, NULL, stage->kind->name, stage->id, measure->name, class,
                          measure->observations);
    if (observations->problem && !observations->absent)
        complain(verify, "%s", observations->problem);
    return !observations->problem;
}

/* Recomputes a value for each class of the stage, until a class fails. */
static void verify_classes(struct verify *verify, const struct stage *stage,
                           const struct measure *measure)
{
    const char **class;
    const int classes = store_texts(
        store_ask(verify->store,
                  "SELECT class FROM value WHERE stage = ? AND name = ? AND class IS NOT NULL AND "
                  "layer IS NULL AND head IS NULL AND \"set\" IS NULL GROUP BY class "
                  "ORDER BY min(rowid)",
                  "is", verify->stage->number, measure->name),
        &class, &verify->arena);
    for (int i = 0; i < classes && verify_value(verify, stage, measure, class[i]);) i++;
}

/* Compares the values of done.json in its first format with their copies in metrics.jsonl. */
static void verify_copies(struct verify *verify, const char *kind)
{
    const char *name;
    json_t *copy;
    json_auto_t *none = json_pack("{s:i, s:{}}", "format", STAGE_FORMAT, "texts");
    json_auto_t *copies = stage_folder_summary(verify->folder, kind, none);
    json_object_foreach(copies, name, copy) {
        const json_t *value = json_object_get(stage_folder_texts(verify->done), name);
        const double one = json_number_value(value), other = json_number_value(copy);
        if (value && (json_is_null(value) != json_is_null(copy) ||
                      fabs(one - other) > COPY_NEAR * fabs(one)))
            complain(verify, STAGE_DONE ": %s is %.17g, but %.17g in " JOURNAL_METRICS, name, one,
                     other);
    }
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
    if (!json_object_get(verify->done, "format")) verify_copies(verify, stage->kind->name);
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

static void verify_stage(struct verify *verify)
{
    const int before = verify->report.problems;
    if (stage_folder_denied(verify->folder)) {
        complain(verify, "cannot be read: permission denied");
        return;
    }
    json_auto_t *done = read_json(verify, STAGE_DONE);
    verify->done = done;
    verify_identity(verify);
    const char *status = json_string_value(json_object_get(done, "status"));
    if (done && !status_is_final(status))
        complain(verify, STAGE_DONE ": status is %s; expected " STATUS_DONE " or " STATUS_DIVERGED,
                 status ? status : "missing");
    verify_outputs(verify, done);
    verify_checkpoints(verify);
    if (verify->report.problems > before) return; /* a reader would report the same file again */
    /* The readers below die at the first error. die_caught catches this error, and it is reported
     * as one problem. */
    char message[MESSAGE_BYTES];
    if (!die_caught(verify_results, verify, message)) complain(verify, "%s", message);
    observations_forget(); /* also frees what a reader that died has left */
}

/* ---- stages that change meanwhile ---- */

/* Verifies a stage and reports its problems. A stage whose lease is held, or that was removed
 * meanwhile, has none. The stage may have changed after the database was updated. So problems are
 * reported only if there are also problems after another update. */
static void verify_settled(struct verify *verify, FILE *out)
{
    const struct verify_report before = verify->report;
    bool held = lease_held(verify->folder, NULL), wrong = !held;
    char *text = NULL;
    size_t length;
    for (int looks = 1; wrong && looks <= 2; looks++) {
        if (looks == 2) collect_runs(verify->store);
        free(text);
        verify->report = before;
        verify->out = heap_stream(&text, &length);
        verify_stage(verify);
        fclose(verify->out);
        wrong = verify->report.problems > before.problems;
        if (!wrong) break;
        held = lease_held(verify->folder, NULL);
        wrong = !held && file_is_folder(verify->folder);
        if (!wrong) verify->report = before;
    }
    if (wrong) fputs(text, out);
    free(text);
    verify->report.working += held;
}

/* Reports done stages that are not in the database, because their stage.json is missing or
 * unusable. The database is updated after the folders are listed, so it has all other stages. */
static void verify_folders(struct verify *verify, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *stages = arena_print(&arena, "%s/stages", verify->store->runs);
    int count;
    const char **name = file_folder_names(&arena, stages, &count);
    verify->out = out;
    collect_runs(verify->store);
    for (int i = 0; i < count; i++) {
        verify->stage = &(struct found_stage){.folder = name[i]};
        const char *folder = arena_print(&arena, "%s/%s", stages, name[i]);
        const bool recorded = file_exists(arena_print(&arena, "%s/" STAGE_RECORD, folder));
        const bool done = file_exists(arena_print(&arena, "%s/" STAGE_DONE, folder));
        const char **stored;
        sqlite3_stmt *ask =
            store_ask(verify->store, "SELECT id FROM stage WHERE folder = ?", "s", name[i]);
        if (store_texts(ask, &stored, &arena) || !done || lease_held(folder, NULL)) continue;
        complain(verify, recorded ? STAGE_RECORD ": is damaged, or belongs to another folder"
                                  : STAGE_RECORD " is gone");
    }
    arena_free(&verify->arena);
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
        progress_step(progress, i + 1);
    }
    progress_close(progress);
    verify_folders(verify, out);
    struct verify_report report = verify->report;
    arena_free(&verify->names);
    free(verify);
    return report;
}
