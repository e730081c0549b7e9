/* Tests experiments/run/runner_say.c: the last line, the exit status, the counts of the grid, and
 * the labels of running stages. */
#include "tests/support/test.h"

#include "experiments/run/runner.h"

enum { MOST = 6 };

struct world {
    struct plan plan;
    struct runner_options options;
    struct runner runner;
    struct task task[MOST], *list[MOST];
    struct runner_task ours[MOST];
    char *text;
    size_t length;
};

/* Makes a world with one stage for each letter of `states`. Messages are written to `text`. */
static struct world *world_new(const char *states, enum display_form form)
{
    static const char letters[] = "DVNSFRMB"; /* one letter for each value of enum task_state */
    struct world *world = calloc(1, sizeof *world);
    for (int i = 0; states[i]; i++) {
        world->task[i] =
            (struct task){.stage = {.kind = stage_kind_find("train"),
                                    .name = "train-0",
                                    .title = "train",
                                    .label = "g/a/1"},
                          .state = (enum task_state)(strchr(letters, states[i]) - letters),
                          .reason = "a reason"};
        world->list[world->plan.count++] = &world->task[i];
    }
    world->plan.task = world->list;
    world->runner = (struct runner){.arena = &arena,
                                    .plan = &world->plan,
                                    .options = &world->options,
                                    .limit = 1,
                                    .task = world->ours};
    display_open(&world->runner.display, form, false, stderr);
    world->runner.display.out = open_memstream(&world->text, &world->length);
    return world;
}

static const char *said(struct world *world)
{
    fflush(world->runner.display.out);
    return world->text;
}

static void world_free(struct world *world)
{
    fclose(world->runner.display.out);
    free(world->text);
    free(world);
}

