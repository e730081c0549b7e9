/* Tests core/model/checkpoint_choice: the steps that each value of the option `checkpoint`
 * selects. */
#include "tests/support/test.h"

#include "core/model/checkpoint_choice.h"

/* Makes the checkpoints 10, 20 and 30. Each has only state.json, the one file that is read. */
static const char *put_steps(void)
{
    static const char state[] = "{\"best\":[[20,1.5],[10,2]],\"recent\":[10,20]}";
    const char *folder = arena_text(&arena, test_folder("checkpoint_choice"));
    for (int step = 10; step <= 30; step += 10) {
        const char *path = arena_print(&arena, "%s/ckpt/step-%08d", folder, step);
        file_make_folder(path);
        put_text(arena_print(&arena, "%s/state.json", path), state);
    }
    return folder;
}

TEST(names_mean_steps)
{
    const char *folder = put_steps();
    int64_t step[4];
    assert_int_equal(checkpoint_select(folder, "last", step, 4), 1);
    assert_int_equal(step[0], 30);
    assert_int_equal(checkpoint_select(folder, "best", step, 4), 1);
    assert_int_equal(step[0], 20);
    assert_int_equal(checkpoint_select(folder, "mean_of_best(2)", step, 4), 2);
    assert_int_equal(step[0], 20);
    assert_int_equal(step[1], 10);
    assert_int_equal(checkpoint_select(folder, "average(1)", step, 4), 1);
    assert_int_equal(step[0], 20);
    assert_int_equal(checkpoint_select(folder, "average(2)", step, 4), 2);
    EXPECT_DIE("average(3) needs 3 checkpoints", checkpoint_select(folder, "average(3)", step, 4));
    EXPECT_DIE("expected best, last", checkpoint_select(folder, "average(0)", step, 4));
    EXPECT_DIE("expected best, last", checkpoint_select(folder, "newest", step, 4));
    EXPECT_DIE("mean_of_best(N) or start, got \"start(1)\"",
               checkpoint_select(folder, "start(1)", step, 4));
    assert_int_equal(checkpoint_select("build/tmp", "start", step, 4),
                     0); /* start needs no checkpoint */
    EXPECT_DIE("no checkpoint", checkpoint_select("build/tmp", "last", step, 4));
}
