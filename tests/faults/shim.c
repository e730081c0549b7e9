/* LD_PRELOAD library that makes one call on a file below a folder fail, in any process of a run.
 *
 *   FAULT_UNDER=PATH      absolute: a folder, or one file; calls on other files are unchanged
 *   FAULT_COUNTS=FILE     8 kB of zeros, shared by all processes: the number of calls so far
 *   FAULT=CALL:N:ERROR    the N-th CALL fails with ERROR; N=0: every CALL. Without FAULT calls are
 *                         only counted
 *
 * CALL is a word of call_names, which includes all calls of its kind (write, pwrite, a stream's
 * flush). ERROR is EIO, ENOSPC or EMFILE; or SHORT: a write does half of its work and returns that
 * size. Streams are opened as cookies, because stdio's internal calls cannot be intercepted.
 * Without FAULT_COUNTS all calls pass through. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum call { WRITE, FSYNC, RENAME, LINK, OPEN, READ, MKDIR, UNLINK, TRUNCATE, UTIME, CALLS };
static const char *const call_names[CALLS] = {"write", "fsync", "rename", "link",     "open",
                                              "read",  "mkdir", "unlink", "truncate", "utime"};
enum { DESCRIPTORS = 4096, STREAMS = 256, NOTHING = 0, SHORT = -1 };

/* FAULT_COUNTS, which tests/faults/grid.sh also reads: 8 bytes per counter, then text. */
struct shared {
    _Atomic int64_t count[CALLS];
    char hit[PATH_MAX]; /* "PATH (process PID)": the failed call */
};

static struct shared *shared; /* NULL: pass through */
static const char *under;
static enum call fault_call = CALLS;
static int64_t fault_at;
static int fault_error;
static _Atomic bool watched[DESCRIPTORS]; /* descriptors of files below the folder */
static struct {
    FILE *stream;
    int file;
} streams[STREAMS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}
/* The function of this name in libc. */
#define REAL(name) ((__typeof__(&name))next(#name))

static void read_fault(const char *text)
{
    char call[16], error[16];
    long long at;
    if (sscanf(text, "%15[a-z]:%lld:%15[A-Z]", call, &at, error) != 3) abort();
    for (fault_call = 0; fault_call < CALLS; fault_call++)
        if (!strcmp(call_names[fault_call], call)) break;
    fault_at = at;
    fault_error = !strcmp(error, "EIO")      ? EIO
                  : !strcmp(error, "ENOSPC") ? ENOSPC
                  : !strcmp(error, "EMFILE") ? EMFILE
                                             : SHORT;
}

__attribute__((constructor)) static void begin(void)
{
    const char *counts = getenv("FAULT_COUNTS"), *fault = getenv("FAULT");
    under = getenv("FAULT_UNDER");
    if (!counts || !under) return;
    int file = REAL(open)(counts, O_RDWR | O_CLOEXEC);
    if (file < 0) abort();
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) abort();
    REAL(close)(file);
    if (fault) read_fault(fault);
    shared = memory;
}

/* Counts a call. Returns the error if this call must fail; else 0. */
static int strike(enum call call, const char *path)
{
    int64_t number = atomic_fetch_add(&shared->count[call], 1) + 1;
    if (call != fault_call || (fault_at && number != fault_at)) return NOTHING;
    snprintf(shared->hit, sizeof shared->hit, "%s (process %d)", path, (int)getpid());
    return fault_error;
}

static bool is_watched(int file)
{
    return shared && file >= 0 && file < DESCRIPTORS && watched[file];
}

