/* Tests experiments/plan: the cost of a plan, the code that computed its stages, and the estimates
 * that are kept between runs. */
#include "tests/support/planned.h"

#include "experiments/stage/environment.h"
#include "experiments/stage/code_used.h"
#include "results/store/collector.h"
#include "tests/support/lease_take.h"
#include "tests/support/test.h"

static struct plan *plan_of(const char *rest)
{
    return planned(arena_print(&arena, PLANNED "evaluate: {bleu: {split: dev}}\n%s", rest));
}

static void put_done(const struct task *task, const char *code)
{
    stage_write(&task->stage);
    planned_put(task, "train.shard", "");
    file_make_folder(arena_print(&arena, "%s/ckpt", task->stage.folder));
    planned_put(task, "done.json",
                arena_print(&arena,
                            "{\"status\": \"done\", \"code\": \"%s\", \"commit\": \"0123abc\", "
                            "\"summary\": {}, \"outputs\": {}}",
                            code));
}

static struct task *task_of(const struct plan *plan, int row, int seed, int kind)
{
    return plan->point[row * plan->grid->seeds + seed].task[kind];
}
enum { CORPUS_KIND, TRAIN_KIND, SCORE_KIND };

/* ---- costs ---- */

static const double train_seconds[] = {100, 60, 40};

/* Returns a plan with a corpus of 10 s, three trainings (train_seconds), and three scores of 5 s
 * each. */
static struct plan *plan_by_hand(void)
{
    struct plan *plan = plan_of("rows: [{name: a}, {name: b, encoder.layers: 3}, "
                                "{name: c, encoder.layers: 4}]\n");
    assert_int_equal(plan->count, 7);
    for (int r = 0; r < 3; r++) {
        task_of(plan, r, 0, CORPUS_KIND)->estimate = (struct estimate){.seconds = 10};
        task_of(plan, r, 0, TRAIN_KIND)->estimate =
            (struct estimate){.seconds = train_seconds[r], .memory = 1e6};
        task_of(plan, r, 0, SCORE_KIND)->estimate = (struct estimate){.seconds = 5};
    }
    plan_find_paths(plan);
    return plan;
}

/* Returns the seconds of a plan's cost, without the time to start its stages. */
static double seconds_of(const struct plan *plan, int workers, int cores, int stages)
{
    return plan_cost(plan, workers, cores).seconds - 0.01 * stages / cores;
}

TEST(the_longest_chain_goes_first)
{
    struct plan *plan = plan_by_hand();
    assert_true(task_of(plan, 0, 0, CORPUS_KIND)->path == 115);
    assert_true(task_of(plan, 2, 0, TRAIN_KIND)->path == 45);
    const struct plan_cost one = plan_cost(plan, 1, 1), two = plan_cost(plan, 2, 2);
    assert_float_equal(seconds_of(plan, 1, 1, 7), 225, 1e-9);
    assert_true(one.memory == 1e6);
    /* For any number of workers, all cores are used. */
    assert_float_equal(seconds_of(plan, 2, 2, 7), 225 / 2., 1e-9);
    assert_float_equal(seconds_of(plan, 0, 2, 7), 225 / 2., 1e-9);
    assert_float_equal(seconds_of(plan, 4, 2, 7), 225 / 2., 1e-9);
    assert_true(two.memory == 2e6 && plan_cost(plan, 4, 2).memory == 3e6);
    /* With two workers, b (60 s) and then c (40 s) are trained while a (100 s) is trained. A third
     * worker would save little time. If c took 60 s, a third worker would save enough. */
    assert_int_equal(plan_workers_enough(plan), 2);
    task_of(plan, 2, 0, TRAIN_KIND)->estimate.seconds = 60;
    plan_find_paths(plan);
    assert_int_equal(plan_workers_enough(plan), 3);
    task_of(plan, 2, 0, TRAIN_KIND)->estimate.seconds = 40;
}

