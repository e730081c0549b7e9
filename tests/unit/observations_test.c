/* Tests results/table/observations.h. The files of a score stage are read and verified. A problem
 * is reported in one line. */
#include "results/table/observations.h"

#include "tests/support/scored.h"
#include "tests/support/test.h"

static const char *const reference = "a b c d e\nthe dog runs over there\nno one was here today\n";
static const char *const train = "1234567890ab";

static const struct observations *read_after(const char *folder,
                                             void (*spoil)(const struct run *run))
{
    const char *runs = test_folder(folder);
    const char *hypothesis[] = {scored_worse(reference, 0, 3), reference};
    const struct run run = scored_new(runs, "two sets", train, reference, 2, hypothesis);
    if (spoil) spoil(&run);
    struct store *store = runs_collect(runs);
    const struct observations *observations =
        observations_read(store, NULL, "score", run.id, "bleu", NULL, observations_bleu);
    assert_ptr_equal(observations, observations_read(store, NULL, "score", run.id, "bleu", NULL,
                                                     observations_bleu));
    store_close(store);
    return observations;
}

TEST(sets_and_sentences)
{
    const struct observations *observations = read_after("observations", NULL);
    assert_null(observations->problem);
    assert_int_equal(observations->sets, 2);
    assert_int_equal(observations->items, 3);
    assert_string_equal(observations->text->hypothesis[0][0], "a b c d else");
    assert_string_equal(observations->text->hypothesis[1][2], "no one was here today");
    assert_string_equal(observations->text->reference[1], "the dog runs over there");
    assert_string_equal(observations->text->train, train);
    assert_string_equal(observations->text->split, "test");
    assert_int_equal(observations->text->stats[0][0].match[0], 4);
    assert_int_equal(observations->text->stats[0][0].match[3], 1);
    assert_int_equal(observations->text->stats[1][0].match[3], 2);
    assert_int_equal(observations->text->bleu.tokenizer, BLEU_NONE);
    assert_true(observations->score < 100 && observations->score > 80);
}

static void hypotheses_changed(const struct run *run)
{
    run_append(run, "hypotheses.2.txt", "one more\n");
}

static void hypotheses_gone(const struct run *run)
{
    char *path = heap_print("%s/hypotheses.1.txt", run->folder);
    assert_int_equal(remove(path), 0);
    free(path);
}

static void reference_changed(const struct run *run)
{
    char *command = heap_print("sed -i s/dog/cat/ %s/../corpus-*/test.reference", run->folder);
    assert_int_equal(system(command), 0);
    free(command);
}

static void score_changed(const struct run *run)
{
    char *command =
        heap_print("sed -i 's/\"bleu\": [0-9]*/\"bleu\": 12/' %s/done.json", run->folder);
    assert_int_equal(system(command), 0);
    free(command);
}

/* Replaces the references by the counts of an archive. */
static void counted(const struct run *run)
{
    static const char columns[] = "hyp_len\tref_len\tmatch1\tmatch2\tmatch3\tmatch4\tmatch5\tmatch6"
                                  "\tmatch7\tmatch8\n";
    static const char *const counts[] = {
        "5\t5\t4\t3\t2\t1\t0\t0\t0\t0\n5\t5\t5\t4\t3\t2\t1\t0\t0\t0\n"
        "5\t5\t5\t4\t3\t2\t1\t0\t0\t0\n",
        "5\t5\t5\t4\t3\t2\t1\t0\t0\t0\n5\t5\t5\t4\t3\t2\t1\t0\t0\t0\n"
        "5\t5\t5\t4\t3\t2\t1\t0\t0\t0\n"};
    char *command = heap_print("rm %s/../corpus-*/test.reference", run->folder);
    assert_int_equal(system(command), 0);
    free(command);
    for (int set = 0; set < 2; set++) {
        char *name = heap_print("ngrams.%d.tsv", set + 1),
             *text = heap_print("%s%s", columns, counts[set]);
        run_write(run, name, text);
        free(name);
        free(text);
    }
}

TEST(counts_in_place_of_references)
{
    const struct observations *whole = read_after("observations.whole", NULL);
    const struct observations *archived = read_after("observations.archived", counted);
    assert_null(archived->problem);
    assert_true(archived->score == whole->score);
    assert_non_null(archived->text->no_reference);
    assert_null(archived->text->reference);
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < 3; i++)
            assert_memory_equal(&archived->text->stats[set][i], &whole->text->stats[set][i],
                                sizeof(struct bleu_stats));
}

static void not_done(const struct run *run)
{
    char *path = heap_print("%s/done.json", run->folder);
    assert_int_equal(remove(path), 0);
    free(path);
}

static void other_version(const struct run *run)
{
    char *command = heap_print("sed -i s/tok:none/tok:words/ %s/done.json", run->folder);
    assert_int_equal(system(command), 0);
    free(command);
}

TEST(problems)
{
    static const struct {
        const char *folder;
        void (*spoil)(const struct run *run);
        const char *says;
    } cases[] = {
        {"observations.1", hypotheses_changed, "hypotheses.2.txt has changed since it was written"},
        {"observations.2", hypotheses_gone, "hypotheses.1.txt is gone"},
        {"observations.3", reference_changed, "test.reference has changed since it was written"},
        {"observations.4", score_changed, "but 12."},
        {"observations.5", not_done, "is not done"},
        {"observations.6", other_version, "not those that this version writes"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct observations *observations = read_after(cases[i].folder, cases[i].spoil);
        assert_non_null(observations->problem);
        if (!strstr(observations->problem, cases[i].says)) fail_msg("%s", observations->problem);
    }
}
