/* Reads the header of a database, and sets and checks the permissions of its files. */
#include "results/store/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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

void store_share(const char *path)
{
    for (const char *const *ending = store_file_ending; *ending; ending++) {
        SCOPED(heap_free) char *file = heap_print("%s%s", path, *ending);
        path_share(file);
    }
}

bool store_cannot_write(const struct store *store)
{
    bool cannot = false;
    for (const char *const *ending = store_file_ending; *ending; ending++) {
        SCOPED(heap_free) char *file = heap_print("%s%s", store->path, *ending);
        if (eaccess(file, W_OK) == 0 || errno == ENOENT) continue;
        warn("%s: cannot be written: %s; nothing is added to the database", file, strerror(errno));
        cannot = true;
    }
    return cannot;
}