TEST(what_is_done_costs_nothing)
{
    struct plan *plan = plan_by_hand();
    task_of(plan, 0, 0, CORPUS_KIND)->state = TASK_DONE;
    task_of(plan, 0, 0, TRAIN_KIND)->state = TASK_DONE;
    plan_find_paths(plan);
    assert_float_equal(seconds_of(plan, 1, 1, 5), 60 + 40 + 3 * 5, 1e-9);
    assert_true(task_of(plan, 1, 0, TRAIN_KIND)->path == 65);
}

/* ---- rates ---- */

/* A stage reads a score, and the score reads a training. So the rate of the stage is the rate of
 * this training's model. */
TEST(a_rate_is_found_through_a_chain)
{
    file_remove_tree(runs);
    struct plan *plan = plan_of("rows: [{name: a}]\n");
    struct stage *score = &task_of(plan, 0, 0, SCORE_KIND)->stage;
    const struct stage_kind kind = {.name = "chained",
                                    .inputs = (const char *const[]){"score", NULL}};
    const struct stage chained = {.kind = &kind,
                                  .settings = score->settings,
                                  .inputs = 1,
                                  .input = &score,
                                  .canonical = "stage: chained v1\n"};
    struct rates *rates = rates_open(&arena, runs, 0, false);
    rates_keep(rates, &task_of(plan, 0, 0, TRAIN_KIND)->stage, 5e8);
    struct estimate estimate = {.flops = 1e9};
    rates_apply(rates, &chained, &estimate);
    assert_int_equal(estimate.source, ESTIMATE_CALIBRATED);
    assert_true(estimate.seconds == 2);
    assert_true(stage_kind_is_seeded(&kind));
    assert_false(stage_kind_is_seeded(task_of(plan, 0, 0, CORPUS_KIND)->stage.kind));
}

static struct plan *estimated(const char *rest)
{
    struct plan *plan = plan_of(rest);
    plan_estimate(&arena, plan, false);
    return plan;
}

/* Writes the events of a task that ran on this host with this number of threads. */
static void put_events(const struct task *task, int threads, const char *events)
{
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    put_done(task, stage_code(&task->stage, &arena));
    planned_put(task, "environment.json",
                arena_print(&arena, "{\"host\": \"%s\", \"threads\": %d}", host, threads));
    planned_put(task, "events.jsonl", events);
}

/* Writes a run with one thread that took `seconds` and ended at the time `until`. */
static void put_timed(const struct task *task, double seconds, int until)
{
    put_events(task, 1,
               arena_print(&arena,
                           "{\"event\":\"started\",\"time\":1,\"clock\":0,\"attempt\":1}\n"
                           "{\"event\":\"timing\",\"time\":1,\"clock\":0.1,\"attempt\":1,"
                           "\"name\":\"work\",\"value\":%.17g}\n"
                           "{\"event\":\"done\",\"time\":%d,\"clock\":%g,\"attempt\":1}\n",
                           task->estimate.flops, until, seconds));
}

static void collect(void)
{
    struct store *store = store_open(runs);
    collect_runs(store);
    store_close(store);
}

