/* The system counts the largest memory of a process and never less again: so each measurement is
 * a process of its own. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "experiments/cli/bench.h"

struct bench_apart bench_apart(double (*work)(void *context), void *context)
{
    int pipes[2];
    fflush(NULL);
    const pid_t child = pipe(pipes) ? -1 : fork();
    if (child < 0) die("bench: no process can be started");
    if (child == 0) {
        const double value = work(context);
        _exit(write(pipes[1], &value, sizeof value) == sizeof value ? 0 : 1);
    }
    struct bench_apart result;
    struct rusage usage;
    int status;
    close(pipes[1]);
    const bool said = read(pipes[0], &result.value, sizeof result.value) == sizeof result.value;
    close(pipes[0]);
    if (wait4(child, &status, 0, &usage) != child || status != 0 || !said)
        die("bench: what was to be measured did not come to its end");
    result.peak = 1024.0 * (double)usage.ru_maxrss;
    return result;
}

struct short_training {
    struct translating translating;
    const char *folder;
};

static double train(void *context)
{
    const struct short_training *training = context;
    struct arena arena = {0};
    const struct train_job job = {.learner = translating_open(&arena, &training->translating),
                                  .folder = training->folder,
                                  .journal = journal_open(training->folder)};
    const enum train_end end = train_run(&job);
    journal_close(job.journal);
    return end == TRAIN_DONE;
}

void bench_memory(const struct bench *bench)
{
    struct translating translating = bench->translating;
    if (!translating.corpus->split[SPLIT_DEV].sentences)
        die("bench: --memory trains and validates: give a prepared corpus (--corpus FOLDER)");
    struct train_options options = *translating.train;
    options.epochs = 0;
    options.steps = 2;
    translating.train = &options;
    char *folder = bench_folder();
    struct short_training training = {.translating = translating, .folder = folder};
    printf("memory of training %s, two steps, a validation and a checkpoint\n", bench->name);
    printf("text: %s\n", bench->text);
    struct arena arena = {0}; /* gone before the process is copied */
    struct learner *learner = translating_open(&arena, &translating);
    size_t placed;
    const double plan = (double)train_memory(learner, &placed);
    translating_close(learner);
    arena_free(&arena);
    const struct bench_apart trained = bench_apart(train, &training);
    file_remove_tree(folder);
    free(folder);
    printf("planned      %.0f MB\n", plan / 1e6);
    if (trained.value != 1) die("bench: the training did not come to its end");
    printf("measured     %.0f MB, %+.1f%%\n", trained.peak / 1e6, 100 * (trained.peak / plan - 1));
}
