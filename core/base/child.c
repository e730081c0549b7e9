/* Starts child processes. The input of a child is written to a file in memory before the child
 * starts. With a pipe for the input, parent and child could wait for each other forever. */
#include "core/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/file.h"

enum { CHUNK = 1 << 16, MOST = 1 << 30 }; /* bytes of one read; limit of the output in bytes */

const char *child_find(const char *name, bool absolute, struct arena *arena)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/')) return file_exists(name) && !access(name, X_OK) ? name : NULL;
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        const size_t bytes = strcspn(at, ":");
        const char *file = arena_print(arena, "%.*s/%s", (int)bytes, at, name);
        if (bytes && (*at == '/' || !absolute) && file_exists(file) && !access(file, X_OK))
            return file;
        at += bytes + (at[bytes] == ':');
    }
    return NULL;
}

/* Starts a child in another folder, or one that the kernel kills when its parent ends. posix_spawn
 * cannot request either in glibc 2.28. getppid detects a parent that ended before prctl. */
static int start_forked(const struct child *child, const char *file, int errors, pid_t *process)
{
    const pid_t parent = getpid();
    *process = fork();
    if (*process < 0) return errno;
    if (*process) return 0;
    if (child->bound && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)) _exit(127);
    signal(SIGPIPE, SIG_DFL);
    if (dup2(child->input, STDIN_FILENO) < 0 || dup2(child->output, STDOUT_FILENO) < 0 ||
        (errors && dup2(errors, STDERR_FILENO) < 0) || (child->folder && chdir(child->folder) != 0))
        _exit(127);
    if (child->before) child->before(child->context, file);
    execve(file, (char *const *)child->word,
           child->environment ? (char *const *)child->environment : environ);
    _exit(127);
}

int child_start(const struct child *child, pid_t *process)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *name = child->word[0];
    const char *file = strchr(name, '/') ? name : child_find(name, child->folder != NULL, &arena);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const int errors = child->errors == CHILD_OUTPUT ? child->output : child->errors;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child->input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, child->output, STDOUT_FILENO);
    if (errors) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    const int error =
        !file ? ENOENT
        : child->bound || child->folder
            ? start_forked(child, file, errors, process)
            : posix_spawn(process, file, &actions, &attributes, (char *const *)child->word,
                          child->environment ? (char *const *)child->environment : environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

const char *child_wait_status(pid_t process, int *status, struct arena *arena)
{
    int how;
    *status = -1;
    while (waitpid(process, &how, 0) < 0)
        if (errno != EINTR) return arena_print(arena, "has no exit status (%s)", strerror(errno));
    if (WIFSIGNALED(how))
        return arena_print(arena, "ended by signal %d (%s)", WTERMSIG(how),
                           strsignal(WTERMSIG(how)));
    *status = WEXITSTATUS(how);
    return *status ? arena_print(arena, "ended with status %d", *status) : NULL;
}

const char *child_wait(pid_t process, struct arena *arena)
{
    int status;
    return child_wait_status(process, &status, arena);
}

const char *child_file(const char *const *word, int index, struct arena *arena)
{
    if (!index) return child_find(word[0], false, arena);
    return file_exists(word[index]) ? word[index] : NULL;
}

int child_input(const char *what, const char *text, size_t bytes)
{
    const int file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0 || !file_put(file, text, bytes) || lseek(file, 0, SEEK_SET) != 0)
        die("%s: cannot store the input of the program: %s", what, strerror(errno));
    return file;
}

/* Reads to the end of the file. Returns false if there are MOST bytes or more. */
static bool read_all(const char *what, int file, struct buffer *text)
{
    ssize_t got = 1;
    while (got && text->bytes < MOST) {
        got = read(file, buffer_room(text, CHUNK), CHUNK);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) die("%s: cannot read the output of the program: %s", what, strerror(errno));
        text->bytes += (size_t)got;
    }
    return text->bytes < MOST;
}

static struct child_said ask(const char *what, struct child child, const char *text,
                             size_t text_bytes, struct arena *arena)
{
    struct buffer printed = {0};
    struct child_said said;
    int ends[2];
    pid_t process;
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    child.input = child_input(what, text, text_bytes);
    child.output = ends[1];
    const int error = child_start(&child, &process);
    if (error) die("%s: %s: cannot be started: %s", what, child.word[0], strerror(error));
    close(child.input);
    close(ends[1]);
    const bool all = read_all(what, ends[0], &printed);
    close(ends[0]);
    if (!all) kill(process, SIGKILL);
    said.end = child_wait_status(process, &said.status, arena);
    if (!all) die("%s: %s: printed more than %d bytes; expected fewer", what, child.word[0], MOST);
    said.bytes = printed.bytes;
    said.text = buffer_take(&printed, arena);
    return said;
}

struct child_said child_try(const char *what, const char *const *word, int errors,
                            struct arena *arena)
{
    return ask(what, (struct child){.word = word, .errors = errors}, NULL, 0, arena);
}

/* Python puts the folder in which it starts at the front of sys.path, and empty parts of
 * $PYTHONPATH mean this folder. So python3 starts in "/", and the script removes "/" from
 * sys.path. */
const char *child_python_package(const char *package, struct arena *arena)
{
    const char *script = arena_print(arena,
                                     "import sys\n"
                                     "sys.path = [p for p in sys.path if p not in ('', '/')]\n"
                                     "import %s as package\n"
                                     "print(list(package.__path__)[0])\n",
                                     package);
    const char *own = file_by_program(arena, "python3");
    const char *const word[] = {file_exists(own) ? own : "python3", "-c", script, NULL};
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct child_said said = {.end = "was not started"};
    if (nowhere >= 0 && child_find(word[0], true, arena))
        said = ask("python3", (struct child){.word = word, .folder = "/", .errors = nowhere}, NULL,
                   0, arena);
    if (nowhere >= 0) close(nowhere);
    if (said.end) return NULL;
    said.text[strcspn(said.text, "\n")] = 0;
    return said.text;
}

char *child_ask(const char *what, const char *const *word, const char *text, size_t text_bytes,
                size_t *bytes, struct arena *arena)
{
    const struct child_said said = ask(what, (struct child){.word = word}, text, text_bytes, arena);
    if (said.end) die("%s: %s: %s", what, word[0], said.end);
    *bytes = said.bytes;
    return said.text;
}
