/* Writes the results of the stage `probe`: the accuracy, and the data from which it can be
 * checked. */

#include "core/base/file.h"
#include "experiments/stage/probe_options.h"
#include "probes/task_audit.h"
#include "results/store/items.h"

/* With more classes, no accuracy by class is written. WordContent has 1,000 classes. */
enum { CLASSES_MOST = 100 };

static void write_accuracies(struct stage_work *work, const struct task_data *data,
                             const struct probing *probing, int seeds)
{
    double *right = ARENA_ARRAY(&work->arena, double, data->labels);
    int *items = ARENA_ARRAY(&work->arena, int, data->labels);
    for (int i = 0; i < probing->tested; i++) {
        const int label = data->item[probing->item[i]].label;
        right[label] += probing->right[i];
        items[label]++;
    }
    stage_work_value(work, "accuracy", probing->accuracy, probing->tested, (struct value_at){0});
    for (int label = 0; label < data->labels && data->labels <= CLASSES_MOST; label++)
        if (items[label])
            stage_work_value(work, "accuracy", 100 * right[label] / items[label], items[label],
                             (struct value_at){.class = data->name[label]});
    for (int s = 0; seeds > 1 && s < seeds; s++)
        stage_work_value(work, "accuracy", probing->of_seed[s], probing->tested,
                         (struct value_at){.set = s + 1});
}

/* Writes the results of the online code: its length and its compression against a uniform code.
 * Also writes the accuracy of the classifier of each share of tr. The step of an accuracy is the
 * number of items of the share. */
static void write_code(struct stage_work *work, const struct online_code *code)
{
    stage_work_real(work, "bits", code->bits);
    stage_work_real(work, "compression", code->uniform / code->bits);
    for (int k = 0; k < code->shares; k++)
        journal_value(work->journal, code->share[k].items, "share_accuracy",
                      code->share[k].accuracy);
}

static void write_items(struct stage_work *work, const struct task_data *data,
                        const struct probing *probing)
{
    struct item *item = ARENA_ARRAY(&work->arena, struct item, probing->tested);
    for (int i = 0; i < probing->tested; i++)
        item[i] = (struct item){100 * probing->right[i],
                                data->name[data->item[probing->item[i]].label], "", 0};
    stage_work_items(work, items_file(0, 1, &work->arena), item, probing->tested);
    stage_work_real(work, "items", probing->tested);
}

/* Writes one line for each tested item: its line in the task's file, its label, and the prediction
 * of each seed. */
static void write_predictions(struct stage_work *work, const struct task_data *data,
                              const struct probing *probing, int seeds)
{
    static const char file[] = "predictions.tsv";
    struct file_writer writer = stage_work_create(work, file);
    for (int i = 0; i < probing->tested; i++) {
        const int line = probing->item[i];
        fprintf(writer.stream, "%d\t%s", line + 1, data->name[data->item[line].label]);
        for (int s = 0; s < seeds; s++)
            fprintf(writer.stream, "\t%s", data->name[probing->predicted[s * probing->tested + i]]);
        fputc('\n', writer.stream);
    }
    stage_work_commit(work, &writer, file);
}

/* Returns the signature of the accuracy. Some parts of it are common to all tasks, the others
 * belong to this task (offer.h). */
static const char *signature(const struct stage *stage, const struct probing_job *job, int items,
                             struct arena *arena)
{
    const char *folds = job->folds ? arena_print(arena, "|folds:%d", job->folds) : "";
    const char *standardized = job->each.standardize ? "|standardized" : "";
    return arena_print(arena, "accuracy|protocol:%s%s%s|seeds:%d|task:%.8s%s|items:%d",
                       job->each.protocol->name, standardized, folds, job->seeds,
                       stage->file->digest, job->each.linear ? "|classifier:linear" : "", items);
}

/* Returns a description of the probes for captions of tables. It has nothing that is specific to
 * one task, except the classifier of WordContent. */