/* Returns the path of an open file. */
static bool name_of(int file, char path[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* True, with errno set, if this call must fail. A write may instead be shortened (*half). */
static bool file_fails(enum call call, int file, bool *half)
{
    if (!is_watched(file)) return false;
    char path[PATH_MAX] = "";
    if (call == fault_call) name_of(file, path);
    int error = strike(call, path);
    if (error == SHORT) {
        if (half) *half = true;
        return false;
    }
    if (error) errno = error;
    return error != NOTHING;
}

static bool is_below(int folder, const char *path)
{
    char whole[PATH_MAX], here[PATH_MAX];
    if (!shared || !path) return false;
    if (*path != '/') {
        if (folder == AT_FDCWD ? !getcwd(here, sizeof here) : !name_of(folder, here)) return false;
        if (snprintf(whole, sizeof whole, "%s/%s", here, path) >= (int)sizeof whole) return false;
        path = whole;
    }
    size_t length = strlen(under);
    return !strncmp(path, under, length) && (!path[length] || path[length] == '/');
}

static bool path_fails(enum call call, int folder, const char *path)
{
    if (!is_below(folder, path)) return false;
    int error = strike(call, path);
    if (error) errno = error == SHORT ? EIO : error;
    return error != NOTHING;
}

static int watch(int file, bool below)
{
    if (file >= 0 && file < DESCRIPTORS) watched[file] = below;
    return file;
}

/* ---- descriptors ---- */

static mode_t mode_of(int flags, va_list list)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    /* Steps on the way to a file (core/base/path.h) never fail: a failed step equals a fault at the
     * end. */
    if (!(flags & O_PATH) && path_fails(OPEN, folder, path)) return -1;
    return watch(REAL(openat)(folder, path, flags, mode), is_below(folder, path));
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    return openat(AT_FDCWD, path, flags, mode);
}

int close(int file)
{
    watch(file, false);
    return REAL(close)(file);
}

ssize_t read(int file, void *bytes, size_t count)
{
    return file_fails(READ, file, NULL) ? -1 : REAL(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at)
{
    return file_fails(READ, file, NULL) ? -1 : REAL(pread)(file, bytes, count, at);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    bool half = false;
    if (file_fails(WRITE, file, &half)) return -1;
    return REAL(write)(file, bytes, half ? (count + 1) / 2 : count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    bool half = false;
    if (file_fails(WRITE, file, &half)) return -1;
    return REAL(pwrite)(file, bytes, half ? (count + 1) / 2 : count, at);
}

int fsync(int file)
{
    return file_fails(FSYNC, file, NULL) ? -1 : REAL(fsync)(file);
}

int fdatasync(int file)
{
    return file_fails(FSYNC, file, NULL) ? -1 : REAL(fdatasync)(file);
}

int ftruncate(int file, off_t length)
{
    return file_fails(TRUNCATE, file, NULL) ? -1 : REAL(ftruncate)(file, length);
}

int futimens(int file, const struct timespec time[2])
{
    return file_fails(UTIME, file, NULL) ? -1 : REAL(futimens)(file, time);
}

int dprintf(int file, const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) return -1;
    int written = 0;
    while (written < length) {
        ssize_t got = write(file, text + written, (size_t)(length - written));
        if (got <= 0) break;
        written += (int)got;
    }
    free(text);
    return written < length ? -1 : written;
}

/* ---- names ---- */

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    if (path_fails(RENAME, to, new)) return -1;
    return REAL(renameat2)(from, old, to, new, flags);
}

int renameat(int from, const char *old, int to, const char *new)
{
    return renameat2(from, old, to, new, 0);
}

int rename(const char *old, const char *new)
{
    return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    return path_fails(LINK, to, new) ? -1 : REAL(linkat)(from, old, to, new, flags);
}

int link(const char *old, const char *new)
{
    return linkat(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    return path_fails(MKDIR, folder, path) ? -1 : REAL(mkdirat)(folder, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

int unlinkat(int folder, const char *path, int flags)
{
    return path_fails(UNLINK, folder, path) ? -1 : REAL(unlinkat)(folder, path, flags);
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char *path)
{
    struct stat info;
    bool folder = lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
    return unlinkat(AT_FDCWD, path, folder ? AT_REMOVEDIR : 0);
}

DIR *opendir(const char *path)
{
    if (path_fails(OPEN, AT_FDCWD, path)) return NULL;
    DIR *folder = REAL(opendir)(path);
    if (folder) watch(dirfd(folder), is_below(AT_FDCWD, path));
    return folder;
}

int closedir(DIR *folder)
{
    watch(dirfd(folder), false);
    return REAL(closedir)(folder);
}

/* ---- streams ---- */

static int file_of(void *cookie)
{
    return (int)(intptr_t)cookie;
}

static ssize_t stream_read(void *cookie, char *bytes, size_t count)
{
    return read(file_of(cookie), bytes, count);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t count)
{
    ssize_t got = write(file_of(cookie), bytes, count);
    if (got > 0 && (size_t)got < count) { /* stdio continues the write */
        ssize_t more = stream_write(cookie, bytes + got, count - (size_t)got);
        return more > 0 ? got + more : got;
    }
    return got < 0 ? 0 : got;
}

static int stream_seek(void *cookie, off64_t *at, int whence)
{
    *at = lseek(file_of(cookie), *at, whence);
    return *at < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].stream && streams[i].file == file_of(cookie)) streams[i].stream = NULL;
    pthread_mutex_unlock(&mutex);
    return close(file_of(cookie));
}

FILE *fdopen(int file, const char *mode)
{
    if (!is_watched(file)) return REAL(fdopen)(file, mode);
    const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
    FILE *stream = fopencookie((void *)(intptr_t)file, mode, functions);
    pthread_mutex_lock(&mutex);
    for (int i = 0; stream && i < STREAMS; i++)
        if (!streams[i].stream) {
            streams[i].stream = stream;
            streams[i].file = file;
            break;
        }
    pthread_mutex_unlock(&mutex);
    return stream;
}

FILE *fopen(const char *path, const char *mode)
{
    if (!is_below(AT_FDCWD, path)) return REAL(fopen)(path, mode);
    int flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    flags |= *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;
    int file = openat(AT_FDCWD, path, flags | O_CLOEXEC, 0666);
    return file < 0 ? NULL : fdopen(file, mode);
}

int fileno(FILE *stream)
{
    int file = -1;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].stream == stream) file = streams[i].file;
    pthread_mutex_unlock(&mutex);
    return file >= 0 ? file : REAL(fileno)(stream);
}

/* The names for programs that use 64-bit offsets. */
#define ALIAS(name, of) __typeof__(name) name __attribute__((alias(#of), copy(of)))
ALIAS(open64, open);
ALIAS(pread64, pread);
ALIAS(pwrite64, pwrite);
ALIAS(ftruncate64, ftruncate);
ALIAS(fopen64, fopen);
