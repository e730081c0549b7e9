/* Tests core/model/checkpoint_choice: the steps that each value of the option `checkpoint`
 * selects. */
#include "tests/support/test.h"

#include "core/model/checkpoint_at.h"
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

/* Losses that fall, rise and fall again. The first crossing counts. */
TEST(finds_crossings)
{
    static const struct validated row[] = {{10, 4}, {20, 2}, {30, 3}, {40, 1}};
    static const struct {
        const char *words;
        bool reached;
        int64_t before, after;
        double weight;
    } of[] = {
        {"at(dev_loss = 2.5)", true, 10, 20, 0.75}, /* (4 - 2.5) / (4 - 2) */
        {"at(dev_loss=2)", true, 20, 20, 1},
        {"at(dev_loss = 4)", true, 10, 10, 1}, /* exactly the first one */
        {"at(dev_loss = 5)", false, 0, 0, 0},  /* there is no validation before */
        {"at(dev_loss = 0.5)", false, 0, 0, 0},
        {"after(dev_loss = 1.5)", true, 30, 40, 0.75}, /* (3 - 1.5) / (3 - 1) */
        {"at(step = 25)", true, 20, 30, 0.5},
        {"before( step = 40 )", true, 40, 40, 1},
        {"at(step = 41)", false, 0, 0, 0},
        {"at(step = 5)", false, 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(of); i++) {
        struct checkpoint_at at;
        assert_true(checkpoint_at_read(&at, of[i].words, "at"));
        const struct crossing crossing = crossing_find(&at, row, COUNT_OF(row));
        assert_int_equal(crossing.reached, of[i].reached);
        assert_float_equal(crossing.best, at.by_step ? 40 : 1, 0);
        if (!crossing.reached) continue;
        assert_int_equal(crossing.step[0], of[i].before);
        assert_int_equal(crossing.step[1], of[i].after);
        assert_float_equal(crossing.weight, of[i].weight, 1e-15);
    }
    struct checkpoint_at at;
    assert_false(checkpoint_at_read(&at, "attic(1)", "at"));
    assert_false(crossing_find(&at, row, 0).reached);
}
