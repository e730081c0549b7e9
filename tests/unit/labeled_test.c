/* Tests labeled pairs: files that are read back or refused, the division into training pairs and
 * held-out pairs, and the metrics of a validation. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/model/checkpoint.h"
#include "core/model/classify.h"
#include "core/train/relating.h"
#include "logic/ids.h"

static const int32_t token[] = {3, 4, 0, 5, 1};
static const int64_t start[] = {0, 2, 3, 5};
static const struct labeled_pair pair[] = {{{0, 1}, 2, 1, SPLIT_TRAIN}, {{2, 2}, 0, 3, SPLIT_TEST}};
enum { HEADER = 40, TOKENS = HEADER + 4 * 8, PAIRS = TOKENS + 5 * 4, BYTES = PAIRS + 2 * 20 + 64 };

static char *content(const char **path)
{
    const struct labeled labeled = {
        .words = 6,
        .classes = 3,
        .text = {.sentences = 3, .side[SIDE_SOURCE] = {.token = token, .start = start}},
        .pairs = 2,
        .pair = pair};
    *path = arena_print(&arena, "%s/pairs", test_folder("labeled"));
    labeled_write(*path, &labeled);
    size_t bytes;
    char *written = file_read(&arena, *path, 0, &bytes);
    assert_int_equal(bytes, BYTES);
    return written;
}

TEST(what_is_written_is_read)
{
    const char *path;
    content(&path);
    const struct labeled labeled = labeled_read(&arena, path);
    assert_int_equal(labeled.words, 6);
    assert_int_equal(labeled.classes, 3);
    assert_int_equal(labeled.text.sentences, 3);
    assert_int_equal(labeled.text.longest[SIDE_SOURCE], 2);
    assert_memory_equal(labeled.text.side[SIDE_SOURCE].token, token, sizeof token);
    assert_memory_equal(labeled.text.side[SIDE_SOURCE].start, start, sizeof start);
    assert_int_equal(labeled.pairs, 2);
    assert_memory_equal(labeled.pair, pair, sizeof pair);
}

static void write_bytes(const char *path, const char *text, size_t bytes)
{
    struct file_writer writer = file_create(path);
    fwrite(text, 1, bytes, writer.stream);
    file_commit(&writer);
}

TEST(damage_is_refused)
{
    static const struct {
        int at, bytes;
        int64_t value;
        const char *message;
    } damage[] = {
        {0, 1, 'X', "not a file of labeled pairs"},
        {8, 4, 2, "pairs of version 2, this program reads version 1"},
        {20, 4, 2, "its header gives another number"},
        {24, 4, -1, "its header gives another number"},
        {32, 8, INT64_MAX, "its header gives another number"},
        {HEADER, 8, 1, "sentences do not cover the tokens"},
        {HEADER + 24, 8, 4, "sentences do not cover the tokens"},
        {HEADER + 8, 8, 0, "sentence 1 has 0 tokens"},
        {HEADER + 8, 8, 5, "sentence 2 has -2 tokens"},
        {TOKENS, 4, 6, "token 6 of 6 words"},
        {TOKENS + 16, 4, -1, "token -1 of 6 words"},
        {PAIRS, 4, 3, "pair 1"},
        {PAIRS + 8, 4, 3, "pair 1"},
        {PAIRS + 20 + 12, 4, -1, "pair 2"},
        {PAIRS + 20 + 16, 4, SPLITS, "pair 2"},
    };
    for (volatile size_t i = 0; i < COUNT_OF(damage); i++)
        for (volatile int digest = 0; digest < 2; digest++) {
            const char *path;
            char *bytes = content(&path), said[DIGEST_TEXT];
            memcpy(bytes + damage[i].at, &damage[i].value, (size_t)damage[i].bytes);
            digest_bytes(bytes, BYTES - 64, said);
            if (digest) memcpy(bytes + BYTES - 64, said, 64); /* digest of the changed bytes */
            write_bytes(path, bytes, BYTES);
            EXPECT_DIE(digest || i < 5 ? damage[i].message
                                       : "its content does not match its digest",
                       labeled_read(&arena, path));
            write_bytes(path, bytes, (size_t)(BYTES - 1 - (int)i));
            EXPECT_DIE(i == 0   ? "not a file of labeled pairs"
                       : i == 1 ? "pairs of version 2"
                                : "its header gives another number",
                       labeled_read(&arena, path));
        }
}

/* ---- formulas ---- */

static const char *const letters[] = {"a", "b", "c", "d", "e", "f", NULL};

