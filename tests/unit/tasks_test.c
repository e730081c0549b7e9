/* Tests probes/tasks.h and probes/task_data.h: files that list probing tasks, and the text of the
 * tasks, which is read as SentEval reads it. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "probes/task_data.h"
#include "probes/tasks.h"

/* ---- files of tasks ---- */

static struct tasks tasks_of(const char *name)
{
    const struct location location = {.file = "command line"};
    return tasks_read(&arena, tree_new_text(&arena, location, name), "");
}

#define SENTEVAL "experiments/tasks/senteval.yaml"

/* The tasks of Conneau et al. 2018, section 3, in the order of SentEval's README, with SentEval's
 * file names. Table 3 of Xu et al. 2019 and table 3 of Hao et al. 2019 have averages of groups.
 * With these groups, they equal the averages of the tasks. */
TEST(senteval_has_ten_tasks)
{
    static const char *const expected[][3] = {
        {"Length", "sentence_length", "Surface"},
        {"WordContent", "word_content", "Surface"},
        {"TreeDepth", "tree_depth", "Syntactic"},
        {"TopConstituents", "top_constituents", "Syntactic"},
        {"BigramShift", "bigram_shift", "Syntactic"},
        {"Tense", "past_present", "Semantic"},
        {"SubjNumber", "subj_number", "Semantic"},
        {"ObjNumber", "obj_number", "Semantic"},
        {"OddManOut", "odd_man_out", "Semantic"},
        {"CoordinationInversion", "coordination_inversion", "Semantic"},
    };
    const struct tasks tasks = tasks_of(SENTEVAL);
    assert_int_equal(tasks.count, COUNT_OF(expected));
    assert_int_equal(tasks.groups, 3);
    assert_null(tasks.group[3]);
    for (int i = 0; i < tasks.count; i++) {
        assert_string_equal(tasks.task[i].name, expected[i][0]);
        assert_string_equal(tasks.task[i].file,
                            arena_print(&arena, "probing/%s.txt", expected[i][1]));
        assert_string_equal(tasks.task[i].group, expected[i][2]);
    }
}

/* The arrays of groups and of their locations grow after 8 groups. */
TEST(a_file_may_have_many_groups)
{
    const char *groups = "groups: [", *list = "tasks:\n";
    for (int i = 0; i < 20; i++) {
        groups = arena_print(&arena, "%s%sG%d", groups, i ? ", " : "", i);
        list = arena_print(&arena, "%s  - {name: t%d, file: t.txt, group: G%d}\n", list, i, i);
    }
    here_put("many.yaml", arena_print(&arena, "%s]\n%s", groups, list));
    const struct tasks tasks = tasks_of(arena_print(&arena, "%s/many.yaml", here));
    assert_int_equal(tasks.groups, 20);
    for (int i = 0; i < tasks.groups; i++) {
        assert_string_equal(tasks.group[i], arena_print(&arena, "G%d", i));
        assert_int_equal(tasks.group_location[i].line, 1);
    }
    assert_null(tasks.group[20]);
}

TEST(a_file_adds_tasks_to_its_base)
{
    here_put("one.yaml", "groups: [A, B]\ntasks:\n  - {name: a, file: a.txt, group: A}\n"
                         "  - {name: b, file: b.txt, group: B}\n");
    here_put("two.yaml", "tasks:\n  - {name: d, file: d.txt, group: C}\n"
                         "  - {name: c, file: c.txt, group: A}\ngroups: C\nbase: one.yaml\n");
    const struct tasks tasks = tasks_of(arena_print(&arena, "%s/two.yaml", here));
    assert_int_equal(tasks.count, 4);
    static const char *const name[] = {"a", "b", "d", "c"}, *const group[] = {"A", "B", "C", "A"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(tasks.task[i].name, name[i]);
        assert_string_equal(tasks.task[i].group, group[i]);
    }
    assert_int_equal(tasks.groups, 3);
    assert_string_equal(tasks.group[2], "C");
    assert_int_equal(tasks.task[2].location.line, 2);

    /* A path in a grid's file is relative to that file; a path of the command line is relative to
     * `from`. */
    const struct location location = {arena_print(&arena, "%s/g.yaml", here), 7, 1};
    assert_int_equal(tasks_read(&arena, tree_new_text(&arena, location, "two.yaml"), "").count, 4);
    const struct location command = {.file = "command line"};
    assert_int_equal(
        tasks_read(&arena, tree_new_text(&arena, command, "two.yaml"), location.file).count, 4);
}

