/* The stage `probe`: a classifier of a probing task on the vectors of a frozen encoder. A part is
 * TASK@PATH, and of controls TASK@bag and TASK@PATH@start; of vectors of other programs
 * TASK@vectors, which reads no other stage. */
/* sources: core/base core/tensor core/text/utf8.* probes/classifier* probes/protocol.*
 * probes/folds.* probes/probing.* probes/online_code.* probes/task_data.* probes/task_audit.*
 * probes/counted_words.* experiments/stage/probe_partial.* experiments/stage/probe_vectors.* */
#include <math.h>
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/base/npy.h"
#include "core/base/table.h"
#include "core/corpus/corpus_sources.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/kind_encode.h"
#include "experiments/stage/probe_options.h"
#include "experiments/stage/probe_partial.h"
#include "experiments/stage/probe_vectors.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_work.h"
#include "probes/folds.h"
#include "probes/probing.h"
#include "probes/task_audit.h"
#include "results/table/observations.h"
#include "results/store/items.h"
#include "results/store/offer.h"

enum { INPUT_ENCODE };
enum { TASK_FILE, VECTORS_FILE }; /* a stage of vectors reads them, and nothing else */
enum { CLASSES_MOST = 100 }; /* whose accuracies are told one by one: not those of 1,000 words */

const struct evaluation evaluation_probe = {.section = &probe_section,
                                            .split = -1,
                                            .checkpoint = -1,
                                            .parts = probe_parts,
                                            .group = probe_group,
                                            .alone = probe_alone,
                                            .by_layer = "path"};

static bool wanted(const struct settings *settings)
{
    return probe_options_at(settings)->tasks.count > 0;
}

static const struct probe_task *task_of(const struct stage *stage)
{
    return tasks_of_part(&probe_options_at(stage->settings)->tasks, stage->part);
}

/* SentEval's own choice for this task, by its name. */
static bool is_linear(const struct stage *stage)
{
    return probe_options_at(stage->settings)->word_content == 0 &&
           !strcmp(task_of(stage)->name, "WordContent");
}

/* What folds need of the text of a point's tasks that are not checked yet. */
static void check_folds(const struct probe_options *options, struct table *checked)
{
    for (int i = 0; i < options->tasks.count; i++) {
        struct arena text = {0};
        const char *path = options->tasks.task[i].file, *file = corpus_find_file(&text, path);
        int64_t *most = table_at(checked, path, strlen(path), 0);
        if (file && options->folds > *most) {
            const struct task_data data = task_data_read(&text, file);
            folds_of(&data, options->folds, &text);
            *most = options->folds;
        }
        arena_free(&text);
    }
}

static void check_grid(const struct grid *grid)
{
    struct arena arena = {0};
    struct table *checked = table_new(&arena, 16);
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_point *point = &grid->point[r * grid->seeds];
        if (point->options) check_folds(probe_options_at(&point->settings), checked);
    }
    arena_free(&arena);
}

/* NULL: it is not there. */
static const char *digest_of(const char *file, struct arena *arena)
{
    char digest[DIGEST_TEXT];
    if (!file || !file_exists(file)) return NULL;
    stage_digest(file, digest);
    return arena_text(arena, digest);
}

static void find_files(struct stage *stage, struct arena *arena)
{
    const char *path = task_of(stage)->file, *file = corpus_find_file(arena, path);
    const struct probe_options *options = probe_options_at(stage->settings);
    struct input_file *all = ARENA_ARRAY(arena, struct input_file, 2);
    all[TASK_FILE] = (struct input_file){"task", path, digest_of(file, arena)};
    if (*options->vectors) {
        const char *vectors =
            stage->files
                ? stage->file[VECTORS_FILE].path /* as was planned */
                : probe_vectors_file(options->vectors, task_of(stage)->name, stage->seed, arena);
        all[VECTORS_FILE] = (struct input_file){"vectors", vectors, digest_of(vectors, arena)};
    }
    stage->files = *options->vectors ? 2 : 1;
    stage->file = all;
    if (!file) stage->missing = corpus_missing_file(path, arena);
}

/* Lines of the task's file. */
static double count_lines(const struct stage *stage)
{
    struct arena arena = {0};
    size_t bytes;
    const char *file = corpus_find_file(&arena, task_of(stage)->file);
    const char *text = file ? file_read(&arena, file, 0, &bytes) : NULL;
    const double lines = text ? (double)file_count_lines(text, bytes) : 0;
    arena_free(&arena);
    return lines;
}

/* Operations of all epochs that trainings take as a rule, on about as many items as the file has
 * lines, half of them in tr, at a rate that small products reach. A word is one of a thousand. */
