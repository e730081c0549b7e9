/* experiments/plan: what a grid means, frozen ids, what is refused. */
#include "tests/support/planned.h"

#include "tests/support/lease.h"
#include "core/corpus/prepare.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/code_used.h"

/* A corpus of two files per split, and the part of a grid that names it. */
#define CORPUS                                                                                     \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"                                  \
    "encoder: {layers: 2}\n"                                                                       \
    "decoder: {layers: 1}\n"

static const char *here;

static const char *grid_file(const char *text)
{
    const char *path = arena_print(&arena, "%s/g.yaml", here);
    put_text(path, text);
    return path;
}

static struct grid *grid_of(const char *text)
{
    return grid_read(&arena, grid_file(text), NULL, 0);
}

static struct plan *plan_of(struct grid *grid)
{
    return plan_build(&arena, grid, arena_print(&arena, "%s/runs", here), false);
}

static void setup(void)
{
    here = arena_text(&arena, test_folder("plan"));
    put_text(arena_print(&arena, "%s/t.a", here), "x y z\nx x\n");
    put_text(arena_print(&arena, "%s/t.b", here), "x y z\nx x\n");
    setenv("SANLAB_DATA", here, 1);
}

TEST(rows_and_seeds_make_points)
{
    struct grid *grid = grid_of(CORPUS "seeds: [1, 7]\n"
                                       "rows:\n"
                                       "  - {name: plain}\n"
                                       "  - {name: deep, encoder.layers: 3, train: {epochs: 2}}\n");
    assert_int_equal(grid->rows, 2);
    assert_int_equal(grid->seeds, 2);
    assert_int_equal(grid->point[1].seed, 7);
    assert_int_equal(grid->point[1].settings->translator.encoder.layers, 2);
    assert_int_equal(grid->point[2].settings->translator.encoder.layers, 3);
    assert_int_equal(grid->point[2].settings->train.epochs, 2);
    assert_string_equal(grid->row[1].name, "deep");
}

TEST(sweep_is_a_cross_product)
{
    struct grid *grid =
        grid_of(CORPUS "sweep: {encoder.layers: [1, 2, 3], model.dropout: [0, 0.1]}\n");
    assert_int_equal(grid->rows, 6);
    assert_string_equal(grid->row[0].name, "layers=1, dropout=0");
    assert_string_equal(grid->row[5].name, "layers=3, dropout=0.1");
    assert_int_equal(grid->point[4].settings->translator.encoder.layers, 3);
    assert_true(grid->point[4].settings->translator.model.dropout == 0);
}

TEST(command_line_is_laid_over_rows)
{
    const char *const typed[] = {"encoder.layers=5", "seeds=3,4", "seeds=+9"};
    const char *path = grid_file(CORPUS "rows: [{name: r, encoder.layers: 3}]\n");
    struct grid *grid = grid_read(&arena, path, typed, 2);
    assert_int_equal(grid->point[0].settings->translator.encoder.layers, 5);
    assert_int_equal(grid->seeds, 2);
    assert_int_equal(grid->seed[1], 4);
    grid = grid_read(&arena, path, typed + 2, 1);
    assert_int_equal(grid->seeds, 2);
    assert_int_equal(grid->seed[0], 1);
    assert_int_equal(grid->seed[1], 9);
}

TEST(presets_lie_beneath)
{
    put_text(arena_print(&arena, "%s/m.yaml", here),
             "model: {width: 8, heads: 2, share: all}\nencoder: {layers: 4}\ntrain: {warmup: 5}\n");
    struct grid *grid = grid_of("grid: g\n"
                                "corpus: {source: a, target: b, train: t, dev: t}\n"
                                "model: {preset: m.yaml, heads: 4}\n"
                                "rows: [{name: one}, {name: two, model.width: 12}]\n");
    assert_int_equal(grid->point[0].settings->translator.model.width, 8);
    assert_int_equal(grid->point[0].settings->translator.model.heads, 4);
    assert_int_equal(grid->point[0].settings->translator.encoder.layers, 4);
    assert_int_equal(grid->point[0].settings->train.warmup, 5);
    assert_int_equal(grid->point[1].settings->translator.model.width, 12);
}

