/* sanlab archive: writes one file with everything that readers of a paper need from a grid. */
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/config/shipped.h"
#include "core/config/word.h"
#include "core/corpus/corpus_folder.h"
#include "core/model/checkpoint.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/keep/archive_pack.h"
#include "results/sheet/number_format.h"
#include "results/store/stage_folder.h"
#include "results/table/observations.h"
#include "results/table/points.h"
#include "experiments/grid/grid_record.h"

/* Removes the file from the words and returns it. This is the last word after the grid that ends in
 * .tar.gz or .tar.xz. */
static const char *take_file(struct verb_call *call)
{
    for (int i = call->words - 1; i > 0; i--)
        if (archive_has_ending(call->word[i])) return verb_take_word(call, i);
    die("archive: expected a file after the grid that ends in .tar.gz or .tar.xz, such as "
        "ablation.tar.gz");
}

/* Adds a printed stream as a file of the archive. */
static void add_stream(struct archive *archive, const char *name, struct arena_stream *stream)
{
    const char *text = arena_stream_close(&archive->arena, stream);
    archive_text(archive, name, text, stream->bytes);
}

static void add_sheet(struct archive *archive, const char *name, const struct sheet *sheet,
                      enum sheet_form form)
{
    ARENA_STREAM(stream);
    sheet_print(sheet, form, stream.out);
    add_stream(archive, name, &stream);
}

static void add_tables(struct archive *archive, struct store *store, const struct report *report)
{
    add_sheet(archive, "table.txt", report->table, SHEET_TEXT);
    add_sheet(archive, "table.csv", report->table, SHEET_CSV);
    add_sheet(archive, "table.tex", report->table, SHEET_LATEX);
    if (report->claims) add_sheet(archive, "claims.txt", report->claims, SHEET_TEXT);
    ARENA_STREAM(points);
    points_print(store, report->grid, EXPORT_CSV, points.out);
    add_stream(archive, "points.csv", &points);
    ARENA_STREAM(page);
    report_print(store, report, page.out);
    add_stream(archive, "report.html", &page);
}

/* Adds the figures as NAME-1.svg, NAME-2.svg, .. The report has their captions. */
static void add_figures(struct archive *archive, const struct report *report)
{
    for (int i = 0; i < report->figures; i++)
        if (!report->figure[i].failure)
            archive_text(
                archive,
                arena_print(&archive->arena, "figures/%s-%d.svg", report->grid->name, i + 1),
                report->figure[i].svg, strlen(report->figure[i].svg));
}

static void add_checkpoints(struct archive *archive, const char *stage, const char *folder)
{
    static const char *const file[] = {"MANIFEST", "model.safetensors", "state.json"};
    struct arena *arena = &archive->arena;
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < COUNT_OF(file); k++) {
            const char *name =
                arena_print(arena, "%s/%s", checkpoint_folder(arena, "ckpt", step[i]), file[k]);
            archive_file(archive, arena_print(arena, "%s/%s", stage, name),
                         arena_print(arena, "%s/%s", folder, name));
        }
}

/* True for files that identify a stage or have its results. */
static bool is_wanted(const char *name)
{
    static const char *const whole[] = {
        STAGE_RECORD,    STAGE_ENVIRONMENT, STAGE_DONE, "options.yaml",
        "metrics.jsonl", "events.jsonl",    NULL};
    static const char *const begin[] = {"hypotheses.", "items.", OBSERVATIONS_NGRAMS, NULL};
    return word_known(name, whole) || word_begins(name, begin);
}

/* Adds the n-gram counts of a score, because the archive has no references. */
static void add_ngrams(struct archive *archive, struct store *store, const char *stage,
                       const struct found_stage *found)
{
    const char *kind;
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    if (bleu && !strcmp(found->kind, kind))
        observations_write_ngrams(
            observations_read(store, NULL, kind, found->id, bleu->name, NULL, observations_bleu),
            arena_print(&archive->arena, "%s/%s", archive->root, stage));
}

static void add_stage(struct archive *archive, struct store *store, const struct found_stage *found,
                      bool checkpoints, FILE *left_out)
{
    struct arena *arena = &archive->arena;
    const char *stage = arena_print(arena, "stages/%s", found->folder);
    const bool words = checkpoints && !strcmp(found->kind, "corpus"); /* for models */
    int count;
    const char **name = file_folder_names(arena, found->path, &count);
    for (int i = 0; i < count; i++) {
        const char *path = arena_print(arena, "%s/%s", found->path, name[i]);
        if (!is_wanted(name[i]) && !(words && corpus_is_words(name[i]))) {
            const char *left = arena_print(arena, "%s/%s", stage, name[i]);
            if (!file_exists(path)) continue;
            archive_check_name(left);
            fprintf(left_out, "%s\n", left);
            continue;
        }
        if (!file_exists(path)) die("archive: %s: not a regular file", path);
        archive_file(archive, arena_print(arena, "%s/%s", stage, name[i]), path);
    }
    if (checkpoints) add_checkpoints(archive, stage, found->path);
    add_ngrams(archive, store, stage, found);
}

/* If RUNS is an unpacked archive, copies its list of omitted files, because the new archive lacks
 * them, too. */
static void add_left_out(struct archive *archive, const char *runs, FILE *out)
{
    const char *problem;
    size_t bytes;
    const char *text =
        file_try_read(&archive->arena, arena_print(&archive->arena, "%s/" ARCHIVE_LEFT_OUT, runs),
                      0, &bytes, &problem);
    if (text) fwrite(text, 1, bytes, out);
}