/* A path with ./ is relative to the list, also if the list is read again at another place, as in
 * stages. */
TEST(a_file_may_lie_next_to_its_list)
{
    const struct location location = {.file = "command line"};
    file_make_folder(arena_print(&arena, "%s/sub", here));
    here_put("sub/a.txt", "");
    here_put("sub/list.yaml", "groups: [A]\ntasks: [{name: a, file: ./a.txt, group: A}]\n");
    here_put("top.yaml", "base: sub/list.yaml\ntasks: [{name: b, file: a.txt, group: A}]\n");
    const struct tasks tasks = tasks_of(arena_print(&arena, "%s/top.yaml", here));
    const struct tasks again = tasks_asked(&arena, tasks_tree(&arena, &tasks, location), "tasks");
    char *expected = realpath(arena_print(&arena, "%s/sub/a.txt", here), NULL),
         *found = realpath(again.task[0].file, NULL);
    assert_int_equal(*again.task[0].file, '/');
    assert_string_equal(found, expected);
    assert_string_equal(tasks.task[1].file, "a.txt"); /* relative to $SANLAB_DATA */
    free(expected);
    free(found);
}

/* A task has its own origin, or else the origin of its file. Tasks of the base keep their origin,
 * also if the list is written into options. */
TEST(origins_are_of_files_and_of_tasks)
{
    here_put("below.yaml", "groups: [A]\norigin: an archive\ntasks:\n"
                           "  - {name: a, file: a.txt, group: A}\n"
                           "  - {name: b, file: b.txt, group: A, origin: a letter}\n");
    here_put("above.yaml", "base: below.yaml\norigin: \"a site, and more: x\"\ntasks:\n"
                           "  - {name: c, file: c.txt, group: A}\n");
    here_put("silent.yaml", "base: below.yaml\ntasks: [{name: d, file: d.txt, group: A}]\n");
    static const char *const expected[] = {"an archive", "a letter", "a site, and more: x"};
    const struct tasks tasks = tasks_of(arena_print(&arena, "%s/above.yaml", here));
    const struct location location = {.file = "command line"};
    const struct tasks again = tasks_asked(&arena, tasks_tree(&arena, &tasks, location), "tasks");
    assert_int_equal(tasks.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(tasks.task[i].origin, expected[i]);
        assert_string_equal(again.task[i].origin, expected[i]);
    }
    assert_string_equal(tasks_of(arena_print(&arena, "%s/silent.yaml", here)).task[2].origin, "");
    here_put("list.yaml", "groups: [A]\norigin: [a, b]\ntasks: [{name: a, file: f, group: A}]\n");
    EXPECT_DIE("list.yaml:2:9: origin: expected",
               tasks_of(arena_print(&arena, "%s/list.yaml", here)));
}

#define ONE "groups: [A, B]\ntasks:\n- {name: a, file: f, group: A}\n"

