/* experiments/plan/estimate_rate: how far an estimate may be off, of stages of the same options. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "core/base/file.h"
#include "experiments/plan/plan.h"
#include "results/store/collect.h"

static const char *here, *runs;
enum { TRAIN_KIND = 1 };

static void put(const char *folder, const char *name, const char *text)
{
    file_write(arena_print(&arena, "%s/%s", folder, name), text, strlen(text));
}

static struct plan *plan_two_rows(void)
{
    put(here, "t.a", "x y z\nx x\n");
    put(here, "t.b", "x y z\nx x\n");
    put(here, "g.yaml",
        "grid: g\n"
        "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"
        "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"
        "encoder: {layers: 2}\n"
        "decoder: {layers: 1}\n"
        "seeds: [1, 2, 3]\n"
        "rows: [{name: a}, {name: wide, model.width: 32}]\n");
    setenv("SANLAB_DATA", here, 1);
    const char *path = arena_print(&arena, "%s/g.yaml", here);
    struct plan *plan = plan_build(&arena, grid_read(&arena, path, NULL, 0), runs, false);
    plan_estimate(&arena, plan, false);
    return plan;
}

static struct task *training(const struct plan *plan, int row, int seed)
{
    return plan->point[row * plan->grid->seeds + seed].task[TRAIN_KIND];
}

/* One thread of this host was at it for so long, up to that time. */
static void put_done(const struct task *task, double seconds, int until)
{
    const char *folder = task->stage.folder;
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    stage_write(&task->stage);
    put(folder, "done.json", "{\"status\": \"done\", \"summary\": {}, \"outputs\": {}}");
    put(folder, "environment.json",
        arena_print(&arena, "{\"host\": \"%s\", \"threads\": 1}", host));
    put(folder, "events.jsonl",
        arena_print(&arena,
                    "{\"event\":\"started\",\"time\":1,\"clock\":0,\"attempt\":1}\n"
                    "{\"event\":\"timing\",\"time\":1,\"clock\":0.1,\"attempt\":1,"
                    "\"name\":\"work\",\"value\":%.17g}\n"
                    "{\"event\":\"done\",\"time\":%d,\"clock\":%g,\"attempt\":1}\n",
                    task->estimate.flops, until, seconds));
}

/* The newest run of the same options says how long it takes, all of them how far it may be off;
 * what other options took, in the same database, says nothing of it. */
TEST(the_range_is_of_the_same_options)
{
    here = arena_text(&arena, test_folder("plan_rates"));
    runs = arena_print(&arena, "%s/runs", here);
    struct plan *plan = plan_two_rows();
    put_done(training(plan, 1, 0), 90000, 1000);
    put_done(training(plan, 0, 0), 40, 2000);
    put_done(training(plan, 0, 1), 160, 3000);
    struct store *store = store_open(runs);
    collect_runs(store);
    store_close(store);
    const struct estimate *third = &training(plan_two_rows(), 0, 2)->estimate;
    assert_int_equal(third->source, ESTIMATE_SAME);
    assert_true(fabs(third->seconds - 160) < 1e-6);
    assert_true(fabs(third->low - 40) < 1e-6);
    assert_true(fabs(third->high - 640) < 1e-6);

    /* On another machine neither runs nor rates of this one count. */
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        plan = plan_two_rows();
        plan->core_rate = (i + 1) * 1e9;
        plan_estimate(&arena, plan, true);
        third = &training(plan, 0, 2)->estimate;
        assert_int_equal(third->source, ESTIMATE_SGEMM);
        seconds[i] = third->seconds;
    }
    assert_true(fabs(seconds[0] - third->flops / 0.6e9) < 1e-9 * seconds[0]);
    assert_true(fabs(seconds[0] - 2 * seconds[1]) < 1e-9 * seconds[0]);
    file_remove_tree(runs);
}
