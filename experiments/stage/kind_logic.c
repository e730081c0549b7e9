/* The stage `logic`: how often a trained classifier tells the relation of test pairs, by their
 * number of operators. */
/* sources: ..core/model core/train/train.* core/train/state.* */
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "core/model/classify.h"
#include "core/train/train.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_work.h"
#include "results/table/observations.h"
#include "results/store/items.h"
#include "results/store/offer.h"

enum { INPUT_FORMULAS, INPUT_RELATE };
enum { LOGIC_SHORT = 6 }; /* operators of the longest short pairs */

const struct evaluation evaluation_logic = {.section = &logic_section,
                                            .split = -1,
                                            .checkpoint =
                                                offsetof(struct logic_section, checkpoint)};

static const char *const bin_names[LOGIC_BINS] = {"0", "1", "2", "3",  "4",  "5", "6",
                                                  "7", "8", "9", "10", "11", "12"};

/* The pairs that are tested. */
struct tested {
    const struct labeled *data;
    int count;
    int32_t *pair;
};

static struct tested tested_pairs(const struct labeled *data, struct arena *arena)
{
    struct tested tested = {.data = data, .pair = ARENA_ARRAY(arena, int32_t, data->pairs)};
    for (int p = 0; p < data->pairs; p++)
        if (data->pair[p].split == SPLIT_TEST && data->pair[p].group >= LOGIC_TESTED)
            tested.pair[tested.count++] = p;
    if (!tested.count) die("no test pairs of %d operators or more", LOGIC_TESTED);
    return tested;
}

static const struct labeled_pair *pair_at(const struct tested *tested, int i)
{
    return &tested->data->pair[tested->pair[i]];
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct pair_options model = logic_model(stage->settings);
    const double pairs = 37000, tokens = 45 * pairs; /* as the published files have them */
    const struct pair_cost cost = pair_classifier_train_cost(&model, pairs, tokens);
    (void)arena;
    return (struct estimate){.flops = cost.flops / 3, .work = cost.work / 3, .disk = 8 * pairs};
}

/* ---- values ---- */

static void write_mean(struct stage_work *work, const char *name, double sum, int n,
                       const char *class, int set)
{
    if (!n) return;
    journal_mean(work->journal, name, sum / n, set, class, n);
    if (!class && set == JOURNAL_NONE) json_object_set_new(work->summary, name, json_real(sum / n));
}

/* The mean of numbers of pairs with `first` to `last` operators. */
static void write_bins(struct stage_work *work, const struct tested *tested, const double *number,
                       const char *name, int first, int last, const char *class, int set)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < tested->count; i++) {
        const int bin = pair_at(tested, i)->group;
        if (bin < first || bin > last) continue;
        sum += number[i];
        n++;
    }
    write_mean(work, name, sum, n, class, set);
}

/* Over all pairs, by bin, and over short and long ones. */
static void write_accuracy(struct stage_work *work, const struct tested *tested,
                           const double *number, const char *prefix, int set)
{
    const char *name = arena_print(&work->arena, "%saccuracy", prefix);
    const int last = LOGIC_BINS - 1;
    write_bins(work, tested, number, name, LOGIC_TESTED, last, NULL, set);
    for (int bin = LOGIC_TESTED; bin <= last; bin++)
        write_bins(work, tested, number, name, bin, bin, bin_names[bin], set);
    write_bins(work, tested, number, arena_print(&work->arena, "%sshort", prefix), LOGIC_TESTED,
               LOGIC_SHORT, NULL, set);
    write_bins(work, tested, number, arena_print(&work->arena, "%slong", prefix), LOGIC_SHORT + 1,
               last, NULL, set);
}

/* What guessing the most frequent relation of a bin reaches. */
static void write_majority(struct stage_work *work, const struct tested *tested)
{
    int all = 0, right = 0;
    for (int bin = LOGIC_TESTED; bin < LOGIC_BINS; bin++) {
        int count[RELATIONS] = {0}, most = 0, n = 0;
        for (int i = 0; i < tested->count; i++)
            if (pair_at(tested, i)->group == bin) count[pair_at(tested, i)->label]++, n++;
        for (int k = 0; k < RELATIONS; k++) most = count[k] > most ? count[k] : most;
        write_mean(work, "majority", 100. * most, n, bin_names[bin], JOURNAL_NONE);
        all += n, right += most;
    }
    write_mean(work, "majority", 100. * right, all, NULL, JOURNAL_NONE);
}

