/* Reads the header of a database, sets and checks the permissions of its files, and finds the name
 * of its file system. */
#include "results/store/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
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

/* File systems by their magic number in statfs(2). `network`: several machines may use the file
 * system. */
static const struct {
    uint32_t type;
    const char *name;
    bool network;
} file_systems[] = {
    {EXT4_SUPER_MAGIC, "ext4", false},
    {XFS_SUPER_MAGIC, "XFS", false},
    {BTRFS_SUPER_MAGIC, "Btrfs", false},
    {TMPFS_MAGIC, "tmpfs", false},
    {OVERLAYFS_SUPER_MAGIC, "overlay", false},
    {0x2FC12FC1, "ZFS", false},
    {NFS_SUPER_MAGIC, "NFS", true},
    {SMB_SUPER_MAGIC, "SMB", true},
    {0xFF534D42, "CIFS", true},
    {0xFE534D42, "SMB 2", true},
    {FUSE_SUPER_MAGIC, "FUSE", true}, /* sshfs and others */
    {CEPH_SUPER_MAGIC, "Ceph", true},
    {0x0BD00BD0, "Lustre", true},
    {0x47504653, "GPFS", true},
    {0x19830326, "BeeGFS", true},
    {AFS_SUPER_MAGIC, "AFS", true},
    {V9FS_MAGIC, "9p", true},
};

const char *store_file_system(const char *path, bool *network, struct arena *arena)
{
    struct statfs info;
    *network = false;
    if (statfs(path, &info) != 0) return NULL;
    for (size_t i = 0; i < COUNT_OF(file_systems); i++) {
        if (file_systems[i].type != (uint32_t)info.f_type) continue;
        *network = file_systems[i].network;
        return file_systems[i].name;
    }
    return arena_print(arena, "file system 0x%x", (unsigned)info.f_type);
}

/* A write-ahead log needs memory that all its users share, so they must be on one machine. On a
 * network file system, they may be on several machines. */
bool store_on_network(const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    bool network;
    store_file_system(path, &network, &arena);
    return network || getenv("SANLAB_NETWORK");
}

void store_share(const char *path)
{
    for (const char *const *ending = store_file_ending; *ending; ending++) {
        SCOPED(heap_free) char *file = heap_print("%s%s", path, *ending);
        path_share(file);
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
        SCOPED(heap_free) char *file = heap_print("%s%s", store->path, *ending);
        cannot |= cannot_write(file, "nothing is added to the database");
    }
    SCOPED(heap_free) char *lock = heap_print("%s/" STORE_LOCK, store->runs);
    cannot_write(lock, "`sanlab collect --rebuild` needs it");
    return cannot;
}