static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    enum { EPOCHS = 60, CLASSES = 2, WORDS = 1000 };
    static const double rate = 1.5e11; /* operations on the lines of the file, not of tr alone */
    (void)arena;
    const struct probe_options *options = probe_options_at(stage->settings);
    const struct protocol *protocol = &protocols[options->protocol];
    struct probe_setting setting[PROTOCOL_SETTINGS];
    const int settings = protocol_settings(protocol, is_linear(stage), setting);
    const double lines = count_lines(stage);
    const double width = *options->vectors ? probe_vectors_width(stage->file[VECTORS_FILE].path)
                                           : stage->settings->translator.model.width;
    const double epochs = protocol->tenacity < 0 ? protocol->most : EPOCHS;
    double flops = 0;
    const int outputs = is_linear(stage) ? WORDS : CLASSES;
    for (int s = 0; s < settings; s++)
        flops += 6 * epochs * lines * width * (setting[s].hidden ? setting[s].hidden : outputs);
    flops *= options->seeds * (options->folds ? options->folds : 1);
    return (struct estimate){
        .seconds = flops / rate, .memory = 2 * lines * width * sizeof(float), .disk = 20 * lines};
}

/* What the calls of a training need (struct probe_calls). */
struct at_work {
    struct stage_work *work;
    struct probe_partial partial;
    int trainings;
};

static void begins(int training, const struct probe_data *data, void *context)
{
    struct at_work *at = context;
    at->partial.training = training;
    at->partial.data = data;
}

static bool known(int setting, struct probe_trained *trained, void *context)
{
    return probe_partial_known(&((struct at_work *)context)->partial, setting, trained);
}

static void trained(const int *setting, int count, const struct probe_trained *all, void *context)
{
    const struct at_work *at = context;
    for (int i = 0; i < count; i++) probe_partial_keep(&at->partial, setting[i], &all[setting[i]]);
}

static void scored(int epochs, int going_on, void *context)
{
    struct at_work *at = context;
    char text[64];
    snprintf(text, sizeof text, "trainings, epoch %d, %d settings", epochs, going_on);
    stage_work_progress(at->work, at->partial.training, at->trainings, text);
}

/* Where the rows of a path are. */
static const char *vectors_file(const struct stage *stage, struct arena *arena)
{
    if (stage->settings->alone) return stage->file[VECTORS_FILE].path;
    return arena_print(arena, "%s/%s.npy", stage->input[INPUT_ENCODE]->folder,
                       probe_path(stage->part, arena));
}

/* The accuracy of all and of every class, and of each seed. */
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
    journal_mean(work->journal, "accuracy", probing->accuracy, JOURNAL_NONE, NULL, probing->tested);
    for (int label = 0; label < data->labels && data->labels <= CLASSES_MOST; label++)
        if (items[label])
            journal_mean(work->journal, "accuracy", 100 * right[label] / items[label], JOURNAL_NONE,
                         data->name[label], items[label]);
    for (int s = 0; seeds > 1 && s < seeds; s++)
        journal_mean(work->journal, "accuracy", probing->of_seed[s], s + 1, NULL, probing->tested);
}

static void say(struct stage_work *work, const char *name, double value)
{
    json_object_set_new(work->summary, name, json_real(value));
}

/* Of the online code: its length, what it is shorter than one without vectors, and how accurate the
 * classifier of each share is, the share's items as step. */
static void write_code(struct stage_work *work, const struct online_code *code)
{
    say(work, "bits", code->bits);
    say(work, "compression", code->uniform / code->bits);
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
    const char *file = items_file(0, 1, &work->arena);
    items_write(work->stage->folder, file, item, probing->tested);
    stage_work_output(work, file);
    json_object_set_new(work->summary, "items", json_integer(probing->tested));
}

/* A line for each item that was tested: its line in the task's file, its label, what each seed
 * predicted. */
static void write_predictions(struct stage_work *work, const struct task_data *data,
                              const struct probing *probing, int seeds)
{
    static const char file[] = "predictions.tsv";
    struct file_writer writer =
        file_create(arena_print(&work->arena, "%s/%s", work->stage->folder, file));
    for (int i = 0; i < probing->tested; i++) {
        const int line = probing->item[i];
        fprintf(writer.stream, "%d\t%s", line + 1, data->name[data->item[line].label]);
        for (int s = 0; s < seeds; s++)
            fprintf(writer.stream, "\t%s", data->name[probing->predicted[s * probing->tested + i]]);
        fputc('\n', writer.stream);
    }
    file_commit(&writer);
    stage_work_output(work, file);
}

