/* Tests results/query: filters, and the output of `ls`, `show` and `diff`. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "results/query/query.h"
#include "results/store/collector.h"
#include "tests/support/runs.h"

static struct {
    const char *runs;
    struct run corpus, train, score, other;
    struct store *store;
} world;

/* Makes a corpus, a training of 100 steps with validations, its failed score, and another training
 * that was stopped. */
BEFORE(each)
{
    world.runs = test_folder("query");
    world.corpus = run_new(world.runs, "corpus", "c", "{}", NULL, "multi30k");
    run_done(&world.corpus, "done", "{\"sentences\": 29000}");
    world.train = run_new(world.runs, "train", "t", "{\"train\": {\"rate\": 0.1}, \"seed\": 1}",
                          world.corpus.id, "demo/Transformer/1");
    struct journal *journal = journal_open(world.train.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    for (int step = 1; step <= 100; step++) {
        journal_value(journal, step, "loss", 5. - step / 100.);
        if (step % 2) continue;
        journal_value(journal, step, "dev_loss", 4. - step / 100.);
        if (step % 4 == 0) journal_value(journal, step, "dev_bleu", step / 4.);
    }
    for (int head = 1; head <= 50; head++)
        journal_metric(journal,
                       &(struct metric){"gate", 100, head / 100., 1, head, JOURNAL_NONE, "NN", 7});
    journal_close(journal);
    run_write(&world.train, "environment.json", "{\"device\": \"cpu\", \"products\": \"1\"}");
    run_done(&world.train, "done", "{\"parameters\": 3681280, \"dev_loss\": 3.0}");
    world.score = run_new(world.runs, "score", "s",
                          "{\"beam\": 4, \"encoder\": {\"layers\": 6, \"attention\": [{\"layers\": "
                          "\"1-2\", \"branches\": "
                          "[\"global\", {\"window\": 1}, {\"window\": 5}]}]}}",
                          world.train.id, "demo/Transformer/1");
    journal = journal_open(world.score.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_event(journal, "failed", JOURNAL_NONE, "no \x1b[31m split");
    journal_close(journal);
    for (int line = 1; line <= 30; line++) {
        char text[32];
        snprintf(text, sizeof text, "log line %d\n", line);
        run_append(&world.score, "log.txt", text);
    }
    world.other = run_new(world.runs, "train", "o", "{}", world.corpus.id, "demo/Gate/1");
    journal = journal_open(world.other.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_value(journal, 1000, "dev_loss", 3.75);
    journal_value(journal, 1200, "loss", 3.21);
    journal_close(journal);
    world.store = runs_collect(world.runs);
}

AFTER(each)
{
    store_close(world.store);
}

TEST(stages_are_listed)
{
    struct found_stage *stage;
    int count = query_stages(world.store, NULL, &stage, &arena), found = 0;
    assert_int_equal(count, 4);
    for (int i = 0; i < count; i++) {
        if (!strcmp(stage[i].id, world.train.id)) {
            found++;
            assert_string_equal(stage[i].status, "done");
        }
        found += !strcmp(stage[i].id, world.corpus.id);
    }
    assert_int_equal(found, 2);
    count = query_stages(world.store, NULL, &stage, &arena);
    char *text = PRINTED(sheet_text(query_list(world.store, stage, count, NULL, &arena), out));
    expect_part(text, "stopped  step 1,000: dev_loss 3.75");
    expect_no_part(text, "rate");
    EXPECT_PARTS(text, "done     dev_loss 3", "failed", "no ?[31m split");
    text = PRINTED(query_print(world.store, stage, count, QUERY_LIST, EXPORT_CSV, out));
    EXPECT_PARTS(text, ",done,demo/Transformer/1,,dev_loss,3,", ",1,100,,100\n",
                 ",stopped,demo/Gate/1,,dev_loss,3.75,", ",1,1200,,1000\n",
                 ",done,multi30k,,,,,,0,0,,,\n", ",1,,no ?[31m split,\n");
}

TEST(columns_are_what_filters_know)
{
    static const char *const keys[] = {"rate", "dev_bleu", "window", "device", NULL};
    static const char *const wrong[] = {"devbleu", NULL};
    struct found_stage *stage;
    const int count = query_stages(world.store, "kind!=corpus", &stage, &arena);
    struct sheet *sheet = query_list(world.store, stage, count, keys, &arena);
    int found = 0;
    for (int row = 0; row < sheet->rows; row++) {
        const char *cell[4];
        for (int i = 0; i < 4; i++) cell[i] = sheet_get(sheet, row, sheet->columns - 4 + i);
        const char *text = arena_print(&arena, "%s|%s|%s|%s", cell[0], cell[1], cell[2], cell[3]);
        if (!strcmp(sheet_get(sheet, row, 0), strrchr(world.train.folder, '/') + 1))
            found += !strcmp(text, "0.1|25|-|cpu");
        if (!strcmp(sheet_get(sheet, row, 0), strrchr(world.score.folder, '/') + 1))
            found += !strcmp(text, "0.1|-|1 5|-") /* rate is an option of its input */;
    }
    assert_int_equal(found, 2);
    EXPECT_DIE("did you mean \"dev_bleu\"", query_list(world.store, stage, count, wrong, &arena));
}

TEST(stages_are_found)
{
    struct store *store = world.store;
    assert_string_equal(find_stage(store, world.train.id, NULL, &arena).id, world.train.id);
    assert_string_equal(
        find_stage(store, arena_print(&arena, "%.4s", world.train.id), NULL, &arena).id,
        world.train.id);
    assert_string_equal(find_stage(store, strrchr(world.score.folder, '/') + 1, NULL, &arena).id,
                        world.score.id);
    assert_string_equal(find_stage(store, "demo/Gate/1", NULL, &arena).id, world.other.id);
    assert_string_equal(
        find_stage(store, arena_print(&arena, "train-%.5s", world.other.id), NULL, &arena).id,
        world.other.id);
    EXPECT_DIE("matches 2 stages: score-", find_stage(store, "demo/Transformer/1", NULL, &arena));
    EXPECT_DIE("no stage \"abc\"", find_stage(store, "abc", NULL, &arena));
    EXPECT_DIE("no stage \"train-\"", find_stage(store, "train-", NULL, &arena));
    EXPECT_DIE("no stage \"' OR 1=1 --\"", find_stage(store, "' OR 1=1 --", NULL, &arena));
    EXPECT_DIE("no stage \"\"", find_stage(store, "", NULL, &arena));
}

static const char *taken(const char *filter);

static char *shown(const struct run *run)
{
    return PRINTED(query_show(world.store, run->id, NULL, out));
}

TEST(a_stage_is_shown_whole)
{
    char *text = shown(&world.train);
    EXPECT_PARTS(text, ": done\n  id       ", "\n  names    demo/Transformer/1\n",
                 " in 1 attempt\n", "\nReads\n  corpus-",
                 "\nOptions\n  seed        1\n  train.rate  0.1\n",
                 "\nResults\n  dev_loss    3\n  parameters  3681280\n", "\nRead by\n  score-",
                 "\nLast values\n  dev_bleu  25 at step 100\n  loss      4 at step 100\n",
                 "\n  gate layer 1 head 1: NN   0.01\n", "\n.. and 10 more\n",
                 "\nEnvironment\n  device    cpu\n  products  1\n");
    expect_no_part(text, "End of");

    text = shown(&world.other);
    expect_part(text, "\nLast values\n  dev_loss  3.75 at step 1,000\n  loss      3.21 at "
                      "step 1,200\n");

    text = shown(&world.score);
    EXPECT_PARTS(text, "\n  message  no ?[31m split\n", "log.txt\n  log line 11\n",
                 "\n  log line 30\n");
}

TEST(options_stand_side_by_side)
{
    const char *const defaults =
        "[[\"train.steps\",\"10\",null,null],[\"train.rate\",\"0.5\",null,null]]";
    const char *const id[] = {world.train.id, world.other.id};
    const char *const both[] = {defaults, defaults}, *const none[2] = {0};
    const char *const *const with[] = {both, none, both};
    char *text[3];
    for (int i = 0; i < 3; i++)
        text[i] = PRINTED(query_diff(world.store, id, with[i], i == 2, out));
    EXPECT_PARTS(text[0], "train.rate  0.1                 0.5 (default)\n",
                 "seed        1                   -\n", "1 equal\n",
                 "device    cpu                 -\n", "names   demo/Transformer/1  demo/Gate/1\n",
                 "status  done                stopped\n");
    expect_no_part(text[0], "train.steps");
    expect_part(text[1], "train.rate  0.1                 -\n");
    expect_part(text[2], "train.steps  10 (default)        10 (default)\n");
    const char *const twice[] = {world.train.id, world.train.id};
    text[0] = PRINTED(query_diff(world.store, twice, both, false, out));
    assert_string_equal(text[0], "no difference\n");
    const char *const attending[] = {world.score.id, world.train.id};
    text[0] = PRINTED(query_diff(world.store, attending, none, false, out));
    expect_part(text[0], "\nencoder.attention  [{layers: 1-2, branches: [global, "
                         "{window: 1}, {window: 5}]}]  -\n");
}

/* Two values that differ only in the last digit are not equal. A filter finds a value by all of its
 * digits. A value that is not finite is not shown as 0. */
TEST(numbers_have_all_their_digits)
{
    struct journal *journal = journal_open(world.other.folder);
    journal_value(journal, 2, "dev_bleu", 9.);
    journal_value(journal, 2, "dev_bleu", 3.);
    journal_value(journal, 4, "dev_bleu", (double)NAN);
    journal_close(journal);
    run_done(&world.train, "done", "{\"dev_loss\": 3.25}");
    run_done(&world.other, "done", "{\"dev_loss\": 3.2500000000000004}");
    collect_runs(world.store);
    const char *const id[] = {world.train.id, world.other.id};
    const char *const none[2] = {0};
    char *text = PRINTED(query_diff(world.store, id, none, false, out));
    expect_part(shown(&world.other), "\n  dev_bleu  not finite at step 4\n");
    EXPECT_PARTS(text, "\ndev_loss  3.25                3.2500000000000004\n",
                 "\ndev_bleu  25                  not finite\n");
    assert_string_equal(taken("dev_loss = 3.2500000000000004"), "o");
    assert_string_equal(taken("dev_loss > 3.25"), "o");
}

/* If train.rate is given, the default of train.steps is 0 instead of 10. train.seeds keeps its
 * default, because train.sees is not given. */
TEST(a_default_may_depend_on_what_was_given)
{
    const char *const defaults = "[[\"train.seeds\",\"1\",\"train.sees\",\"2\"],"
                                 "[\"train.steps\",\"10\",\"train.rate\",\"0\"]]",
                      *const both[] = {defaults, defaults};
    const char *const id[] = {world.train.id, world.other.id};
    char *text = PRINTED(query_show(world.store, id[0], defaults, out);
                         query_diff(world.store, id, both, false, out));
    EXPECT_PARTS(text, "\n  train.seeds  1\n", "\n  train.steps  0\n",
                 "\ntrain.steps  0 (default)         10 (default)\n");
}

/* Returns the letters of the stages that a filter selects: c(orpus), t(rain), s(core), o(ther). */
static const char *taken(const char *filter)
{
    struct found_stage *stage;
    int count = query_stages(world.store, filter, &stage, &arena);
    const struct run *const run[] = {&world.corpus, &world.train, &world.score, &world.other};
    char *letters = arena_alloc(&arena, 8), *at = letters;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < count; i++)
            if (!strcmp(stage[i].id, run[k]->id)) *at++ = "ctso"[k];
    return letters;
}

TEST(filters_take_what_they_say)
{
    static const struct {
        const char *filter, *letters;
    } cases[] = {
        {"kind=train", "to"},
        {"kind != train", "cs"},
        {"status=done", "ct"},
        {"kind=train and status=stopped", "o"},
        {"kind=corpus or kind=score", "cs"},
        /* "and" binds more tightly than "or". */
        {"kind=corpus or kind=train and status=done", "ct"},
        {"(kind=corpus or kind=train) and status=done", "ct"},
        {"(kind=corpus or kind=train) and not status=done", "o"},
        {"not (kind=corpus or kind=train)", "s"},
        {"dev_loss<3.1", "t"}, /* the summary's value, not the last metric's */
        {"dev_loss>=3.0", "to"},
        {"dev_loss>3", "o"},
        {"loss<=3.21", "o"}, /* last value of a metric */
        {"loss=4", "t"},
        {"parameters=3.68128e6", "t"}, /* compared as numbers */
        {"train.rate=0.10", "ts"},     /* option of t, an input of s */
        {"rate=0.1", "ts"},            /* the key's last part */
        {"beam=4", "s"},
        {"device=cpu", "t"}, /* key of environment.json */
        {"name~Transformer", "ts"},
        {"name='demo/Gate/1'", "o"},
        {"name=\"demo/Gate/1\"", "o"},
        {"message~split", "s"},
        {"sentences > 100", "c"},
        {"corpus.sentences > 100", "c"}, /* the name of a table's column */
        {"train.dev_loss < 3.1", "t"},
        {"sentences != 5", "c"}, /* only stages that have the key */
        /* Lists: one element must match. */
        {"encoder.attention.window == 1", "s"},
        {"window=5 and attention.branches.window=1", "s"},
        {"window>5", ""},
        {"not (window = 1) && !kind=corpus", "to"},
        {"encoder.branches = global", "s"},
        {"layers=1-2 and layers=6 and encoder.attention.layers=1-2", "s"},
        {"encoder.layers~1-2", ""}, /* not encoder.attention.layers */
        {"layers=1-2 || kind=corpus", "cs"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (strcmp(taken(cases[i].filter), cases[i].letters) != 0)
            fail_msg("%s: %s, expected %s", cases[i].filter, taken(cases[i].filter),
                     cases[i].letters);
}

/* Filters and tables have the same name for a part with a path or a control. */
TEST(parts_have_the_names_of_columns)
{
    static const char *const part[] = {"Tense@encoder.2", "Tense@bag"};
    for (int i = 0; i < 2; i++) {
        const char *options = arena_print(&arena, "{\"part\": \"%s\"}", part[i]);
        const struct run run =
            run_new(world.runs, "probe", part[i], options, world.train.id, "demo/Gate/1");
        run_done(&run, "done", i ? "{\"accuracy\": 70}" : "{\"accuracy\": 80}");
    }
    collect_runs(world.store);
    static const struct {
        const char *filter;
        int count;
    } cases[] = {{"probe.Tense > 60", 2},
                 {"probe.Tense@encoder.2 > 60", 1},
                 {"probe.Tense@encoder.2.accuracy = 70", 0},
                 {"probe.Tense@bag.accuracy = 70", 1},
                 {"part = Tense@bag", 1}};
    struct found_stage *stage;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(query_stages(world.store, cases[i].filter, &stage, &arena),
                         cases[i].count);
}

TEST(wrong_filters_are_refused)
{
    static const struct said cases[] = {
        {"", "at character 1 (\"\"): expected a key"},
        {"kind", "\"kind\" ends too early: expected = != < <= > >= or ~"},
        {"kind=", "expected a value"},
        {"kind=train and", "expected a key"},
        {"kind=train status=done",
         "at character 12 (\"status=done\"): expected and, or, or the end"},
        {"(kind=train", "expected \")\", and, or"},
        {"kind='train", "a closing quote"},
        {"encoder.attention.widow=1", "did you mean \"window\"?"},
        {"attention.encoder.window=1", "no stage has"},
        {"encoder.layer=1", "no stage has the key \"encoder.layer\"; did you mean \"layers\"?"},
        {"dev_los<3", "no stage has the key \"dev_los\"; did you mean \"dev_loss\"?"},
        {"dev_loss < abc",
         "filter \"dev_loss < abc\": at character 12 (\"abc\"): expected a number"},
        {"dev_loss = abc", "filter \"dev_loss = abc\": \"dev_loss\" has numbers only; expected a "
                           "number after =, got \"abc\""},
        {"kind=train and not rate!=fast", "\"rate\" has numbers only"},
        {"status > 3", "\"status\" has words only, and > compares numbers; expected =, != or ~"},
        {"device <= 3", "\"device\" has words only"},
        {"kind=trian", "kind: there is no \"trian\"; nearest is \"train\""},
        {"not status=don", "status: there is no \"don\"; nearest is \"done\""},
        {"kind=train; DROP TABLE stage", "expected and, or, or the end"},
        {"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", "fewer"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) EXPECT_DIE(cases[i].says, taken(cases[i].text));
    EXPECT_DIE("no stage has the key \"encoder.stak\"", taken("encoder.stak = 1"));
    expect_no_part(test_die_message, "step"); /* keys without a section are not suggested */
    static const char *const nothing[] = {"name='; DROP TABLE stage; --'", "name=3", "tag=best",
                                          "device=3", "dev_loss ~ abc"};
    for (size_t i = 0; i < COUNT_OF(nothing); i++) assert_string_equal(taken(nothing[i]), "");
}
