/* Finds the file system of a path in a table of known ones. */
#include "core/base/file_system.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>

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
    {0x65735546, "FUSE", true}, /* sshfs and others */
    {0x00C36400, "Ceph", true},
    {0x0BD00BD0, "Lustre", true},
    {0x47504653, "GPFS", true},
    {0x19830326, "BeeGFS", true},
    {AFS_SUPER_MAGIC, "AFS", true},
    {V9FS_MAGIC, "9p", true},
};

const char *file_system_name(const char *path, enum file_system *where, struct arena *arena)
{
    struct statfs info;
    *where = FILE_SYSTEM_UNKNOWN;
    if (statfs(path, &info) != 0) return NULL;
    for (size_t i = 0; i < COUNT_OF(file_systems); i++) {
        if (file_systems[i].type != (uint32_t)info.f_type) continue;
        *where = file_systems[i].network ? FILE_SYSTEM_NETWORK : FILE_SYSTEM_LOCAL;
        return file_systems[i].name;
    }
    return arena_print(arena, "file system 0x%x", (unsigned)info.f_type);
}

enum file_system file_system_of(const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    enum file_system where;
    file_system_name(path, &where, &arena);
    return getenv("SANLAB_NETWORK") ? FILE_SYSTEM_NETWORK : where;
}
