/* Tests scripts/data/tasks with all tasks of a generated text and treebank. The bytes of the files
 * must not change, and an independent reader checks every line. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "core/base/buffer.h"
#include "core/base/child.h"
#include "core/base/digest.h"
#include "core/base/random.h"
#include "core/base/hash_table.h"
#include "core/corpus/data_program.h"
#include "probes/task_audit.h"
#include "probes/tasks.h"

AT_START(if (!child_find("python3", false, &arena)) {
    puts("1..0 # SKIP there is no python3");
    exit(0);
});

/* ---- a language whose words show all labels ----
 * A sentence has the words: subject verb object filler .. filler "."
 * The last letter shows the form of a word. abs, abp: nouns in singular and plural. cdr, cda:
 * verbs in present and past. eff: a filler. A filler depends on the object or on the word before
 * it. */

enum { SENTENCES = 4000, MOST = 30 };

struct sentence {
    int words, depth;
    char word[MOST][8];
    const char *text;
};
static struct sentence *all;
static struct hash_table *known; /* key: a text; value: the first sentence with this text */

static const struct random_key key = {7, 49};

static int draw(int sentence, int index, int bound)
{
    return (int)random_below(key, (uint64_t)index, (uint32_t)sentence, (uint32_t)bound);
}

/* Returns the smaller of two draws: small numbers are more frequent. */
static int draw_small(int sentence, int index, int bound)
{
    const int a = draw(sentence, index, bound), b = draw(sentence, 1000 + index, bound);
    return a < b ? a : b;
}

static void generate(void)
{
    struct arena_stream bank;
    arena_stream_open(&bank);
    all = ARENA_ARRAY(&arena, struct sentence, SENTENCES);
    known = hash_table_new(&arena, SENTENCES);
    for (int i = 0; i < SENTENCES; i++) {
        struct sentence *one = &all[i];
        int depth[MOST] = {2, 1, 2};
        one->words = 4 + draw(i, 0, MOST - 4);
        one->depth = 2;
        for (int w = 0; w < one->words; w++) {
            const bool noun = w == 0 || w == 2, many = draw(i, 100 + w, 3) == 0;
            const int number = draw_small(i, 1 + w, noun ? 40 : w == 1 ? 30 : 90);
            /* Heads are counted from 1. */
            const int head = w == 1 ? 0 : noun ? 2 : draw(i, 200 + w, 2) ? w : 3;
            const bool last = w + 1 == one->words;
            const char *const ending = noun ? many ? "p" : "s" : w == 1 ? many ? "a" : "r" : "f";
            snprintf(one->word[w], sizeof one->word[w], last ? "." : "%c%c%s", 'a' + number / 10,
                     'a' + number % 10, ending);
            if (w > 2) depth[w] = depth[head - 1] + 1;
            if (depth[w] > one->depth) one->depth = depth[w];
            fprintf(bank.out, "%d\t%s\t_\t%s\t_\t%s\t%d\t%s\t_\t_\n", w + 1, one->word[w],
                    noun     ? "NOUN"
                    : w == 1 ? "VERB"
                             : "X",
                    noun     ? many ? "Number=Plur" : "Number=Sing"
                    : w == 1 ? many ? "Tense=Past|VerbForm=Fin" : "Tense=Pres|VerbForm=Fin"
                             : "_",
                    head,
                    w == 0   ? "nsubj"
                    : w == 1 ? "root"
                    : w == 2 ? "obj"
                             : "dep");
            one->text =
                arena_print(&arena, "%s%s%s", w ? one->text : "", w ? " " : "", one->word[w]);
        }
        fputc('\n', bank.out);
        hash_table_at(known, one->text, strlen(one->text), i);
    }
    here_put("text.conllu", arena_stream_close(&arena, &bank));
}

static const char *const files[] = {"sentence_length", "word_content", "tree_depth", "bigram_shift",
                                    "past_present",    "subj_number",  "obj_number", "odd_man_out"};

static void write_tasks(const char *out, const char *seed)
{
    const char *const word[] = {"python3",
                                "scripts/data/tasks",
                                "--name=text",
                                "--quiet",
                                arena_print(&arena, "--labels=%s/text.conllu", here),
                                arena_print(&arena, "--out=%s/%s", here, out),
                                "--items=1000",
                                seed,
                                NULL};
    struct buffer text = {0};
    for (int i = 0; i < SENTENCES; i++) {
        buffer_add(&text, all[i].text, strlen(all[i].text));
        buffer_add_byte(&text, '\n');
    }
    assert_int_equal(data_program_run("test", word, &text, STDERR_FILENO), 0);
    buffer_free(&text);
}

BEFORE(all)
{
    here_open();
    generate();
    write_tasks("one", "--seed=1");
    write_tasks("two", "--seed=2");
}