static void write_relations(struct stage_work *work, const struct tested *tested,
                            const double *number)
{
    for (int k = 0; k < RELATIONS; k++) {
        double sum = 0;
        int n = 0;
        for (int i = 0; i < tested->count; i++)
            if (pair_at(tested, i)->label == k) sum += number[i], n++;
        write_mean(work, "relation", sum, n, relation_names[k], JOURNAL_NONE);
    }
}

/* ---- files ---- */

static void write_items(struct stage_work *work, const struct tested *tested, const double *number,
                        int set, int sets)
{
    struct item *item = ARENA_ARRAY(&work->arena, struct item, tested->count);
    for (int i = 0; i < tested->count; i++)
        item[i] = (struct item){
            .number = number[i], .class = bin_names[pair_at(tested, i)->group], .stratum = ""};
    const char *file = items_file(set, sets, &work->arena);
    items_write(work->stage->folder, file, item, tested->count);
    stage_work_output(work, file);
}

/* confusion.tsv: how many pairs of a bin and a relation are told to be of which, of all sets. */
static void write_confusion(struct stage_work *work, int (*count)[RELATIONS][RELATIONS])
{
    static const char file[] = "confusion.tsv";
    struct file_writer writer =
        file_create(arena_print(&work->arena, "%s/%s", work->stage->folder, file));
    fputs("operators\trelation\ttold\tpairs\n", writer.stream);
    for (int bin = LOGIC_TESTED; bin < LOGIC_BINS; bin++)
        for (int k = 0; k < RELATIONS; k++)
            for (int told = 0; told < RELATIONS; told++)
                if (count[bin][k][told])
                    fprintf(writer.stream, "%d\t%s\t%s\t%d\n", bin, relation_names[k],
                            relation_names[told], count[bin][k][told]);
    file_commit(&writer);
    stage_work_output(work, file);
}

/* ---- the work ---- */

static void progress(void *context, int64_t done, int64_t total)
{
    stage_work_progress(context, done, total, "pairs");
}

/* 100 for each pair that is told right. */
static double *judge(struct stage_work *work, struct classify *classify,
                     const struct tested *tested, int32_t *told)
{
    double *number = ARENA_ARRAY(&work->arena, double, tested->count);
    classify_pairs(classify, tested->pair, tested->count, told, progress, work);
    for (int i = 0; i < tested->count; i++)
        number[i] = told[i] == pair_at(tested, i)->label ? 100 : 0;
    return number;
}

static struct frozen *open_model(struct stage_work *work, const struct pair_options *options)
{
    const struct stage *relate = work->stage->input[INPUT_RELATE];
    const struct frozen_job job = {.ops = work->ops,
                                   .model = pair_classifier_new(&work->arena, work->ops, options),
                                   .train_folder = relate->folder,
                                   .checkpoint =
                                       logic_section_at(work->stage->settings)->checkpoint,
                                   .seed = relate->seed};
    return frozen_open(&work->arena, &job);
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct pair_options options = logic_model(stage->settings);
    const struct labeled data = labeled_read(
        arena, arena_print(arena, "%s/" LOGIC_FILE, stage->input[INPUT_FORMULAS]->folder));
    const struct tested tested = tested_pairs(&data, arena);
    struct frozen *frozen = open_model(work, &options);
    struct classify *classify = classify_open(arena, frozen->model, &data);
    int32_t *told = ARENA_ARRAY(arena, int32_t, tested.count);
    double *mean = ARENA_ARRAY(arena, double, tested.count);
    int(*confusion)[RELATIONS][RELATIONS] = arena_alloc(arena, LOGIC_BINS * sizeof *confusion);
    for (int set = 0; set < frozen->sets; set++) {
        frozen_load(frozen, set);
        const double *number = judge(work, classify, &tested, told);
        for (int i = 0; i < tested.count; i++) {
            const struct labeled_pair *pair = pair_at(&tested, i);
            mean[i] += number[i] / frozen->sets;
            confusion[pair->group][pair->label][told[i]]++;
        }
        write_items(work, &tested, number, set, frozen->sets);
        if (frozen->sets > 1) write_accuracy(work, &tested, number, "", set + 1);
    }
    write_accuracy(work, &tested, mean, "", JOURNAL_NONE);
    write_relations(work, &tested, mean);
    write_majority(work, &tested);
    write_confusion(work, confusion);
    const int64_t tran = train_other(stage->input[INPUT_RELATE]->folder);
    if (tran >= 0 && frozen->steps) {
        checkpoint_load(stage->input[INPUT_RELATE]->folder, tran, &frozen->model->parameters,
                        false);
        write_accuracy(work, &tested, judge(work, classify, &tested, told), "tran_", JOURNAL_NONE);
        json_object_set_new(work->summary, "tran_step", json_integer(tran));
    }
    json_object_set_new(work->summary, "items", json_integer(tested.count));
    char digest[DIGEST_TEXT];
    digest_file(arena_print(arena, "%s/" LOGIC_FILE, stage->input[INPUT_FORMULAS]->folder), digest);
    json_object_set_new(
        work->summary, "signature",
        json_string(arena_print(arena, "accuracy|pairs:%.8s|number:%d", digest, tested.count)));
    classify_close(classify);
    frozen_close(frozen);
    return WORK_DONE;
}

