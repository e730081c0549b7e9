/* Runs one stage in a worker process. The lease is taken first, and done.json is written last.
 * Between them, the fence of file.h checks the lease before every write. So a worker whose lease
 * expired while the machine slept does not write to a stage that another process has taken over. */
#include "experiments/stage/stage_work.h"

#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "commit.h"
#include "core/base/crash.h"
#include "core/base/json_file.h"
#include "core/base/lease.h"
#include "core/base/mask_output.h"
#include "core/base/npy.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/code_used.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/team.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

/* Uses the number of threads that the runner permits now. Records a changed number in the journal,
 * as the timing "threads". In a parallel region, the number cannot change. */
static void follow_team(struct stage_work *work, int64_t done)
{
    if (omp_in_parallel()) return;
    const int threads = work->team ? team_follow(work->team) : work->threads;
    if (threads == work->threads) return;
    work->threads = threads;
    omp_set_num_threads(threads);
    journal_timing(work->journal, work->stage->kind->traits & KIND_RESUMES ? done : JOURNAL_NONE,
                   "threads", threads);
}

void stage_work_progress(struct stage_work *work, int64_t done, int64_t total, const char *text)
{
    follow_team(work, done);
    const double now = clock_seconds();
    if (work->progress < 0 || (now - work->told < 0.2 && done < total)) return;
    work->told = now;
    char line[256];
    int length = snprintf(line, sizeof line, "%lld %lld %s\n", (long long)done, (long long)total,
                          text ? text : "");
    if (length >= (int)sizeof line) line[(length = sizeof line) - 1] = '\n';
    /* The line is shorter than a pipe's buffer, so that a single write suffices. An error only ends
     * the reports, because the runner may be gone. */
    if (write(work->progress, line, (size_t)length) < 0) work->progress = -1;
}

void stage_work_sentences(void *context, int64_t done, int64_t total)
{
    stage_work_progress(context, done, total, "sentences");
}

struct frozen *stage_work_open(struct stage_work *work, struct frozen_job job)
{
    job.progress = stage_work_sentences;
    job.progress_context = work;
    return frozen_open(&work->arena, &job);
}

struct frozen *stage_work_frozen(struct stage_work *work, const char *checkpoint)
{
    const struct stage *const *input = (const struct stage *const *)work->stage->input;
    const struct corpus *corpus = corpus_open(&work->arena, input[FROZEN_CORPUS]->folder);
    return stage_work_open(work, stage_frozen(input[FROZEN_TRAIN], corpus, work->ops, checkpoint));
}

/* Returns the metric row of a value of the whole stage. A new row has the value 0. */
static struct metric *whole(struct stage_work *work, const char *name)
{
    for (int i = 0; i < work->values; i++)
        if (!strcmp(work->value[i].name, name)) return &work->value[i];
    ARENA_ADD(&work->arena, work->value, work->values,
              (struct metric){.name = arena_text(&work->arena, name),
                              .step = JOURNAL_NONE,
                              .layer = JOURNAL_NONE,
                              .head = JOURNAL_NONE,
                              .set = JOURNAL_NONE,
                              .n = JOURNAL_NONE});
    return &work->value[work->values - 1];
}

void stage_work_value(struct stage_work *work, const char *name, double value, int64_t n,
                      struct value_at at)
{
    if (!isfinite(value)) return;
    if (!at.layer && !at.head && !at.set && !at.class) {
        struct metric *metric = whole(work, name);
        metric->value = value, metric->n = n;
        return;
    }
    journal_metric(work->journal, &(struct metric){.name = name,
                                                   .step = JOURNAL_NONE,
                                                   .value = value,
                                                   .layer = at.layer ? at.layer : JOURNAL_NONE,
                                                   .head = at.head ? at.head : JOURNAL_NONE,
                                                   .set = at.set ? at.set : JOURNAL_NONE,
                                                   .class = at.class,
                                                   .n = n});
}

void stage_work_real(struct stage_work *work, const char *name, double value)
{
    stage_work_value(work, name, value, JOURNAL_NONE, (struct value_at){0});
}

void stage_work_mean(struct stage_work *work, const char *name, double value, int sets)
{
    whole(work, name)->value += value / sets;
}

void stage_work_set(struct stage_work *work, const char *name, double value, int set, int sets,
                    int64_t n)
{
    stage_work_mean(work, name, value, sets);
    if (sets > 1)
        stage_work_value(work, name, value, n, (struct value_at){.set = set + 1});
    else
        whole(work, name)->n = n;
}

void stage_work_share(struct stage_work *work, const char *name, int64_t part, int64_t all)
{
    stage_work_real(work, name, all ? 100. * (double)part / (double)all : 0);
}

void stage_work_text(struct stage_work *work, const char *name, const char *text)
{
    json_object_set_new(work->texts, name, json_string(text));
}

const char *stage_work_path(struct stage_work *work, const char *file)
{
    return arena_print(&work->arena, "%s/%s", work->stage->folder, file);
}

void stage_work_output(struct stage_work *work, const char *file)
{
    char digest[DIGEST_TEXT];
    digest_file(stage_work_path(work, file), digest);
    json_object_set_new(work->outputs, file, json_string(digest));
}

