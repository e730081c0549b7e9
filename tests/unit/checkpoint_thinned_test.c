/* Tests thinned checkpoints, which have a model without the state of the optimizer. They are moved
 * to quarantine if training cannot continue. checkpoint_named ignores their states. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"

static const char *folder;

static struct parameters *model_open(int rows, int columns)
{
    struct parameters *parameters = ARENA_NEW(&arena, struct parameters);
    parameters->arena = &arena;
    parameter_get(parameters, "a.matrix", rows, columns, START_GLOROT, 0);
    parameters_place(parameters, cpu_ops(), true);
    return parameters;
}

/* Saves the steps 10 to 30. The state of each names the preceding step. */
BEFORE(each)
{
    folder = test_folder("thinned");
    struct parameters *parameters = model_open(3, 4);
    for (int step = 10; step <= 30; step += 10)
        checkpoint_save(folder, step, parameters, NULL,
                        arena_print(&arena, "{\"best\": [[%d, 1]]}", step - 10));
    parameters_release(parameters);
}

static const char *path_of(int step, const char *file)
{
    return arena_print(&arena, "%s/ckpt/step-%08d%s", folder, step, file);
}

static void thin(int step)
{
    assert_int_equal(unlink(path_of(step, "/adam-m.safetensors")), 0);
    assert_int_equal(unlink(path_of(step, "/adam-v.safetensors")), 0);
}

/* Training cannot continue from a thinned checkpoint, but its model may have taken days. So the
 * checkpoint is moved, not removed. */
TEST(what_nothing_replaces_is_put_aside)
{
    struct checkpoint checkpoint;
    int64_t left[4];
    for (int step = 10; step <= 30; step += 10) thin(step);
    assert_false(checkpoint_newest(&arena, folder, &checkpoint));
    assert_int_equal(checkpoint.damaged, -1);
    assert_int_equal(checkpoint_steps(folder, left, 4), 0);
    for (int step = 10; step <= 30; step += 10)
        assert_true(file_exists(arena_print(
            &arena, "%s/ckpt/quarantine/step-%08d-%d/model.safetensors", folder, step, getpid())));
}

TEST(a_thinned_state_names_none)
{
    int64_t named[4];
    assert_int_equal(checkpoint_named(folder, 31, named, 4), 1);
    assert_int_equal(named[0], 20);
    thin(30); /* now the state of step 20 counts */
    assert_int_equal(checkpoint_named(folder, 31, named, 4), 1);
    assert_int_equal(named[0], 10);
}

TEST(rows_of_another_length_are_refused)
{
    EXPECT_DIE("a.matrix has rows of 4; this model needs 6",
               checkpoint_load(folder, 30, model_open(2, 6), false));
}
