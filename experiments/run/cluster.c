/* Makes the command that submits a Slurm job: the options of sbatch, the script of a task, and the
 * command of the runner. */
#include "experiments/run/cluster.h"

#include <math.h>
#include <string.h>
#include <wordexp.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/shell.h"
#include "core/config/word.h"

/* Replaces line breaks by blanks. */
static const char *one_line(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';
    return *text ? text : "it printed no reason";
}

const char *cluster_submit(const char *const *command, struct arena *arena)
{
    const struct child_said said = child_try("run: --slurm", command, CHILD_OUTPUT, arena);
    size_t bytes = strlen(said.text);
    while (bytes && strchr(" \n", said.text[bytes - 1])) bytes--;
    said.text[bytes] = 0;
    if (said.end)
        die("run: --slurm: sbatch refused the job (%s): %s", said.end, one_line(said.text));
    return said.text;
}

enum { NAME_BYTES = 100 };

int cluster_words(const char *text, const char ***word, struct arena *arena)
{
    wordexp_t words;
    int count = 0;
    *word = NULL;
    if (wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF) != 0)
        die("run: --slurm \"%s\": expected words as for a shell, with closed quotes, variables "
            "that "
            "are set, no command, and quotes around | & ; < > ( ) { }",
            text);
    for (size_t i = 0; i < words.we_wordc; i++)
        ARENA_ADD(arena, *word, count, arena_text(arena, words.we_wordv[i]));
    wordfree(&words);
    return count;
}

const char *cluster_file_name(const char *name, struct arena *arena)
{
    char *copy = arena_text_range(arena, name, strnlen(name, NAME_BYTES));
    for (char *at = copy; *at; at++)
        if (!strchr(shell_plain, *at) || strchr("/:@%", *at)) *at = '_';
    return copy;
}

double cluster_seconds(double longest)
{
    return 2 * longest + 600;
}

/* Returns the path with each percent sign doubled, because sbatch replaces a percent sign and the
 * letter after it. */
static const char *without_fields(struct arena *arena, const char *path)
{
    ARENA_STREAM(stream);
    for (const char *at = path; *at; at++) fputs(*at == '%' ? "%%" : (char[]){*at, 0}, stream.out);
    return arena_stream_close(arena, &stream);
}

const char *const *cluster_command(const struct cluster_job *job, struct arena *arena)
{
    static const char *const of_gpus[] = {"--gres", "--gpu", "-G", NULL};
    const int minutes = (int)fmin(1e6, ceil(job->seconds / 60));
    const char *name = cluster_file_name(job->name, arena);
    const char *const own[] = {
        "sbatch",
        arena_print(arena, "--job-name=%s", name),
        arena_print(arena, "--array=0-%d", job->tasks - 1),
        arena_print(arena, "--time=%d-%02d:%02d:00", minutes / 1440, minutes / 60 % 24,
                    minutes % 60),
        "--signal=B:USR1@120",
        "--requeue",
        "--open-mode=append",
        arena_print(arena, "--output=%s/%s-%%A_%%a.log", without_fields(arena, job->logs), name),
        arena_print(arena, "--chdir=%s", job->folder),
    };
    const char **command = NULL;
    int words = 0;
    bool gpu = job->gpu;
    for (size_t i = 0; i < COUNT_OF(own); i++) ARENA_ADD(arena, command, words, own[i]);
    for (int i = 0; i < job->options; i++) gpu &= !word_begins(job->option[i], of_gpus);
    if (gpu) ARENA_ADD(arena, command, words, "--gres=gpu:1");
    for (int i = 0; i < job->options; i++) ARENA_ADD(arena, command, words, job->option[i]);
    ARENA_ADD(arena, command, words,
              arena_print(arena, "%s/scripts/slurm/job", file_program_folder()));
    for (int i = 0; i < job->words; i++) ARENA_ADD(arena, command, words, job->word[i]);
    ARENA_ADD(arena, command, words, NULL);
    return command;
}