TEST(statements_become_symbols)
{
    const struct formula_names names =
        formula_names_read((struct location){.file = "names"}, letters);
    struct logic_pairs pairs = {.names = &names, .arena = &arena};
    static const struct {
        const char *name, *text;
    } file[] = {{"test1", ">\ta\t( a ( and f ) )\n"},
                {"train1", "<\t( a ( and f ) )\ta\n"},
                {"train0", "=\ta\ta\n"}};
    for (size_t i = 0; i < COUNT_OF(file); i++)
        logic_pairs_take(&pairs, file[i].name, file[i].text, strlen(file[i].text));
    const struct labeled labeled = logic_labeled(&arena, &pairs, LOGIC_BOWMAN);
    static const int32_t symbols[] = {FORMULA_VARIABLE, FORMULA_OPEN, FORMULA_VARIABLE,
                                      FORMULA_OPEN,     FORMULA_AND,  FORMULA_VARIABLE + 5,
                                      FORMULA_CLOSE,    FORMULA_CLOSE};
    static const struct labeled_pair expected[] = {
        {{0, 0}, RELATION_EQUIVALENCE, 0, SPLIT_TRAIN},
        {{1, 0}, RELATION_FORWARD, 1, SPLIT_TRAIN},
        {{0, 1}, RELATION_REVERSE, 1, SPLIT_TEST},
    };
    assert_int_equal(labeled.text.sentences, 2);
    assert_memory_equal(labeled.text.side[SIDE_SOURCE].token, symbols, sizeof symbols);
    assert_int_equal(labeled.text.side[SIDE_SOURCE].start[2], 8);
    assert_int_equal(labeled.text.longest[SIDE_SOURCE], 7);
    assert_int_equal(labeled.pairs, 3);
    assert_memory_equal(labeled.pair, expected, sizeof expected);
}

/* Generated pairs equal the pairs that are read from their files. A new division puts 80, 10 and 10
 * percent of each bin into train, dev and test. */
TEST(made_pairs_are_those_of_files)
{
    const struct formula_names names =
        formula_names_read((struct location){.file = "names"}, letters);
    const struct logic_options options = {
        .names = &names, .pairs = 2000, .depth = LOGIC_DEPTH, .protocol = LOGIC_BOWMAN, .seed = 3};
    struct logic_made made = logic_make(&options, &arena);
    struct logic_pairs taken = {.names = &names, .arena = &arena},
                       read = {.names = &names, .arena = &arena};
    const char *folder = test_folder("labeled_made");
    logic_made_pairs(&made, &taken);
    logic_made_write(&made, folder);
    for (int bin = LOGIC_BINS - 1; bin >= 0; bin--) { /* in another order */
        logic_pairs_read(&read, arena_print(&arena, "%s/test%d", folder, bin));
        logic_pairs_read(&read, arena_print(&arena, "%s/train%d", folder, bin));
    }
    const struct labeled one = logic_labeled(&arena, &taken, LOGIC_BOWMAN),
                         other = logic_labeled(&arena, &read, LOGIC_BOWMAN),
                         anew = logic_labeled(&arena, &read, LOGIC_TRAN);
    assert_int_equal(one.pairs, other.pairs);
    for (int p = 0; p < one.pairs; p++) {
        assert_int_equal(one.pair[p].label, other.pair[p].label);
        assert_int_equal(one.pair[p].group, other.pair[p].group);
        assert_int_equal(one.pair[p].split, other.pair[p].split);
    }
    int count[LOGIC_BINS][SPLITS] = {{0}};
    for (int p = 0; p < anew.pairs; p++) count[anew.pair[p].group][anew.pair[p].split]++;
    for (int bin = 0; bin < LOGIC_BINS; bin++) {
        const int all = count[bin][SPLIT_TRAIN] + count[bin][SPLIT_DEV] + count[bin][SPLIT_TEST];
        assert_int_equal(count[bin][SPLIT_TRAIN], all * 8 / 10);
        assert_int_equal(count[bin][SPLIT_TRAIN] + count[bin][SPLIT_DEV], all * 9 / 10);
    }
}

/* ---- training pairs and held-out pairs ---- */

/* Returns 25 pairs with groups 0, 1, 2, 3, 0, 1, .. The last five pairs are in dev if their group
 * is below `dev`. */
static struct labeled pairs_of(int dev)
{
    struct labeled_pair *all = ARENA_ARRAY(&arena, struct labeled_pair, 25);
    for (int p = 0; p < 25; p++) {
        all[p] = (struct labeled_pair){.group = p % 4, .split = SPLIT_TRAIN};
        if (p % 4 < dev && p >= 20) all[p].split = SPLIT_DEV;
    }
    return (struct labeled){.pairs = 25, .pair = all};
}

static void expect_pairs(const struct relating_subset *part, const int *expected, int count)
{
    assert_int_equal(part->count, count);
    for (int i = 0; i < count; i++) assert_int_equal(part->pair[i], expected[i]);
}