static const char *const short_bins[] = {"1", "2", "3", "4", "5", "6", NULL};
static const char *const long_bins[] = {"7", "8", "9", "10", "11", "12", NULL};

#define ACCURACY                                                                                   \
    .decimals = 1, .best = COLUMN_MOST, .axis = "Accuracy (%)", .counted = "pairs", .high = 100,   \
    .items = "pairs"
static const struct measure measures[] = {
    {.name = "accuracy",
     .header = "Logic",
     .help =
         "accuracy on test pairs of 1 to 12 operators; its classes are the numbers of operators",
     .dimensions = 1u << DIMENSION_SET | 1u << DIMENSION_CLASS,
     .against = "majority",
     .learned = "bins",
     .observations = observations_items,
     .right_or_wrong = true,
     ACCURACY},
    {.name = "short",
     .header = "1-6",
     .help = "over all test pairs of 1 to 6 operators",
     .dimensions = 1u << DIMENSION_SET,
     .observations = observations_items,
     .classes = short_bins,
     .right_or_wrong = true,
     ACCURACY},
    {.name = "long",
     .header = "7-12",
     .help = "over all test pairs of 7 to 12 operators, which no training has seen",
     .dimensions = 1u << DIMENSION_SET,
     .observations = observations_items,
     .classes = long_bins,
     .right_or_wrong = true,
     ACCURACY},
    {.name = "majority",
     .header = "Majority",
     .help = "of each number of operators the most frequent relation of the test",
     .decimals = 1,
     .dimensions = 1u << DIMENSION_CLASS},
    {.name = "relation",
     .header = "By relation",
     .help = "accuracy by relation, which are its classes",
     .dimensions = 1u << DIMENSION_CLASS,
     ACCURACY},
    {.name = "tran_accuracy",
     .header = "Tran",
     .help = "with Tran et al.'s choice of the checkpoint, which looks at dev pairs as long as the "
             "test's (relate.dev_all_groups)",
     .dimensions = 1u << DIMENSION_CLASS,
     ACCURACY},
    {.name = "tran_short", .header = "Tran, 1-6", .help = "likewise", ACCURACY},
    {.name = "tran_long", .header = "Tran, 7-12", .help = "likewise", ACCURACY},
};
const struct offer offer_logic = {
    .kind = "logic",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .telling = "long short accuracy",
    .numeric = true,
    .caption = "Pairs",
    .section = "logic",
    .option = {{"bins", "trained on operators "}, {"checkpoint", "checkpoint "}},
};

const struct stage_kind kind_logic = {
    .name = "logic",
    .help = "how often a trained classifier tells the relation of test pairs",
    .version = 1,
    .code = CODE_logic,
    .task = "logic",
    .evaluation = &evaluation_logic,
    .ignores = (const char *const[]){"logic.data=", "logic.split=", "logic.pairs=",
                                     "logic.variables=", "logic.depth=", "logic.seed=",
                                     "logic.disjoint=", "logic.bins=", "logic.dev=", "logic.pool=",
                                     "logic.features=", "logic.hidden=", NULL},
    .computes = true,
    .rank = 65,
    .inputs = (const char *const[]){"formulas", "relate", NULL},
    .estimate = estimate,
    .run = run,
};
