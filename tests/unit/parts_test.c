/* Tests columns of stages with parts and views: which stage a column selects, and on which stages
 * it depends. */
#include "results/compare/explain.h"
#include "tests/support/quiz.h"

/* Adds a quiz with 20 - `better` wrong items, and the stage `lesson` that the quiz reads. */
static void add_lesson(struct world *world, int r, const char *part, const char *products,
                       int better)
{
    const struct run run = add_stage(world, r, 0, "lesson", part);
    run_write(&run, "environment.json", arena_print(&arena, "{\"products\": \"%s\"}", products));
    run_done(&run, "done", "{}");
    add_part_of(world, r, 0, part, 20 - better, run.id);
}

TEST(a_failed_part_does_not_show_its_control)
{
    struct world *world = quiz_world("margin_failed", 1, 1);
    add_failed(world, 0, 0, "Tense@out");
    add_part(world, 0, 0, "Tense@out@start", 20);
    add_part(world, 0, 0, "Tense@bag", 40);
    const char *text = world_table(world, "{columns: [quiz.Tense, quiz.Tense@out@start]}");
    expect_part(text, "Base  failed             75.0\n");
}

/* Only the lessons of Length were computed with different matrix products. So Length is not
 * compared with the baseline, and Tense is. */
TEST(a_part_comes_of_what_it_reads)
{
    struct world *world = quiz_world("margin_products", 2, 1);
    for (int r = 0; r < 2; r++) {
        add_lesson(world, r, "Tense", "1", r);
        add_lesson(world, r, "Length", r ? "2" : "3", r);
    }
    const char *text = world_table(world, "{columns: [quiz.Tense, quiz.Length], significance: {}}");
    expect_part(text, "Not compared: Better (Length: other products: 2, not 3).");
    struct store *store = store_open(world->runs);
    char *told =
        PRINTED(explain_cell(store, &world->grid, "Better", "quiz.Tense", "sanlab run", out));
    store_close(store);
    expect_part(told, "  lesson.Tense done");
    expect_no_part(told, "Length");
}

TEST(a_column_means_one_part)
{
    struct world *world = quiz_world("margin_part", 1, 1);
    add_part(world, 0, 0, "Tense@b", 24);
    add_part(world, 0, 0, "Tense@out@start", 8);
    add_part(world, 0, 0, "Tense@out", 16);
    add_part(world, 0, 0, "Tenses@a", 32);
    add_part(world, 0, 0, "Exact@a", 40);
    add_part(world, 0, 0, "Exact", 48);
    const char *text = world_table(world, "{columns: [quiz.Tense, quiz.Tense@b, quiz.Exact]}");
    expect_part(text, "Base   80.0     70.0   40.0\n");
}

/* The stage of Length failed, and the stage of Tense has not run. The column of Tense does not show
 * the failure of Length. */
TEST(another_part_does_not_keep_one_waiting)
{
    struct world *world = quiz_world("margin_wait", 1, 1);
    add_failed(world, 0, 0, "Length@a");
    world->stage[0][0][world->seed[0][0].count++] = (struct grid_stage){
        .kind = "quiz",
        .id = "00000000000000000000000000000000000000000000000000000000000000aa",
        .part = "Tense@a"};
    expect_part(world_table(world, "{columns: [quiz.Tense]}"), "Base    new\n");
}
