/* Tests probes/folds. Every item is in one fold, classes are spread evenly, and equal sentences are
 * in the same fold. No fold is empty. Folds depend only on the data. */
#include "tests/support/test.h"

#include "probes/folds.h"

enum { ITEMS = 600, CLASSES = 3, SENTENCES = 400 };

/* Returns data in which item i has the sentence i % sentences. The label belongs to the
 * sentence. */
static struct task_data data_of(int items, int sentences, int classes)
{
    struct task_data data = {.path = "t.txt", .items = items, .labels = classes};
    data.item = ARENA_ARRAY(&arena, struct task_item, items);
    for (int i = 0; i < items; i++) {
        const int sentence = i % sentences;
        data.item[i] = (struct task_item){.text = arena_print(&arena, "s%d", sentence),
                                          .tokens = 1,
                                          .label = sentence % classes,
                                          .split = (enum task_split)(i % TASK_SPLITS)};
    }
    return data;
}

/* Returns the number of items of each class in each fold, [folds][labels]. Fails if a fold is out
 * of range. */
static int *counted(const struct task_data *data, const int *fold, int folds)
{
    int *count = ARENA_ARRAY(&arena, int, folds * data->labels);
    for (int i = 0; i < data->items; i++) {
        assert_in_range(fold[i], 0, folds - 1);
        count[fold[i] * data->labels + data->item[i].label]++;
    }
    return count;
}

TEST(classes_are_spread_evenly)
{
    const struct task_data data = data_of(ITEMS, ITEMS, CLASSES);
    for (int folds = 3; folds <= 20; folds++) {
        const int *fold = folds_of(&data, folds, &arena);
        const int *count = counted(&data, fold, folds);
        for (int k = 0; k < CLASSES; k++) {
            int least = ITEMS, most = 0;
            for (int f = 0; f < folds; f++) {
                const int items = count[f * CLASSES + k];
                if (items < least) least = items;
                if (items > most) most = items;
            }
            assert_in_range(most - least, 0, 1);
        }
    }
}

/* Half of the sentences have two items. So the number of items of a class in a fold may deviate by
 * one sentence, which is two items. */
TEST(equal_sentences_lie_together)
{
    const struct task_data data = data_of(ITEMS, SENTENCES, CLASSES);
    const int *fold = folds_of(&data, 5, &arena);
    const int *count = counted(&data, fold, 5);
    for (int i = SENTENCES; i < ITEMS; i++) assert_int_equal(fold[i], fold[i - SENTENCES]);
    for (int f = 0; f < 5 * CLASSES; f++)
        assert_in_range(count[f], ITEMS / CLASSES / 5 - 2, ITEMS / CLASSES / 5 + 2);
}

/* As in the task WordContent, there are many classes with fewer items than folds. */
TEST(no_fold_is_empty_however_small_the_classes)
{
    const struct task_data data = data_of(40, 40, 20);
    const int *count = counted(&data, folds_of(&data, 20, &arena), 20);
    for (int f = 0; f < 20; f++) {
        int items = 0;
        for (int k = 0; k < 20; k++) items += count[f * 20 + k];
        assert_int_equal(items, 2);
    }
}

TEST(fewer_sentences_than_folds_are_refused)
{
    const struct task_data data = data_of(ITEMS, 4, 2);
    EXPECT_DIE("t.txt: 4 different sentences; expected at least 5, one for each fold",
               folds_of(&data, 5, &arena));
    counted(&data, folds_of(&data, 4, &arena), 4);
}

/* Folds depend on the sentences and the number of folds, but not on the splits of the file.
 * Sentences are not assigned to the folds in turn. */
TEST(only_the_sentences_decide)
{
    struct task_data data = data_of(ITEMS, SENTENCES, CLASSES);
    const int *first = folds_of(&data, 5, &arena);
    for (int i = 0; i < ITEMS; i++) data.item[i].split = TASK_TR;
    assert_memory_equal(first, folds_of(&data, 5, &arena), ITEMS * sizeof *first);
    int in_turn = 0;
    for (int i = 0; i < SENTENCES; i++) in_turn += first[i] == i / CLASSES % 5;
    assert_in_range(in_turn, SENTENCES / 20, SENTENCES / 2);
    const int *four = folds_of(&data, 4, &arena);
    assert_memory_not_equal(first, four, ITEMS * sizeof *four);
}
