/* Tests the runner in experiments/run: the order of starts, the remaining time, and limits of
 * memory, time and threads. Scripts in tests/cli test real workers. */
#include "tests/support/test.h"

#include "experiments/run/runner.h"

enum { CORPUS, SHORT, LONG, SCORE_SHORT, SCORE_LONG, TASKS };

/* One corpus (5 s), two trainings (10 and 50 s) that read it, and a score of each training (20 and
 * 1 s). */
struct world {
    struct plan plan;
    struct runner_options options;
    struct runner runner;
    struct task task[TASKS], *list[TASKS];
    struct stage *input[TASKS][2];
};

static void set_task(struct world *world, int index, const struct stage_kind *kind, double seconds,
                     int input)
{
    struct task *task = &world->task[index];
    *task = (struct task){.stage.kind = kind, .state = TASK_NEW, .estimate.seconds = seconds};
    task->stage.input = world->input[index];
    if (input >= 0) {
        task->stage.inputs = 1;
        task->stage.input[0] = &world->task[input].stage;
    }
    world->list[index] = task;
}

static struct world *world_new(int limit)
{
    static struct world world;
    world = (struct world){.plan = {.count = TASKS, .task = world.list}};
    set_task(&world, CORPUS, stage_kind_find("corpus"), 5, -1);
    set_task(&world, SHORT, stage_kind_find("train"), 10, CORPUS);
    set_task(&world, LONG, stage_kind_find("train"), 50, CORPUS);
    set_task(&world, SCORE_SHORT, stage_kind_find("score"), 20, SHORT);
    set_task(&world, SCORE_LONG, stage_kind_find("score"), 1, LONG);
    world.runner = (struct runner){.arena = &arena,
                                   .plan = &world.plan,
                                   .options = &world.options,
                                   .limit = limit,
                                   .begun = clock_seconds()};
    return &world;
}

TEST(the_longest_way_counts)
{
    struct world *world = world_new(2);
    assert_float_equal(runner_order_rest(&world->runner), 56, 1e-4); /* 5 + 50 + 1 */
    const double path[TASKS] = {56, 30, 51, 20, 1};
    for (int i = 0; i < TASKS; i++) assert_float_equal(world->task[i].path, path[i], 1e-4);
    world->runner.limit = 1;
    /* The sum over all stages, because one stage runs at a time. */
    assert_float_equal(runner_order_rest(&world->runner), 86, 1e-4);
    world->task[CORPUS].state = world->task[LONG].state = TASK_DONE;
    world->task[SCORE_LONG].state = TASK_FAILED;
    assert_float_equal(runner_order_rest(&world->runner), 30, 1e-4);
    for (int i = 0; i < TASKS; i++) world->task[i].state = TASK_DONE;
    assert_true(runner_order_rest(&world->runner) < 0);
}

/* A score starts as soon as its training is done. Only interrupted stages start before scores. */
TEST(results_come_before_the_longest_way)
{
    struct world *world = world_new(1);
    const struct task *task = world->task;
    runner_order_rest(&world->runner);
    assert_true(plan_goes_before(&task[SCORE_LONG], &task[LONG])); /* chains of 1 s and of 51 s */
    assert_false(plan_goes_before(&task[LONG], &task[SCORE_LONG]));
    assert_true(plan_goes_before(&task[LONG], &task[SHORT]));
    assert_true(plan_goes_before(&task[SCORE_SHORT], &task[SCORE_LONG]));
    assert_true(plan_goes_before(&task[CORPUS], &task[SHORT])); /* 56 s; a corpus is not a result */
    world->task[SHORT].state = TASK_STOPPED;
    assert_true(plan_goes_before(&task[SHORT], &task[LONG]));
    assert_true(plan_goes_before(&task[SHORT], &task[SCORE_LONG]));
}

