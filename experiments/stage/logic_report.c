/* Reports the results of classifiers of statement pairs. A mean with a class is a row of the
 * journal, a mean without class is a value of the whole stage. If there are no pairs, the text "no
 * pairs" replaces the value. */
#include "experiments/stage/logic_report.h"

#include "core/base/file.h"
#include "core/base/journal.h"
#include "results/store/items.h"

enum { LOGIC_SHORT = 6 }; /* maximum number of operators of a short pair */

static const char *const bin_names[LOGIC_BINS] = {"0", "1", "2", "3",  "4",  "5", "6",
                                                  "7", "8", "9", "10", "11", "12"};

struct logic_tested logic_tested_pairs(const struct labeled *data, struct arena *arena)
{
    struct logic_tested tested = {.data = data, .pair = ARENA_ARRAY(arena, int32_t, data->pairs)};
    for (int p = 0; p < data->pairs; p++)
        if (data->pair[p].split == SPLIT_TEST && data->pair[p].group >= LOGIC_TESTED)
            tested.pair[tested.count++] = p;
    if (!tested.count) die("no test pairs of %d operators or more", LOGIC_TESTED);
    return tested;
}

const struct labeled_pair *logic_tested_at(const struct logic_tested *tested, int i)
{
    return &tested->data->pair[tested->pair[i]];
}

const double *logic_report_right(struct stage_work *work, const struct logic_tested *tested,
                                 const int32_t *told, int (*confusion)[RELATIONS][RELATIONS])
{
    double *number = ARENA_ARRAY(&work->arena, double, tested->count);
    for (int i = 0; i < tested->count; i++) {
        const struct labeled_pair *pair = logic_tested_at(tested, i);
        number[i] = told[i] == pair->label ? 100 : 0;
        if (confusion) confusion[pair->group][pair->label][told[i]]++;
    }
    return number;
}

/* ---- values ---- */

static void write_mean(struct stage_work *work, const char *name, double sum, int n,
                       const char *class, int set)
{
    if (n)
        stage_work_value(work, name, sum / n, n, (struct value_at){.set = set, .class = class});
    else if (!class && !set)
        stage_work_text(work, name, "no pairs");
}

/* Writes the mean of `number` over the pairs with `first` to `last` operators. If `relations` is
 * true, writes the mean over the pairs with relation `first` to `last`. */
static void write_pairs(struct stage_work *work, const struct logic_tested *tested,
                        const double *number, const char *name, bool relations, int first, int last,
                        const char *class, int set)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < tested->count; i++) {
        const struct labeled_pair *pair = logic_tested_at(tested, i);
        const int of = relations ? pair->label : pair->group;
        if (of < first || of > last) continue;
        sum += number[i];
        n++;
    }
    write_mean(work, name, sum, n, class, set);
}

void logic_report_accuracy(struct stage_work *work, const struct logic_tested *tested,
                           const double *number, const char *prefix, int set)
{
    const char *name = arena_print(&work->arena, "%saccuracy", prefix);
    const int last = LOGIC_BINS - 1;
    write_pairs(work, tested, number, name, false, LOGIC_TESTED, last, NULL, set);
    for (int bin = LOGIC_TESTED; bin <= last; bin++)
        write_pairs(work, tested, number, name, false, bin, bin, bin_names[bin], set);
    write_pairs(work, tested, number, arena_print(&work->arena, "%sshort", prefix), false,
                LOGIC_TESTED, LOGIC_SHORT, NULL, set);
    write_pairs(work, tested, number, arena_print(&work->arena, "%slong", prefix), false,
                LOGIC_SHORT + 1, last, NULL, set);
}

/* Writes `majority`, by number of operators and over all pairs. It is the accuracy of a baseline
 * that predicts, for each number of operators, the most frequent relation of the tested pairs. */
static void write_majority(struct stage_work *work, const struct logic_tested *tested)
{
    int all = 0, right = 0;
    for (int bin = LOGIC_TESTED; bin < LOGIC_BINS; bin++) {
        int count[RELATIONS] = {0}, most = 0, n = 0;
        for (int i = 0; i < tested->count; i++)
            if (logic_tested_at(tested, i)->group == bin)
                count[logic_tested_at(tested, i)->label]++, n++;
        for (int k = 0; k < RELATIONS; k++) most = count[k] > most ? count[k] : most;
        write_mean(work, "majority", 100. * most, n, bin_names[bin], 0);
        all += n, right += most;
    }
    write_mean(work, "majority", 100. * right, all, NULL, 0);
}

/* ---- files ---- */

void logic_report_items(struct stage_work *work, const struct logic_tested *tested,
                        const double *number, const char *file)
{
    struct item *item = ARENA_ARRAY(&work->arena, struct item, tested->count);
    for (int i = 0; i < tested->count; i++)
        item[i] = (struct item){.number = number[i],
                                .class = bin_names[logic_tested_at(tested, i)->group],
                                .stratum = ""};
    stage_work_items(work, file, item, tested->count);
}

static void write_confusion(struct stage_work *work, int (*count)[RELATIONS][RELATIONS])
{
    static const char file[] = "confusion.tsv";
    struct file_writer writer = stage_work_create(work, file);
    fputs("operators\trelation\ttold\tpairs\n", writer.stream);
    for (int bin = LOGIC_TESTED; bin < LOGIC_BINS; bin++)
        for (int k = 0; k < RELATIONS; k++)
            for (int told = 0; told < RELATIONS; told++)
                if (count[bin][k][told])
                    fprintf(writer.stream, "%d\t%s\t%s\t%d\n", bin, relation_names[k],
                            relation_names[told], count[bin][k][told]);
    stage_work_commit(work, &writer, file);
}

void logic_report(struct stage_work *work, const struct logic_tested *tested, const double *number,
                  int (*confusion)[RELATIONS][RELATIONS])
{
    logic_report_accuracy(work, tested, number, "", 0);
    for (int k = 0; k < RELATIONS; k++)
        write_pairs(work, tested, number, "relation", true, k, k, relation_names[k], 0);
    write_majority(work, tested);
    write_confusion(work, confusion);
}

const char *const logic_short_bins[] = {"1", "2", "3", "4", "5", "6", NULL};
const char *const logic_long_bins[] = {"7", "8", "9", "10", "11", "12", NULL};