TEST(a_row_may_name_another_preset)
{
    put_text(arena_print(&arena, "%s/m.yaml", here), "model: {width: 8, heads: 2, share: all}\n");
    put_text(arena_print(&arena, "%s/n.yaml", here), "model: {width: 24, heads: 2, share: all}\n");
    struct grid *grid = grid_of("grid: g\n"
                                "corpus: {source: a, target: b, train: t, dev: t}\n"
                                "model: m.yaml\n"
                                "rows: [{name: one}, {name: two, model: n.yaml}]\n");
    assert_int_equal(grid->point[0].settings->translator.model.width, 8);
    assert_int_equal(grid->point[1].settings->translator.model.width, 24);
}

TEST(mistakes_are_named)
{
    EXPECT_DIE("g.yaml:4:", grid_of("grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\n"
                                    "model: {share: all}\nencoder: {layer: 3}\n"));
    EXPECT_DIE("layers", grid_of("grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\n"
                                 "model: {share: all}\nencoder: {layer: 3}\n"));
    EXPECT_DIE("nearest is \"train\"", grid_of(CORPUS "trian: {epochs: 3}\n"));
    EXPECT_DIE("epochs", grid_of(CORPUS "train: {epochs: 12abc}\n"));
    EXPECT_DIE("also the name of row 1", grid_of(CORPUS "rows: [{name: a}, {name: a}]\n"));
    EXPECT_DIE("has no name", grid_of(CORPUS "rows: [{encoder.layers: 1}]\n"));
    EXPECT_DIE("named twice", grid_of(CORPUS "seeds: [1, 2, 1]\n"));
    EXPECT_DIE("a grid needs a name",
               grid_of("corpus: {source: a, target: b, train: t, dev: t}\n"));
    EXPECT_DIE("it names a file", grid_of("grid: ../x\n"));
    EXPECT_DIE("no test text", grid_of(CORPUS "evaluate: {bleu: {split: test}}\n"));
    EXPECT_DIE("average(N)",
               grid_of(CORPUS "evaluate: {bleu: {split: dev, checkpoint: average(0)}}\n"));
    EXPECT_DIE(
        "there is no preset \"tinny\"",
        grid_of("grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\nmodel: tinny\n"));
    EXPECT_DIE("joint", grid_of(CORPUS "rows: [{name: a, corpus.joint: false}]\n"));
}

/* Frozen: a change of these ids would make every finished stage of every user new. */
TEST(ids_are_frozen)
{
    struct plan *plan = planned(
        PLANNED "train: {epochs: 2}\nevaluate: {bleu: {split: dev, beam: 2}}\n"
                "rows:\n  - {name: plain}\n"
                "  - {name: gate, encoder.attention: [{layers: 1, branches: [global, {window: 1}], "
                "fusion: gate}]}\n");
    static const char *const expected[] = {
        "corpus-e13cc5175b2e", "train-9095d8589cee", "score-342ade68440e",
        "train-fac418a538c0",  "score-477e5bf4f38f",
    };
    assert_int_equal(plan->count, (int)COUNT_OF(expected));
    for (int i = 0; i < plan->count; i++)
        assert_string_equal(plan->task[i]->stage.name, expected[i]);
}

static const char *canonical_of(const char *rest)
{
    struct plan *plan = planned(arena_print(&arena, "%s%s", PLANNED, rest));
    return plan->task[1]->stage.canonical;
}

TEST(ids_follow_numbers_and_nothing_else)
{
    const char *plain = canonical_of("");
    assert_string_equal(plain, canonical_of("title: other\ntrain: {epochs: 10, save_every: 7}\n"));
    assert_string_equal(plain, canonical_of("train: {rate: 1.0}\n"));
    assert_string_not_equal(plain, canonical_of("seeds: [2]\n"));
    assert_string_not_equal(plain, canonical_of("train: {rate: 1.5}\n"));
    assert_string_not_equal(plain, canonical_of("rows: [{name: a, corpus.merges: 11}]\n"));
    put_text(arena_print(&arena, "%s/t.b", here), "x y z\nx y\n");
    assert_string_not_equal(plain, canonical_of(""));
    setup();
}

/* Version 1 lower-cased letter by letter: corpora whose text has a letter for which that is another
 * number have other ids, and so have trainings of them. The first two are frozen as above. */