/* How the value was computed: what is the same of all tasks, and what is this one's own (of_part of
 * the offer). */
static const char *signature(const struct stage *stage, int items, struct arena *arena)
{
    const struct probe_options *options = probe_options_at(stage->settings);
    const char *folds = options->folds ? arena_print(arena, "|folds:%d", options->folds) : "";
    return arena_print(arena, "accuracy|protocol:%s%s%s|seeds:%d|task:%.8s%s|items:%d",
                       protocols[options->protocol].name,
                       options->standardize ? "|standardized" : "", folds, options->seeds,
                       stage->file->digest, is_linear(stage) ? "|classifier:linear" : "", items);
}

/* The same in words, for the captions of tables: it says nothing of one task alone. */
static const char *caption(const struct stage *stage, struct arena *arena)
{
    const struct probe_options *options = probe_options_at(stage->settings);
    const struct protocol *protocol = &protocols[options->protocol];
    const bool linear = options->word_content == 0;
    const char *text = arena_print(arena, "protocol %s, %s", protocol->name, protocol->text);
    if (protocol->hidden[0])
        text = arena_print(arena, "%s; WordContent with %s", text,
                           linear ? "a linear classifier" : "hidden units");
    if (options->standardize)
        text = arena_print(arena, "%s; vectors standardized by mean and deviation of tr", text);
    if (options->folds)
        text = arena_print(arena, "%s; %d folds of tr, va and te together", text, options->folds);
    if (options->seeds > 1)
        text = arena_print(arena, "%s; mean of %d classifiers", text, options->seeds);
    if (options->code) text = arena_print(arena, "%s; online code: " ONLINE_CODE_TEXT, text);
    if (stage->settings->alone)
        return arena_print(arena, "%s; vectors: of another program, as they are", text);
    return arena_print(arena, "%s; vectors: %s", text, encode_caption(stage->settings, arena));
}

/* A line for each of several trainings: what it chose. */
static void write_trainings(struct stage_work *work, const struct probing *probing, int trainings)
{
    static const char file[] = "trainings.tsv";
    struct file_writer writer =
        file_create(arena_print(&work->arena, "%s/%s", work->stage->folder, file));
    fputs("seed\tfold\thidden\tdropout\tl2\tupdates\tdev\ttest\n", writer.stream);
    for (int t = 0; t < trainings; t++) {
        const struct probing_choice *choice = &probing->choice[t];
        fprintf(writer.stream, "%d\t%d\t%d\t%g\t%g\t%lld\t%.2f\t%.2f\n", choice->seed, choice->fold,
                choice->setting.hidden, choice->setting.dropout, choice->setting.l2,
                (long long)choice->updates, choice->dev, choice->test);
    }
    file_commit(&writer);
    stage_work_output(work, file);
}

/* The setting that all trainings chose, value by value; where they differ there is none. */
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
    if (hidden) say(work, "hidden", first->hidden);
    if (dropout) say(work, "dropout", first->dropout);
    if (l2) say(work, "l2", first->l2);
}

static void summarize(struct stage_work *work, const struct task_data *data,
                      const struct probing *probing, int trainings)
{
    const struct stage *stage = work->stage;
    const struct probe_options *options = probe_options_at(stage->settings);
    const struct task_audit audit = task_audit_folds(data, options->folds);
    say(work, "accuracy", probing->accuracy);
    say(work, "dev", probing->dev);
    if (options->seeds > 1) say(work, "accuracy_sd", probing->deviation);
    say(work, "majority", audit.majority);
    say(work, "words", audit.words);
    say(work, "updates", probing->updates);
    say_setting(work, probing, trainings);
    json_object_set_new(work->summary, "undertrained", json_integer(probing->undertrained));
    json_object_set_new(work->summary, "signature",
                        json_string(signature(stage, probing->tested, &work->arena)));
    json_object_set_new(work->summary, "caption", json_string(caption(stage, &work->arena)));
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct probe_options *options = probe_options_at(stage->settings);
    const char *path = task_of(stage)->file, *file = corpus_find_file(arena, path);
    if (!file) die("%s: the file is gone", path);
    const struct task_data data = task_data_read(arena, file);
    struct npy vectors = probe_vectors_open(vectors_file(stage, arena), &data);
    char digest[DIGEST_TEXT];
    digest_file(vectors_file(stage, arena), digest);
    struct at_work at = {
        .work = work,
        .partial = {.folder = stage->folder,
                    .stamp = arena_print(arena, "%.8s%.8s%.8s", CODE_probe,
                                         environment_backend(work->device), digest)}};
    const struct probing_job job = {
        .ops = work->ops,
        .protocol = &protocols[options->protocol],
        .linear = is_linear(stage),
        .standardize = options->standardize,
        .code = options->code,
        .seeds = options->seeds,
        .folds = options->folds,
        .data = &data,
        .vector = vectors.number,
        .columns = (int)vectors.columns,
        .calls = {.known = known, .trained = trained, .scored = scored, .context = &at},
        .begins = begins};
    at.trainings = probing_trainings(&job);
    const struct probing probing = probing_run(&job, arena);
    npy_close(&vectors);
    write_accuracies(work, &data, &probing, options->seeds);
    write_items(work, &data, &probing);
    write_predictions(work, &data, &probing, options->seeds);
    if (at.trainings > 1) write_trainings(work, &probing, at.trainings);
    summarize(work, &data, &probing, at.trainings);
    if (options->code) write_code(work, &probing.code);
    probe_partial_forget(&at.partial);
    return WORK_DONE;
}