TEST(time_comes_from_the_nearest_run)
{
    file_remove_tree(runs);
    const char *rest = "seeds: [1, 2]\ntrain: {epochs: 3}\n"
                       "rows: [{name: a}, {name: wide, model.width: 32}, {name: wider, "
                       "model.width: 512}]\n";
    struct plan *plan = estimated(rest);
    const struct task *first = task_of(plan, 0, 0, TRAIN_KIND);
    assert_int_equal(first->estimate.source, ESTIMATE_SGEMM);
    const double work = first->estimate.flops;
    assert_true(work > 0);

    /* Seed 1 had two attempts of 20 s and 10 s. Both began with two threads. The first attempt had
     * one thread after 5 s, and four threads after 8 s. 5 * 2 + 3 * 1 + 12 * 4 + 10 * 2 = 81
     * seconds of one thread. */
    put_events(
        first, 2,
        arena_print(
            &arena,
            "{\"event\":\"started\",\"time\":1,\"clock\":0,\"attempt\":1}\n"
            "{\"event\":\"timing\",\"time\":1,\"clock\":0.1,\"attempt\":1,\"name\":\"work\","
            "\"value\":%.17g}\n"
            "{\"event\":\"timing\",\"time\":1,\"clock\":5,\"attempt\":1,\"name\":\"threads\","
            "\"value\":1}\n"
            "{\"event\":\"timing\",\"time\":1,\"clock\":8,\"attempt\":1,\"name\":\"threads\","
            "\"value\":4}\n"
            "{\"event\":\"interrupted\",\"time\":2,\"clock\":20,\"attempt\":1}\n"
            "{\"event\":\"started\",\"time\":3,\"clock\":0,\"attempt\":2}\n"
            "{\"event\":\"done\",\"time\":4,\"clock\":10,\"attempt\":2}\n",
            work));
    collect();

    plan = estimated(rest);
    const struct estimate *second = &task_of(plan, 0, 1, TRAIN_KIND)->estimate;
    assert_int_equal(second->source, ESTIMATE_SAME);
    assert_true(fabs(second->seconds - 81) < 1e-6);
    const struct estimate *wide = &task_of(plan, 1, 0, TRAIN_KIND)->estimate;
    assert_int_equal(wide->source, ESTIMATE_NEAREST);
    assert_true(wide->flops > 1.5 * work);
    assert_true(fabs(wide->seconds - 81 * wide->flops / work) < 1e-6);
    /* The rate of a much shorter run is not used. */
    const struct estimate *wider = &task_of(plan, 2, 0, TRAIN_KIND)->estimate;
    assert_true(wider->flops > 20 * work);
    assert_int_equal(wider->source, ESTIMATE_SGEMM);
    file_remove_tree(runs);
}

/* The newest run of the same options gives the estimate. Runs of other options in the same database
 * have no effect. */
TEST(the_estimate_is_of_the_same_options)
{
    static const char rows[] =
        "seeds: [1, 2, 3]\nrows: [{name: a}, {name: wide, model.width: 32}]\n";
    struct plan *plan = estimated(rows);
    put_timed(task_of(plan, 1, 0, TRAIN_KIND), 90000, 1000);
    put_timed(task_of(plan, 0, 0, TRAIN_KIND), 40, 2000);
    put_timed(task_of(plan, 0, 1, TRAIN_KIND), 160, 3000);
    collect();
    const struct estimate *third = &task_of(estimated(rows), 0, 2, TRAIN_KIND)->estimate;
    assert_int_equal(third->source, ESTIMATE_SAME);
    assert_true(fabs(third->seconds - 160) < 1e-6);

    /* A plan for another machine does not use the runs and rates of this machine. */
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        plan = plan_of(rows);
        plan->core_rate = (i + 1) * 1e9;
        plan_estimate(&arena, plan, true);
        third = &task_of(plan, 0, 2, TRAIN_KIND)->estimate;
        assert_int_equal(third->source, ESTIMATE_SGEMM);
        seconds[i] = third->seconds;
    }
    assert_true(fabs(seconds[0] - third->flops / 0.6e9) < 1e-9 * seconds[0]);
    assert_true(fabs(seconds[0] - 2 * seconds[1]) < 1e-9 * seconds[0]);
    file_remove_tree(runs);
}

TEST(a_disk_that_is_too_small_is_refused)
{
    struct plan *plan = plan_of("");
    assert_true(plan_disk_spare(arena_print(&arena, "%s/not/there/yet", here)) > 0);
    struct task *train = task_of(plan, 0, 0, TRAIN_KIND);
    train->estimate.disk = 1e6;
    assert_true(plan_disk(plan).needed == 1e6);
    plan_check_disk(&arena, plan, false);
    train->estimate.disk = 1e18;
    EXPECT_DIE(train->stage.name, plan_check_disk(&arena, plan, false));
    EXPECT_DIE("--force", plan_check_disk(&arena, plan, false));
    plan_check_disk(&arena, plan, true);
    train->state = TASK_DONE;
    plan_check_disk(&arena, plan, false);
}

/* ---- code ---- */

