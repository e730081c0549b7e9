/* Tests experiments/run/cluster: the arguments of sbatch, which are quoted as in a shell, names of
 * files, and the time limit. tests/cli/slurm.sh and make test-cluster test the other words
 * of the command. */
#include "tests/support/test.h"

#include "experiments/run/cluster.h"

TEST(words_are_those_of_a_shell)
{
    static const struct {
        const char *text;
        int words;
        const char *word[4];
    } cases[] = {
        {"", 0, {0}},
        {"  \t ", 0, {0}},
        {"--mem=8G", 1, {"--mem=8G"}},
        {" -p  gpu\t--mem=8G ", 3, {"-p", "gpu", "--mem=8G"}},
        {"--comment='a b' -x ''", 3, {"--comment=a b", "-x", ""}},
        {"\"a 'b' \\\"c\\\"\"d", 1, {"a 'b' \"c\"d"}},
        {"a\\ b 'c\\d'", 2, {"a b", "c\\d"}},
        {"--constraint='a|b'", 1, {"--constraint=a|b"}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char **word;
        assert_int_equal(cluster_words(cases[i].text, &word, &arena), cases[i].words);
        for (int k = 0; k < cases[i].words; k++) assert_string_equal(word[k], cases[i].word[k]);
    }
    const char **word;
    static const char *const bad[] = {"-p 'gpu", "`x`", "-p $SANLAB_IS_NOT_SET",
                                      "--constraint=a|b"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        EXPECT_DIE("variables that are set, no command, and quotes around",
                   cluster_words(bad[i], &word, &arena));
}

TEST(a_name_becomes_a_files)
{
    assert_string_equal(cluster_file_name("windows+train.rate=2", &arena), "windows+train.rate=2");
    assert_string_equal(cluster_file_name("a/b c%d'[1,2]", &arena), "a_b_c_d__1,2_");
}

/* Fails unless the command of a job whose longest stage takes `longest` seconds has this word. */
static void assert_word(double longest, const char *expected)
{
    const char *const *command =
        cluster_command(&(struct cluster_job){.name = "n",
                                              .folder = "/a",
                                              .logs = "/l",
                                              .tasks = 12,
                                              .seconds = cluster_seconds(longest)},
                        &arena);
    const char *all = NULL;
    for (; *command; command++) {
        if (!strcmp(*command, expected)) return;
        all = arena_append(&arena, all, " ", *command);
    }
    fail_msg("expected the word %s in: %s", expected, all);
}

TEST(the_time_is_twice_the_longest_stage_and_ten_minutes)
{
    assert_word(0, "--time=0-00:10:00");
    assert_word(3600, "--time=0-02:10:00");
    assert_word(3601, "--time=0-02:11:00"); /* rounded up to whole minutes */
    assert_word(86400, "--time=2-00:10:00");
}