struct file_writer stage_work_create(struct stage_work *work, const char *file)
{
    return file_create(stage_work_path(work, file));
}

void stage_work_commit(struct stage_work *work, struct file_writer *writer, const char *file)
{
    file_commit(writer);
    stage_work_output(work, file);
}

void stage_work_npy(struct stage_work *work, const char *name, const float *number, int64_t rows,
                    int64_t columns)
{
    const char *file = arena_print(&work->arena, "%s.npy", name);
    npy_write(stage_work_path(work, file), number, rows, columns);
    stage_work_output(work, file);
}

void stage_work_items(struct stage_work *work, const char *file, const struct item *item, int count)
{
    items_write(work->stage->folder, file, item, count);
    stage_work_output(work, file);
}

const struct split *stage_work_split(const struct stage_work *work, const struct corpus *corpus,
                                     int split)
{
    if (!corpus->split[split].sentences)
        die("%s.split: the corpus has no %s split", work->stage->kind->evaluation->section->name,
            split_names[split]);
    return &corpus->split[split];
}

/* Hook of die() in a worker: records that the stage failed, and the reason. */
static void record_failure(const char *message, void *context)
{
    struct stage_work *work = context;
    if (work->journal) journal_event(work->journal, "failed", JOURNAL_NONE, message);
    lease_release(work->lease);
}

/* Exits because another process has the lease. No file is written, and buffers are not flushed. */
static void end_lost(void *context)
{
    const struct stage_work *work = context;
    struct lease_owner owner;
    if (lease_held(work->stage->folder, &owner))
        mask_line(stderr, "sanlab: the lease expired: process %d on %s works on this stage now",
                  owner.pid, owner.host);
    else
        mask_line(stderr, "sanlab: the lease expired, and another process took over this stage");
    _exit(WORK_LOST_EXIT);
}

static void end_unless_mine(void *context)
{
    const struct stage_work *work = context;
    if (!lease_mine(work->lease)) end_lost(context);
}

/* Sets close-on-exec. A program that the stage starts must not inherit the runner's pipe, because
 * the runner considers a worker as running while the pipe is open. */
static void keep_own(int file)
{
    if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
}

/* Signal handler: sends the signal to all processes that the stage has started. Normally the runner
 * sends it. The stage needs this handler if the runner was killed. */
static void end_together(int number)
{
    signal(number, SIG_DFL);
    kill(0, number);
}

/* Makes this worker save and stop if its runner is killed. */
static void follow_runner(int progress)
{
    if (progress < 0) return;
    if (getpgrp() == getpid()) signal(SIGTERM, end_together);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct pollfd pipe = {.fd = progress, .events = POLLOUT};
    if (poll(&pipe, 1, 0) == 1 && pipe.revents & POLLERR) raise(SIGTERM); /* the runner is gone */
}

static struct stage_end own_code(struct stage_work *work)
{
    struct stage_end own = {.code = stage_code(work->stage, &work->arena)};
    if (!(work->stage->kind->traits & KIND_COMPUTES)) return own;
    own.backend = work->device;
    own.backend_code = environment_backend(work->device);
    return own;
}

/* Sets read_at. True if all input stages are done. */
static bool find_inputs(struct stage_work *work)
{
    const bool pardons = work->stage->kind->traits & KIND_PARDONS;
    const struct stage *stage = work->stage;
    work->read_at = ARENA_ARRAY(&work->arena, int64_t, stage->inputs + 1);
    for (int i = 0; i < stage->inputs; i++) {
        const struct stage_end end = stage_end(stage->input[i], &work->arena);
        work->read_at[i] = stage_done_at(stage->input[i]);
        if (pardons && stage_is_lost(stage->input[i], &work->arena)) continue;
        if (end.finished && !end.diverged) continue;
        warn("%s: its input %s is not done", stage->name, stage->input[i]->name);
        return false;
    }
    return true;
}

static void check_inputs(const struct stage_work *work)
{
    const struct stage *stage = work->stage;
    for (int i = 0; i < stage->inputs; i++)
        if (stage_done_at(stage->input[i]) != work->read_at[i])
            die("%s was removed or computed again while this stage read it; start again",
                stage->input[i]->name);
}

static void finish(struct stage_work *work, enum work_end end)
{
    const char *status = end == WORK_DONE ? STATUS_DONE : STATUS_DIVERGED;
    struct stage_end code = own_code(work);
    if (work->stage->kind->traits & KIND_RESUMES) code_used_join(work->stage, &code, &work->arena);
    for (int i = 0; i < work->values; i++)
        if (isfinite(work->value[i].value)) journal_metric(work->journal, &work->value[i]);
    journal_sync(work->journal);
    stage_work_output(work, JOURNAL_METRICS);
    json_auto_t *json = json_pack("{s:i, s:s, s:s, s:s, s:O, s:O}", "format", STAGE_FORMAT,
                                  "status", status, "code", code.code, "commit", SANLAB_COMMIT,
                                  "texts", work->texts, "outputs", work->outputs);
    if (code.backend) {
        json_object_set_new(json, "backend", json_string(code.backend));
        json_object_set_new(json, "backend_code", json_string(code.backend_code));
    }
    lease_sweep(work->lease);
    file_sync_end(); /* done.json comes last, also after a power failure */
    crash_point("before-done");
    json_file_write(stage_work_path(work, STAGE_DONE), json);
    /* Written after done.json, and not synced. A stage with a done.json is not started again, so a
     * stage has at most one such event. */
    if (end == WORK_DONE) journal_event(work->journal, "done", JOURNAL_NONE, NULL);
}

