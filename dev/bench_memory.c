/* Measures the peak memory of a training. The system reports only the peak over the life of a
 * process, so each measurement runs in a separate process. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/model/device_choice.h"
#include "dev/bench_parts.h"
#include "experiments/stage/environment.h"

struct bench_apart bench_apart(double (*work)(void *context), void *context)
{
    int pipes[2];
    fflush(NULL);
    const pid_t child = pipe(pipes) ? -1 : fork();
    if (child < 0) die("bench: cannot start a process");
    if (child == 0) {
        const double value = work(context);
        fflush(NULL);
        _exit(write(pipes[1], &value, sizeof value) == sizeof value ? 0 : 1);
    }
    struct bench_apart result;
    struct rusage usage;
    int status;
    close(pipes[1]);
    const bool said = read(pipes[0], &result.value, sizeof result.value) == sizeof result.value;
    close(pipes[0]);
    if (wait4(child, &status, 0, &usage) != child || status != 0 || !said)
        die("bench: the measured process failed");
    result.peak = 1024.0 * (double)usage.ru_maxrss;
    return result;
}

struct short_training {
    struct bench *bench;
    struct translating translating;
    const char *folder;
};

static double train(void *context)
{
    struct short_training *training = context;
    struct arena arena = {0};
    training->translating.ops = bench_open_device(training->bench);
    const struct train_job job = {.learner = translating_open(&arena, &training->translating),
                                  .folder = training->folder,
                                  .journal = journal_open(training->folder)};
    const enum train_end end = train_run(&job);
    journal_close(job.journal);
    return end == TRAIN_DONE;
}

/* Returns the estimate of `sanlab plan` for host memory, in bytes, without opening the device. Sets
 * *device to the estimate for GPU memory, in bytes. */
static double plan(const struct short_training *training, double *device)
{
    struct arena arena = {0}; /* freed before the process is forked */
    struct translating translating = training->translating;
    const enum precision precision = (enum precision)training->bench->settings->train.precision;
    translating.ops = device_planner(device_used(), precision, environment_memory(device_word()));
    struct learner *learner = translating_open(&arena, &translating);
    size_t placed;
    const size_t bytes = train_memory(learner, &placed);
    translating_close(learner);
    arena_free(&arena);
    *device = 0;
    if (strcmp(device_used(), "cuda") != 0) return (double)bytes;
    *device = (double)(placed + device_library(device_used(), true));
    return (double)(bytes - placed);
}

void bench_memory(struct bench *bench)
{
    struct short_training training = {bench, .translating = bench->translating};
    if (!training.translating.corpus->split[SPLIT_DEV].sentences)
        die("bench: memory needs dev sentences: give a prepared corpus (--corpus FOLDER)");
    struct train_options options = *training.translating.train;
    options.epochs = 0;
    options.steps = 2;
    training.translating.train = &options;
    char *folder = file_temporary_folder(NULL);
    training.folder = folder;
    printf("memory of training %s, two steps, a validation and a checkpoint\n", bench->name);
    printf("text: %s\n", bench->text);
    double device;
    const double planned = plan(&training, &device);
    const struct bench_apart trained = bench_apart(train, &training);
    file_remove_tree(folder);
    free(folder);
    printf("planned      %.0f MB", planned / 1e6);
    if (device > 0) printf(" of the host, %.0f MB of the GPU", device / 1e6);
    putchar('\n');
    if (trained.value != 1) die("bench: the training did not finish");
    printf("measured     %.0f MB", trained.peak / 1e6);
    if (device > 0)
        puts(" of the host, including the memory of CUDA");
    else
        printf(", %+.1f%%\n", 100 * (trained.peak / planned - 1));
}
