/* Writes files. A file appears by rename(), complete or not at all. The file is synced before the
 * rename and its folder after the rename, or once after several renames (file_sync_once). So a
 * power failure loses no file that other code relies on. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/base/crash.h"
#include "core/base/file.h"
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
        die("cannot get random numbers from the kernel: %s", strerror(errno));
    return heap_print("%s" FILE_TEMPORARY "%d-%08x", path, (int)getpid(), nonce);
}

/* Gives a new file the mode and the group of the file that it replaces. The umask does not restrict
 * this mode. The group stays only if this user belongs to it. */
static void keep_rights(int file, const char *path)
{
    struct stat old;
    if (!path_stat(path, &old) || !S_ISREG(old.st_mode)) return;
    if (fchown(file, (uid_t)-1, old.st_gid) != 0) trace("file", "%s: gets another group", path);
    if (fchmod(file, old.st_mode & 0777) != 0) trace("file", "%s: gets another mode", path);
}

/* Returns a writer. If the file cannot be opened, its stream is NULL and errno is set. */
static struct file_writer writer_open(const char *path)
{
    file_pass_fence();
    struct file_writer writer = {.path = heap_print("%s", path),
                                 .temporary = file_temporary_name(path)};
    int file = file_open(writer.temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (file >= 0) keep_rights(file, path);
    writer.stream = file < 0 ? NULL : fdopen(file, "wb");
    return writer;
}

struct file_writer file_create(const char *path)
{
    const struct file_writer writer = writer_open(path);
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

/* The folder of file_sync_once; NULL: none. `unsynced`: it has got new names. */
static char *once;
static bool unsynced;

void file_sync_once(const char *folder)
{
    free(once);
    once = folder ? heap_print("%s", folder) : NULL;
    unsynced = false;
}

void file_sync_end(void)
{
    if (unsynced) file_sync_folder(once);
    file_sync_once(NULL);
}

bool file_move(const char *from, const char *to)
{
    file_pass_fence();
    return path_rename(from, to, 0);
}

void file_rename(const char *from, const char *to)
{
    if (!file_move(from, to)) die("%s: cannot be renamed to %s: %s", from, to, file_why(errno));
    SCOPED(heap_free) char *copy = heap_print("%s", to);
    const char *folder = dirname(copy);
    if (once && !strcmp(folder, once))
        unsynced = true;
    else
        file_sync_folder(folder);
}

static void writer_free(struct file_writer *writer)
{
    free(writer->path);
    free(writer->temporary);
    *writer = (struct file_writer){0};
}

/* Sets errno to the reason why a write to a stream failed, which stdio does not keep. Another write
 * usually fails for the same reason. If it succeeds, the reason is unknown, and errno is EIO. The
 * file is removed afterwards, so the written bytes do not matter. */
static void ask_again(int file)
{
    static const char block[1 << 16];
    if (file_put(file, block, sizeof block)) errno = EIO;
}

/* Flushes, syncs and closes. On failure returns false with errno, and removes the temporary
 * file. */
static bool writer_close(struct file_writer *writer)
{
    /* A large fwrite that failed leaves nothing in the buffer: only ferror reports it. */
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
    if (bad) path_unlink(writer->temporary);
    errno = reason;
    return !bad;
}

void file_commit(struct file_writer *writer)
{
    if (!writer_close(writer)) die("%s: writing failed: %s", writer->path, strerror(errno));
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

bool file_try_write(const char *path, const void *bytes, size_t count)
{
    struct file_writer writer = writer_open(path);
    if (writer.stream) fwrite(bytes, 1, count, writer.stream);
    bool done = writer.stream && writer_close(&writer);
    if (done) path_share(writer.temporary);
    if (done && !file_move(writer.temporary, path)) {
        const int reason = errno;
        path_unlink(writer.temporary);
        errno = reason;
        done = false;
    }
    writer_free(&writer);
    return done;
}

void file_copy(const char *from, const char *to)
{
    char piece[1 << 16];
    size_t got;
    FILE *in = file_stream(from);
    if (!in) die("%s: cannot be read: %s", from, file_why(errno));
    struct file_writer out = file_create(to);
    while ((got = fread(piece, 1, sizeof piece, in)) > 0) fwrite(piece, 1, got, out.stream);
    file_close(in, from);
    file_commit(&out);
}