/* Finds the stages with these ids that are done. Returns their number. */
static int find_done(struct store *store, const char *const *id, int ids,
                     struct found_stage **stage, struct arena *arena)
{
    const int count = find_stages(store, id, ids, stage, arena);
    int done = 0;
    for (int i = 0; i < count; i++)
        if (file_exists(arena_print(arena, "%s/" STAGE_DONE, (*stage)[i].path)))
            (*stage)[done++] = (*stage)[i];
    return done;
}

static void add_stages(struct archive *archive, const char *runs, struct store *store,
                       const struct found_stage *stage, int count, bool checkpoints)
{
    ARENA_STREAM(left_out);
    add_left_out(archive, runs, left_out.out);
    for (int i = 0; i < count; i++) add_stage(archive, store, &stage[i], checkpoints, left_out.out);
    add_stream(archive, ARCHIVE_LEFT_OUT, &left_out);
}

/* True if the archive already uses this name for another file. */
static bool is_own(struct archive *archive, const char *name)
{
    static const char *const folder[] = {"figures/", "stages/", "grids/", NULL};
    if (!strcmp(name, "SHA256SUMS")) return true; /* is added last */
    return word_begins(name, folder) ||
           file_exists(arena_print(&archive->arena, "%s/%s", archive->root, name));
}

/* Adds the files to which the grid refers: its base, tasks and hypotheses. Call this function last,
 * because all other files of the archive take precedence. */
static void add_beside(struct archive *archive, const char *grid)
{
    SCOPED(heap_free) char *own = realpath(grid, NULL);
    const char *slash = own ? strrchr(own, '/') : NULL;
    const size_t folder = slash ? (size_t)(slash + 1 - own) : 0;
    const char *const *path;
    const int count = shipped_found(&path);
    for (int i = 0; i < count; i++) {
        SCOPED(heap_free) char *file = realpath(path[i], NULL);
        const bool beside = file && folder && !strncmp(file, own, folder);
        const char *name = beside ? file + folder : grid_base_beside(path[i]);
        if (!name)
            warn("archive: %s is left out: it is not in the folder of the grid", path[i]);
        else if (is_own(archive, name))
            warn("archive: %s is left out: the archive has its own %s", path[i], name);
        else
            archive_file(archive, name, path[i]);
    }
}

static void add_about(struct archive *archive, const struct plan *plan, const struct report *report,
                      int stages, int all)
{
    size_t bytes;
    const char *text = file_read(&archive->arena, plan->grid->path, 0, &bytes);
    archive_text(archive, "grid.yaml", text, bytes);
    ARENA_STREAM(about);
    fprintf(about.out, "%s\n\nMade by `sanlab archive %s`; %d of its %d stages are done.\n\n",
            report->grid->title ? report->grid->title : report->grid->name, report->arguments,
            stages, all);
    fputs(verb_text("archive_files"), about.out);
    add_stream(archive, "README.txt", &about);
    record_write(archive->root, "archive", report->grid);
}

static void finish(struct verb_call *call, struct archive *archive, int stages)
{
    const char *path = arena_text(&call->arena, archive->path);
    const int files = archive->files;
    const int64_t bytes = archive_finish(archive);
    if (!verb_switch(call, "--quiet"))
        printf("%s: %d stage%s, %d files, %s\n", path, stages, stages > 1 ? "s" : "", files,
               number_bytes(&call->arena, (double)bytes));
}

/* Archives the stages of the rows that --only selects. */
static int run_part(struct verb_call *call, const char *path, struct plan *plan)
{
    struct store *store = stage_argument_store(call);
    struct found_stage *stage;
    const char **id = ARENA_ARRAY(&call->arena, const char *, plan->count);
    for (int i = 0; i < plan->count; i++) id[i] = plan->task[i]->stage.id;
    const int done = find_done(store, id, plan->count, &stage, &call->arena);
    for (int i = 0; i < plan->count; i++)
        if (i == done || strcmp(stage[i].id, id[i]) != 0)
            die("archive: %s is not done; with --only all stages of the rows must be done",
                plan->task[i]->stage.name);
    struct archive *archive = archive_new(path, plan->grid->name);
    add_stages(archive, plan->runs, store, stage, plan->count, verb_switch(call, "--checkpoints"));
    finish(call, archive, plan->count);
    return 0;
}

static int run(struct verb_call *call)
{
    const char *path = take_file(call);
    archive_check(path);
    struct plan *plan = grid_argument_plan(call);
    grid_argument_only(call, plan);
    if (plan->grid->only) return run_part(call, path, plan);
    const struct grid summary = grid_argument_summary(call, plan);
    struct store *store = stage_argument_store(call);
    struct found_stage *stage;
    const struct grid trials = grid_with_trials(&summary, &call->arena);
    const struct stage_place place = stage_search_in(call, &trials, NULL, NULL);
    const int all = place.ids, count = find_done(store, place.id, all, &stage, &call->arena);
    if (!count)
        die("archive: no stage of %s is done in %s (%s)", summary.name, plan->runs,
            grid_argument_command(call, &summary));
    const struct report report = report_page(store, plan, &summary, &call->arena);
    struct archive *archive = archive_new(path, summary.name);
    add_about(archive, plan, &report, count, all);
    add_tables(archive, store, &report);
    add_figures(archive, &report);
    add_stages(archive, plan->runs, store, stage, count, verb_switch(call, "--checkpoints"));
    add_beside(archive, plan->grid->path);
    if (count < all)
        warn("archive: %d of %d stages are not done and are left out", all - count, all);
    finish(call, archive, count);
    return report_page_status(&report);
}

const struct verb verb_archive = {.name = "archive", .run = run};
