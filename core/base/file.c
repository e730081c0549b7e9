/* A file appears by rename(), whole or not at all. The file is synced before that and its folder
 * behind it, so that a power cut takes nothing that somebody has counted on. */
#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/base/crash.h"
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
    if (error == EXDEV) return "it leads out of the runs folder, or to another file system";
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
    const int file = file_open(path, O_RDONLY);
    FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
    if (file >= 0 && !stream) path_leave(&(struct path){.folder = file});
    return stream;
}

static DIR *list_of(int file)
{
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    if (file >= 0 && !folder) path_leave(&(struct path){.folder = file});
    return folder;
}

DIR *file_list(const char *path)
{
    return list_of(path_open(path, O_RDONLY | O_DIRECTORY));
}

DIR *file_list_at(int folder, const char *name)
{
    return list_of(openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

const char *file_next(DIR *folder)
{
    struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) return entry->d_name;
    if (folder) closedir(folder);
    return NULL;
}

char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes)
{
    const char *problem;
    char *text = file_try_read(arena, path, limit, bytes, &problem);
    if (!text && problem) die("%s", problem);
    if (!text) die("%s: cannot be read: %s", path, strerror(ENOENT));
    return text;
}

int64_t file_count_lines(const char *text, size_t bytes)
{
    const char *const end = text + bytes;
    int64_t lines = 0;
    for (; bytes && (text = memchr(text, '\n', (size_t)(end - text))); text++) lines++;
    return lines;
}

int64_t file_find_line(const char *text, const char *at, size_t *column)
{
    const size_t before = (size_t)(at - text);
    const char *feed = before ? memrchr(text, '\n', before) : NULL;
    *column = (size_t)(at - (feed ? feed + 1 : text)) + 1;
    return file_count_lines(text, before);
}

const char **file_cut_lines(struct arena *arena, char *text, size_t bytes, int *count)
{
    char *const end = text + bytes;
    *count = (int)file_count_lines(text, bytes) + (bytes && end[-1] != '\n');
    const char **line = ARENA_ARRAY(arena, const char *, *count + 1);
    for (int i = 0; i < *count; i++) {
        line[i] = text;
        if (!(text = memchr(text, '\n', (size_t)(end - text)))) break;
        *text++ = 0;
    }
    return line;
}

FILE *file_lines(const char *path)
{
    FILE *file = file_stream(path);
    if (!file && errno != ENOENT && errno != ENOTDIR)
        die("%s: cannot be read: %s", path, file_why(errno));
    return file;
}

