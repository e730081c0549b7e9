/* The files of a database as the file system has them: header, rights, kind of file system. */
#include "results/store/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "results/store/store.h"

const char *const store_file_ending[] = {"", "-wal", "-shm", "-journal", NULL};

struct store_header store_header(const char *path)
{
    enum { LOG = 18, VERSION = 60, APPLICATION = 68, BYTES = 72 }; /* sqlite.org/fileformat */
    unsigned char page[BYTES];
    int file = file_open(path, O_RDONLY);
    ssize_t got = file >= 0 ? pread(file, page, BYTES, 0) : 0;
    if (file >= 0) close(file);
    if (got != BYTES || memcmp(page, "SQLite format 3", 16) != 0) return (struct store_header){0};
    struct store_header header = {.log = page[LOG] == 2};
    int64_t application = 0;
    for (int i = 0; i < 4; i++) {
        header.version = header.version << 8 | page[VERSION + i];
        application = application << 8 | page[APPLICATION + i];
    }
    header.ours = application == STORE_APPLICATION;
    return header;
}

/* A write-ahead log needs memory that all its users share: one machine. */
bool store_on_network(const char *path)
{
    static const uint32_t magic[] = {
        0x6969,     /* NFS */
        0x517B,     /* SMB */
        0xFF534D42, /* CIFS */
        0xFE534D42, /* SMB 2 */
        0x01021997, /* 9P */
        0x0BD00BD0, /* Lustre */
        0x47504653, /* GPFS */
        0x00C36400, /* Ceph */
        0x19830326, /* BeeGFS */
        0x5346414F, /* AFS */
        0x65735546, /* FUSE: sshfs and the like */
    };
    struct statfs info;
    if (getenv("SANLAB_NETWORK")) return true;
    if (statfs(path, &info) != 0) return false;
    for (size_t i = 0; i < COUNT_OF(magic); i++)
        if ((uint32_t)info.f_type == magic[i]) return true;
    return false;
}

void store_share(const char *path)
{
    for (const char *const *ending = store_file_ending; *ending; ending++) {
        char *file = heap_print("%s%s", path, *ending);
        path_share(file);
        free(file);
    }
}

static bool cannot_write(const char *file, const char *consequence)
{
    if (eaccess(file, W_OK) == 0 || errno == ENOENT) return false;
    warn("%s: cannot be written: %s; %s", file, strerror(errno), consequence);
    return true;
}

bool store_cannot_write(const struct store *store)
{
    bool cannot = false;
    for (const char *const *ending = store_file_ending; *ending; ending++) {
        char *file = heap_print("%s%s", store->path, *ending);
        cannot |= cannot_write(file, "nothing is added to the database");
        free(file);
    }
    char *lock = heap_print("%s/" STORE_LOCK, store->runs);
    cannot_write(lock, "`sanlab collect --rebuild` needs it");
    free(lock);
    return cannot;
}
