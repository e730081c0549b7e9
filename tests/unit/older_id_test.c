/* Tests stages of older programs. A new version of a kind of stage gives other ids only to the
 * stages whose results changed. */
#include "tests/support/planned.h"
#include "tests/support/test.h"

static void setup(void)
{
    planned_open();
    here_put("word.txt",
             "tr\tA\tx y\ntr\tB\ty z\nva\tA\tx y\nva\tB\ty z\nte\tA\tx y\nte\tB\ty z\n");
}

/* Returns the stage with this title. */
static struct stage *find(const struct plan *plan, const char *title)
{
    for (int i = 0; i < plan->count; i++)
        if (!strcmp(plan->task[i]->stage.title, title)) return &plan->task[i]->stage;
    fail_msg("no stage is called %s", title);
    return NULL;
}

#define PROBED(stack, path)                                                                        \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"                                  \
    "encoder: {" stack "}\n"                                                                       \
    "decoder: {layers: 1}\n"                                                                       \
    "evaluate: {probe: {tasks: [{name: Word, file: word.txt, group: Surface}], path: " path "}}\n"
#define SUM "stack: [{lstm: 1}, {san: 1}], shortcut: true"

/* `id` is the stage's id in the last program with version 1. `same` is true if version 2 keeps this
 * id. */
TEST(only_stages_that_changed_have_other_ids)
{
    static const struct {
        const char *text, *title, *id;
        bool same;
    } stage[] = {
        {PROBED("layers: 2", "layers"), "encode.Word", "cc38e810b49f", true},
        {PROBED("layers: 2", "layers"), "probe.Word@encoder.2", "c42affbf32af", true},
        {PROBED(SUM, "[encoder.1, encoder.output]"), "encode.Word", "4c4f58230d22", true},
        {PROBED(SUM, "[encoder.1, encoder.2]"), "probe.Word@encoder.1", "d08be0ed3e61", true},
        {PROBED(SUM, "[encoder.1, encoder.2]"), "encode.Word", "1c207dc8fd79", false},
        {PROBED(SUM, "[encoder.1, encoder.2]"), "probe.Word@encoder.2", "70aa79eaf68f", false},
    };
    for (size_t i = 0; i < COUNT_OF(stage); i++) {
        const char *id = find(planned(stage[i].text), stage[i].title)->id;
        if (stage[i].same)
            assert_string_equal(arena_text_range(&arena, id, 12), stage[i].id);
        else
            assert_string_not_equal(arena_text_range(&arena, id, 12), stage[i].id);
    }
}

/* A stage of version 1 is read as version 1. This program makes version 2, so it refuses to compute
 * that stage again. */
TEST(an_old_version_is_read_and_not_made)
{
    struct plan *plan = planned(PROBED(SUM, "encoder.2"));
    struct stage *encode = find(plan, "encode.Word"), old = *encode;
    for (int i = 0; i < encode->inputs; i++) stage_write(encode->input[i]);
    old.version = 1;
    stage_identify(&old, runs, &arena);
    assert_string_not_equal(old.id, encode->id);
    stage_write(&old);
    const struct stage *again = stage_load(&arena, old.folder);
    assert_string_equal(again->id, old.id);
    assert_int_equal(again->version, 1);
    assert_non_null(strstr(stage_lacks(again, &arena), "version 1 of encode"));
    stage_write(encode);
    assert_int_equal(stage_load(&arena, encode->folder)->version, 2);
    assert_null(stage_lacks(encode, &arena));
}

ALL_TESTS(setup);
