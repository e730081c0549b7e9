/* The stage `contrast` measures the accuracy of a trained model on contrastive pairs. The right and
 * the wrong target of a pair differ in a single point. A pair is correct if the model assigns the
 * higher probability to the right target (core/decode/contrast.h). */
/* sources: ..core/model core/decode/contrast.* core/decode/likelihood.* */
/* rank: 25 */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "core/corpus/corpus_sources.h"
#include "core/decode/contrast.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_work.h"
#include "results/table/column.h"
#include "results/table/observations.h"
#include "results/store/items.h"
#include "results/store/offer.h"

struct contrast_options {
    const char *file, *checkpoint, *by;
    int per;
};

static const struct option rows[] = {
    OPTION_TEXT("file", offsetof(struct contrast_options, file), "", OPTION_NO_ID,
                "file of pairs under $SANLAB_DATA or data/, tab-separated: source, right target, "
                "wrong target, tags"),
    OPTION_TEXT("checkpoint", offsetof(struct contrast_options, checkpoint), "best", OPTION_ID,
                "parameters: best, last, average(N), mean_of_best(N) or start (see "
                "evaluate.bleu.checkpoint)"),
    OPTION_CHOICE(
        "per", offsetof(struct contrast_options, per), "target", "target|piece", OPTION_ID,
        "scores that are compared: log probabilities of targets, or their means per piece"),
    OPTION_TEXT("by", offsetof(struct contrast_options, by), "", OPTION_ID,
                "column of tags whose values are the classes, or none; empty: the first column"),
};
const struct evaluation evaluation_contrast = {
    .section = SECTION("evaluate.contrast", "pairs of a right and a wrong translation", rows,
                       struct contrast_options)};

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct contrast_options *options = stage_options(stage);
    stage_digest_text(stage, "pairs", options->file, arena);
}

/* Dies if a column of tags has more different values than a table can show as classes. */
static void check_classes(const struct contrast_pairs *pairs, int tag, struct location location)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct hash_table *known = hash_table_new(&arena, COLUMN_CLASSES_MOST);
    int classes = 0;
    for (int i = 0; i < pairs->count; i++) {
        const char *class = pairs->tag[tag][i];
        classes += *hash_table_at(known, class, strlen(class), classes) == classes;
    }
    if (classes > COLUMN_CLASSES_MOST)
        die_at(location,
               "evaluate.contrast.by: the column \"%s\" has %d different tags; expected a column "
               "with at most %d, or none",
               pairs->tag_name[tag], classes, COLUMN_CLASSES_MOST);
}

/* Returns the tags of the column that `by` names; NULL if the pairs have no classes. Dies if there
 * is no such column. */
static const char **classes_of(const struct contrast_pairs *pairs, const char *by,
                               struct location location)
{
    if ((!pairs->tags && !*by) || !strcmp(by, "none")) return NULL;
    for (int t = 0; t < pairs->tags; t++) {
        if (*by && strcmp(pairs->tag_name[t], by) != 0) continue;
        check_classes(pairs, t, location);
        return pairs->tag[t];
    }
    word_refuse(location, "evaluate.contrast.by", "the pairs have no column of tags", by,
                pairs->tag_name);
}

/* Reads the pairs if the file exists, so that an invalid file is found before any stage runs. */
static void check(struct kind_check *check)
{
    const struct contrast_options *options = check->options;
    if (!*options->file)
        die_at(kind_check_place(check, ""),
               "evaluate.contrast.file: expected the path of a file of pairs");
    const char *file = corpus_find_file(check->arena, options->file);
    if (!file ||
        !kind_check_first(check, arena_print(check->arena, "%s %s", options->file, options->by)))
        return;
    const struct contrast_pairs pairs = contrast_read(check->arena, file);
    classes_of(&pairs, options->by, kind_check_place(check, "by"));
}

/* Judgments of the pairs by one set, or their means over all sets. */
struct judged {
    int count;
    struct item *item; /* [count] 100 if the model prefers the right target, else 0 */
    double *share;     /* [count] p(right) / (p(right) + p(wrong)) */
};

static struct judged judged_new(struct arena *arena, int count, const char *const *class)
{
    struct judged judged = {count, ARENA_ARRAY(arena, struct item, count),
                            ARENA_ARRAY(arena, double, count)};
    for (int i = 0; i < count; i++)
        judged.item[i] = (struct item){.class = class ? class[i] : "", .stratum = ""};
    return judged;
}

/* Writes the accuracy in per cent and the mean share, over all pairs and over each class, in the
 * order of the file. `set` is the set, from 1; 0: all sets. */
static void write_rows(struct stage_work *work, const struct judged *judged, int set)
{
    const struct item *item = judged->item;
    for (int k = -1; k < judged->count; k++) {
        const char *class = k < 0 ? NULL : item[k].class;
        double right = 0, share = 0;
        int n = 0, first = -1;
        for (int i = 0; i < judged->count; i++) {
            if (class && strcmp(item[i].class, class) != 0) continue;
            if (first < 0) first = i;
            right += item[i].number;
            share += judged->share[i];
            n++;
        }
        if (class && (first < k || !*class)) continue;
        const struct value_at at = {.set = set, .class = class};
        stage_work_value(work, "accuracy", right / n, n, at);
        stage_work_value(work, "share", share / n, n, at);
    }
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct contrast_options *options = stage_options(stage);
    const struct contrast_pairs pairs = contrast_read(arena, stage_text_file(options->file, arena));
    const char *const *class =
        classes_of(&pairs, options->by, (struct location){.file = pairs.path});
    struct frozen *frozen = stage_work_frozen(work, options->checkpoint);
    const struct judged mean = judged_new(arena, pairs.count, class);
    for (int set = 0; set < frozen->sets; set++) {
        const struct judged one = judged_new(arena, pairs.count, class);
        frozen_load(frozen, set);
        const struct contrast *contrast = contrast_judge(frozen, &pairs, arena);
        for (int i = 0; i < pairs.count; i++) {
            one.item[i].number = contrast_prefers(&contrast[i], options->per) ? 100 : 0;
            one.share[i] = contrast_share(&contrast[i]);
            mean.item[i].number += one.item[i].number / frozen->sets;
            mean.share[i] += one.share[i] / frozen->sets;
        }
        stage_work_items(work, items_file(set, frozen->sets, arena), one.item, pairs.count);
        if (frozen->sets > 1) write_rows(work, &one, set + 1);
    }
    frozen_close(frozen);
    write_rows(work, &mean, 0);
    stage_work_real(work, "items", pairs.count);
    stage_work_text(work, "signature",
                    arena_print(arena, "accuracy|per:%s|pairs:%.8s|number:%d",
                                options->per ? "piece" : "target", stage->file->digest,
                                pairs.count));
    return WORK_DONE;
}

const struct offer offer_contrast = {
    .kind = "contrast",
    VALUES(VALUE("accuracy", "Contrast", NULL, .decimals = 1, .best = COLUMN_MOST,
                 .traits = BY_SET | BY_CLASS, .counted = "pairs",
                 .observations = observations_items),
           VALUE("share", "p(right)", NULL, .decimals = 3, .best = COLUMN_MOST,
                 .traits = BY_SET | BY_CLASS, .counted = "pairs")),
    .numbers = "items",
    .telling = "accuracy",
    .section = "evaluate.contrast",
    .caption = "Pairs: {file}, checkpoint {checkpoint}",
};

const struct stage_kind kind_contrast = {
    .name = "contrast",
    .evaluation = &evaluation_contrast,
    READS_FROZEN,
    .find_files = find_files,
    .check = check,
    .passes = 10,
    .run = run,
};