TEST(lower_casing_changes_the_ids_of_some_text)
{
    const char *lower = PLANNED "rows: [{name: a, corpus.lowercase: true}]\n";
    struct plan *plain = planned(lower);
    assert_string_equal(plain->task[0]->stage.name, "corpus-084fb2365ae6");
    assert_string_equal(plain->task[1]->stage.name, "train-921f8607bd96");
    static const char *const text[] = {"x İ\nx y\n", "x Σ\nx y\n", "x I\nx y\n"};
    for (size_t i = 0; i < COUNT_OF(text); i++) {
        put_text(arena_print(&arena, "%s/t.b", here), text[i]);
        const struct stage *as_written = &plan_of(grid_of(CORPUS))->task[0]->stage,
                           *lowered = &plan_of(grid_of(lower))->task[0]->stage;
        assert_non_null(stage_file(as_written, "train.target"));
        const bool other = !stage_file(lowered, "train.target");
        assert_true(other == (i < 2));
        assert_non_null(stage_file(lowered, "train.source"));
        assert_true((strstr(lowered->canonical, "file: dev.target.lower-2 ") != NULL) == other);
    }
    setup();
}

/* Another test text asks for another score, not for another training. */
TEST(a_test_text_trains_nothing_anew)
{
    put_text(arena_print(&arena, "%s/u.a", here), "x\n");
    put_text(arena_print(&arena, "%s/u.b", here), "y\n");
    const char *score = "evaluate: {bleu: {split: dev}}\n";
    struct plan *plain = planned(arena_print(&arena, "%s%s", PLANNED, score));
    struct plan *other = planned(
        (arena_print(&arena, "%s%srows: [{name: a, corpus.test: %s/u, corpus.test_limit: 1}]",
                     PLANNED, score, here)));
    assert_string_not_equal(plain->task[0]->stage.id, other->task[0]->stage.id);
    assert_string_equal(plain->task[1]->stage.id, other->task[1]->stage.id);
    assert_string_not_equal(plain->task[2]->stage.id, other->task[2]->stage.id);
}

TEST(the_same_stage_is_planned_once)
{
    struct plan *plan = planned(PLANNED "seeds: [1, 2]\nevaluate: {bleu: {split: dev}}\n"
                                        "rows: [{name: a}, {name: b, encoder.layers: 2}]\n");
    assert_int_equal(plan->count, 5); /* one corpus, two seeds of one model, their scores */
    for (int i = 0; i < plan->count; i++)
        for (int j = 0; j < plan->task[i]->stage.inputs; j++) {
            bool before = false;
            for (int k = 0; k < i; k++)
                before |= &plan->task[k]->stage == plan->task[i]->stage.input[j];
            assert_true(before);
        }
    assert_ptr_equal(plan->point[0].task[1], plan->point[2].task[1]);
}

TEST(missing_text_is_named_and_counted)
{
    struct plan *plan = planned("grid: g\n"
                                "corpus: {source: a, target: b, train: absent, dev: absent}\n"
                                "model: ../../../experiments/models/base.yaml\n");
    plan_estimate(&arena, plan, false);
    assert_int_equal(plan->task[0]->state, TASK_MISSING);
    assert_non_null(strstr(plan->task[0]->reason, "absent.{a,b}"));
    assert_int_equal(plan->task[1]->state, TASK_BLOCKED);
    assert_int_equal(plan->task[1]->estimate.body, 44141056);
    assert_true(plan->task[1]->estimate.bounded);
    assert_int_equal(plan->task[1]->estimate.row, 512); /* parameters = body + 512 x rows */
    plan = planned("grid: g\n"
                   "corpus: {source: zh, target: en, train: absent, dev: absent, joint: true}\n"
                   "model: {preset: ../../../experiments/models/tiny.yaml, share: all}\n");
    plan_estimate(&arena, plan, false); /* one table of one size */
    assert_int_equal(plan->task[1]->estimate.row, 32);
}

/* Numbers of sentences before the corpus is made are those that it has. */
TEST(text_is_counted_as_it_is_read)
{
    put_text(arena_print(&arena, "%s/pairs", here),
             "1\tx y\tx\n2\tx\ty x x z\n3\ty\ty\n4\tx\tx\n5\tx x x x\tx\n6\tz\tz\n");
    put_text(arena_print(&arena, "%s/set.sgm", here),
             "<doc docid='d'><seg id='1'>x y</seg><seg id='2'>z</seg></doc>");
    struct plan *plan = plan_of(grid_of(
        "grid: g\nmodel: {width: 16, heads: 2, feedforward: 32}\n"
        "corpus: {source: a, target: b, train: [pairs, pairs], train_format: fields,\n"
        "         separator: \"\\t\", train_max_words: 3, train_max_ratio: 2, dev_every: 3,\n"
        "         test: 'set.{sgm|sgm}', test_format: segments, merges: 0}\n"));
    struct stage *stage = &plan->task[0]->stage;
    const struct corpus_facts *facts = corpus_facts(stage, &arena);
    assert_true(facts->counted);
    const char *folder = arena_text(&arena, test_folder("plan_counted"));
    corpus_prepare(&stage->settings->corpus, folder, NULL, NULL);
    struct corpus *corpus = corpus_open(&arena, folder);
    static const int expected[SPLITS] = {6, 2, 2};
    for (int split = 0; split < SPLITS; split++) {
        assert_int_equal(corpus->split[split].sentences, expected[split]);
        assert_int_equal(facts->sentences[split], expected[split]);
    }
    corpus_close(corpus);
}

