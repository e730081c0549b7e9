/* The stage `probe` trains and tests a classifier of a probing task on the vectors of a frozen
 * encoder. A part is TASK@PATH, or for controls TASK@bag and TASK@PATH@start. For vectors of
 * another program, the part may also be TASK@vectors, and the stage has no input stages. */
/* sources: core/base core/tensor core/text/utf8.* probes/classifier* probes/protocol.*
 * probes/folds.* probes/probing.* probes/online_code.* probes/task_data.* probes/task_audit.*
 * experiments/stage/probe_report.* experiments/stage/probe_vectors.* */
/* rank: 45 */
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/base/npy.h"
#include "core/corpus/corpus_sources.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/probe_options.h"
#include "experiments/stage/probe_vectors.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_work.h"
#include "probes/folds.h"
#include "probes/probing.h"
#include "probes/vectors.h"
#include "results/table/observations.h"
#include "results/store/offer.h"

enum { INPUT_ENCODE };
/* Indices of the input files of a stage with vectors of another program. */
enum { TASK_FILE, VECTORS_FILE };

const struct evaluation evaluation_probe = {
    .section = &probe_section, .parts = probe_parts, .group = probe_group, .alone = probe_alone};

static const char *lacks(const struct settings *settings)
{
    return probe_options_at(settings)->tasks.count > 0 ? NULL : "";
}

/* Version 2 measures the last layer of an encoder with a short-cut at the output of the layer.
 * Version 1 measured encoder.output instead. */
static int version(const struct stage *stage)
{
    SCOPED(arena_free) struct arena arena = {0};
    const bool own =
        vectors_is_own_last(&stage->settings->translator.encoder, probe_path(stage->part, &arena));
    return own ? 2 : 1;
}

static const struct probe_task *task_of(const struct stage *stage)
{
    return tasks_of_part(&probe_options_at(stage->settings)->tasks, stage->part);
}

/* True for the task WordContent, for which SentEval uses a linear classifier, unless the options
 * choose the protocol's classifier. */
static bool is_linear(const struct stage *stage)
{
    return probe_options_at(stage->settings)->word_content == 0 &&
           !strcmp(task_of(stage)->name, "WordContent");
}

/* Dies if a task's text has too few different sentences for the requested folds. */
static void check(struct kind_check *check)
{
    const struct probe_options *options = check->options;
    for (int i = 0; i < options->tasks.count && options->folds; i++) {
        SCOPED(arena_free) struct arena text = {0};
        const char *path = options->tasks.task[i].file, *file = corpus_find_file(&text, path);
        if (file && kind_check_first(check, arena_print(&text, "%d %s", options->folds, path))) {
            const struct task_data data = task_data_read(&text, file);
            folds_of(&data, options->folds, &text);
        }
    }
}

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct probe_task *task = task_of(stage);
    const char *folder = probe_options_at(stage->settings)->vectors;
    stage_digest_task(stage, task, arena);
    if (!*folder) return;
    const char *vectors = planned->files
                              ? planned->file[VECTORS_FILE].path
                              : probe_vectors_file(folder, stage->part, stage->seed, arena);
    stage_digest_file(stage, "vectors", vectors, file_exists(vectors) ? vectors : NULL, arena);
}

/* Estimates the operations as if all lines of the file were training items. Usually only about half
 * of them are. `rate` includes this difference, and the low speed of small products. EPOCHS is a
 * typical number of epochs. The task WordContent has 1,000 classes. */
static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    enum { EPOCHS = 60, CLASSES = 2, WORDS = 1000 };
    static const double rate = 1.5e11; /* operations per second, if all lines are counted */
    const struct probe_options *options = probe_options_at(stage->settings);
    const struct protocol *protocol = &protocols[options->protocol];
    struct probe_setting setting[PROTOCOL_SETTINGS];
    const int settings = protocol_settings(protocol, is_linear(stage), setting);
    double pieces;
    const double lines = probe_count_text(task_of(stage), &pieces);
    const double width = *options->vectors ? probe_vectors_width(stage->file[VECTORS_FILE].path)
                                           : stage->settings->translator.model.width;
    const double epochs = protocol->tenacity < 0 ? protocol->most : EPOCHS;
    double work = 0;
    const int outputs = is_linear(stage) ? WORDS : CLASSES;
    for (int s = 0; s < settings; s++)
        work += epochs * lines *
                probe_item_work(width, setting[s].hidden ? setting[s].hidden : outputs);
    work *= options->seeds * (options->folds ? options->folds : 1);
    return (struct estimate){.seconds = work / rate,
                             .work = work,
                             .memory = 2 * lines * width * sizeof(float),
                             .disk = 20 * lines};
}