/* Dies if an input file has changed since the stage was planned, because the id has the old
 * digest. */
static void check_files(struct stage *stage, struct arena *arena)
{
    const struct stage planned = *stage;
    stage_find_files(stage, arena);
    for (int i = 0; i < planned.files; i++) {
        const struct input_file *then = &planned.file[i], *now = stage_file(stage, then->name);
        if (!now || !now->digest || strcmp(now->digest, then->digest) != 0)
            die("%s: the file %s; start again", then->path,
                now && now->digest ? "changed after it was planned" : "is gone");
    }
    for (int i = 0; i < stage->files; i++)
        if (!stage_file(&planned, stage->file[i].name))
            die("%s: the file did not exist when the stage was planned; start again",
                stage->file[i].path);
}

/* Prepares the folder: opens the journal, and records the start, the code and the environment. */
static void begin(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    die_set_hook(record_failure, work);
    file_set_fence(end_unless_mine, work);
    lease_keep(work->lease, end_lost, work);
    work->journal = journal_open(stage->folder);
    if (!(stage->kind->traits & KIND_RESUMES)) {
        journal_cut(work->journal, 0);
        file_sync_once(stage->folder);
    }
    work->texts = json_object();
    work->outputs = json_object();
    work->device = device_used();
    const struct stage_end code = own_code(work);
    journal_event(work->journal, "started", JOURNAL_NONE,
                  stage->kind->traits & KIND_RESUMES ? code_used_text(stage, &code, &work->arena)
                                                     : NULL);
    work->ops = device_table(work->device, stage_precision(stage));
    json_auto_t *environment = environment_describe(work->device);
    /* Also syncs the folder of a stage that resumes: a checkpoint relies on both files of the
     * journal. */
    json_file_write(stage_work_path(work, STAGE_ENVIRONMENT), environment);
    work->threads = omp_get_max_threads();
    journal_timing(work->journal, JOURNAL_NONE, "threads", work->threads);
}

static enum work_end compute(struct stage_work *work, struct stage *stage)
{
    check_files(stage, &work->arena);
    const char *missed = stage_missed(stage, &work->arena);
    if (missed) { /* done without values: cells print "not reached" */
        stage_work_text(work, STAGE_UNREACHED, missed);
        finish(work, WORK_DONE);
        return WORK_DONE;
    }
    const struct estimate planned = stage_estimate(stage, &work->arena);
    /* Estimates of later runs need the work and the time of this run
     * (experiments/plan/estimate_rate.c). */
    journal_timing(work->journal, JOURNAL_NONE, "work", estimate_work(&planned));
    const double start = clock_seconds();
    const enum work_end end = stage->kind->run(work);
    journal_timing(work->journal, JOURNAL_NONE, "wall", clock_seconds() - start);
    if (end == WORK_INTERRUPTED) return end;
    check_inputs(work);
    finish(work, end);
    return end;
}

static void release(struct stage_work *work)
{
    die_set_hook(NULL, NULL);
    team_close(work->team);
    journal_close(work->journal);
    file_set_fence(NULL, NULL);
    lease_release(work->lease);
    json_decref(work->texts);
    json_decref(work->outputs);
    arena_free(&work->arena);
    free(work);
}

int stage_work_do(const char *folder, int progress, int team_file, const char *shorter)
{
    struct stage_work *work = heap_alloc(sizeof *work);
    work->progress = progress;
    work->shorter = shorter && *shorter ? shorter : NULL;
    signal(SIGPIPE, SIG_IGN);
    keep_own(progress);
    keep_own(team_file);
    follow_runner(progress);

    struct stage *stage = stage_load(&work->arena, folder);
    work->stage = stage;
    char *fault;
    work->lease = lease_try(folder, &fault);
    if (fault) warn("%s", fault);
    if (!work->lease) return fault ? WORK_UNABLE_EXIT : WORK_BUSY_EXIT;
    json_auto_t *done = stage_done(stage);
    if (done) {
        lease_release(work->lease);
        return 0;
    }
    if (!find_inputs(work)) {
        lease_release(work->lease);
        return WORK_BUSY_EXIT;
    }
    begin(work);
    const char *old = stage_old_version(stage, &work->arena);
    if (old) die("%s", old);
    work->team = team_open(team_file);
    const enum work_end end = compute(work, stage);
    if (end == WORK_INTERRUPTED) journal_sync(work->journal);
    release(work);
    return end == WORK_INTERRUPTED ? INTERRUPTED_EXIT : 0;
}
