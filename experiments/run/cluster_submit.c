/* sbatch is started from its words, without a shell; what it says comes back as text. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "experiments/run/cluster.h"

enum { SAID = 4096 }; /* bytes that are kept of what it says */

/* All that comes, of which text[SAID] holds the first; NUL-terminated. */
static void read_text(int file, char text[SAID])
{
    char rest[SAID];
    size_t bytes = 0;
    for (;;) {
        const bool room = bytes < SAID - 1;
        const ssize_t got =
            read(file, room ? text + bytes : rest, room ? SAID - 1 - bytes : sizeof rest);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (room) bytes += (size_t)got;
    }
    while (bytes && strchr(" \n", text[bytes - 1])) bytes--;
    text[bytes] = 0;
}

/* Its lines as one. */
static const char *one_line(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';
    return *text ? text : "it gave no reason";
}

const char *cluster_submit(const char *script, struct arena *arena)
{
    const char *const word[] = {"sbatch", script, NULL};
    char text[SAID];
    int ends[2];
    pid_t process;
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0) die("/dev/null: %s", strerror(errno));
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    const struct child child = {.word = word, .input = input, .output = ends[1], .errors = ends[1]};
    const int error = child_start(&child, &process);
    close(input);
    close(ends[1]);
    if (error) die("run: --slurm: sbatch cannot be started: %s", strerror(error));
    read_text(ends[0], text);
    close(ends[0]);
    const char *end = child_wait(process, arena);
    if (end) die("run: --slurm: sbatch refused %s (%s): %s", script, end, one_line(text));
    return arena_text(arena, text);
}