TEST(mistakes_are_refused_where_they_stand)
{
    static const struct {
        const char *yaml, *place, *part, *other; /* parts of the message; other may be NULL */
    } bad[] = {
        {"task: []\n", "1:1:", "unknown key \"task\"; nearest is \"tasks\"", NULL},
        {"groups: A\n", "1:1:", "tasks: expected a list of tasks, got nothing", NULL},
        {"tasks: {a: f}\n", "1:8:", "tasks: expected a list of tasks, got a map", NULL},
        {"groups: {A: a}\ntasks: []\n", "1:9:", "groups: expected a list of texts", NULL},
        {ONE "- {name: b, flie: f, group: B}\n",
         "4:13:", "unknown key \"flie\"; nearest is \"file\"", NULL},
        {ONE "- {name: b, group: B}\n", "4:3:", "tasks.file must be given", NULL},
        {ONE "- {name: [b], file: f, group: B}\n", "4:10:", "tasks.name: expected a text", NULL},
        {ONE "- {name: b@c, file: f, group: B}\n",
         "4:10:", "tasks.name: \"b@c\": expected letters, digits, - and _", NULL},
        {ONE "- {name: \"\", file: f, group: B}\n", "4:10:", "tasks.name: \"\": expected", NULL},
        {ONE "- {name: b, file: \"\", group: B}\n", "4:19:", "tasks.file: expected the path", NULL},
        {ONE "- {name: b, file: f, group: \"\"}\n", "4:29:", "tasks.group: expected a name", NULL},
        {ONE "- b\n", "4:3:", "tasks: expected a map, got a single value", NULL},
        {ONE "- {name: a, file: g, group: B}\n", "4:10:", "tasks: \"a\" is given twice, first in ",
         "f.yaml:3"},
        {ONE "- {name: b, file: f, group: AB}\n",
         "4:29:", "there is no group \"AB\"; nearest is \"A\"; expected one of: A, B", NULL},
        {ONE, "1:13:", "groups: \"B\" has no task", NULL},
        {"groups: [A, A]\ntasks: []\n", "1:13:", "groups: \"A\" is given twice", "f.yaml:1"},
        {"tasks:\n- {name: a, file: f, group: A}\n",
         "2:29:", "tasks.group: the file declares no group; expected groups: [A] in it", NULL},
        {"base: f.yaml\ntasks: []\n", "1:7:", "expected no cycle", NULL},
        {"base: g.yaml\ntasks: []\n", "1:7:", "base: there is no file ", "g.yaml"},
        {"base: sentevla\ntasks: []\n", "1:7:", "base: there is no preset \"sentevla\"", NULL},
    };
    for (volatile size_t i = 0; i < COUNT_OF(bad); i++) {
        const char *path = here_put("f.yaml", bad[i].yaml);
        EXPECT_DIE(bad[i].part, tasks_of(path));
        char start[256];
        snprintf(start, sizeof start, "%s:%s ", path, bad[i].place);
        if (strncmp(test_die_message, start, strlen(start)) != 0)
            fail_msg("%s\n  die() said: %s\n  expected first: %s", bad[i].yaml, test_die_message,
                     start);
        if (bad[i].other) expect_part(test_die_message, bad[i].other);
        assert_null(strchr(test_die_message, '\n'));
    }
    EXPECT_DIE("tasks: expected at least one task", tasks_of(here_put("f.yaml", "tasks: []\n")));
}

/* ---- their text ---- */

static struct task_data data_of(const char *text)
{
    return task_data_read(&arena, here_put("t.txt", text));
}

/* Returns "SPLIT LABEL TOKENS: TEXT|" for each line. */
static const char *read_as(const struct task_data *data)
{
    const char *all = "";
    for (int i = 0; i < data->items; i++) {
        const struct task_item *item = &data->item[i];
        all = arena_print(&arena, "%s%s %s %d: %s|", all, task_split_names[item->split],
                          data->name[item->label], item->tokens, item->text);
    }
    return all;
}

/* The expected result is Python's for these bytes, with the code of SentEval: io.open(..,
 * encoding='utf-8'), a loop over its lines, line.rstrip().split('\t'), [0], [1], [-1].split(). */
TEST(lines_are_read_as_senteval_reads_them)
{
    const struct task_data data = data_of("tr\tb\tone  two \n"
                                          "te\ta\tx\ty\tthree\u00A0four\u3000five\t \r\n"
                                          "va\tb\t six\rtr\ta b\t\n"
                                          "te\ta b\t\x1Cseven\u2028\u00E9ight\u00A0\n"
                                          "tr\ta\t.\u200B \xC2\x85");
    assert_string_equal(read_as(&data), "tr b 2: one two|te a 3: three four five|va b 1: six|"
                                        "tr a b 2: a b|te a b 2: seven \u00E9ight|"
                                        "tr a 1: .\u200B|");
    assert_int_equal(data.bare, 1); /* the fourth line has only a label */
    assert_int_equal(data.count[TASK_TR], 3);
    assert_int_equal(data.count[TASK_VA], 1);
    assert_int_equal(data.count[TASK_TE], 2);
    assert_int_equal(data_of("\xEF\xBB\xBFtr\ta\tx\ntr\tb\tx\nva\ta\tx\nte\tb\tx\n").items, 4);
}

