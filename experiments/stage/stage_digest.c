#include "experiments/stage/stage_digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/path.h"

enum {
    SETTLED = 3,        /* seconds after which a change shows in a file's time */
    SPARE_BLOCKS = 1024 /* of the disk: a cache is not worth its last ones */
};

struct known {
    unsigned long long device, inode;
    long long size, seconds, nanoseconds;
    char text[DIGEST_TEXT];
};

/* Of this process. */
static struct {
    struct known *known; /* [count] */
    int count;
    bool fresh; /* there is something that RUNS/digests lacks */
} all;

static const char line_format[] = "%64[0-9a-f] %llu %llu %lld %lld %lld";

static struct known *add(const struct known *known)
{
    HEAP_MORE(all.known, all.count);
    all.known[all.count] = *known;
    return &all.known[all.count++];
}

void stage_digests_load(const char *runs)
{
    char *path = heap_print("%s/digests", runs), line[256];
    FILE *file = file_stream(path);
    free(path);
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        struct known one;
        if (sscanf(line, line_format, one.text, &one.device, &one.inode, &one.size, &one.seconds,
                   &one.nanoseconds) == 6 &&
            strlen(one.text) == DIGEST_TEXT - 1 && strchr(line, '\n'))
            add(&one);
    }
    fclose(file);
    all.fresh = false;
}

static bool is_same_file(const struct known *a, const struct known *b)
{
    return a->device == b->device && a->inode == b->inode;
}

static bool is_unchanged(const struct known *a, const struct known *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

void stage_digest(const char *path, char text[DIGEST_TEXT])
{
    struct stat info;
    if (!path_stat(path, &info)) die("%s: cannot be read: %s", path, strerror(errno));
    struct known now = {.device = info.st_dev,
                        .inode = info.st_ino,
                        .size = info.st_size,
                        .seconds = info.st_mtim.tv_sec,
                        .nanoseconds = info.st_mtim.tv_nsec};
    int i = 0;
    while (i < all.count && !is_same_file(&all.known[i], &now)) i++;
    if (i == all.count || !is_unchanged(&all.known[i], &now)) {
        digest_file(path, now.text);
        if (i == all.count)
            add(&now);
        else
            all.known[i] = now;
        all.fresh = true;
    }
    memcpy(text, all.known[i].text, DIGEST_TEXT);
}

void stage_digests_keep(const char *runs)
{
    struct statvfs disk;
    if (!all.fresh || access(runs, W_OK) != 0) return;
    if (statvfs(runs, &disk) != 0 || disk.f_bavail < SPARE_BLOCKS) return;
    char *path = heap_print("%s/digests", runs);
    struct file_writer writer = file_create(path);
    for (int i = 0; i < all.count; i++) {
        const struct known *one = &all.known[i];
        if (one->seconds + SETTLED < time(NULL))
            fprintf(writer.stream, "%s %llu %llu %lld %lld %lld\n", one->text, one->device,
                    one->inode, one->size, one->seconds, one->nanoseconds);
    }
    file_commit(&writer);
    all.fresh = false;
    free(path);
}
