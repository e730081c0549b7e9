/* The file system of a path. */
#pragma once

#include "core/base/arena.h"

enum file_system { FILE_SYSTEM_UNKNOWN, FILE_SYSTEM_LOCAL, FILE_SYSTEM_NETWORK };

/* Returns the name of the file system of a path: "ext4", "NFS"; NULL if the path does not exist. */
const char *file_system_name(const char *path, enum file_system *where, struct arena *arena);
/* Like file_system_name, but FILE_SYSTEM_NETWORK if the user has set SANLAB_NETWORK. */
enum file_system file_system_of(const char *path);
