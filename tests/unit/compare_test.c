/* Tests results/compare. Two systems are compared on a tiny corpus, and all expected values are
 * counted by hand. */
#include "tests/support/test.h"

#include "results/compare/compare.h"
#include "core/corpus/prepare.h"
#include "results/store/collector.h"
#include "tests/support/made_corpus.h"
#include "tests/support/scored.h"

static const char *const train_text = "aa aa aa bb\naa aa bb cc\naa bb dd aa\n";
static const char *const reference = "aa bb cc dd ee\naa aa bb ff\n";
static const char *const worse = "aa bb cc ee\naa bb bb\n";

static const char *runs, *corpus; /* folders */
static struct run train[2], score[2];

BEFORE(all)
{
    made_begin();
    runs = arena_text(&arena, test_folder("compare"));
    made_put_all(train_text, train_text);
    made_put("test.xx", "cc dd\nbb dd\n");
    made_put("test.yy", reference);
    const char *const text[] = {worse, reference};
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "demo/B/1" : "demo/A/1";
        train[i] =
            run_new(runs, "train", name, i ? "{\"width\": 2}" : "{\"width\": 1}", NULL, name);
        run_done(&train[i], "done", "{\"dev_loss\": 2}");
        score[i] = scored_new(runs, name, train[i].id, reference, 1, &text[i]);
    }
    const char *folder = arena_print(&arena, "%s/stages", runs);
    char *command = heap_print("ls -d %s/corpus-*", folder);
    FILE *list = popen(command, "r");
    char line[600];
    if (fgets(line, sizeof line, list))
        corpus = arena_text_range(&arena, line, strcspn(line, "\n"));
    assert_int_equal(pclose(list), 0);
    free(command);
    corpus_prepare(&made_options, corpus, NULL, NULL);
    runs_store = runs_collect(runs);
}

AFTER(all)
{
    store_close(runs_store);
}

static struct compare_system system_of(const char *word, const char *const *id, int scores)
{
    return (struct compare_system){.word = word, .scores = scores, .id = id};
}

/* Returns the printed comparison of two scores, with runs of blanks reduced to one. */
static char *compared(const char *a, const char *b, const char *tags)
{
    const struct compare_options options = {
        .tags = tags, .sentences = 1, .test = {.samples = 100, .trials = 100, .seed = 1}};
    struct compare_system system[] = {system_of("demo/A", &a, 1), system_of("demo/B", &b, 1)};
    char *text = PRINTED(compare_systems(runs_store, system, &options, out));
    char *to = text;
    for (const char *at = text; *at; at++)
        if (*at != ' ' || at[1] != ' ') *to++ = *at;
    *to = 0;
    return text;
}

TEST(numbers)
{
    const char *tags = arena_print(&arena, "%s/tags", made_text);
    made_put("tags", "D N V V X\nD D N X\n");
    char *text = compared(score[0].id, score[1].id, tags);
    expect_part(text, ", n = 1 and 1; B - A:\n");
    EXPECT_PARTS(text,
                 "\nD 3 66.67 100.00 +33.33\nN 2 100.00 100.00 0.00\nV 2 50.00 100.00 +50.00\n"
                 "X 2 50.00 100.00 +50.00\n");
    /* BLEU of line 2, with smoothing exp and without the order 4: exp(1 - 4/3) (2/3 * 1/2 *
     * 1/2)^(1/3) = 0.3943. */
    expect_part(text, "line 2: A 39.4, B 100.0, +60.6\n source bb dd\n reference aa aa bb ff\n "
                      "A aa bb bb\n B aa aa bb ff\n");
    expect_part(
        text, "Largest losses of B against A, by mean BLEU; the first hypothesis of each\nnone\n");
    text = compared(score[1].id, score[0].id, NULL); /* the systems are exchanged */
    expect_part(text,
                "Largest gains of B over A, by mean BLEU; the first hypothesis of each\nnone\n");
    expect_part(text, "Largest losses of B against A, by mean BLEU; the first hypothesis of "
                      "each\nline 2: A 100.0, B 39.4, -60.6\n");
}

TEST(sameness)
{
    char *text = compared(score[0].id, score[0].id, NULL);
    EXPECT_PARTS(text, " p 1.0000: paired bootstrap (Koehn 2004, one-sided) over sentences alone",
                 "Smallest difference that this design finds in 4 of 5 cases: unknown, because no "
                 "value varies\n");
    expect_no_part(text, "by tag");
    const struct run lonely = run_new(runs, "train", "lonely", "{}", NULL, "demo/lonely/1");
    const char *const other = "aa bb\n";
    const struct run its = scored_new(runs, "demo/other/1", lonely.id, other, 1, &other);
    collect_runs(runs_store);
    EXPECT_DIE("cannot be compared: another signature", compared(its.id, score[0].id, NULL));
}

/* Each side has two seeds. If both sides score the same trainings, the significance test is paired
 * by seed. */
TEST(seeds_of_the_same_trainings)
{
    static const char *const second[] = {"aa bb cc dd ee\naa bb bb\n",
                                         "aa bb cc dd\naa aa bb ff\n"};
    const char *id[2][2];
    for (int i = 0; i < 2; i++) {
        id[0][i] = score[i].id;
        const char *name = arena_print(&arena, "demo/two/%d", i + 1);
        id[1][i] =
            arena_text(&arena, scored_new(runs, name, train[i].id, reference, 1, &second[i]).id);
    }
    collect_runs(runs_store);
    const char *const exchanged[] = {id[1][1], id[1][0]};
    for (int same = 0; same < 2; same++) {
        const struct compare_options options = {.test = {.samples = 100, .trials = 100, .seed = 1}};
        struct compare_system system[] = {system_of("demo/one", id[0], 2),
                                          system_of("demo/two", same ? id[1] : exchanged, 2)};
        char *text = PRINTED(compare_systems(runs_store, system, &options, out));
        expect_part(text, same ? "Student's t over paired seeds and sentences, two-sided"
                               : "Student's t over seeds and sentences, two-sided");
    }
}

TEST(bad_tags)
{
    const char *tags = arena_print(&arena, "%s/tags", made_text);
    made_put("tags", "D N V V X\nD D N\n");
    EXPECT_DIE("tags:2: 3 tags; expected 4, one for each word",
               compared(score[0].id, score[1].id, tags));
    made_put("tags", "D N V V X\n");
    EXPECT_DIE("tags has 1 lines; expected 2", compared(score[0].id, score[1].id, tags));
}
