/* Tests how the time of planning grows. There are 4,000 finished stages, and a grid of 1,333 rows
 * reads most of them. Planning takes about four times as long as planning a quarter of them. A
 * quadratic step would take sixteen times as long. The folder build/tmp/plan_scale_test.here is
 * kept, so that `sanlab plan` can be tried by hand. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "core/bench/measure.h"
#include "tests/support/planned.h"

enum { STAGES = 4000, ROWS = 1333, PART = 4, MOST_GROWTH = 7, TRIES = 4 };

/* A folder of runs, and the file and number of rows of the grid that reads them. */
struct scale {
    const char *runs, *path;
    int rows;
};

static struct scale large, small;

/* Writes a file directly. The functions of file.h would be slow, because they sync every file. */
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
                  stage->kind->name, "version", stage->version, "canonical", stage->canonical,
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

/* Writes a grid and finishes all its stages except the corpus, so that no corpus is read. Then adds
 * copies of a training with other ids, up to `stages` stages. */
static struct scale put_scale(const char *name, int stages, int rows)
{
    const struct scale scale = {arena_print(&arena, "%s/%s", here, name),
                                arena_print(&arena, "%s/%s.yaml", here, name), rows};
    FILE *file = fopen(scale.path, "w");
    fprintf(file, PLANNED "evaluate: {bleu: {split: dev}}\nrows:\n");
    for (int i = 0; i < rows; i++)
        fprintf(file, "  - {name: \"rate %d\", train.rate: %.3f}\n", i, i * 1e-3);
    fclose(file);

    file_make_folder(arena_print(&arena, "%s/stages", scale.runs));
    struct plan *plan =
        plan_build(&arena, grid_read(&arena, scale.path, NULL, 0, NULL), scale.runs, NULL);
    assert_int_equal(plan->count, 1 + 2 * rows);
    for (int i = 1; i < plan->count; i++) put_finished(&plan->task[i]->stage);
    struct stage other = plan->task[1]->stage;
    for (int i = plan->count; i <= stages; i++) {
        char *id = arena_print(&arena, "%064x", i);
        memcpy(other.id, id, DIGEST_TEXT);
        other.folder = arena_print(&arena, "%s/stages/train-%.12s", scale.runs, id + 52);
        put_finished(&other);
    }
    return scale;
}

static void setup(void)
{
    planned_open();
    small = put_scale("small", STAGES / PART, ROWS / PART);
    large = put_scale("runs", STAGES, ROWS);
}

static double seconds_since(double *then)
{
    double before = *then;
    return (*then = measure_cpu_seconds()) - before;
}

/* Returns the processor time, in seconds, to read, build, estimate and print a plan. */
static double plan_seconds(const struct scale *scale)
{
    double begin = measure_cpu_seconds(), then = begin;
    struct grid *grid = grid_read(&arena, scale->path, NULL, 0, NULL);
    double read = seconds_since(&then);
    struct plan *plan = plan_build(&arena, grid, scale->runs, NULL);
    plan_inspect_all(&arena, plan, 0);
    double build = seconds_since(&then);
    plan_estimate(&arena, plan, false);
    double estimate = seconds_since(&then);
    FILE *nowhere = fopen("/dev/null", "w");
    plan_print(&arena, plan, 2, false, nowhere);
    fclose(nowhere);
    printf("# %d rows: grid %.3f s, plan %.3f s, estimate %.3f s, print %.3f s\n", scale->rows,
           read, build, estimate, seconds_since(&then));
    for (int i = 1; i < plan->count; i++) assert_int_equal(plan->task[i]->state, TASK_DONE);
    assert_int_equal(plan->task[0]->state, TASK_NEW);
    return then - begin;
}

/* Other processes may disturb a measurement. Then both times are measured again, and the minimum of
 * each counts. */
TEST(the_time_of_a_plan_grows_with_its_stages)
{
    test_alone(); /* the test measures time */
    double few = INFINITY, many = INFINITY;
    for (int i = 0; i < TRIES && (!i || many >= MOST_GROWTH * few); i++) {
        few = fmin(few, fmin(plan_seconds(&small), plan_seconds(&small)));
        many = fmin(many, plan_seconds(&large));
    }
    printf("# growth %.2f\n", many / few);
    assert_true(many < MOST_GROWTH * few);
}

/* Recording many names takes seconds, so a line shows the progress. Names of a stage that runs
 * again are not recorded. */
TEST(many_names_are_recorded_with_progress)
{
    enum { SOME = 500 };
    const char *said = arena_print(&arena, "%s/said", here);
    struct plan *plan =
        plan_build(&arena, grid_read(&arena, large.path, NULL, 0, NULL), large.runs, NULL);
    plan_inspect_all(&arena, plan, 0);
    plan->count = 2 + SOME;
    plan->task[1]->replace = true;
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

ALL_TESTS(setup);
