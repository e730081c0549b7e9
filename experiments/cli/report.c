/* sanlab report: writes a grid as one HTML page, once or while the grid runs. */
#include <signal.h>
#include <time.h>

#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/table/observations.h"

enum { IDLE_LOOKS = 2 }; /* between two stages of a run, one inspection may find none that runs */

/* A page that is written several times. */
struct pages {
    struct verb_call *call;
    struct plan *plan;
    struct grid summary;
    const char *path;
};

/* Writes the page. `watch`: the progress on the page; NULL: the page is complete. Returns the exit
 * status. */
static int write_page(struct pages *pages, const struct watch *watch)
{
    SCOPED(arena_free) struct arena arena = {0};
    observations_forget(); /* stages may have ended since the last page */
    struct store *store = stage_argument_store(pages->call);
    struct report report = report_page(store, pages->plan, &pages->summary, &arena);
    if (watch) report_page_watched(&report, watch, store, &arena);
    report_write(store, &report, pages->path);
    return report_page_status(&report);
}

/* Writes the page every REPORT_REFRESH seconds, until no stage runs or a signal arrives. A second
 * signal ends the process. */
static void follow(struct pages *pages)
{
    const struct timespec pause = {.tv_sec = WATCH_SECONDS};
    struct watch *watch = watch_open(&pages->call->arena, pages->plan, NULL);
    sigset_t ending, before;
    double next = 0;
    int idle = 0;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, &before);
    do {
        watch_look(watch);
        idle = watch->grid.running ? 0 : idle + 1;
        if (!idle && clock_seconds() >= next) {
            write_page(pages, watch);
            next = clock_seconds() + REPORT_REFRESH;
        }
    } while (idle < IDLE_LOOKS && sigtimedwait(&ending, NULL, &pause) < 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    watch_close(watch);
}

static int run(struct verb_call *call)
{
    const char *path = verb_switch(call, "--out") ? verb_value(call, "--out") : NULL;
    if (path) verb_check_file(call, "--out", path);
    struct plan *plan = grid_argument_plan(call);
    struct pages pages = {call, plan, grid_argument_summary(call, plan), path};
    if (!path) {
        grid_argument_check_name(call, plan->grid);
        const char *folder = arena_print(&call->arena, "%s/reports", plan->runs);
        file_make_folder(folder);
        pages.path = arena_print(&call->arena, "%s/%s.html", folder, pages.summary.name);
    }
    if (verb_switch(call, "--watch")) {
        printf("%s, written every %d s while stages run; Ctrl-C ends this\n", pages.path,
               REPORT_REFRESH);
        fflush(stdout);
        follow(&pages);
    }
    const int status = write_page(&pages, NULL);
    puts(pages.path);
    return status;
}

const struct verb verb_report = {.name = "report", .run = run};
