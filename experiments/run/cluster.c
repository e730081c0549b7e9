/* Writes the script of a Slurm job: the options of sbatch, the command of the runner, and the rules
 * for requeuing. All words are quoted. */
#include "experiments/run/cluster.h"

#include <math.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/child.h"
#include "core/base/shell.h"
#include "core/config/word.h"

/* Replaces line breaks by blanks. */
static const char *one_line(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';
    return *text ? text : "it printed no reason";
}

const char *cluster_submit(const char *script, struct arena *arena)
{
    const char *const word[] = {"sbatch", script, NULL};
    const struct child_said said = child_try("run: --slurm", word, CHILD_OUTPUT, arena);
    size_t bytes = strlen(said.text);
    while (bytes && strchr(" \n", said.text[bytes - 1])) bytes--;
    said.text[bytes] = 0;
    if (said.end)
        die("run: --slurm: sbatch refused %s (%s): %s", script, said.end, one_line(said.text));
    return said.text;
}

enum { NAME_BYTES = 100 };

int cluster_words(const char *text, const char ***word, struct arena *arena)
{
    struct buffer one = {0};
    int words = 0;
    char quote = 0;
    bool open = false; /* the current word has begun */
    *word = NULL;
    for (const char *at = text;; at++) {
        if (!*at || (!quote && strchr(" \t", *at))) {
            if (*at && !open) continue;
            if (quote) die("run: --slurm \"%s\": the quote %c is not closed", text, quote);
            if (open) {
                ARENA_ADD(arena, *word, words,
                          arena_text_range(arena, buffer_end(one.text, 0), one.bytes));
            }
            buffer_clear(&one);
            open = false;
            if (!*at) break;
            continue;
        }
        open = true;
        if (quote && *at == quote)
            quote = 0;
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            buffer_add_byte(&one, *++at);
        else
            buffer_add_byte(&one, *at);
    }
    buffer_free(&one);
    return words;
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

static void check_word(const char *word)
{
    for (const char *at = word; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            die("run: --slurm: \"%s\": has a control character; expected printable characters",
                word);
}

/* Prints a word quoted for a shell. */
static void put_shell(const char *word, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    check_word(word);
    fputs(shell_word(&arena, word), out);
}

/* Prints a word quoted for a #SBATCH line. */
static void put_sbatch(const char *word, FILE *out)
{
    check_word(word);
    const bool quoted = !*word || word[strspn(word, shell_plain)] || strchr(word, '%');
    if (quoted) fputc('"', out);
    for (const char *at = word; *at; at++) {
        if (*at == '"' || *at == '\\') fputc('\\', out);
        fputc(*at, out);
    }
    if (quoted) fputc('"', out);
}

static void put_option(const char *option, FILE *out)
{
    fputs("#SBATCH ", out);
    put_sbatch(option, out);
    fputc('\n', out);
}

/* Returns the path with each percent sign doubled, because sbatch replaces a percent sign and the
 * letter after it. */
static const char *without_fields(struct arena *arena, const char *path)
{
    ARENA_STREAM(stream);
    for (const char *at = path; *at; at++) fputs(*at == '%' ? "%%" : (char[]){*at, 0}, stream.out);
    return arena_stream_close(arena, &stream);
}

static void put_options(const struct cluster_job *job, struct arena *arena, FILE *out)
{
    static const char *const of_gpus[] = {"--gres", "--gpu", "-G", NULL};
    const int minutes = (int)fmin(1e6, ceil(job->seconds / 60));
    bool gpu = job->gpu;
    for (int i = 0; i < job->options; i++) gpu &= !word_begins(job->option[i], of_gpus);
    put_option(arena_print(arena, "--job-name=%s", cluster_file_name(job->name, arena)), out);
    put_option(arena_print(arena, "--array=0-%d", job->tasks - 1), out);
    put_option(arena_print(arena, "--time=%d-%02d:%02d:00", minutes / 1440, minutes / 60 % 24,
                           minutes % 60),
               out);
    put_option("--signal=B:USR1@120", out);
    put_option("--requeue", out);
    put_option("--open-mode=append", out);
    put_option(arena_print(arena, "--output=%s/%s-%%A_%%a.log", without_fields(arena, job->logs),
                           cluster_file_name(job->name, arena)),
               out);
    if (gpu) put_option("--gres=gpu:1", out);
    /* The user's options. A word that begins with a dash begins a line. Other words are values of
     * this option. */
    for (int i = 0; i < job->options; i++) {
        fputs(*job->option[i] != '-' ? " " : i ? "\n#SBATCH " : "#SBATCH ", out);
        put_sbatch(job->option[i], out);
    }
    if (job->options) fputc('\n', out);
}

/* Signals may arrive at any moment: before the runner has started, or during `wait`, which then
 * returns early. So the script calls `wait` a second time, after the runner has ended. Some shells
 * (bash) then return the runner's status again, others (dash) return 127. A runner that receives
 * USR1 before it blocks the signal is ended by the signal (status 138). */
static const char before[] = "runner= warned= ended=\n"
                             "pass() {\n"
                             "    [ -z \"$runner\" ] || kill -s USR1 \"$runner\" 2> /dev/null\n"
                             "}\n"
                             "trap 'warned=yes; pass' USR1 USR2\n"
                             "trap 'ended=yes; pass' TERM INT\n\n";
static const char after[] =
    " &\n"
    "runner=$!\n"
    "[ -z \"$warned$ended\" ] || pass\n"
    "while wait \"$runner\"; status=$?; kill -s 0 \"$runner\" 2> /dev/null; do :; done\n"
    "wait \"$runner\" 2> /dev/null\n"
    "again=$?\n"
    "[ $again = 127 ] || status=$again\n\n"
    "# Interrupted by a warning, or by anything but a TERM to this task: requeue.\n"
    "if [ $status = 75 ] || [ $status = 138 ]; then\n"
    "    [ -z \"$warned\" ] && [ -n \"$ended\" ] ||\n"
    "        scontrol requeue \"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}\"\n"
    "fi\n"
    "exit $status\n";

char *cluster_script(const struct cluster_job *job, struct arena *arena)
{
    ARENA_STREAM(stream);
    fputs("#!/bin/sh\n", stream.out);
    put_options(job, arena, stream.out);
    fputs(
        "# Runners of one grid, written by `sanlab run --slurm`. They divide its stages.\n\ncd -- ",
        stream.out);
    put_shell(job->folder, stream.out);
    fprintf(stream.out, " || exit 1\n%s", before);
    put_shell(job->program, stream.out);
    for (int i = 0; i < job->words; i++) {
        fputc(' ', stream.out);
        put_shell(job->word[i], stream.out);
    }
    fputs(after, stream.out);
    return arena_stream_close(arena, &stream);
}