TEST(every_third_is_held_out)
{
    const struct labeled data = pairs_of(0);
    const struct relating_subsets parts = relating_subsets(&arena, &data, 1, 2, 3);
    static const int train[] = {1, 2, 6, 9, 13, 14, 18, 21}, dev[] = {5, 10, 17, 22},
                     other[] = {4, 11, 16, 23};
    expect_pairs(&parts.train, train, COUNT_OF(train));
    expect_pairs(&parts.dev, dev, COUNT_OF(dev));
    expect_pairs(&parts.other, other, COUNT_OF(other));
}

TEST(or_those_of_dev)
{
    const struct labeled data = pairs_of(4);
    const struct relating_subsets parts = relating_subsets(&arena, &data, 1, 2, 3);
    static const int train[] = {1, 2, 5, 6, 9, 10, 13, 14, 17, 18}, dev[] = {21, 22},
                     other[] = {20, 23, 24};
    expect_pairs(&parts.train, train, COUNT_OF(train));
    expect_pairs(&parts.dev, dev, COUNT_OF(dev));
    expect_pairs(&parts.other, other, COUNT_OF(other));
}

/* ---- steps and validations ---- */

enum { WORDS = 9, CLASSES = 3, MANY = 240, GROUPS = 4 };

/* Makes 240 pairs of 20 sentences. Their labels and groups are almost independent. */
static struct labeled many_pairs(void)
{
    enum { SENTENCES = 20, LENGTH = 3 };
    int64_t *begin = ARENA_ARRAY(&arena, int64_t, SENTENCES + 1);
    int32_t *word = ARENA_ARRAY(&arena, int32_t, SENTENCES * LENGTH);
    struct labeled_pair *all = ARENA_ARRAY(&arena, struct labeled_pair, MANY);
    for (int s = 0; s < SENTENCES; s++) {
        begin[s + 1] = begin[s] + LENGTH;
        for (int t = 0; t < LENGTH; t++) word[s * LENGTH + t] = (s * 7 + t * (s + 2)) % WORDS;
    }
    for (int p = 0; p < MANY; p++)
        all[p] = (struct labeled_pair){{p % SENTENCES, p / 3 % SENTENCES},
                                       p % 5 % CLASSES,
                                       p * p % GROUPS ? p % 3 + 1 : 0,
                                       SPLIT_TRAIN};
    return (struct labeled){
        WORDS, CLASSES, {SENTENCES, {LENGTH, 0}, {{word, begin}, {NULL, NULL}}}, MANY, all};
}

/* Counts the pairs of a part by group, and also the pairs whose class is predicted correctly. */
static double count_right(struct classify *classify, const struct labeled *data,
                          const struct relating_subset *part, int pairs[GROUPS], int right[GROUPS])
{
    int32_t class[MANY];
    const double nats = classify_pairs(classify, part->pair, part->count, class, NULL, NULL);
    for (int i = 0; i < part->count; i++) {
        const struct labeled_pair *one = &data->pair[part->pair[i]];
        pairs[one->group]++;
        right[one->group] += class[i] == one->label;
    }
    return nats;
}

struct subject {
    struct translator_options read;
    struct train_options train;
    struct pair_options options;
};

static struct learner *subject_open(struct subject *s, const struct labeled *data)
{
    struct tree *tree = tree_merge(
        &arena, NULL,
        tree_parse(&arena, "x",
                   "model: {width: 8, heads: 2, feedforward: 8}\nencoder.layers: 1\n"
                   "train: {batch_pairs: 25, accumulate: 3, steps: 6, validate_every: 1, "
                   "keep_best: 1, keep_average: 1}\n"));
    translator_options_read(&s->read, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &s->train, &arena);
    s->options = (struct pair_options){.model = &s->read.model,
                                       .encoder = &s->read.encoder,
                                       .head = {.layers = 1, .hidden = {6}},
                                       .words = WORDS,
                                       .classes = CLASSES};
    return relating_open(&arena, &(struct relating){.ops = cpu_ops(),
                                                    .data = data,
                                                    .model = &s->options,
                                                    .train = &s->train,
                                                    .first_group = 1,
                                                    .last_group = 2,
                                                    .judged = 1,
                                                    .dev_every = 3,
                                                    .seed = 4});
}

/* Groups 1 and 2 are trained. All groups from 1 on are evaluated. The last step of an epoch has the
 * remaining pairs. */
