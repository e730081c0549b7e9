/* The sentences lie in memory before the program begins, so that neither side waits for the
 * other. */
#include "experiments/stage/tagger.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/file.h"

enum { CHUNK = 1 << 16, MOST = 1 << 30 }; /* bytes: of a read, that it may print */

static const char what[] = "evaluate.gates.tags.command";

const char *tagger_file(const struct texts *command, int word, struct arena *arena)
{
    const char *name = command->text[word], *path = getenv("PATH");
    if (word || strchr(name, '/')) return file_exists(name) ? name : NULL;
    for (const char *at = path ? path : ""; *at;) {
        const size_t bytes = strcspn(at, ":");
        const char *file = arena_print(arena, "%.*s/%s", (int)bytes, at, name);
        if (bytes && file_exists(file) && !access(file, X_OK)) return file;
        at += bytes + (at[bytes] == ':');
    }
    return NULL;
}

static int put_sentences(const char *const *sentence, int sentences)
{
    struct buffer text = {0};
    for (int i = 0; i < sentences; i++) {
        buffer_add(&text, sentence[i], strlen(sentence[i]));
        buffer_add_byte(&text, '\n');
    }
    const int file = memfd_create("tokens", MFD_CLOEXEC);
    if (file < 0 || !file_put(file, text.text, text.bytes) || lseek(file, 0, SEEK_SET) != 0)
        die("%s: its input cannot be kept: %s", what, strerror(errno));
    buffer_free(&text);
    return file;
}

static pid_t start(const struct texts *command, int input, int output, struct arena *arena)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    pid_t child;
    const char **word = ARENA_ARRAY(arena, const char *, command->count + 1);
    memcpy(word, command->text, sizeof *word * (size_t)command->count);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    const int error =
        posix_spawnp(&child, word[0], &actions, &attributes, (char *const *)word, environ);
    if (error) die("%s: %s: cannot be started: %s", what, word[0], strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return child;
}

/* Reads to the end; false: it is more than MOST. */
static bool read_all(int file, struct buffer *text)
{
    ssize_t got = 1;
    while (got && text->bytes < MOST) {
        got = read(file, buffer_room(text, CHUNK), CHUNK);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) die("%s: its output cannot be read: %s", what, strerror(errno));
        text->bytes += (size_t)got;
    }
    return text->bytes < MOST;
}

char *tagger_run(const struct texts *command, const char *const *sentence, int sentences,
                 size_t *bytes, struct arena *arena)
{
    struct buffer text = {0};
    int ends[2], status;
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    const int input = put_sentences(sentence, sentences);
    const pid_t child = start(command, input, ends[1], arena);
    close(input);
    close(ends[1]);
    const bool all = read_all(ends[0], &text);
    close(ends[0]);
    if (!all) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (!all) die("%s: %s: printed more than %d bytes", what, command->text[0], MOST);
    if (WIFSIGNALED(status))
        die("%s: %s: ended by signal %d (%s)", what, command->text[0], WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status))
        die("%s: %s: ended with status %d", what, command->text[0], WEXITSTATUS(status));
    *bytes = text.bytes;
    char *copy = arena_text_range(arena, text.text, text.bytes);
    buffer_free(&text);
    return copy;
}