TEST(other_code_is_said_and_done_again_when_asked)
{
    struct plan *plan = plan_of("");
    for (int i = 0; i < 3; i++) put_done(plan->task[i], stage_code(&plan->task[i]->stage, &arena));
    put_done(plan->task[1], "fedcba9876543210");
    plan = plan_of("");
    const struct task *corpus = plan->task[0], *train = plan->task[1], *score = plan->task[2];
    assert_string_equal(corpus->reason, "done");
    assert_string_equal(train->reason, "done, older code (commit 0123abc)");
    assert_string_equal(score->reason, "done");
    plan_set_stale(&arena, plan, STALE_IGNORE);
    assert_string_equal(train->reason, "done");

    plan_set_stale(&arena, plan, STALE_RERUN);
    assert_int_equal(corpus->state, TASK_DONE);
    assert_int_equal(train->state, TASK_NEW);
    assert_string_equal(train->reason, "again: older code (commit 0123abc)");
    assert_int_equal(score->state, TASK_NEW);
    assert_non_null(strstr(score->reason, "runs again"));
    plan_inspect(&arena, plan->task[2], 0, NULL);
    assert_int_equal(score->state, TASK_NEW); /* although done.json has the status done */

    const char *fault;
    assert_true(plan_prepare(&arena, plan, plan->task[1], &fault));
    assert_true(file_exists(arena_print(&arena, "%s/stage.json", train->stage.folder)));
    assert_false(file_exists(arena_print(&arena, "%s/done.json", train->stage.folder)));
    assert_true(file_is_folder(arena_print(&arena, "%s/replaced", runs)));
    file_remove_tree(runs);
}

/* The code is older if the digest of the kind or of the backend differs. The backend's digest is
 * compared only if the kind uses a backend and this program has the recorded one. */
TEST(other_backends_are_said)
{
    static const struct {
        const char *backend, *code, *reason[2]; /* expected reason of the corpus, of the training */
    } cases[] = {{"cpu", NULL, {"done", "done"}},
                 {"cpu", "0000", {"done", "done, older code (commit 0123abc)"}},
                 {"tpu", "0000", {"done", "done"}}};
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct plan *plan = plan_of("");
        const char *code = cases[c].code ? cases[c].code : environment_backend("cpu");
        for (int i = 0; i < 2; i++)
            put_done(plan->task[i],
                     arena_print(&arena, "%s\", \"backend\": \"%s\", \"backend_code\": \"%s",
                                 stage_code(&plan->task[i]->stage, &arena), cases[c].backend,
                                 code));
        plan = plan_of("");
        for (int i = 0; i < 2; i++) assert_string_equal(plan->task[i]->reason, cases[c].reason[i]);
        file_remove_tree(runs);
    }
    assert_null(environment_backend("tpu"));
    assert_non_null(environment_backend("cuda"));
}

/* ---- names ---- */

TEST(everybody_who_asks_is_remembered)
{
    struct plan *plan = plan_of("rows: [{name: a}, {name: b, encoder.layers: 2}]\n");
    const struct task *train = task_of(plan, 1, 0, TRAIN_KIND);
    assert_int_equal(train->stage.askers, 2);
    assert_string_equal(train->stage.asker[1], "g/b/1");
    for (int i = 0; i < plan->count; i++)
        put_done(plan->task[i], stage_code(&plan->task[i]->stage, &arena));

    plan = plan_of("rows: [{name: c}, {name: a}]\n");
    train = task_of(plan, 0, 0, TRAIN_KIND);
    assert_string_equal(train->reason, "done (by g/a/1)");
    plan_record_names(&arena, plan, true);
    const char **name;
    assert_int_equal(stage_names(&train->stage, &name, &arena), 3);
    assert_string_equal(name[0], "g/a/1");
    assert_string_equal(name[1], "g/b/1");
    assert_string_equal(name[2], "g/c/1");
    assert_string_equal(stage_load(&arena, train->stage.folder)->label, "g/a/1");

    char *text = PRINTED(plan_print(&arena, plan, 1, false, out));
    assert_non_null(strstr(text, "c/1 = a/1"));
    file_remove_tree(runs);
}

/* ---- speed ---- */