/* A linear classifier's products are a hundredth of those of 200 units, its time is not. */
TEST(a_linear_probe_takes_more_than_its_products)
{
    double seconds[2];
    put_text(arena_print(&arena, "%s/task.txt", here),
             "tr\tA\tx y\ntr\tB\ty\nva\tA\tx\nte\tA\ty\n");
    for (int fixed = 0; fixed < 2; fixed++) {
        struct plan *plan = planned(arena_print(
            &arena,
            "grid: g\n"
            "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"
            "model: {width: 32, heads: 2, feedforward: 32}\n"
            "evaluate.probe: {tasks: [{name: T, file: task.txt, group: G}], protocol: %s}\n",
            fixed ? "fixed" : "senteval"));
        const struct task *probe = plan->task[plan->count - 1];
        plan_estimate(&arena, plan, false);
        assert_string_equal(probe->stage.kind->name, "probe");
        seconds[fixed] = probe->estimate.seconds;
    }
    assert_true(seconds[0] > 0);
    assert_in_range((int64_t)(seconds[1] / seconds[0]), 2, 8);
}

TEST(a_stage_is_read_back_as_it_was)
{
    struct plan *plan = planned(PLANNED "evaluate: {bleu: {split: dev}}\n");
    for (int i = 0; i < plan->count; i++) stage_write(&plan->task[i]->stage);
    const struct stage *score = &plan->task[2]->stage;
    struct stage *again = stage_load(&arena, score->folder);
    assert_string_equal(again->id, score->id);
    assert_string_equal(again->input[1]->id, score->input[1]->id);
    assert_string_equal(again->input[1]->label, "g/g/1");
    put_text(arena_print(&arena, "%s/options.yaml", score->input[1]->folder),
             "{corpus: {source: a, target: b, train: t, dev: t}, model: {share: all}}\n");
    EXPECT_DIE("written by another version", stage_load(&arena, score->folder));
}

static void put_in(const struct task *task, const char *file, const char *text)
{
    file_make_folder(task->stage.folder);
    put_text(arena_print(&arena, "%s/%s", task->stage.folder, file), text);
}

TEST(only_readers_that_are_open_have_what_they_lack_done_again)
{
    file_remove_tree(runs);
    const char *text = PLANNED "rows: [{name: A}, {name: B, encoder.layers: 1}]\n";
    struct plan *plan = planned(text);
    struct task *corpus = plan->task[0], *done = plan->task[1], *open = plan->task[2];
    for (int i = 0; i < 2; i++)
        planned_put(plan->task[i], "done.json",
                    arena_print(&arena, "{\"status\": \"done\", \"summary\": {}, \"code\": \"%s\"}",
                                stage_code(&plan->task[i]->stage, &arena)));
    plan_inspect_all(&arena, plan, 0);
    plan_set_stale(&arena, plan, STALE_RERUN);
    assert_int_equal(corpus->state, TASK_NEW);
    assert_int_equal(done->state, TASK_DONE); /* its corpus is done again by the same code */
    assert_int_equal(open->state, TASK_NEW);

    plan = planned(text);
    plan_only(&arena, plan, (const bool[]){true, false});
    plan_set_stale(&arena, plan, STALE_WARN);
    assert_int_equal(plan->task[0]->state, TASK_DONE); /* whoever lacks it has been left out */
}