static const char *path_of(const char *folder, const char *file)
{
    return arena_print(&arena, "%s/%s/%s.txt", here, folder, file);
}

/* ---- bytes ---- */

TEST(the_same_text_and_seed_give_these_bytes)
{
    static const char *const expected[COUNT_OF(files)] = {
        "3c3579cd08790e1e", "e5948fc49645d7b1", "5b307e48928b51d1", "faa36595b16ab4e1",
        "06b152b3a761cb3f", "eb49976833bcc282", "37cae0b4ae207607", "09caf5b1e5ef7df8"};
    char digest[DIGEST_TEXT], other[DIGEST_TEXT];
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        digest_file(path_of("one", files[i]), digest);
        digest_file(path_of("two", files[i]), other);
        assert_string_not_equal(digest, other);
        if (strncmp(digest, expected[i], 16) != 0) fail_msg("%s: %.16s", files[i], digest);
    }
}

/* ---- every line ---- */

static struct task_data read_task(const char *file)
{
    return task_data_read(&arena, path_of("one", file));
}

/* In each split, all labels are equally frequent. va and te each have about a tenth of the number
 * of lines of tr. No sentence occurs twice. */
TEST(labels_are_balanced_and_splits_apart)
{
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        const struct task_data data = read_task(files[f]);
        const struct task_audit audit = task_audit(&data);
        struct hash_table *seen = hash_table_new(&arena, 0);
        int *count = ARENA_ARRAY(&arena, int, TASK_SPLITS *data.labels);
        for (int i = 0; i < data.items; i++) {
            const char *text = data.item[i].text;
            assert_int_equal(*hash_table_at(seen, text, strlen(text), i), i);
            count[(int)data.item[i].split * data.labels + data.item[i].label]++;
        }
        for (int k = 0; k < TASK_SPLITS * data.labels; k++)
            assert_int_equal(count[k], count[k / data.labels * data.labels]);
        assert_int_equal(audit.shared, 0);
        assert_int_equal(audit.bare, 0);
        const int tr = data.count[TASK_TR] / data.labels, te = data.count[TASK_TE] / data.labels;
        assert_int_equal(data.count[TASK_VA] / data.labels, te);
        assert_in_range(te, tr / 12, tr / 9);
        assert_in_range(data.count[TASK_TR], 200, 1000);
    }
}

/* Returns the sentence with this text; NULL if there is none. */
static const struct sentence *sentence_of(const char *text)
{
    const int64_t at = hash_table_get(known, text, strlen(text));
    return at == HASH_TABLE_ABSENT ? NULL : &all[at];
}

/* Returns the words of a line. */
static struct sentence cut(const char *text)
{
    struct sentence one = {.text = text};
    for (int bytes; sscanf(text, "%7s%n", one.word[one.words], &bytes) == 1; text += bytes)
        one.words++;
    return one;
}

/* Checks that no form of word `at` is in two splits. */
static void forms_are_apart(const struct task_data *data, int at)
{
    struct hash_table *split = hash_table_new(&arena, 0);
    for (int i = 0; i < data->items; i++) {
        const struct sentence *one = sentence_of(data->item[i].text);
        const int64_t own = (int64_t)data->item[i].split;
        assert_int_equal(*hash_table_at(split, one->word[at], strlen(one->word[at]), own), own);
    }
}

TEST(labels_are_those_of_the_words)
{
    static const struct {
        const char *file, *label[2];
        int at;
    } task[] = {{"past_present", {"PRES", "PAST"}, 1},
                {"subj_number", {"NN", "NNS"}, 0},
                {"obj_number", {"NN", "NNS"}, 2}};
    for (size_t t = 0; t < COUNT_OF(task); t++) {
        const struct task_data data = read_task(task[t].file);
        for (int i = 0; i < data.items; i++) {
            const char *form = sentence_of(data.item[i].text)->word[task[t].at];
            const bool second = strchr("ap", form[strlen(form) - 1]);
            assert_string_equal(data.name[data.item[i].label], task[t].label[second]);
        }
        forms_are_apart(&data, task[t].at);
    }
}

TEST(a_sentence_has_one_content_word)
{
    const struct task_data data = read_task("word_content");
    for (int i = 0; i < data.items; i++) {
        const struct sentence one = cut(data.item[i].text);
        int found = 0;
        for (int w = 0; w < one.words; w++)
            for (int k = 0; k < data.labels; k++) {
                if (strcmp(one.word[w], data.name[k]) != 0) continue;
                assert_int_equal(k, data.item[i].label);
                found++;
            }
        assert_int_equal(found, 1);
    }
}