static const char *caption(const struct stage *stage, const struct probing_job *job,
                           struct arena *arena)
{
    const struct protocol *protocol = job->each.protocol;
    const struct probe_options *options = probe_options_at(stage->settings);
    const char *text = arena_print(arena, "protocol %s, %s", protocol->name, protocol->text);
    if (protocol->hidden[0] && tasks_have(&options->tasks, "WordContent"))
        text = arena_print(arena, "%s; WordContent with %s", text,
                           options->word_content ? "hidden units" : "a linear classifier");
    if (job->each.standardize)
        text = arena_print(arena, "%s; vectors standardized by mean and deviation of tr", text);
    if (job->folds)
        text = arena_print(arena, "%s; %d folds of tr, va and te together", text, job->folds);
    if (job->seeds > 1) text = arena_print(arena, "%s; mean of %d classifiers", text, job->seeds);
    if (job->code) text = arena_print(arena, "%s; online code: " ONLINE_CODE_TEXT, text);
    if (stage->settings->alone)
        return arena_print(arena, "%s; vectors: of another program, as they are", text);
    return arena_print(arena, "%s; vectors: %s", text, encode_caption(stage->settings, arena));
}

/* Writes a file with one line for each training: its chosen setting, updates and accuracies. */
static void write_trainings(struct stage_work *work, const struct probing *probing, int trainings)
{
    static const char file[] = "trainings.tsv";
    struct file_writer writer = stage_work_create(work, file);
    fputs("seed\tfold\thidden\tdropout\tl2\tupdates\tdev\ttest\n", writer.stream);
    for (int t = 0; t < trainings; t++) {
        const struct probing_choice *choice = &probing->choice[t];
        fprintf(writer.stream, "%d\t%d\t%d\t%g\t%g\t%lld\t%.2f\t%.2f\n", choice->seed, choice->fold,
                choice->setting.hidden, choice->setting.dropout, choice->setting.l2,
                (long long)choice->updates, choice->dev, choice->test);
    }
    stage_work_commit(work, &writer, file);
}

/* Writes hidden units, dropout and L2 of the chosen setting. A value in which the trainings differ
 * is left out. */
static void say_setting(struct stage_work *work, const struct probing *probing, int trainings)
{
    const struct probe_setting *first = &probing->choice[0].setting;
    bool hidden = true, dropout = true, l2 = true;
    for (int t = 1; t < trainings; t++) {
        const struct probe_setting *next = &probing->choice[t].setting;
        hidden &= next->hidden == first->hidden;
        dropout &= next->dropout == first->dropout;
        l2 &= next->l2 == first->l2;
    }
    if (hidden) stage_work_real(work, "hidden", first->hidden);
    if (dropout) stage_work_real(work, "dropout", first->dropout);
    if (l2) stage_work_real(work, "l2", first->l2);
}

static void summarize(struct stage_work *work, const struct probing_job *job,
                      const struct probing *probing, int trainings)
{
    const struct stage *stage = work->stage;
    const struct task_audit audit = task_audit_folds(job->data, job->folds);
    stage_work_real(work, "dev", probing->dev);
    if (job->seeds > 1) stage_work_real(work, "accuracy_sd", probing->deviation);
    stage_work_real(work, "majority", audit.majority);
    stage_work_real(work, "words", audit.words);
    stage_work_real(work, "updates", probing->updates);
    say_setting(work, probing, trainings);
    stage_work_real(work, "undertrained", probing->undertrained);
    stage_work_text(work, "signature", signature(stage, job, probing->tested, &work->arena));
    stage_work_text(work, "caption", caption(stage, job, &work->arena));
}

void probe_report(struct stage_work *work, const struct probing_job *job,
                  const struct probing *probing)
{
    const int trainings = probing_trainings(job);
    write_accuracies(work, job->data, probing, job->seeds);
    write_items(work, job->data, probing);
    write_predictions(work, job->data, probing, job->seeds);
    if (trainings > 1) write_trainings(work, probing, trainings);
    summarize(work, job, probing, trainings);
    if (job->code) write_code(work, &probing->code);
}