TEST(estimates_are_scaled_by_what_was_seen)
{
    struct world *world = world_new(1);
    world->task[CORPUS].state = TASK_DONE;
    world->runner.expected = 5;
    world->runner.took = 10; /* twice the estimated time */
    assert_float_equal(runner_order_rest(&world->runner), 2 * 81, 1e-4);
    /* The progress of a running stage replaces its estimate. Half of its work took four seconds;
     * the estimate of all its work was 50 s. */
    struct runner_slot *slot = &world->runner.slot[world->runner.running++];
    *slot = (struct runner_slot){.task = &world->task[LONG],
                                 .worker = {.first = 0,
                                            .first_time = clock_seconds() - 4,
                                            .start = clock_seconds() - 4,
                                            .done = 50,
                                            .total = 100}};
    assert_float_equal(runner_order_rest(&world->runner), (10 + 8) / (5 + 50.) * 31 + 4, 0.1);
    assert_float_equal(worker_rate(&slot->worker), 12.5, 0.1);
}

TEST(a_budget_ends_in_time)
{
    struct world *world = world_new(1);
    runner_order_rest(&world->runner);
    assert_true(runner_room_in_time(&world->runner, &world->task[LONG]));
    world->options.budget = 1000;
    world->runner.begun = clock_seconds() - 985; /* 15 s remain */
    assert_false(
        runner_room_in_time(&world->runner, &world->task[LONG])); /* a part needs at least 30 s */
    assert_true(runner_room_in_time(&world->runner, &world->task[SHORT])); /* ends in time */
    assert_false(runner_room_in_time(&world->runner, &world->task[SCORE_SHORT]));
    assert_true(runner_room_in_time(&world->runner, &world->task[SCORE_LONG]));
    world->runner.begun =
        clock_seconds() - 960; /* 40 s: enough for a part of a stage that can be continued */
    assert_true(runner_room_in_time(&world->runner, &world->task[LONG]));
    world->options.budget = 100; /* a twentieth of it, 5 s, is enough for a part */
    world->runner.begun = clock_seconds() - 94;
    assert_true(runner_room_in_time(&world->runner, &world->task[LONG]));
    world->runner.begun = clock_seconds() - 96;
    assert_false(runner_room_in_time(&world->runner, &world->task[LONG]));
}

TEST(memory_is_what_others_leave)
{
    struct world *world = world_new(2);
    world->options.memory = 1000;
    assert_true(isinf(runner_room_memory(&world->runner))); /* one stage runs in any case */
    world->task[SHORT].estimate.memory = 600;
    world->runner.slot[world->runner.running++].task = &world->task[SHORT];
    assert_float_equal(runner_room_memory(&world->runner), 400, 1e-4);
    world->task[SHORT].estimate.memory = 1600;
    assert_float_equal(runner_room_memory(&world->runner), 0, 1e-4);
    world->options.memory = 0; /* the machine's memory; this process stands for the worker */
    world->runner.slot[0].worker.process = getpid();
    assert_true(runner_room_memory(&world->runner) > 0);
}

/* Adds a worker on this task with this number of threads. Returns its team. */
static struct team *run_with(struct world *world, int task, struct team *team, int threads)
{
    *team = (struct team){threads, threads};
    world->runner.slot[world->runner.running++] = (struct runner_slot){
        .task = &world->task[task], .threads = threads, .worker = {.team = team}};
    return team;
}

TEST(free_cores_are_lent_and_asked_back)
{
    struct world *world = world_new(4);
    struct runner *runner = &world->runner;
    struct team one, two, three;
    runner->cores = 4;
    run_with(world, CORPUS, &three, 1);
    run_with(world, LONG, &one, 1);
    run_with(world, SHORT, &two, 1);
    runner_threads_lend(runner); /* the corpus uses one thread, and no core is lent twice */
    runner_threads_lend(runner);
    assert_int_equal(one.allowed + two.allowed, 3);
    assert_int_equal(three.allowed, 1);
    assert_int_equal(team_follow(&one), 2);
    assert_int_equal(team_holds(&one), 2);
    /* Another stage is ready. A core stays lent until the worker has returned it. */
    assert_int_equal(runner_threads_for(runner, &world->task[SCORE_SHORT], 1), 0);
    assert_int_equal(team_holds(&one), 2);
    assert_int_equal(runner_threads_for(runner, &world->task[SCORE_SHORT], 1), 0);
    assert_int_equal(team_follow(&one), 1);
    assert_int_equal(runner_threads_for(runner, &world->task[SCORE_SHORT], 1), 1);
    /* If a worker has not taken the core that was offered, the core is free at once. */
    runner_threads_lend(runner);
    assert_int_equal(runner_threads_for(runner, &world->task[SCORE_SHORT], 1), 1);
    /* Two workers share all four cores. If two more stages are ready, the workers return two
     * cores. */
    runner->running = 0;
    run_with(world, LONG, &one, 1);
    run_with(world, SHORT, &two, 1);
    runner_threads_lend(runner);
    assert_int_equal(team_follow(&one) + team_follow(&two), 4);
    assert_int_equal(runner_threads_for(runner, &world->task[SCORE_SHORT], 2), 0);
    assert_int_equal(team_follow(&one) + team_follow(&two), 2);
    assert_int_equal(runner_threads_for(runner, &world->task[SCORE_SHORT], 2), 1);
}