/* In each split, sentences of each length have all depths equally often. */
TEST(length_tells_nothing_of_depth)
{
    const struct task_data data = read_task("tree_depth");
    int *count = ARENA_ARRAY(&arena, int, TASK_SPLITS *MOST *data.labels);
    assert_in_range(data.labels, 3, 8);
    for (int i = 0; i < data.items; i++) {
        const struct task_item *item = &data.item[i];
        assert_int_equal(atoi(data.name[item->label]), sentence_of(item->text)->depth);
        count[((int)item->split * MOST + item->tokens) * data.labels + item->label]++;
    }
    for (int k = 0; k < TASK_SPLITS * MOST * data.labels; k++)
        assert_int_equal(count[k], count[k / data.labels * data.labels]);
}

TEST(two_neighbors_are_swapped)
{
    const struct task_data data = read_task("bigram_shift");
    for (int i = 0; i < data.items; i++) {
        const char *text = data.item[i].text;
        struct sentence one = cut(text);
        bool found = false;
        assert_int_equal(*data.name[data.item[i].label], sentence_of(text) ? 'O' : 'I');
        for (int w = 0; w + 2 < one.words && !sentence_of(text) && !found; w++) {
            const char *back = "";
            for (int k = 0; k < one.words; k++)
                back = arena_print(&arena, "%s%s%s", back, k ? " " : "",
                                   one.word[k == w       ? w + 1
                                            : k == w + 1 ? w
                                                         : k]);
            found = sentence_of(back) != NULL;
        }
        assert_true(found || sentence_of(text));
    }
}

/* ---- odd man out ---- */

static int bigrams(const char *left, const char *right)
{
    int count = 0;
    for (int i = 0; i < SENTENCES; i++) {
        if (hash_table_get(known, all[i].text, strlen(all[i].text)) != i || all[i].words < 5 ||
            all[i].words > 28)
            continue;
        for (int w = 0; w <= all[i].words; w++)
            count += !strcmp(w ? all[i].word[w - 1] : "<", left) &&
                     !strcmp(w < all[i].words ? all[i].word[w] : ">", right);
    }
    return count;
}

static bool same_digits(int one, int other)
{
    int a = 0, b = 0;
    while (one >> a) a++;
    while (other >> b) b++;
    return a == b;
}

/* Returns the sentence from which an odd one was made; NULL if there is none. *at is set to the
 * position of the word that differs. */
static const struct sentence *original_of(const struct sentence *odd, int *at)
{
    for (int i = 0; i < SENTENCES; i++) {
        int differ = 0;
        if (all[i].words != odd->words) continue;
        for (int w = 0; w < odd->words; w++)
            if (strcmp(all[i].word[w], odd->word[w]) != 0) differ++, *at = w;
        if (differ == 1) return &all[i];
    }
    return NULL;
}

TEST(odd_words_are_alike)
{
    const struct task_data data = read_task("odd_man_out");
    struct hash_table *split = hash_table_new(&arena, 0);
    int tried = 0;
    for (int i = 0; i < data.items; i++) {
        const struct sentence odd = cut(data.item[i].text);
        int at = 0;
        assert_int_equal(*data.name[data.item[i].label], sentence_of(odd.text) ? 'O' : 'C');
        if (sentence_of(odd.text)) continue;
        const struct sentence *from = original_of(&odd, &at);
        assert_non_null(from);
        const char *old = from->word[at], *fresh = arena_text(&arena, odd.word[at]);
        const char *left = at ? odd.word[at - 1] : "<", *right = odd.word[at + 1];
        const int64_t own = (int64_t)data.item[i].split;
        assert_int_equal(*hash_table_at(split, fresh, strlen(fresh), own), own);
        assert_in_range(at, 0, 2);
        assert_int_equal(old[strlen(old) - 1], fresh[strlen(fresh) - 1]);
        if (tried++ % 20) continue; /* counting is slow */
        assert_true(same_digits(bigrams(left, old), bigrams(left, fresh)));
        assert_true(same_digits(bigrams(old, right), bigrams(fresh, right)));
    }
    assert_in_range(tried, 100, 1000);
}

/* ---- the list of tasks ---- */

TEST(a_grid_finds_the_files_by_the_list)
{
    static const char *const name[] = {"Length", "WordContent", "TreeDepth", "BigramShift",
                                       "Tense",  "SubjNumber",  "ObjNumber", "OddManOut"};
    const struct location location = {.file = "command line"};
    const char *path = arena_print(&arena, "%s/one/tasks.yaml", here);
    const struct tasks tasks = tasks_read(&arena, tree_new_text(&arena, location, path), "");
    assert_int_equal(tasks.count, COUNT_OF(files));
    assert_int_equal(tasks.groups, 3);
    for (int i = 0; i < tasks.count; i++) {
        assert_string_equal(tasks.task[i].name, name[i]);
        assert_int_equal(*tasks.task[i].file, '/');
        assert_true(file_exists(tasks.task[i].file));
    }
}
