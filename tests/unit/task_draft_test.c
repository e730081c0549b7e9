/* probes/task_draft: how candidates with labels and groups become the splits of a task. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "probes/task_draft.h"

/* Adds sentences of a class, in groups of `each` (0: none have a group). */
static void add(struct task_draft *draft, const char *label, int count, int each)
{
    for (int i = 0; i < count; i++)
        assert_true(task_draft_add(draft, label,
                                   each ? arena_print(&arena, "%s%d", label, i / each) : NULL,
                                   arena_print(&arena, "%s%d of %d", label, i, each)));
}

static int count_split(const struct task_draft *draft, const char *label, int split)
{
    int count = 0;
    for (int i = 0; i < draft->candidates; i++)
        count += draft->candidate[i].split == split &&
                 !strcmp(draft->label[draft->candidate[i].label], label);
    return count;
}

TEST(splits_are_ten_one_and_one)
{
    struct task_draft draft = task_draft_new(&arena, "Task", 1, 1000);
    add(&draft, "A", 120, 0);
    add(&draft, "B", 200, 4);
    assert_false(task_draft_add(&draft, "A", NULL, "B0 of 4")); /* there is such a sentence */
    task_draft_split(&draft);
    assert_null(draft.problem);
    static const int expected[] = {100, 10, 10};
    for (int split = 0; split < TASK_SPLITS; split++) {
        assert_int_equal(count_split(&draft, "A", split), expected[split]);
        assert_int_equal(count_split(&draft, "B", split), expected[split]);
    }
    assert_string_equal(draft.left, "; left out: 80 for classes of one size");
    for (int i = 0; i < 320; i++)
        for (int k = 0; k < 320; k++)
            if (draft.candidate[i].group == draft.candidate[k].group &&
                draft.candidate[i].split >= 0 && draft.candidate[k].split >= 0)
                assert_int_equal(draft.candidate[i].split, draft.candidate[k].split);

    draft = task_draft_new(&arena, "Task", 1, 60); /* 30 of each in tr */
    add(&draft, "A", 500, 0);
    add(&draft, "B", 500, 0);
    task_draft_split(&draft);
    static const int fewer[] = {30, 3, 3};
    for (int split = 0; split < TASK_SPLITS; split++)
        assert_int_equal(count_split(&draft, "A", split), fewer[split]);
}

TEST(too_few_candidates_are_a_problem)
{
    struct task_draft draft = task_draft_new(&arena, "Task", 1, 1000);
    add(&draft, "A", 119, 0);
    add(&draft, "B", 120, 0);
    task_draft_leave(&draft, 7, "of no use");
    task_draft_split(&draft);
    assert_string_equal(draft.problem,
                        "class A has 119 sentences; needed 120; left out: 7 of no use");
    draft = task_draft_new(&arena, "Task", 1, 1000);
    add(&draft, "A", 120, 0);
    task_draft_split(&draft);
    assert_string_equal(draft.problem, "1 class of at least 120 sentences; needed two");
    draft = task_draft_new(&arena, "Task", 1, 1000); /* no group of A fits into te or va */
    add(&draft, "A", 120, 60);
    add(&draft, "B", 120, 0);
    task_draft_split(&draft);
    assert_string_equal(draft.problem, "class A has 0 sentences for va; needed 10");
}

/* Every line of tr, then of va, then of te. */
TEST(lines_are_written_by_split)
{
    struct arena_stream stream;
    struct task_draft draft = task_draft_new(&arena, "Task", 1, 20);
    add(&draft, "A", 30, 0);
    add(&draft, "B", 30, 0);
    task_draft_split(&draft);
    arena_stream_open(&stream);
    task_draft_write(&draft, stream.out);
    const char *at = arena_stream_close(&arena, &stream);
    for (int i = 0; i < 24; i++, at = strchr(at, '\n') + 1) {
        char split[3], label[2];
        assert_int_equal(sscanf(at, "%2s\t%1s\t", split, label), 2);
        assert_string_equal(split, i < 20 ? "tr" : i < 22 ? "va" : "te");
        assert_int_equal(at[3], at[5]); /* texts begin with their label */
    }
    assert_string_equal(at, "");
}

EACH_TEST(here_open, NULL);
