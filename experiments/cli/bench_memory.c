/* What a short training takes at most, beside what the plan says. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "experiments/cli/bench.h"

/* Trains in a process of its own; returns the largest part of memory that it ever held. */
static double peak_of(const struct train_job *job)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) die("bench: no process can be started");
    if (child == 0) {
        struct train_job own = *job;
        own.journal = journal_open(job->folder);
        const enum train_end end = train_run(&own);
        journal_close(own.journal);
        _exit(end == TRAIN_DONE ? 0 : 1);
    }
    struct rusage usage;
    int status;
    if (wait4(child, &status, 0, &usage) != child || status != 0)
        die("bench: the training did not come to its end");
    return 1024.0 * (double)usage.ru_maxrss;
}

void bench_print_memory(struct verb_call *call, const struct bench_subject *subject)
{
    if (!subject->corpus->split[SPLIT_DEV].sentences)
        die("bench: --memory trains and validates: give a prepared corpus (--corpus FOLDER)");
    struct train_options train = *subject->train;
    train.epochs = 0;
    train.steps = 2;
    const char *temporary = getenv("TMPDIR");
    char *folder = heap_print("%s/sanlab-bench-%d", temporary ? temporary : "/tmp", (int)getpid());
    const struct train_job job = {.corpus = subject->corpus,
                                  .model = subject->model,
                                  .train = &train,
                                  .seed = 1,
                                  .folder = folder};
    file_make_folder(folder);
    printf("memory of training %s, two steps, a validation and a checkpoint\n", subject->name);
    printf("text: %s\n", subject->text);
    const double plan = (double)train_memory(subject->model, &train, subject->corpus);
    const double peak = peak_of(&job);
    file_remove_tree(folder);
    free(folder);
    printf("planned      %.0f MB\n", plan / 1e6);
    printf("measured     %.0f MB, %+.1f%%\n", peak / 1e6, 100 * (peak / plan - 1));
    (void)call;
}
