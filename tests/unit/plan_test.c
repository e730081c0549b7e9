/* Tests experiments/plan: the stages of a grid, ids that must not change, and refused plans. */
#include "tests/support/planned.h"

#include "core/corpus/prepare.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/code_used.h"
#include "tests/support/lease_take.h"
#include "tests/support/test.h"

/* If one of these ids changed, the finished stages of all users would be invalid. */
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
    here_put("t.b", "x y z\nx y\n");
    assert_string_not_equal(plain, canonical_of(""));
    planned_open();
}

/* Version 1 converted each letter to lower case separately. Version 2 converts a few letters
 * differently. Only corpora with such a letter, and their trainings, have other ids. The first two
 * ids must not change. */
TEST(lower_casing_changes_the_ids_of_some_text)
{
    const char *lower = PLANNED "rows: [{name: a, corpus.lowercase: true}]\n";
    struct plan *plain = planned(lower);
    assert_string_equal(plain->task[0]->stage.name, "corpus-084fb2365ae6");
    assert_string_equal(plain->task[1]->stage.name, "train-921f8607bd96");
    static const char *const text[] = {"x İ\nx y\n", "x Σ\nx y\n", "x I\nx y\n"};
    for (size_t i = 0; i < COUNT_OF(text); i++) {
        here_put("t.b", text[i]);
        const struct stage *as_written = &planned(PLANNED)->task[0]->stage,
                           *lowered = &planned(lower)->task[0]->stage;
        assert_non_null(stage_file(as_written, "train.target"));
        const bool other = !stage_file(lowered, "train.target");
        assert_true(other == (i < 2));
        assert_non_null(stage_file(lowered, "train.source"));
        assert_true((strstr(lowered->canonical, "file: dev.target.lower-2 ") != NULL) == other);
    }
    planned_open();
}

/* With another test text, the ids of the corpus and the score change, but the training's id does
 * not. */
TEST(a_test_text_trains_nothing_anew)
{
    here_put("u.a", "x\n");
    here_put("u.b", "y\n");
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
    assert_int_equal(plan->count, 5); /* one corpus, two seeds of one model, two scores */
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
    assert_int_equal(plan->task[1]->estimate.row, 512); /* parameters = body + 512 * table rows */
    plan = planned("grid: g\n"
                   "corpus: {source: zh, target: en, train: absent, dev: absent, joint: true}\n"
                   "model: {preset: ../../../experiments/models/tiny.yaml, share: all}\n");
    plan_estimate(&arena, plan, false); /* one table with one width */
    assert_int_equal(plan->task[1]->estimate.row, 32);
}

/* The plan counts the sentences before the corpus is made. The corpus then has the same numbers of
 * sentences. */
TEST(text_is_counted_as_it_is_read)
{
    here_put("pairs", "1\tx y\tx\n2\tx\ty x x z\n3\ty\ty\n4\tx\tx\n5\tx x x x\tx\n6\tz\tz\n");
    here_put("set.sgm", "<doc docid='d'><seg id='1'>x y</seg><seg id='2'>z</seg></doc>");
    struct plan *plan = planned(
        ("grid: g\nmodel: {width: 16, heads: 2, feedforward: 32}\n"
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

/* A linear classifier needs a hundredth of the multiplications of a classifier with 200 hidden
 * units. But its training takes more than a hundredth of the time. */
TEST(a_linear_probe_takes_more_than_its_products)
{
    double seconds[2];
    here_put("task.txt", "tr\tA\tx y\ntr\tB\ty\nva\tA\tx\nte\tA\ty\n");
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

/* Kinds without an estimate: either a number of passes over dev, or a fraction of a second. */
TEST(a_short_stage_costs_its_passes_over_dev)
{
    struct plan *plan = planned(
        PLANNED "evaluate: {bleu: {split: dev}, chrf: {}, ablate: {}, gates: {}}\n"
                "rows: [{name: A, encoder.attention: [{layers: 1, branches: [global, {window: 1}], "
                "fusion: gate}]}]\n");
    plan_estimate(&arena, plan, false);
    const struct task *corpus = plan->task[0], *ablate = NULL, *gates = NULL, *chrf = NULL;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (!strcmp(task->stage.kind->name, "ablate")) ablate = task;
        if (!strcmp(task->stage.kind->name, "gates")) gates = task;
        if (!strcmp(task->stage.kind->name, "chrf")) chrf = task;
    }
    assert_true(gates->estimate.flops > 0 && gates->estimate.seconds > 0);
    assert_float_equal(ablate->estimate.flops / gates->estimate.flops, 40. / 2, 1e-9);
    assert_true(ablate->estimate.memory == 2 * corpus->estimate.disk);
    assert_true(chrf->estimate.seconds == 0.1 && !chrf->estimate.flops);
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
    planned_put(plan_task(score->input[1]), "options.yaml",
                "{corpus: {source: a, target: b, train: t, dev: t}, model: {share: all}}\n");
    EXPECT_DIE("written by another version", stage_load(&arena, score->folder));
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
    assert_int_equal(plan->task[0]->state,
                     TASK_DONE); /* no stage of the plan needs the files that it lacks */
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
    planned_put(corpus, "train.shard", ""); /* written by another machine */
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
    plan_inspect_all(&arena, plan, RETRY_FAILED);
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

ALL_TESTS(planned_open);
