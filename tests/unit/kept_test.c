/* Tests the number of pairs that a corpus keeps. A plan that reads the text predicts this number
 * for all options. */
#include "tests/support/test.h"

#include "core/corpus/corpus_pairs.h"
#include "experiments/stage/facts.h"
#include "tests/support/made_corpus.h"

/* Checks that the plan predicts the number of pairs in every split of the corpus. */
static void count(const struct corpus_options *options, int pairs_of[SPLITS])
{
    const struct settings settings = {.corpus = *options};
    struct stage stage = {.settings = &settings, .folder = "absent"};
    const struct corpus_facts *facts = corpus_facts(&stage, &arena);
    const struct corpus_sources sources = corpus_sources(options, &arena, NULL);
    struct pairs pairs[SPLITS] = {0};
    struct text_audit audit = {0};
    pairs_read(&arena, options, &sources, pairs, &audit);
    const struct text_findings findings = text_audit_end(&audit);
    assert_memory_equal(facts->findings, &findings, sizeof findings);
    for (int split = 0; split < SPLITS; split++) {
        pairs_of[split] = pairs[split].count;
        assert_int_equal(facts->sentences[split], pairs_of[split]);
    }
}

/* Tries every option that is a number or a switch, so that future filters are tested, too. Returns
 * the number of options that change the number of pairs. */
static int try_options(const struct corpus_options *base)
{
    int plain[SPLITS], counted[SPLITS], changing = 0;
    count(base, plain);
    for (int i = 0; i < corpus_section.count; i++) {
        const struct option *row = &corpus_section.option[i];
        if (!strcmp(row->key, "dev_every") && !base->dev_every)
            continue; /* the corpus has a dev text */
        if (!strcmp(row->key, "segmented") && base->text != CORPUS_RAW) continue;
        bool changes = false;
        for (int value = 2; value < 6; value++) {
            struct corpus_options options = *base;
            void *field = (char *)&options + row->offset;
            if (row->type == OPTION_TYPE_INT) *(int *)field = value;
            if (row->type == OPTION_TYPE_REAL) *(double *)field = value;
            if (row->type == OPTION_TYPE_BOOL) *(bool *)field = value % 2;
            count(&options, counted);
            changes |= memcmp(counted, plain, sizeof plain) != 0;
        }
        changing += changes;
    }
    return changing;
}

/* Twelve pairs. Two of them are not valid text, and three more have an empty side. A form feed
 * separates words, as a blank does. */
static const char source[] =
    "a\na b\n\n\xff\na\fb c\na b c d e\na\n\na b c d e f g\nx\0y\nb\na b\n",
                  target[] = "b\na\n\na\na\na b c d\n\nb\na b c d e f\na\nb b b b\na b\n";

TEST(a_plan_counts_the_pairs_that_a_corpus_keeps)
{
    made_options.bad_utf8 = BAD_UTF8_DROP_PAIR;
    for (int split = 0; split < SPLITS; split++) {
        const char *name = split_names[split];
        made_put_bytes(arena_print(&arena, "%s.xx", name), source, sizeof source - 1);
        made_put_bytes(arena_print(&arena, "%s.yy", name), target, sizeof target - 1);
    }
    int pairs_of[SPLITS];
    count(&made_options, pairs_of);
    assert_int_equal(pairs_of[SPLIT_TRAIN], 7);
    assert_int_equal(pairs_of[SPLIT_DEV], 10);
    assert_int_equal(try_options(&made_options),
                     6); /* 3 limits, max_words, train_max_words, train_max_ratio */
    made_options.part[SPLIT_DEV] = made_part("");
    made_options.dev_every = 2;
    made_options.text = CORPUS_RAW;
    assert_int_equal(try_options(&made_options), 7);
}

EACH_TEST(made_begin);