TEST(classes_are_the_labels_of_tr_sorted)
{
    /* Labels are sorted like sorted() in Python: by code points, upper case first, 10 before 9. */
    static const char *const sorted[] = {"",  "10", "9",      "NN",     "NNS",
                                         "a", "z",  "\u00E9", "\uFFFD", "\U00010000"};
    static const int written[] = {9, 3, 1, 8, 4, 2, 7, 0, 6, 5};
    const char *text = "va\tNN\tx\nte\tz\tx\n";
    for (size_t i = 0; i < COUNT_OF(written); i++)
        text = arena_print(&arena, "%str\t%s\tx\n", text, sorted[written[i]]);
    const struct task_data data = data_of(text);
    assert_int_equal(data.labels, COUNT_OF(sorted));
    for (int k = 0; k < data.labels; k++) assert_string_equal(data.name[k], sorted[k]);
    assert_null(data.name[data.labels]);
    assert_int_equal(data.item[0].label, 3);
    assert_int_equal(data.item[1].label, 6);
    for (size_t i = 0; i < COUNT_OF(written); i++)
        assert_int_equal(data.item[2 + i].label, written[i]);
}

#define FOUR "tr\tNN\tx\ntr\tNNS\tx\nva\tNN\tx\nte\tNNS\tx\n"

TEST(what_senteval_would_stumble_over_is_refused)
{
    static const struct said bad[] = {
        {FOUR "tr\n", "t.txt:5:1: one column; expected tr, va or te, a label and a sentence"},
        {FOUR "\n" FOUR, "t.txt:5:1: one column"},
        {FOUR "tr NN x\n", "t.txt:5:1: one column"},
        {"tr\tNN\nva\tNN\nte\tVB\n", "t.txt:1:1: no line has more than two columns"},
        {FOUR "tr\t \n", "t.txt:5:1: one column"},
        {FOUR "ta\tNN\tx\n", "t.txt:5:1: split: unknown word \"ta\"; nearest is \"tr\"; expected "
                             "one of: tr, va, te"},
        {"va\tNNP\tx\n" FOUR, "t.txt:1:4: va: no line of tr has the label \"NNP\"; nearest is "
                              "\"NN\"; expected one of: NN, NNS"},
        {FOUR "te\tVB\tx\nte\tJJ\tx\n", "t.txt:5:4: te: no line of tr has the label \"VB\""},
        {"tr\tNN\tx\ntr\tNN\ty\nva\tNN\tx\nte\tNN\tx\n",
         "t.txt: all lines of tr have the label \"NN\"; expected at least two labels"},
        {"tr\tNN\tx\ntr\tNNS\tx\nva\tNN\tx\n", "t.txt: has no line of te"},
        {"tr\tNN\tx\ntr\tNNS\tx\nte\tNN\tx\n", "t.txt: has no line of va"},
        {"", "t.txt: has no line of tr"},
        {FOUR "tr\tNN\tx \xC3\x28\n", "t.txt:5: byte 9 (0xc3) is not valid UTF-8"},
    };
    for (volatile size_t i = 0; i < COUNT_OF(bad); i++) {
        EXPECT_DIE(bad[i].says, data_of(bad[i].text));
        assert_null(strchr(test_die_message, '\n'));
    }
    const char *path = arena_print(&arena, "%s/n.txt", here);
    file_write(path, FOUR "tr\tNN\tx\0y\n", sizeof FOUR - 1 + 10);
    EXPECT_DIE("n.txt:5: byte", task_data_read(&arena, path));
    EXPECT_DIE("/gone.txt: cannot be read: No such file",
               task_data_read(&arena, arena_print(&arena, "%s/gone.txt", here)));
}

EACH_TEST(here_open);
