/* 10,000 finished stages, and a grid of 3,333 rows over most of them: the plan is there in less
 * than two seconds of a processor. The folder stays behind (build/tmp/plan_scale_test.plan_scale),
 * for `sanlab plan` by hand. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/bench/measure.h"
#include "experiments/plan/plan_folders.h"

enum { STAGES = 10000, ROWS = 3333 };
#ifdef __SANITIZE_ADDRESS__
static const double limit = 20; /* seconds */
#else
static const double limit = 5; /* two on a quiet machine; a step that is quadratic takes minutes */
#endif

static struct arena arena;
static const char *here, *runs, *path;

/* Not through file.h, which syncs every file. */
static void put(const char *folder, const char *name, const char *text)
{
    FILE *file = fopen(arena_print(&arena, "%s/%s", folder, name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_finished(const struct stage *stage)
{
    json_t *json =
        json_pack("{s:s, s:s, s:i, s:s, s:{s:{s:i}}, s:[s*], s:[], s:[s]}", "id", stage->id, "kind",
                  stage->kind->name, "version", stage->kind->version, "canonical", stage->canonical,
                  "options", "train", "epochs", 12, "inputs",
                  stage->inputs ? stage->input[0]->id : NULL, "files", "names", "another/row/1");
    char *text = json_dumps(json, JSON_INDENT(2));
    mkdir(stage->folder, 0777);
    put(stage->folder, "stage.json", text);
    put(stage->folder, "done.json",
        "{\"status\": \"done\", \"summary\": {\"bleu\": 31.4}, \"outputs\": {}}\n");
    free(text);
    json_decref(json);
}

/* The corpus is not among them: it stays to be prepared, so that no corpus is read. */
static int setup(void **state)
{
    (void)state;
    here = arena_text(&arena, test_folder("plan_scale"));
    runs = arena_print(&arena, "%s/runs", here);
    path = arena_print(&arena, "%s/g.yaml", here);
    put(here, "t.a", "x y z\nx x\n");
    put(here, "t.b", "x y z\nx x\n");
    setenv("SANLAB_DATA", here, 1);
    FILE *file = fopen(path, "w");
    fprintf(file, "grid: g\ncorpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"
                  "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"
                  "encoder: {layers: 2}\ndecoder: {layers: 1}\n"
                  "evaluate: {bleu: {split: dev}}\nrows:\n");
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "  - {name: \"rate %d\", train.rate: %.3f}\n", i, i * 1e-3);
    fclose(file);

    file_make_folder(arena_print(&arena, "%s/stages", runs));
    struct plan *plan = plan_build(&arena, grid_read(&arena, path, NULL, 0), runs, false);
    assert_int_equal(plan->count, 1 + 2 * ROWS);
    for (int i = 1; i < plan->count; i++) put_finished(&plan->task[i]->stage);
    struct stage other = plan->task[1]->stage;
    for (int i = plan->count; i <= STAGES; i++) {
        char *id = arena_print(&arena, "%064x", i);
        memcpy(other.id, id, DIGEST_TEXT);
        other.folder = arena_print(&arena, "%s/stages/train-%.12s", runs, id + 52);
        put_finished(&other);
    }
    return 0;
}

static double seconds_since(double *then)
{
    double before = *then;
    return (*then = measure_cpu_seconds()) - before;
}

static void thousands_of_stages_are_planned_at_once(void **state)
{
    test_alone(); /* it is about time */
    (void)state;
    double begin = measure_cpu_seconds(), then = begin;
    struct grid *grid = grid_read(&arena, path, NULL, 0);
    double read = seconds_since(&then);
    struct plan *plan = plan_build(&arena, grid, runs, false);
    double build = seconds_since(&then);
    plan_estimate(&arena, plan, false);
    double estimate = seconds_since(&then);
    FILE *nowhere = fopen("/dev/null", "w");
    plan_print(&arena, plan, 2, false, nowhere);
    fclose(nowhere);
    printf("# grid %.3f s, plan %.3f s, estimate %.3f s, print %.3f s\n", read, build, estimate,
           seconds_since(&then));
    for (int i = 1; i < plan->count; i++) assert_int_equal(plan->task[i]->state, TASK_DONE);
    assert_int_equal(plan->task[0]->state, TASK_NEW);
    assert_true(then - begin < limit * test_slow());
}

/* It takes seconds, and nobody must think that it hangs. */
static void many_names_are_recorded_with_progress(void **state)
{
    (void)state;
    enum { SOME = 500 };
    const char *said = arena_print(&arena, "%s/said", here);
    struct plan *plan = plan_build(&arena, grid_read(&arena, path, NULL, 0), runs, false);
    plan->count = 1 + SOME;
    const int before = dup(STDERR_FILENO), file = open(said, O_RDWR | O_CREAT, 0666);
    dup2(file, STDERR_FILENO);
    plan_record_names(&arena, plan, false);
    dup2(before, STDERR_FILENO);
    size_t bytes;
    const char *text = file_read(&arena, said, 0, &bytes);
    assert_non_null(strstr(text, "names  500/500  100%"));
    close(before);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_stages_are_planned_at_once),
        cmocka_unit_test(many_names_are_recorded_with_progress),
    };
    return cmocka_run_group_tests_name("plan_scale", tests, setup, NULL);
}
