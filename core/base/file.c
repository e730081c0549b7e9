/* Opens, reads and tests files. The try functions return errors of a file, but die on errors of the
 * machine. */
#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/path.h"

const char *file_why(int error)
{
    if (error == ELOOP)
        return "the path has a symbolic link, which is not followed below the runs folder";
    if (error == EINVAL) return "it is not a regular file";
    if (error == EXDEV) return "the path leaves the runs folder or its file system";
    return strerror(error);
}

int file_open(const char *path, int flags)
{
    struct stat info;
    /* O_NONBLOCK, because open() of a pipe without a writer would block. */
    int file = path_open(path, flags | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        if (errno == ENXIO || errno == EISDIR)
            errno = EINVAL; /* ENXIO: a pipe without a reader; EISDIR: a folder */
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

char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes)
{
    const char *problem;
    char *text = file_try_read(arena, path, limit, bytes, &problem);
    if (!text && problem) die("%s", problem);
    if (!text) die("%s: cannot be read: %s", path, strerror(ENOENT));
    return text;
}

static char *read_stream(struct arena *arena, FILE *in, const char *name, size_t *bytes)
{
    char block[1 << 16];
    struct buffer all = {0};
    for (size_t got; (got = fread(block, 1, sizeof block, in));) buffer_add(&all, block, got);
    if (ferror(in)) die("%s: cannot be read: %s", name, strerror(errno));
    *bytes = all.bytes;
    return buffer_take(&all, arena);
}

static const char standard_input[] = "standard input";

/* True if the path is standard input. Only a terminal, pipe or socket counts, because it can be
 * read only once, under any name. A regular file can be opened again. */
static bool is_standard_input(const char *path)
{
    struct stat named, standard;
    if (!strcmp(path, "-")) return true;
    return stat(path, &named) == 0 && !S_ISREG(named.st_mode) && !S_ISDIR(named.st_mode) &&
           fstat(STDIN_FILENO, &standard) == 0 && named.st_dev == standard.st_dev &&
           named.st_ino == standard.st_ino;
}

/* True if the path is standard input. Dies at the second use of standard input. */
static bool take_standard_input(const char *path)
{
    static bool taken;
    const bool standard = is_standard_input(path);
    if (standard && taken) die("%s: standard input is named twice; expected it once", path);
    taken |= standard;
    return standard;
}

char *file_read_given(struct arena *arena, const char *path, size_t *bytes)
{
    struct stat info;
    if (take_standard_input(path)) return read_stream(arena, stdin, standard_input, bytes);
    if (stat(path, &info) != 0 || !S_ISFIFO(info.st_mode))
        return file_read(arena, file_named(arena, path), 0, bytes);
    FILE *pipe = fopen(path, "rb");
    if (!pipe) die("%s: cannot be read: %s", path, strerror(errno));
    char *text = read_stream(arena, pipe, path, bytes);
    fclose(pipe);
    return text;
}

FILE *file_stream_given(const char *path, const char **name)
{
    const bool standard = take_standard_input(path);
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) die("%s: cannot be read: %s", path, strerror(errno));
    *name = standard ? standard_input : path;
    return stream;
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

int file_cut_columns(char *line, const char **column, int most)
{
    int columns = 0;
    for (char *rest = line, *one; (one = strsep(&rest, "\t")); columns++)
        if (columns < most) column[columns] = one;
    return columns;
}

FILE *file_lines(const char *path)
{
    FILE *file = file_stream(path);
    if (!file && errno != ENOENT && errno != ENOTDIR)
        die("%s: cannot be read: %s", path, file_why(errno));
    return file;
}

ssize_t file_line(FILE *file, const char *path, char **text, size_t *capacity)
{
    enum { MEGABYTES = 16 };
    size_t length = 0;
    for (int byte = 0; byte != '\n' && (byte = getc_unlocked(file)) != EOF;) {
        if (length >= (size_t)MEGABYTES << 20)
            die("%s: a line has more than %d MB; expected a shorter line", path, MEGABYTES);
        if (length + 2 > *capacity)
            *text = heap_resize(*text, *capacity = *capacity ? 2 * *capacity : 256);
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

/* True for errors that the machine causes, not the file. */
static bool is_of_machine(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO;
}

/* Reads up to `size` bytes. Returns their number; dies if a read fails. */
static size_t read_all(int file, const char *path, char *text, size_t size)
{
    size_t got = 0;
    for (ssize_t more = 1; more && got < size; got += (size_t)(more > 0 ? more : 0)) {
        more = read(file, text + got, size - got);
        if (more < 0 && errno != EINTR) die("%s: reading failed: %s", path, strerror(errno));
    }
    return got;
}

char *file_try_read(struct arena *arena, const char *path, size_t limit, size_t *bytes,
                    const char **problem)
{
    struct stat info;
    const int file = file_open(path, O_RDONLY);
    *problem = NULL;
    if (file < 0) {
        if (is_of_machine(errno)) die("%s: cannot be read: %s", path, strerror(errno));
        if (errno != ENOENT && errno != ENOTDIR)
            *problem = arena_print(arena, "%s: cannot be read: %s", path, file_why(errno));
        return NULL;
    }
    if (fstat(file, &info) != 0) die("%s: cannot be read: %s", path, strerror(errno));
    const size_t size = (size_t)info.st_size;
    const bool small = !limit || size <= limit;
    char *text = small ? arena_alloc(arena, size + 1) : NULL;
    const size_t got = small ? read_all(file, path, text, size) : 0;
    close(file);
    if (bytes) *bytes = size;
    if (small && got == size) return text;
    *problem = small
                   ? arena_print(arena, "%s: only %zu of %zu bytes could be read", path, got, size)
                   : arena_print(arena, "%s: %zu bytes; expected at most %zu", path, size, limit);
    return NULL;
}

/* Like path_stat, but dies on errors of the machine: a file that cannot be tested must not look
 * absent. */
static bool look(const char *path, struct stat *info)
{
    const bool there = path_stat(path, info);
    if (!there && is_of_machine(errno)) die("%s: cannot be accessed: %s", path, strerror(errno));
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

bool file_is_no_folder(const char *path)
{
    struct stat info;
    return look(path, &info) && !S_ISDIR(info.st_mode);
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
    SCOPED(heap_free) char *target = direct ? NULL : realpath(path, NULL);
    if (!target) return path;
    path = arena_text(arena, target);
    return path;
}

const char *file_program(void)
{
    return "/proc/self/exe";
}

const char *file_program_path(struct arena *arena)
{
    SCOPED(heap_free) char *path = realpath(file_program(), NULL);
    return path ? arena_text(arena, path) : NULL;
}

static const char *own_folder(void)
{
    static char folder[PATH_MAX];
    if (!folder[0]) {
        char path[PATH_MAX];
        ssize_t length = readlink(file_program(), path, sizeof path - 1);
        CHECK(length > 0, "%s: %s", file_program(), strerror(errno));
        path[length] = 0;
        snprintf(folder, sizeof folder, "%s", dirname(path));
    }
    return folder;
}

const char *file_by_program(struct arena *arena, const char *name)
{
    return arena_print(arena, "%s/%s", own_folder(), name);
}

const char *file_program_folder(void)
{
    static char folder[PATH_MAX];
    if (folder[0]) return folder;
    const char *own = own_folder(), *last = strrchr(own, '/');
    if (!strcmp(last, "/bin"))
        snprintf(folder, sizeof folder, "%.*s/lib/sanlab", (int)(last - own), own);
    if (!file_is_folder(folder)) snprintf(folder, sizeof folder, "%s", own);
    return folder;
}