/* Option -j sets the number of workers that share the cores. Each worker keeps its share, and gets
 * more cores while fewer workers run. */
TEST(workers_that_were_asked_for_keep_their_share)
{
    struct world *world = world_new(2);
    struct runner *runner = &world->runner;
    struct team one;
    runner->cores = 6;
    world->options.workers = 2;
    assert_int_equal(runner_threads_for(runner, &world->task[LONG], 5), 3);
    run_with(world, LONG, &one, 3);
    runner_threads_lend(runner);
    assert_int_equal(team_follow(&one), 6);
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 5), 0);
    assert_int_equal(team_follow(&one), 3);
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 5), 3);
    /* If the user asks for more workers than cores, no stage waits for a core. */
    runner->cores = 1;
    one = (struct team){1, 1};
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 5), 1);
    runner_threads_lend(runner);
    assert_int_equal(one.allowed, 1);
}

/* A suspended worker (kill -STOP) does not return its core. After 30 s, ready stages start
 * nevertheless. */
TEST(a_frozen_worker_is_not_waited_for)
{
    struct world *world = world_new(2);
    struct runner *runner = &world->runner;
    struct team one;
    runner->cores = 2;
    run_with(world, LONG, &one, 1);
    runner_threads_lend(runner);
    assert_int_equal(team_follow(&one), 2);
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 1), 0);
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 1), 0);
    runner->slot[0].asked -= 31;
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 1), 1);
    /* The worker continues and gets the core again. Then it is asked again to return the core. */
    assert_int_equal(team_follow(&one), 1);
    runner_threads_lend(runner);
    assert_int_equal(team_follow(&one), 2);
    assert_int_equal(runner_threads_for(runner, &world->task[SHORT], 1), 0);
}

/* A runner may exit if the runners elsewhere run as many stages as are useful at the same time.
 * Here these are first two trainings, then two scores. */
TEST(who_is_not_needed_need_not_wait)
{
    static const struct grid no_points;
    struct world *world = world_new(1);
    struct task *task = world->task;
    world->plan.grid = &no_points;
    for (int i = 0; i < TASKS; i++) task[i].index = i;
    task[CORPUS].state = TASK_RUNNING; /* two trainings can run after it */
    assert_false(runner_order_enough(&world->runner));
    task[CORPUS].state = TASK_DONE;
    task[SHORT].state = task[LONG].state = TASK_RUNNING;
    assert_true(runner_order_enough(&world->runner));
    task[SHORT].state = TASK_STOPPED; /* its runner has stopped */
    assert_false(runner_order_enough(&world->runner));
    task[SHORT].state = TASK_DONE; /* so its score is ready */
    assert_false(runner_order_enough(&world->runner));
    task[SCORE_SHORT].state = TASK_RUNNING;
    assert_true(runner_order_enough(&world->runner));
    task[LONG].state = TASK_FAILED; /* so its score is blocked */
    task[SCORE_LONG] = (struct task){.stage = task[SCORE_LONG].stage,
                                     .state = TASK_BLOCKED,
                                     .blocked_by = &task[LONG],
                                     .index = SCORE_LONG};
    assert_true(runner_order_enough(&world->runner));
}