static const struct measure measures[] = {
    {.name = "accuracy",
     .decimals = 2,
     .header = "Accuracy",
     .best = COLUMN_MOST,
     .dimensions = 1u << DIMENSION_SET | 1u << DIMENSION_CLASS,
     .axis = "Accuracy (%)",
     .counted = "items",
     .high = 100,
     .layers = "Encoder layer",
     .against = "majority",
     .shares = "share_accuracy",
     .observations = observations_items,
     .right_or_wrong = true},
    {.name = "dev",
     .header = "Dev",
     .help = "accuracy on va of the chosen classifier",
     .decimals = 2},
    {.name = "majority",
     .header = "Majority",
     .help = "accuracy of tr's most frequent label",
     .decimals = 2},
    {.name = "words",
     .header = "Counted words",
     .help = "accuracy of naive Bayes over tokens",
     .decimals = 2},
    {.name = "accuracy_sd",
     .header = "SD",
     .help = "over the seeds of the classifier",
     .decimals = 2},
    {.name = "bits",
     .header = "Bits",
     .option = "code",
     .help = "online code of tr's labels",
     .form = COLUMN_EXACT,
     .best = COLUMN_LEAST},
    {.name = "compression",
     .header = "Compression",
     .option = "code",
     .help = "a uniform code's bits by those of the online code",
     .decimals = 2,
     .best = COLUMN_MOST},
    {.name = "share_accuracy",
     .header = "Accuracy",
     .option = "code",
     .help = "by items of tr, of the online code's classifiers",
     .decimals = 2,
     .axis = "Accuracy (%)"},
    {.name = "items", .header = "Items", .help = "that were tested", .form = COLUMN_EXACT},
    {.name = "updates", .header = "Updates", .form = COLUMN_EXACT},
    {.name = "hidden",
     .header = "Units",
     .help = "of the chosen setting, where all trainings chose the same",
     .form = COLUMN_EXACT},
    {.name = "dropout",
     .header = "Dropout",
     .help = "of the chosen setting, where all trainings chose the same",
     .form = COLUMN_SHORT},
    {.name = "l2",
     .header = "L2",
     .help = "of the chosen setting, where all trainings chose the same",
     .form = COLUMN_SHORT},
    {.name = "undertrained",
     .header = "Undertrained",
     .help = "trainings whose best score of va was the last, or with less than 1,000 updates",
     .form = COLUMN_EXACT},
};
static const char *const controls[] = {"start", "bag", NULL};
const struct offer offer_probe = {.kind = "probe",
                                  .parts = true,
                                  .layer_view = "encoder.",
                                  .controls = controls,
                                  .of_part = "task classifier items",
                                  .measures = COUNT_OF(measures),
                                  .measure = measures,
                                  .whole = true,
                                  .telling = "accuracy",
                                  .numeric = true,
                                  .caption = "Probes",
                                  .told = "caption",
                                  .doubt = "undertrained",
                                  .doubted = "Undertrained probes (best on va at the last "
                                             "evaluation, or fewer than 1,000 updates)",
                                  .section = "evaluate.probe"};

const struct stage_kind kind_probe = {
    .name = "probe",
    .help = "a classifier of a probing task on the vectors of a frozen encoder",
    .version = 1,
    .code = CODE_probe,
    .evaluation = &evaluation_probe,
    .computes = true,
    .rank = 45,
    .single = true,
    .inputs = (const char *const[]){"encode", NULL},
    .input_ignores = {"evaluate.encode.keep"},
    .reads_part = probe_reads,
    .wanted = wanted,
    .ask = probe_ask,
    .find_files = find_files,
    .check_grid = check_grid,
    .estimate = estimate,
    .run = run,
};
