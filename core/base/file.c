#include "core/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void (*fence_call)(void *context);
static void *fence_context;

void file_set_fence(void (*fence)(void *context), void *context)
{
    fence_call = fence;
    fence_context = context;
}

void file_pass_fence(void)
{
    if (fence_call) fence_call(fence_context);
}

char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) die("%s: cannot be read: %s", path, strerror(errno));
    struct stat info;
    if (fstat(fileno(file), &info) != 0) die("%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode)) die("%s: not a regular file", path);
    size_t size = (size_t)info.st_size;
    if (limit && size > limit) die("%s: %zu bytes, at most %zu are read", path, size, limit);
    char *text = arena_alloc(arena, size + 1);
    size_t got = fread(text, 1, size, file);
    if (got != size) die("%s: only %zu of %zu bytes could be read", path, got, size);
    fclose(file);
    if (bytes) *bytes = size;
    return text;
}

bool file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool file_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int64_t file_bytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

struct file_writer file_create(const char *path)
{
    file_pass_fence();
    struct file_writer writer = {.path = heap_print("%s", path),
                                 .temporary = heap_print("%s.tmp-%d", path, (int)getpid())};
    writer.stream = fopen(writer.temporary, "wb");
    if (!writer.stream) die("%s: cannot be written: %s", path, strerror(errno));
    return writer;
}

void file_sync_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    if (folder < 0) die("%s: %s", path, strerror(errno));
    if (fsync(folder) != 0 && errno != EINVAL) die("%s: sync failed: %s", path, strerror(errno));
    close(folder);
}

void file_rename(const char *from, const char *to)
{
    file_pass_fence();
    if (rename(from, to) != 0) die("%s: cannot become %s: %s", from, to, strerror(errno));
    char *copy = heap_print("%s", to);
    file_sync_folder(dirname(copy));
    free(copy);
}

static void writer_free(struct file_writer *writer)
{
    free(writer->path);
    free(writer->temporary);
    *writer = (struct file_writer){0};
}

void file_commit(struct file_writer *writer)
{
    /* A large fwrite that came back short leaves nothing in the buffer: only ferror knows of it. */
    errno = ENOSPC;
    bool bad = ferror(writer->stream) || fflush(writer->stream) != 0 ||
               fsync(fileno(writer->stream)) != 0;
    const int reason = errno;
    bad |= fclose(writer->stream) != 0;
    if (bad) {
        unlink(writer->temporary);
        die("%s: writing failed: %s", writer->path, strerror(reason));
    }
    file_crash_point("before-rename");
    file_rename(writer->temporary, writer->path);
    writer_free(writer);
}

void file_write(const char *path, const void *bytes, size_t count)
{
    struct file_writer writer = file_create(path);
    fwrite(bytes, 1, count, writer.stream);
    file_commit(&writer);
}

char *file_temporary_folder(const char *where)
{
    const char *set = getenv("TMPDIR");
    if (!where) where = set && *set ? set : "/tmp";
    char *path = heap_print("%s/sanlab-XXXXXX", where);
    if (mkdtemp(path)) return path;
    int error = errno;
    free(path);
    errno = error;
    return NULL;
}

void file_make_folder(const char *path)
{
    if (!path[0]) die("the name of a folder is empty");
    char *copy = heap_print("%s", path);
    for (char *at = copy + 1;; at++) {
        if (*at != '/' && *at != 0) continue;
        char keep = *at;
        *at = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            die("%s: folder cannot be made: %s", copy, strerror(errno));
        *at = keep;
        if (!keep) break;
    }
    if (!file_is_folder(path)) die("%s: is there, but is not a folder", path);
    free(copy);
}

void file_remove_tree(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0) return;
    file_pass_fence();
    if (S_ISDIR(info.st_mode)) {
        DIR *folder = opendir(path);
        if (!folder) die("%s: %s", path, strerror(errno));
        for (struct dirent *entry; (entry = readdir(folder));) {
            if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
            char *inner = heap_print("%s/%s", path, entry->d_name);
            file_remove_tree(inner);
            free(inner);
        }
        closedir(folder);
    }
    if (remove(path) != 0) die("%s: cannot be removed: %s", path, strerror(errno));
}

const char *file_program_folder(void)
{
    static char folder[PATH_MAX];
    if (!folder[0]) {
        char path[PATH_MAX];
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        CHECK(length > 0, "/proc/self/exe: %s", strerror(errno));
        path[length] = 0;
        snprintf(folder, sizeof folder, "%s", dirname(path));
    }
    return folder;
}

/* What the environment asks for at a point: VARIABLE=label:n sends ourselves that signal. */
struct point {
    const char *variable;
    int number;
    bool asked;
    const char *wanted;
    long countdown;
};

static void pass_point(struct point *point, const char *label)
{
    if (!point->asked) {
        point->asked = true;
        point->wanted = getenv(point->variable);
        const char *colon = point->wanted ? strchr(point->wanted, ':') : NULL;
        point->countdown = colon ? atol(colon + 1) : 1;
    }
    if (!point->wanted) return;
    size_t length = strcspn(point->wanted, ":");
    if (strncmp(point->wanted, label, length) != 0 || label[length]) return;
    if (--point->countdown == 0) raise(point->number);
}

void file_crash_point(const char *label)
{
    static struct point crash = {"SANLAB_CRASH_AT", .number = SIGKILL};
    static struct point freeze = {"SANLAB_FREEZE_AT", .number = SIGSTOP};
    pass_point(&crash, label);
    pass_point(&freeze, label);
}