TEST(a_learner_of_pairs)
{
    const struct labeled data = many_pairs();
    struct subject subject;
    struct learner *learner = subject_open(&subject, &data);
    const struct relating_subsets parts = relating_subsets(&arena, &data, 1, 2, 3);
    assert_null(learner->fault);
    model_place(learner->model, true, 4);

    int left = parts.train.count;
    const int steps = learner->epoch_steps(learner->context, 0);
    assert_true(steps == (left + 24) / 25 && left % 25);
    for (int s = 0; s < steps; s++) {
        const struct learner_step step = learner->step(learner->context, 0, s, &arena);
        int labels = 0;
        for (int m = 0; m < step.micros; m++) labels += step.micro[m].labels;
        assert_int_equal(step.normalizer, left < 25 ? left : 25);
        assert_int_equal(labels, step.normalizer);
        left -= labels;
    }
    assert_int_equal(left, 0);

    struct classify *classify = classify_open(&arena, learner->model, &data);
    int pairs[GROUPS] = {0}, right[GROUPS] = {0};
    const double nats = count_right(classify, &data, &parts.dev, pairs, right);
    const double accuracy = 100. * (right[1] + right[2]) / (pairs[1] + pairs[2]);
    count_right(classify, &data, &parts.other, pairs, right);
    const double judged =
        (100. * right[1] / pairs[1] + 100. * right[2] / pairs[2] + 100. * right[3] / pairs[3]) / 3;
    assert_true(pairs[0] > 0 && pairs[3] > 0 && accuracy > 0 && accuracy != judged);
    /* Pairs in several batches have the same results as pairs that are classified alone. */
    enum { SOME = 2 * CLASSIFY_PAIRS + 7 };
    static int32_t number[SOME], together[SOME], alone;
    double sum = 0;
    for (int i = 0; i < SOME; i++) number[i] = i * 7 % MANY;
    const double of_all = classify_pairs(classify, number, SOME, together, NULL, NULL);
    for (int i = 0; i < SOME; i++) {
        sum += classify_pairs(classify, number + i, 1, &alone, NULL, NULL);
        assert_int_equal(alone, together[i]);
    }
    assert_float_equal(of_all, sum, 1e-4 * sum);

    const struct validation found = learner->validate(learner->context);
    assert_int_equal(found.values, 3);
    assert_string_equal(found.value[0].name, "dev_loss");
    assert_float_equal(found.value[0].value, nats / parts.dev.count, 1e-6);
    assert_string_equal(found.value[1].name, "dev_accuracy");
    assert_float_equal(found.value[1].value, accuracy, 1e-9);
    assert_string_equal(found.value[2].name, "dev_all_groups");
    assert_float_equal(found.value[2].value, judged, 1e-9);
    assert_float_equal(found.rank, -accuracy, 1e-9); /* a lower rank is better */
    assert_true(found.others);
    assert_float_equal(found.other, -judged, 1e-9);
    classify_close(classify);
    relating_close(learner);
}

/* By `rank`, each validation is better than the preceding one. By `other`, the second of six is the
 * best. */
static struct validation ranked_twice(void *context)
{
    static int number;
    struct validation validation = {
        .values = 1, .value = {{"dev_loss", 1}}, .rank = -number, .others = true};
    validation.other = number++ == 1 ? 0 : 1;
    return validation;
}

/* The checkpoint of the second step is kept, although by `rank` it is not the best, and it is not
 * among the newest. */
TEST(the_best_by_the_second_rank_stays)
{
    const struct labeled data = many_pairs();
    struct subject s;
    struct learner *learner = subject_open(&s, &data);
    const char *folder = test_folder("labeled_ranked");
    struct journal *journal = journal_open(folder);
    int64_t step[6];
    learner->validate = ranked_twice;
    const struct train_job job = {.learner = learner, .folder = folder, .journal = journal};
    assert_int_equal(train_run(&job), TRAIN_DONE);
    assert_int_equal(train_other(folder), 2);
    assert_int_equal(checkpoint_steps(folder, step, 6), 3);
    assert_true(step[0] == 2 && step[1] == 5 && step[2] == 6);
    journal_close(journal);
    relating_close(learner);
}

/* Selects the sentences that have a row, in their order. `longest` is the length of the longest
 * selected sentence. */
TEST(sentences_with_a_row_are_chosen)
{
    struct arena own = {0};
    static const int32_t tokens[] = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4}, row[] = {0, -1, 1, -1};
    static const int64_t starts[] = {0, 1, 3, 6, 10};
    static const int32_t chosen[] = {1, 3, 3, 3};
    const struct split all = {.sentences = 4, .side[SIDE_SOURCE] = {tokens, starts}};
    const struct split split = split_chosen(&own, &all, row);
    assert_int_equal(split.sentences, 2);
    assert_int_equal(split.longest[SIDE_SOURCE], 3);
    assert_int_equal(split.side[SIDE_SOURCE].start[1], 1);
    assert_int_equal(split.side[SIDE_SOURCE].start[2], 4);
    assert_memory_equal(split.side[SIDE_SOURCE].token, chosen, sizeof chosen);
    arena_free(&own);
}