TEST(what_diverges_when_done_again_has_ended)
{
    file_remove_tree(runs);
    struct plan *plan = planned(PLANNED "evaluate: {bleu: {split: dev}}\n");
    struct task *train = plan->task[1], *score = plan->task[2];
    planned_put(train, "done.json", "{\"status\": \"done\", \"summary\": {}}");
    plan_inspect_all(&arena, plan, 0);
    plan_find_lacking(&arena, plan);
    assert_string_equal(train->reason, "again: its ckpt is gone");
    file_remove_tree(train->stage.folder);
    planned_put(train, "done.json", "{\"status\": \"diverged\", \"summary\": {}}");
    plan_inspect(&arena, train, 0, NULL);
    assert_int_equal(train->state, TASK_DIVERGED);
    plan_inspect(&arena, score, 0, NULL);
    assert_int_equal(score->state, TASK_BLOCKED);
}

TEST(what_is_done_again_waits_for_what_its_input_lacks)
{
    file_remove_tree(runs);
    struct plan *plan = planned(PLANNED);
    struct task *corpus = plan->task[0], *train = plan->task[1];
    planned_put(corpus, "done.json", "{\"status\": \"done\", \"summary\": {}}");
    planned_put(train, "done.json", "{\"status\": \"done\", \"summary\": {}}");
    plan_inspect_all(&arena, plan, 0);
    plan_again(train, "again");
    corpus->stage.missing = "t.a";
    plan_find_lacking(&arena, plan);
    assert_int_equal(corpus->state, TASK_MISSING);
    assert_int_equal(train->state, TASK_BLOCKED);
    planned_put(corpus, "train.shard", ""); /* by another machine */
    plan_inspect(&arena, corpus, 0, NULL);
    plan_inspect(&arena, train, 0, NULL);
    assert_int_equal(corpus->state, TASK_DONE);
    assert_int_equal(train->state, TASK_NEW);
    assert_true(train->replace);
}

TEST(states_follow_from_folders)
{
    file_remove_tree(runs);
    const char *text = PLANNED "evaluate: {bleu: {split: dev}}\n";
    struct plan *plan = planned(text);
    struct task *corpus = plan->task[0], *train = plan->task[1], *score = plan->task[2];
    for (int i = 0; i < 3; i++) assert_int_equal(plan->task[i]->state, TASK_NEW);

    planned_put(corpus, "done.json", "{\"status\": \"done\", \"summary\": {}}");
    plan = planned(text);
    assert_int_equal(plan->task[0]->state, TASK_DONE);
    plan_find_lacking(&arena, plan);
    assert_int_equal(plan->task[0]->state, TASK_NEW);
    assert_string_equal(plan->task[0]->reason, "again: its train.shard is gone");
    planned_put(corpus, "train.shard", "");
    planned_put(train, "events.jsonl", "{\"event\":\"started\"}\n");
    file_make_folder(arena_print(&arena, "%s/ckpt/step-00000120", train->stage.folder));
    file_make_folder(arena_print(&arena, "%s/ckpt/step-00000080", train->stage.folder));
    plan = planned(text);
    assert_int_equal(plan->task[0]->state, TASK_DONE);
    assert_int_equal(plan->task[1]->state, TASK_STOPPED);
    assert_string_equal(plan->task[1]->reason, "stopped at step 120");

    planned_put(train, "events.jsonl",
                "{\"event\":\"started\"}\n{\"event\":\"failed\",\"text\":\"first\"}\n"
                "{\"event\":\"started\"}\n{\"event\":\"failed\",\"text\":\"second\"}\n");
    plan = planned(text);
    assert_int_equal(plan->task[1]->state, TASK_FAILED);
    assert_string_equal(plan->task[1]->reason, "failed 2 times: second");
    assert_int_equal(plan->task[2]->state, TASK_BLOCKED);
    assert_ptr_equal(plan->task[2]->blocked_by, plan->task[1]);
    plan = plan_build(&arena, planned_grid(text, 0, NULL), runs, RETRY_FAILED, NULL);
    assert_int_equal(plan->task[1]->state, TASK_STOPPED);

    static const char *const ends[] = {
        "{\"status\": \"diverged\", \"summary\": {}}",
        "{\"status\": \"done\", \"summary\": {\"dev_loss\": 20.01}}"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        planned_put(train, "done.json", ends[i]);
        plan = planned(text);
        assert_int_equal(plan->task[1]->state, TASK_DIVERGED);
        assert_int_equal(plan->task[2]->state, TASK_BLOCKED);
    }

    file_make_folder(score->stage.folder);
    struct lease *lease = lease_take(score->stage.folder);
    assert_non_null(lease);
    plan = planned(text);
    assert_int_equal(plan->task[2]->state, TASK_RUNNING);
    lease_release(lease);
}

ALL_TESTS(setup);