ssize_t file_line(FILE *file, const char *path, char **text, size_t *room)
{
    enum { MEGABYTES = 16 };
    size_t length = 0;
    for (int byte = 0; byte != '\n' && (byte = getc_unlocked(file)) != EOF;) {
        if (length >= (size_t)MEGABYTES << 20)
            die("%s: a line of more than %d MB; expected a record", path, MEGABYTES);
        if (length + 2 > *room) *text = heap_resize(*text, *room = *room ? 2 * *room : 256);
        (*text)[length++] = (char)byte;
    }
    if (!length) return -1;
    (*text)[length] = 0;
    return (ssize_t)length;
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

bool file_is_temporary(const char *name)
{
    return strstr(name, FILE_TEMPORARY);
}

const char **file_folder_names(struct arena *arena, const char *path, int *count)
{
    *count = 0;
    DIR *folder = file_open_folder(path);
    if (!folder) return NULL;
    const char **name = NULL;
    for (const char *next; (next = file_next(folder));) {
        if (next[0] == '.' || file_is_temporary(next)) continue;
        ARENA_MORE(arena, name, *count);
        name[(*count)++] = arena_text(arena, next);
    }
    if (*count) qsort(name, (size_t)*count, sizeof *name, compare_texts);
    ARENA_MORE(arena, name, *count);
    name[*count] = NULL;
    return name;
}

/* The file is not at fault. */
static bool is_of_machine(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO;
}

/* Reads so many bytes, or fewer at the file's end; dies when they cannot be read. */
static size_t take_bytes(const char *path, int file, char *text, size_t size)
{
    size_t done = 0;
    for (ssize_t got = 1; got && done < size;) {
        got = read(file, text + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) die("%s: cannot be read: %s", path, strerror(errno));
        done += (size_t)got;
    }
    return done;
}

/* The text of an open file; or NULL, and what is wrong with it. */
static char *take_text(struct arena *arena, const char *path, int file, size_t limit, size_t *bytes,
                       const char **problem)
{
    struct stat info;
    if (fstat(file, &info) != 0) die("%s: cannot be read: %s", path, strerror(errno));
    const size_t size = (size_t)info.st_size;
    if (limit && size > limit) {
        *problem = arena_print(arena, "%s: %zu bytes, at most %zu are read", path, size, limit);
        return NULL;
    }
    char *text = arena_alloc(arena, size + 1);
    const size_t got = take_bytes(path, file, text, size);
    if (got != size) {
        *problem = arena_print(arena, "%s: only %zu of %zu bytes could be read", path, got, size);
        return NULL;
    }
    if (bytes) *bytes = size;
    return text;
}

char *file_try_read(struct arena *arena, const char *path, size_t limit, size_t *bytes,
                    const char **problem)
{
    const int file = file_open(path, O_RDONLY);
    *problem = NULL;
    if (file < 0) {
        if (is_of_machine(errno)) die("%s: cannot be read: %s", path, strerror(errno));
        if (errno != ENOENT && errno != ENOTDIR)
            *problem = arena_print(arena, "%s: cannot be read: %s", path, file_why(errno));
        return NULL;
    }
    char *text = take_text(arena, path, file, limit, bytes, problem);
    close(file);
    return text;
}

/* What could not be looked at does not pass for what is not there. */
static bool look(const char *path, struct stat *info)
{
    const bool there = path_stat(path, info);
    if (!there && is_of_machine(errno)) die("%s: cannot be looked at: %s", path, strerror(errno));
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

const char *file_named(struct arena *arena, const char *path)
{
    struct stat info;
    const bool direct = look(path, &info) && !S_ISLNK(info.st_mode);
    char *target = direct ? NULL : realpath(path, NULL);
    if (!target) return path;
    path = arena_text(arena, target);
    free(target);
    return path;
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

char *file_temporary_name(const char *path)
{
    uint32_t nonce;
    if (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
        die("no random numbers: %s", strerror(errno));
    return heap_print("%s" FILE_TEMPORARY "%d-%08x", path, (int)getpid(), nonce);
}

struct file_writer file_create(const char *path)
{
    file_pass_fence();
    struct file_writer writer = {.path = heap_print("%s", path),
                                 .temporary = file_temporary_name(path)};
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
    crash_point("before-rename");
    file_rename(writer->temporary, writer->path);
    writer_free(writer);
}

void file_write(const char *path, const void *bytes, size_t count)
{
    struct file_writer writer = file_create(path);
    fwrite(bytes, 1, count, writer.stream);
    file_commit(&writer);
}

static const char *temporary_place(const char *where)
{
    const char *set = getenv("TMPDIR");
    return where ? where : set && *set ? set : "/tmp";
}

char *file_temporary_folder(const char *where)
{
    char *path = file_try_temporary_folder(where);
    if (!path)
        die("%s: no temporary folder can be made: %s", temporary_place(where), strerror(errno));
    return path;
}

char *file_try_temporary_folder(const char *where)
{
    char *path = heap_print("%s/sanlab-XXXXXX", temporary_place(where));
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

bool file_remove_at(int parent, const char *name)
{
    file_pass_fence();
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return true;
    if (errno != EISDIR && errno != EPERM) return false;
    DIR *folder = file_list_at(parent, name);
    if (!folder) return errno == ENOENT;
    int error = 0; /* the first one */
    for (const char *inner; (inner = file_next(folder));)
        if (!file_remove_at(dirfd(folder), inner) && !error) error = errno;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return true;
    if (error) errno = error;
    return false;
}

void file_remove_tree(const char *path)
{
    struct path at;
    bool there = path_enter(path, &at);
    if (!there && errno == ENOENT) return;
    const bool gone = there && file_remove_at(at.folder, at.name);
    if (there) path_leave(&at);
    if (!gone) die("%s: cannot be removed: %s", path, file_why(errno));
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
