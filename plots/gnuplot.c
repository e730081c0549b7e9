/* Runs gnuplot as a child process. The parent creates a folder with the files. The child can write
 * only to this folder. The parent removes the folder, even if the child crashes or reaches its time
 * limit. */
#include "plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static int seconds_of(const struct gnuplot_job *job)
{
    return job->seconds ? job->seconds : GNUPLOT_SECONDS;
}

/* Limits the child process before execve. Calls only functions that are safe after fork. */
static void limit(const void *context, const char *program)
{
    const struct gnuplot_job *job = context;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (syscall(__NR_close_range, 3u, ~0u, 0u) != 0) /* Linux before 5.9 */
        for (int i = 3; i < 1024; i++) close(i);
    signal(SIGALRM, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY_MOST, MEMORY_MOST});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){FILE_MOST, FILE_MOST});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm((unsigned)seconds_of(job)); /* remains set after execve */
    if (!job->open) jail_enter(program);
}

/* Runs gnuplot in a folder. Returns NULL, or the reason why it failed. */
static const char *run(const char *program, const char *folder, const struct gnuplot_job *job,
                       struct arena *arena)
{
    const char *const word[] = {program, "-d", "script.gp", NULL};
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "HOME=.",  "XDG_CACHE_HOME=.",
                                              "LC_ALL=C",           "TZ=UTC0", NULL};
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC),
              out = file_open(arena_print(arena, "%s/log", folder), O_WRONLY | O_CREAT);
    const struct child child = {.word = word,
                                .environment = environment,
                                .folder = folder,
                                .input = in,
                                .output = out,
                                .errors = CHILD_OUTPUT,
                                .bound = true,
                                .before = limit,
                                .context = job};
    const double begun = clock_seconds();
    pid_t process;
    const bool started = in >= 0 && out >= 0 && !child_start(&child, &process);
    close(in);
    close(out);
    if (!started) return "gnuplot cannot be started";
    const char *end = child_wait(process, arena);
    if (end && clock_seconds() - begun >= seconds_of(job))
        return arena_print(arena, "gnuplot took more than %d s", seconds_of(job));
    return end ? arena_print(arena, "gnuplot %s: %s", end, last_words(folder, arena)) : NULL;
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

static void take_image(const char *folder, enum gnuplot_format format,
                       struct gnuplot_result *result, struct arena *arena)
{
    const char *path = arena_print(arena, "%s/figure.%s", folder, gnuplot_format_names[format]);
    size_t bytes = 0;
    if (file_bytes(path) > 0 && file_bytes(path) <= FILE_MOST) {
        char *image = file_read(arena, path, 0, &bytes);
        if (!strncmp(image, magic[format], strlen(magic[format]))) {
            if (format == GNUPLOT_PDF) fix_date(image, bytes);
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
    result.failure = run(program, folder, job, arena);
    if (!result.failure) take_image(folder, job->format, &result, arena);
    file_remove_tree(folder);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}