/* ---- results of settings, kept until the probe is done ---- */

/* The results of each trained setting are kept in a file of the stage's folder. So a probe that was
 * killed does not train the setting again. The file is a row of numbers (npy.h). It begins with
 * `evaluations`, `best` and `updates` of struct probe_trained. The predictions on dev and test
 * follow, then the log-likelihoods of test. A float represents whole numbers up to 2^24 exactly. */
struct partial {
    struct stage_work *work;
    const char *folder;            /* folder of the stage */
    const char *stamp;             /* digits of the digests of code, numerics and vectors. A file
                                    * with another stamp is not used */
    int trainings, training;       /* number of trainings, and the current one (probing.h) */
    const struct probe_data *data; /* data of the current training */
};
static const char mark[] = "partial-";
enum { FIRST = 3 }; /* number of values before the predictions */

static const char *partial_path(const struct partial *partial, int setting, struct arena *arena)
{
    return arena_print(arena, "%s/%s%s-%d-%d.npy", partial->folder, mark, partial->stamp,
                       partial->training, setting);
}

static int64_t partial_numbers(const struct partial *partial)
{
    const struct probe_items *items = partial->data->items;
    return FIRST + items[PROBE_DEV].count + 2 * (int64_t)items[PROBE_TEST].count;
}

static bool known(int setting, struct probe_trained *trained, void *context)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct partial *partial = context;
    const char *path = partial_path(partial, setting, &arena);
    const int dev = partial->data->items[PROBE_DEV].count,
              test = partial->data->items[PROBE_TEST].count;
    if (!file_exists(path)) return false;
    struct npy npy = npy_open(path);
    if (npy.rows != 1 || npy.columns != partial_numbers(partial))
        die("%s: belongs to another probe; remove the file", path);
    const float *number = npy.number;
    trained->evaluations = (int)*number++;
    trained->best = (int)*number++;
    trained->updates = (int64_t)*number++;
    for (int i = 0; i < dev; i++) trained->predicted[PROBE_DEV][i] = (int32_t)*number++;
    for (int i = 0; i < test; i++) trained->predicted[PROBE_TEST][i] = (int32_t)*number++;
    memcpy(trained->likelihood, number, (size_t)test * sizeof *number);
    npy_close(&npy);
    return true;
}

static void keep(const struct partial *partial, int setting, const struct probe_trained *trained)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int dev = partial->data->items[PROBE_DEV].count,
              test = partial->data->items[PROBE_TEST].count;
    float *row = ARENA_ARRAY(&arena, float, partial_numbers(partial)), *number = row;
    *number++ = (float)trained->evaluations;
    *number++ = (float)trained->best;
    *number++ = (float)trained->updates;
    for (int i = 0; i < dev; i++) *number++ = (float)trained->predicted[PROBE_DEV][i];
    for (int i = 0; i < test; i++) *number++ = (float)trained->predicted[PROBE_TEST][i];
    memcpy(number, trained->likelihood, (size_t)test * sizeof *number);
    npy_write(partial_path(partial, setting, &arena), row, 1, partial_numbers(partial));
}

/* Removes the files of all settings when the probe is done. */
static void forget(const struct partial *partial)
{
    SCOPED(arena_free) struct arena arena = {0};
    int count;
    const char **name = file_folder_names(&arena, partial->folder, &count);
    for (int i = 0; i < count; i++)
        if (!strncmp(name[i], mark, strlen(mark)))
            file_unlink(arena_print(&arena, "%s/%s", partial->folder, name[i]));
}

/* ---- the work ---- */

static void begins(int training, const struct probe_data *data, void *context)
{
    struct partial *partial = context;
    partial->training = training;
    partial->data = data;
}

static void trained(const int *setting, int count, const struct probe_trained *all, void *context)
{
    for (int i = 0; i < count; i++) keep(context, setting[i], &all[setting[i]]);
}

static void scored(int epochs, int going_on, void *context)
{
    const struct partial *partial = context;
    char text[64];
    snprintf(text, sizeof text, "trainings, epoch %d, %d settings", epochs, going_on);
    stage_work_progress(partial->work, partial->training, partial->trainings, text);
}