TEST(the_last_line_and_its_status)
{
    static const struct {
        const char *states;
        bool no_wait;
        enum halt halt;
        int status;
        const char *text;
    } cases[] = {
        {"DD", false, HALT_NONE, 0, "2 of 2 stages done\n"},
        {"DNS", false, HALT_NONE, INTERRUPTED_EXIT, "1 of 3 stages done, 2 to do"},
        {"DRN", false, HALT_NONE, INTERRUPTED_EXIT, "1 of 3 stages done, 1 running, 1 to do"},
        {"DRN", true, HALT_NONE, 0,
         "1 of 3 stages done, 1 running, 1 to do (the other runners are enough for the rest)\n"},
        {"DRN", true, HALT_BUDGET, INTERRUPTED_EXIT, "1 of 3 stages done, 1 running, 1 to do"},
        {"DN", true, HALT_NONE, INTERRUPTED_EXIT, "1 of 2 stages done, 1 to do"},
        {"DFB", false, HALT_NONE, RUNNER_FAILED_EXIT,
         "1 of 3 stages done, 1 failed, 1 blocked (--retry failed repeats them)\n"},
        {"DFN", false, HALT_FAILURES, RUNNER_FAILED_EXIT,
         "1 of 3 stages done, 1 failed, 1 to do (--retry failed repeats them)\n"},
        {"DV", false, HALT_NONE, RUNNER_FAILED_EXIT, "1 of 2 stages done, 1 diverged\n"},
        {"DM", true, HALT_NONE, RUNNER_FAILED_EXIT, "1 of 2 stages done, 1 missing"},
        {"DFN", false, HALT_SIGNAL, INTERRUPTED_EXIT, "1 of 3 stages done, 1 failed, 1 to do"},
        {"FN", true, HALT_BUDGET, INTERRUPTED_EXIT, "0 of 2 stages done"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct world *world = world_new(cases[i].states, DISPLAY_PLAIN);
        for (int k = 0; k < world->plan.count; k++) world->ours[k].attempted = true;
        world->options.no_wait = cases[i].no_wait;
        world->runner.halt = cases[i].halt;
        if (runner_say_result(&world->runner) != cases[i].status ||
            !strstr(said(world), cases[i].text))
            fail_msg("case %zu: %s", i, said(world));
        world_free(world);
    }
}

TEST(a_program_gets_the_counts)
{
    struct world *world = world_new("DFVRSN", DISPLAY_JSON);
    assert_int_equal(runner_say_result(&world->runner), RUNNER_FAILED_EXIT);
    const char *end = strstr(said(world), "\"event\":\"end\"");
    assert_non_null(end);
    assert_non_null(
        strstr(end, "\"to_do\":2,\"running\":0,\"elsewhere\":1,\"done\":1,\"failed\":2"));
    world_free(world);
}

/* docs/stability.md promises these members of each event. New members may be added. */
TEST(events_keep_their_members)
{
    static const struct {
        const char *event, *members;
    } promised[] = {
        {"start", "time stage kind row seed reason threads"},
        {"progress", "time stage kind row seed done total text rate left"},
        {"done", "time stage kind row seed seconds"},
        {"failed", "time stage kind row seed message seconds log"},
        {"diverged", "time stage kind row seed seconds"},
        {"stop", "time stage kind row seed seconds reason"},
        {"lost", "time stage kind row seed seconds reason"},
        {"wait", "time stage kind row seed reason"},
        {"hold", "time stage kind row seed memory available"},
        {"skip", "time stage kind row seed reason"},
        {"grid", "time to_do running elsewhere done failed left"},
        {"gpu", "time device reason"},
        {"stopping", "time reason"},
        {"end", "time to_do running elsewhere done failed left reason exit"},
    };
    struct world *world = world_new("DFVSM", DISPLAY_JSON);
    struct runner *runner = &world->runner;
    const struct evaluation none = {0};
    const struct settings settings = {.alone = &none}; /* so that labels are GRID/ROW/SEED */
    const struct runner_slot *slot = runner->slot;
    for (int i = 0; i < 4; i++) {
        world->task[i].message = "no room";
        world->task[i].stage.folder = test_folder("runner_say_events");
        world->task[i].stage.settings = &settings;
        runner->slot[0] = (struct runner_slot){.task = &world->task[i], .label = "train-0 a/1"};
        runner_say_end(runner, slot, false);
    }
    runner_say_end(runner, slot, true);
    runner_say_start(runner, slot);
    runner_say_wait(runner, slot->task, "why", true);
    runner_say_hold(runner, slot->task, 1);
    runner_say_gpu(runner, "cuda:1", "why");
    runner_say_stopping(runner, "why");
    runner->running = 1;
    runner->display.last = clock_seconds() - 100; /* so that progress is due */
    runner_say_progress(runner);
    runner->running = 0;
    runner_say_result(runner);
    for (size_t i = 0; i < COUNT_OF(promised); i++) {
        const char *name = arena_print(&arena, "\"event\":\"%s\"", promised[i].event);
        const char *found = strstr(said(world), name);
        if (!found) fail_msg("no event %s:\n%s", promised[i].event, said(world));
        while (found > said(world) && found[-1] != '\n') found--;
        const char *line = arena_text_range(&arena, found, strcspn(found, "\n"));
        char *members = arena_print(&arena, "%s", promised[i].members), *save = NULL;
        for (const char *member = strtok_r(members, " ", &save); member;
             member = strtok_r(NULL, " ", &save))
            if (!strstr(line, arena_print(&arena, "\"%s\":", member)))
                fail_msg("no %s in %s", member, line);
    }
    world_free(world);
}

/* Returns the lines that are drawn in plain form. They have 160 columns, of which labels have
 * 88. */
static const char *drawn(const char *const *label, int count)
{
    struct world *world = world_new("N", DISPLAY_PLAIN);
    struct display_line line[4] = {{0}};
    for (int i = 0; i < count; i++)
        line[i] = (struct display_line){.label = label[i], .text = "|", .rate = -1, .left = -1};
    display_draw(&world->runner.display, line, count, &(struct display_grid){.left = -1});
    const char *text = arena_text(&arena, said(world));
    world_free(world);
    return text;
}

#define LONG "a hybrid of a local pattern and the whole sentence, window 1, layers 1-2, "

TEST(a_wide_label_keeps_its_end)
{
    static const char *const two[] = {"train-0123456789ab " LONG LONG "fusion gate/1",
                                      "train-0123456789ad Base/1"};
    const char *text = drawn(two, 2);
    if (!strstr(text, "window 1, layers 1-2, fusion gate/1 ") || *strstr(text, "..") != '.' ||
        !strstr(text, "train-0123456789ad Base/1 "))
        fail_msg("%s", text);
}
