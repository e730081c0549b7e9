/* Runs gnuplot as a child process. The parent creates a folder with the files. The child can write
 * only to this folder. The parent removes the folder, even if the child crashes or reaches its time
 * limit. */
#include "plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/mask.h"
#include "core/base/jail.h"

const char *const gnuplot_format_names[] = {"svg", "pdf", "png", NULL};

enum {
    MEMORY_MOST = 1 << 30, /* address space, bytes */
    FILE_MOST = 64 << 20
};

static const char *const magic[] = {"<?xml", "%PDF-", "\x89PNG\r\n"}; /* first bytes of an image, by
                                                                         format */

const char *gnuplot_find(struct arena *arena)
{
    return child_find("gnuplot", true, arena);
}

static void close_others(void)
{
    if (syscall(__NR_close_range, 3u, ~0u, 0u) == 0) return;
    for (int i = 3; i < 1024; i++) close(i);
}

/* Runs in the child process, after fork. Calls only functions that are safe there. */
NORETURN static void become(const char *program, const char *folder, const struct gnuplot_job *job)
{
    static const char *const arguments[] = {"gnuplot", "-d", "script.gp", NULL};
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "HOME=.",  "XDG_CACHE_HOME=.",
                                              "LC_ALL=C",           "TZ=UTC0", NULL};
    const int seconds = job->seconds ? job->seconds : GNUPLOT_SECONDS;
    sigset_t none;
    if (chdir(folder) != 0) _exit(126);
    const int in = open("/dev/null", O_RDONLY);
    const int out = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0) _exit(126);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    close_others();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)seconds, (rlim_t)seconds + 5});
    setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY_MOST, MEMORY_MOST});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){FILE_MOST, FILE_MOST});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm((unsigned)seconds); /* remains set after execve */
    if (!job->open) jail_enter(program);
    execve(program, (char *const *)arguments, (char *const *)environment);
    _exit(127);
}

/* Returns the last line of gnuplot's log, with control characters masked. */
static const char *last_words(const char *folder, struct arena *arena)
{
    const char *path = arena_print(arena, "%s/log", folder), *line = "it printed nothing";
    if (file_bytes(path) <= 0 || file_bytes(path) > FILE_MOST) return line;
    char *text = file_read(arena, path, 0, NULL), *save;
    for (char *at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save))
        if (strspn(at, " \t^") != strlen(at)) line = at;
    char *kept = arena_text_range(arena, line, strnlen(line, 200));
    mask_text(kept);
    return kept;
}

static const char *wait_for(pid_t child, const char *folder, const struct gnuplot_job *job,
                            struct arena *arena)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return "gnuplot has no exit status";
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        if (number == SIGALRM || number == SIGXCPU)
            return arena_print(arena, "gnuplot took more than %d s",
                               job->seconds ? job->seconds : GNUPLOT_SECONDS);
        return arena_print(arena, "gnuplot crashed (signal %d)", number);
    }
    if (WEXITSTATUS(status))
        return arena_print(arena, "gnuplot failed (exit %d): %s", WEXITSTATUS(status),
                           last_words(folder, arena));
    return NULL;
}

/* Replaces the date and time in "/CreationDate (D:20260101120000Z)" by a fixed date. */
static void fix_date(char *image, size_t bytes)
{
    static const char key[] = "/CreationDate (D:", day[] = "20000101000000";
    char *at = memmem(image, bytes, key, strlen(key));
    if (!at) return;
    at += strlen(key);
    for (size_t i = 0; i < strlen(day) && at + i < image + bytes && at[i] != ')'; i++)
        at[i] = day[i];
}

/* Replaces "]]>" by "]]&gt;", because XML text must not contain "]]>". gnuplot escapes & and <, but
 * not >. */
static char *mend_svg(char *image, size_t *bytes, struct arena *arena)
{
    struct buffer out = {0};
    const char *at = image, *end = image + *bytes;
    for (const char *bad; (bad = memmem(at, (size_t)(end - at), "]]>", 3));) {
        buffer_add(&out, at, (size_t)(bad - at));
        buffer_add(&out, "]]&gt;", 6);
        at = bad + 3;
    }
    if (at == image) return image;
    buffer_add(&out, at, (size_t)(end - at));
    *bytes = out.bytes;
    char *mended = arena_text_range(arena, out.text, out.bytes);
    buffer_free(&out);
    return mended;
}

static void take_image(const char *folder, enum gnuplot_format format,
                       struct gnuplot_result *result, struct arena *arena)
{
    const char *path = arena_print(arena, "%s/figure.%s", folder, gnuplot_format_names[format]);
    size_t bytes = 0;
    if (file_bytes(path) > 0 && file_bytes(path) <= FILE_MOST) {
        char *image = file_read(arena, path, 0, &bytes);
        if (!strncmp(image, magic[format], strlen(magic[format]))) {
            if (format == GNUPLOT_PDF) fix_date(image, bytes);
            if (format == GNUPLOT_SVG) image = mend_svg(image, &bytes, arena);
            result->image = image;
            result->bytes = bytes;
            return;
        }
    }
    result->failure = arena_print(arena, "gnuplot wrote no %s: %s", gnuplot_format_names[format],
                                  last_words(folder, arena));
}

/* Blocks signals that would end the program before the folder is removed. gnuplot does not block
 * them, so Ctrl-C ends gnuplot. */
static void hold_signals(sigset_t *before)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, before);
}

struct gnuplot_result gnuplot_run(const struct gnuplot_job *job, struct arena *arena)
{
    struct gnuplot_result result = {0};
    const char *program = gnuplot_find(arena);
    if (!program)
        return (struct gnuplot_result){
            .failure = "gnuplot is not installed (apt-get install gnuplot-nox)"};
    sigset_t before;
    hold_signals(&before);
    SCOPED(heap_free) char *folder = file_try_temporary_folder(NULL);
    if (!folder) {
        result.failure = arena_print(arena, "%s: cannot make a temporary folder: %s",
                                     file_temporary_place(NULL), strerror(errno));
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return result;
    }
    for (int i = 0; i < job->files; i++)
        file_write(arena_print(arena, "%s/%s", folder, job->file[i].name), job->file[i].bytes,
                   job->file[i].count);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) become(program, folder, job);
    result.failure = child < 0 ? "cannot start a process" : wait_for(child, folder, job, arena);
    if (!result.failure) take_image(folder, job->format, &result, arena);
    file_remove_tree(folder);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}