/* Returns the file with the vectors of a part. */
static const char *vectors_file(const struct stage *stage, struct arena *arena)
{
    if (stage->settings->alone) return stage->file[VECTORS_FILE].path;
    return arena_print(arena, "%s/%s.npy", stage->input[INPUT_ENCODE]->folder,
                       probe_path(stage->part, arena));
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct probe_options *options = probe_options_at(stage->settings);
    const struct task_data data =
        task_data_read(arena, stage_text_file(task_of(stage)->file, arena));
    struct npy vectors = probe_vectors_open(vectors_file(stage, arena), &data);
    const char *numerics = work->ops->numerics();
    char digest[DIGEST_TEXT], numbers[DIGEST_TEXT];
    digest_file(vectors_file(stage, arena), digest);
    digest_bytes(numerics, strlen(numerics), numbers);
    struct partial partial = {.work = work,
                              .folder = stage->folder,
                              .stamp =
                                  arena_print(arena, "%.8s%.8s%.8s%.8s", CODE_probe,
                                              environment_backend(work->device), numbers, digest)};
    const struct probing_job job = {.each = {.ops = work->ops,
                                             .protocol = &protocols[options->protocol],
                                             .linear = is_linear(stage),
                                             .standardize = options->standardize,
                                             .calls = {.known = known,
                                                       .trained = trained,
                                                       .scored = scored,
                                                       .context = &partial}},
                                    .code = options->code,
                                    .seeds = options->seeds,
                                    .folds = options->folds,
                                    .data = &data,
                                    .vector = vectors.number,
                                    .columns = (int)vectors.columns,
                                    .begins = begins};
    partial.trainings = probing_trainings(&job);
    const struct probing probing = probing_run(&job, arena);
    npy_close(&vectors);
    probe_report(work, &job, &probing);
    forget(&partial);
    return WORK_DONE;
}

#define CHOSEN "value of the chosen setting, if all trainings chose the same"
const struct offer offer_probe = {
    .kind = "probe",
    .traits = OFFER_PARTS,
    .views = (const char *const[]){"encoder.output", "start", "bag", NULL},
    VALUES(VALUE("accuracy", "Accuracy", NULL, .decimals = 2, .best = COLUMN_MOST,
                 .traits = BY_SET | BY_CLASS | RIGHT_OR_WRONG, .counted = "items",
                 .observations = observations_items),
           VALUE("dev", "Dev", "accuracy on va of the chosen classifier", .decimals = 2),
           VALUE("majority", "Majority", "accuracy of tr's most frequent label", .decimals = 2,
                 .traits = BASELINE),
           VALUE("words", "Counted words", "accuracy of naive Bayes over tokens", .decimals = 2,
                 .traits = BASELINE),
           VALUE("accuracy_sd", "SD", "standard deviation over the seeds of the classifier",
                 .decimals = 2),
           VALUE("bits", "Bits", "length of the online code of tr's labels", .option = "code",
                 .form = COLUMN_EXACT, .best = COLUMN_LEAST),
           VALUE("compression", "Compression",
                 "bits of a uniform code divided by those of the online code", .option = "code",
                 .decimals = 2, .best = COLUMN_MOST),
           VALUE("share_accuracy", "Accuracy",
                 "accuracy of the online code's classifiers, by items of tr", .option = "code",
                 .decimals = 2),
           VALUE("items", "Items", "number of tested items", .form = COLUMN_EXACT),
           VALUE("updates", "Updates", NULL, .form = COLUMN_EXACT),
           VALUE("hidden", "Units", CHOSEN, .form = COLUMN_EXACT),
           VALUE("dropout", "Dropout", CHOSEN, .form = COLUMN_SHORT),
           VALUE("l2", "L2", CHOSEN, .form = COLUMN_SHORT),
           VALUE("undertrained", "Undertrained",
                 "number of trainings whose best score on va was the last, or with fewer than "
                 "1,000 updates",
                 .form = COLUMN_EXACT)),
    .numbers = "",
    .telling = "accuracy",
    .section = "evaluate.probe",
    .caption = "Probes: vectors of {path}; caption",
    .doubt = "undertrained > 0: Undertrained probes (best on va at the last evaluation, or fewer "
             "than 1,000 updates)",
};

const struct stage_kind kind_probe = {
    .name = "probe",
    .version = version,
    .evaluation = &evaluation_probe,
    .traits = KIND_COMPUTES | KIND_SINGLE,
    .inputs = (const char *const[]){"encode", NULL},
    .ignores = (const char *const[]){"input/evaluate.encode.keep", NULL},
    .lacks = lacks,
    .ask = probe_ask,
    .find_files = find_files,
    .check = check,
    .estimate = estimate,
    .run = run,
};