static const char *speed_id(const char *rest)
{
    const struct plan *plan = plan_of(
        arena_print(&arena, "table: {columns: [parameters, speed]}\nseeds: [1, 2]\n%s", rest));
    const struct task *speed = plan->task[plan->count - 1];
    assert_string_equal(speed->stage.kind->name, "speed");
    return speed->stage.id;
}

TEST(speed_is_one_stage_of_all_rows)
{
    const char *rows = "rows: [{name: a}, {name: b, encoder.layers: 3}]\n";
    const struct plan *plan =
        plan_of(arena_print(&arena, "table: {columns: [parameters, speed]}\n%s", rows));
    struct task *speed = plan->task[plan->count - 1];
    assert_int_equal(plan->count, 1 + 2 * 2 + 1);
    for (int p = 0; p < 2; p++)
        assert_ptr_equal(plan->point[p].task[plan->point[p].count - 1], speed);
    assert_int_equal(speed->stage.rows, 2);
    assert_int_equal(speed->stage.inputs, 1);
    assert_non_null(strstr(speed->stage.canonical, "\nmachine.host="));
    assert_non_null(strstr(speed->stage.canonical, "\nmachine.threads="));

    /* Names, seeds and options that do not affect a step do not change the id of a speed stage. */
    const char *id = speed_id(rows);
    assert_string_equal(
        id, speed_id("rows: [{name: x, train.rate: 2}, {name: y, encoder.layers: 3}]\n"));
    assert_string_not_equal(id, speed_id("rows: [{name: b, encoder.layers: 3}, {name: a}]\n"));
    assert_string_not_equal(
        id, speed_id("rows: [{name: a, train.batch_tokens: 64}, {name: b, encoder.layers: 3}]\n"));

    /* A figure or a claim also adds the speed stage. */
    assert_int_equal(plan_of(rows)->count, 1 + 2 * 2);
    assert_int_equal(
        plan_of(arena_print(&arena, "figures: [{kind: bars, left: speed}]\n%s", rows))->count,
        1 + 2 * 2 + 1);
    assert_int_equal(plan_of(arena_print(&arena,
                                         "claims: [{text: t, compare: [a, b], metric: speed, "
                                         "expect: greater}]\n%s",
                                         rows))
                         ->count,
                     1 + 2 * 2 + 1);

    for (int i = 0; i < plan->count; i++) stage_write(&plan->task[i]->stage);
    const struct stage *again = stage_load(&arena, speed->stage.folder);
    assert_string_equal(again->id, speed->stage.id);
    assert_int_equal(again->row[1].settings->translator.encoder.layers, 3);
    file_remove_tree(runs);
}

/* If a training was interrupted or is running elsewhere, its estimate has only the remaining
 * steps. */
TEST(what_is_done_is_left_out_of_the_time)
{
    static const char rows[] = "train: {epochs: 0, steps: 400}\n"
                               "rows: [{name: at}, {name: new, train.warmup: 10}]\n";
    struct task *at = task_of(plan_of(rows), 0, 0, TRAIN_KIND);
    planned_put(at, "events.jsonl", "{\"event\":\"started\"}\n");
    file_make_folder(arena_print(&arena, "%s/ckpt/step-00000100", at->stage.folder));
    struct lease *lease = NULL;
    for (int running = 0; running < 2; running++) {
        if (running) lease = lease_take(at->stage.folder);
        struct plan *plan = plan_of(rows);
        plan_estimate(&arena, plan, false);
        at = task_of(plan, 0, 0, TRAIN_KIND);
        const double whole = task_of(plan, 1, 0, TRAIN_KIND)->estimate.seconds;
        assert_int_equal(at->state, running ? TASK_RUNNING : TASK_STOPPED);
        assert_true(whole > 0);
        assert_float_equal(at->estimate.seconds / whole, 0.75, 1e-9);
        assert_float_equal(plan_left(at, at->step) / whole, 0.75, 1e-9);
        assert_float_equal(plan_left(at, 300) / whole, 0.25, 1e-9);
        assert_float_equal(plan_left(at, 400), 0, 1e-9);
    }
    lease_release(lease);
}

ALL_TESTS(planned_open);
