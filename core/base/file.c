#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/path.h"

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

const char *file_why(int error)
{
    if (error == ELOOP)
        return "it leads through a link, and below the runs folder none is followed";
    if (error == EINVAL) return "it is not a regular file";
    return strerror(error);
}

int file_open(const char *path, int flags)
{
    struct stat info;
    /* Non-blocking: a pipe that nobody writes to would keep us in open(). */
    int file = path_open(path, flags | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        if (errno == ENXIO || errno == EISDIR)
            errno = EINVAL; /* a pipe without a reader; a folder */
        return -1;
    }
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) return file;
    close(file);
    errno = EINVAL;
    return -1;
}

FILE *file_stream(const char *path)
{
    int file = file_open(path, O_RDONLY);
    return file < 0 ? NULL : fdopen(file, "rb");
}

DIR *file_list(const char *path)
{
    int folder = path_open(path, O_RDONLY | O_DIRECTORY);
    return folder < 0 ? NULL : fdopendir(folder);
}

char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes)
{
    const char *problem;
    char *text = file_try_read(arena, path, limit, bytes, &problem);
    if (!text && problem) die("%s", problem);
    if (!text) die("%s: cannot be read: %s", path, strerror(ENOENT));
    return text;
}

/* What is wrong with an open file, or NULL; else its text. */
static const char *take_text(struct arena *arena, const char *path, FILE *file, size_t limit,
                             char **text, size_t *bytes)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0) die("%s: cannot be read: %s", path, strerror(errno));
    size_t size = (size_t)info.st_size;
    if (limit && size > limit)
        return arena_print(arena, "%s: %zu bytes, at most %zu are read", path, size, limit);
    *text = arena_alloc(arena, size + 1);
    errno = 0;
    size_t got = fread(*text, 1, size, file);
    if (got != size && errno) die("%s: cannot be read: %s", path, strerror(errno));
    if (got != size)
        return arena_print(arena, "%s: only %zu of %zu bytes could be read", path, got, size);
    if (bytes) *bytes = size;
    return NULL;
}

FILE *file_lines(const char *path)
{
    FILE *file = file_stream(path);
    if (!file && errno != ENOENT && errno != ENOTDIR)
        die("%s: cannot be read: %s", path, file_why(errno));
    return file;
}

void file_close(FILE *file, const char *path)
{
    if (!file) return;
    if (ferror(file)) die("%s: reading failed: %s", path, strerror(errno));
    fclose(file);
}

DIR *file_open_folder(const char *path)
{
    DIR *folder = file_list(path);
    if (!folder && errno != ENOENT && errno != ENOTDIR)
        die("%s: cannot be read: %s", path, file_why(errno));
    return folder;
}

/* The file is not at fault. */
static bool is_of_machine(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO;
}

char *file_try_read(struct arena *arena, const char *path, size_t limit, size_t *bytes,
                    const char **problem)
{
    char *text = NULL;
    FILE *file = file_stream(path);
    const bool absent = errno == ENOENT || errno == ENOTDIR;
    *problem = NULL;
    if (!file && is_of_machine(errno)) die("%s: cannot be read: %s", path, strerror(errno));
    if (!file && !absent)
        *problem = arena_print(arena, "%s: cannot be read: %s", path, file_why(errno));
    if (file) {
        *problem = take_text(arena, path, file, limit, &text, bytes);
        fclose(file);
    }
    return *problem ? NULL : text;
}

/* What could not be looked at does not pass for what is not there. */
static bool look(const char *path, struct stat *info)
{
    const bool there = path_stat(path, info);
    if (!there && is_of_machine(errno)) die("%s: cannot be read: %s", path, strerror(errno));
    return there;
}

bool file_exists(const char *path)
{
    struct stat info;
    return look(path, &info) && S_ISREG(info.st_mode);
}

bool file_is_folder(const char *path)
{
    struct stat info;
    return look(path, &info) && S_ISDIR(info.st_mode);
}

int64_t file_bytes(const char *path)
{
    struct stat info;
    if (!look(path, &info)) return -1;
    return S_ISREG(info.st_mode) ? (int64_t)info.st_size : 0;
}

bool file_put(int file, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        ssize_t got = write(file, at, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

struct file_writer file_create(const char *path)
{
    file_pass_fence();
    struct file_writer writer = {.path = heap_print("%s", path),
                                 .temporary = heap_print("%s.tmp-%d", path, (int)getpid())};
    file_unlink(writer.temporary); /* of a process that had our number */
    int file = file_open(writer.temporary, O_WRONLY | O_CREAT | O_EXCL);
    writer.stream = file < 0 ? NULL : fdopen(file, "wb");
    if (!writer.stream) die("%s: cannot be written: %s", path, file_why(errno));
    return writer;
}

void file_sync_folder(const char *path)
{
    int folder = path_open(path, O_RDONLY | O_DIRECTORY);
    if (folder < 0) die("%s: %s", path, file_why(errno));
    if (fsync(folder) != 0 && errno != EINVAL) die("%s: sync failed: %s", path, strerror(errno));
    close(folder);
}

bool file_move(const char *from, const char *to)
{
    file_pass_fence();
    return path_rename(from, to, 0);
}

void file_rename(const char *from, const char *to)
{
    if (!file_move(from, to)) die("%s: cannot become %s: %s", from, to, file_why(errno));
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

/* Why a stream failed, which does not remember it: the next write fails for the same reason, or the
 * reason has gone. What it leaves goes away with the file. */
static void ask_again(int file)
{
    static const char block[1 << 16];
    if (file_put(file, block, sizeof block)) errno = EIO;
}

void file_commit(struct file_writer *writer)
{
    /* A large fwrite that came back short leaves nothing in the buffer: only ferror knows of it. */
    bool bad = ferror(writer->stream);
    if (bad)
        ask_again(fileno(writer->stream));
    else
        bad = fflush(writer->stream) != 0 || fsync(fileno(writer->stream)) != 0;
    int reason = errno;
    if (fclose(writer->stream) != 0 && !bad) {
        bad = true;
        reason = errno;
    }
    if (bad) {
        path_unlink(writer->temporary);
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
        if (!path_make_folder(copy) && errno != EEXIST)
            die("%s: folder cannot be made: %s", copy, file_why(errno));
        *at = keep;
        if (!keep) break;
    }
    if (!file_is_folder(path)) die("%s: is there, but is not a folder", path);
    free(copy);
}

bool file_unlink(const char *path)
{
    file_pass_fence();
    return path_unlink(path) || errno == ENOENT;
}

/* The name in the folder and, if it is a folder, all that is in it; false with errno. */
static bool remove_at(int parent, const char *name)
{
    file_pass_fence();
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return true;
    if (errno != EISDIR && errno != EPERM) return false;
    int below = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = below < 0 ? NULL : fdopendir(below);
    if (!folder) return false;
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            good = remove_at(below, entry->d_name);
    const int error = errno;
    closedir(folder);
    errno = error;
    return good && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

void file_remove_tree(const char *path)
{
    struct path at;
    bool there = path_enter(path, &at);
    if (!there && errno == ENOENT) return;
    if (!there || !remove_at(at.folder, at.name))
        die("%s: cannot be removed: %s", path, file_why(errno));
    path_leave(&at);
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
