#include "experiments/plan/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* The start time of a process, or 0 when there is none. */
static unsigned long long start_of(int pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    /* The name (field 2) may hold anything but ends at the last parenthesis; then state is field 3
     * and the start time field 22. A zombie is as good as gone. */
    const char *at = strrchr(text, ')');
    if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X') return 0;
    at += 2;
    for (int field = 3; field < 22; field++) {
        at = strchr(at, ' ');
        if (!at) return 0;
        at++;
    }
    return strtoull(at, NULL, 10);
}

static struct lock_owner owner_self(void)
{
    struct lock_owner self = {.pid = (int)getpid(), .start = start_of((int)getpid())};
    gethostname(self.host, sizeof self.host - 1);
    if (!*self.host) snprintf(self.host, sizeof self.host, "?");
    snprintf(self.boot, sizeof self.boot, "?");
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file) {
        if (fscanf(file, "%39s", self.boot) != 1) snprintf(self.boot, sizeof self.boot, "?");
        fclose(file);
    }
    return self;
}

static bool owner_read(const char *path, struct lock_owner *owner)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    memset(owner, 0, sizeof *owner);
    int got =
        fscanf(file, "%64s %d %39s %llu", owner->host, &owner->pid, owner->boot, &owner->start);
    fclose(file);
    return got == 4; /* a torn one has no owner */
}

static bool owner_lives(const struct lock_owner *owner)
{
    struct lock_owner self = owner_self();
    if (strcmp(owner->host, self.host) != 0) return true;
    return !strcmp(owner->boot, self.boot) && start_of(owner->pid) == owner->start;
}

static void lock_path(char path[PATH_MAX], const char *folder, const char *suffix)
{
    int length = snprintf(path, PATH_MAX, "%s/lock%s", folder, suffix);
    if (length >= PATH_MAX) die("%s: the path is too long", folder);
}

bool lock_held(const char *folder, struct lock_owner *owner)
{
    char path[PATH_MAX];
    lock_path(path, folder, "");
    return owner_read(path, owner) && owner_lives(owner);
}

bool lock_take(const char *folder)
{
    char path[PATH_MAX], mine[PATH_MAX], suffix[32];
    struct lock_owner self = owner_self(), owner;
    snprintf(suffix, sizeof suffix, ".%d", self.pid);
    lock_path(path, folder, "");
    lock_path(mine, folder, suffix);

    /* Two takers of one stale lock must not remove each other's new one. */
    int guard = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (guard < 0) die("%s: %s", folder, strerror(errno));
    while (flock(guard, LOCK_EX) != 0 && errno == EINTR) continue;

    bool taken = false;
    if (!lock_held(folder, &owner)) {
        FILE *file = fopen(mine, "w");
        if (!file) die("%s: cannot be written: %s", mine, strerror(errno));
        fprintf(file, "%s %d %s %llu\n", self.host, self.pid, self.boot, self.start);
        if (fclose(file) != 0) die("%s: cannot be written: %s", mine, strerror(errno));
        unlink(path);
        taken = link(mine, path) == 0;
        if (!taken && errno != EEXIST) die("%s: cannot be made: %s", path, strerror(errno));
        unlink(mine);
    }
    close(guard);
    return taken;
}

void lock_release(const char *folder)
{
    char path[PATH_MAX];
    struct lock_owner owner, self = owner_self();
    lock_path(path, folder, "");
    if (owner_read(path, &owner) && owner.pid == self.pid && owner.start == self.start &&
        !strcmp(owner.host, self.host))
        unlink(path);
}
