/* Runs curl, which prints one line at the end of each transfer (--write-out). A pipe carries these
 * lines. Progress is shown after each wait for the pipe (poll). */
#include "core/corpus/curl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/child.h"

/* Writes an option of curl's configuration, with its value in double quotes. */
static void put_quoted(const char *key, const char *text, FILE *out)
{
    fprintf(out, "%s = \"", key);
    for (; *text; text++) {
        const char *const plain = "\"\\\n\r\t\v", *const at = strchr(plain, *text);
        if (at)
            fprintf(out, "\\%c", "\"\\nrtv"[at - plain]);
        else
            putc(*text, out);
    }
    fputs("\"\n", out);
}

static pid_t start(const char *what, const struct curl_file *file, int files, int *lines,
                   struct arena *arena)
{
    /* clang-format off */
    static const char *const word[] = {
        "curl", "-q", "--config", "-", "--silent", "--fail", "--fail-early", "--globoff",
        "--location", "--max-redirs", "10", "--proto", "=http,https,file",
        "--proto-redir", "=http,https", "--continue-at", "-", "--connect-timeout", "30",
        "--speed-limit", "100", "--speed-time", "30",
        "--write-out", "%{urlnum} %{exitcode} %{http_code} %{errormsg}\n", NULL};
    /* clang-format on */
    int ends[2];
    pid_t process;
    if (!child_find("curl", false, arena))
        die("%s: the program curl is not installed; install it (Debian: apt-get install curl), or "
            "name a folder with the files: --mirror FOLDER",
            what);
    ARENA_STREAM(config);
    for (int i = 0; i < files; i++) {
        put_quoted("url", file[i].url, config.out);
        put_quoted("output", file[i].path, config.out);
    }
    const char *text = arena_stream_close(arena, &config);
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    const struct child child = {.word = word,
                                .input = child_input(what, text, strlen(text)),
                                .output = ends[1],
                                .bound = true};
    const int error = child_start(&child, &process);
    if (error) die("%s: curl: cannot be started: %s", what, strerror(error));
    close(child.input);
    close(ends[1]);
    *lines = ends[0];
    return process;
}

/* Handles one line of curl. Returns the number of files that were completed: 0 or 1. */
static int take_line(const char *line, int files, struct curl_end *end,
                     const struct curl_calls *calls, struct arena *arena)
{
    int index, code, status, bytes = 0;
    if (sscanf(line, "%d %d %d %n", &index, &code, &status, &bytes) < 3 || index < 0 ||
        index >= files)
        *end = (struct curl_end){-1, -1, 0, "curl is too old; expected 7.75 or newer"};
    else if (!code)
        calls->ended(calls->context, index);
    else if (!end->code)
        *end = (struct curl_end){index, code, status, arena_text(arena, line + bytes)};
    return !end->code;
}

/* Waits for output of curl, at most TICK, and appends it. Returns false at the end of the
 * output. */
static bool more(int lines, struct buffer *text)
{
    enum { CHUNK = 1 << 12, TICK = 200 /* ms */ };
    struct pollfd wait = {.fd = lines, .events = POLLIN};
    if (poll(&wait, 1, TICK) <= 0) return true;
    const ssize_t got = read(lines, buffer_room(text, CHUNK), CHUNK);
    text->bytes += got > 0 ? (size_t)got : 0;
    return got > 0 || (got < 0 && errno == EINTR);
}

struct curl_end curl_fetch(const char *what, const struct curl_file *file, int files,
                           const struct curl_calls *calls, struct arena *arena)
{
    struct curl_end end = {.index = -1};
    SCOPED(buffer_free) struct buffer text = {0};
    int lines, came = 0;
    const pid_t process = start(what, file, files, &lines, arena);
    while (more(lines, &text)) {
        char *feed;
        while (text.bytes && (feed = memchr(text.text, '\n', text.bytes))) {
            const size_t bytes = (size_t)(feed + 1 - text.text);
            *feed = 0;
            came += take_line(text.text, files, &end, calls, arena);
            memmove(text.text, text.text + bytes, text.bytes -= bytes);
        }
        calls->tick(calls->context);
    }
    close(lines);
    const char *how = child_wait(process, arena);
    if (!end.code && (how || came < files))
        end = (struct curl_end){
            -1, -1, 0,
            arena_print(arena, "curl %s", how ? how : "ended before all files were fetched")};
    return end;
}

enum curl_failure curl_failure(const struct curl_end *end)
{
    static const struct {
        int code;
        enum curl_failure failure;
    } known[] = {{5, CURL_UNREACHED},  {6, CURL_UNREACHED},  {7, CURL_UNREACHED}, {23, CURL_WRITE},
                 {33, CURL_NO_RESUME}, {36, CURL_NO_RESUME}, {16, CURL_BROKEN},   {18, CURL_BROKEN},
                 {28, CURL_BROKEN},    {35, CURL_BROKEN},    {52, CURL_BROKEN},   {55, CURL_BROKEN},
                 {56, CURL_BROKEN},    {92, CURL_BROKEN}};
    if (end->status == 416) return CURL_NO_RESUME;
    if (end->status == 408 || end->status == 429 || end->status >= 500) return CURL_BROKEN;
    for (size_t i = 0; i < COUNT_OF(known) && end->status < 400; i++)
        if (known[i].code == end->code) return known[i].failure;
    return CURL_FINAL;
}
