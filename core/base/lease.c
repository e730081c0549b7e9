#include "core/base/lease.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double lease_seconds = 600, beats_per_lease = 20;

struct lease {
    char *folder, *path; /* FOLDER/lock */
    int file;            /* the lock itself, whatever its name is by now */
    struct lease_owner self;
    _Atomic double renewed; /* clock_seconds */
    void (*lost)(void *context);
    void *context;
    bool kept, released; /* `released` under the mutex */
    pthread_t keeper;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

/* A lock as somebody saw it. */
struct sight {
    struct lease_owner owner; /* all zero when it cannot be understood */
    struct timespec modified;
};

static double seconds_of(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

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

/* A word for the lock's line: never empty, no blanks. */
static void set_word(char *word, size_t size, const char *text)
{
    snprintf(word, size, "%s", *text ? text : "?");
    for (char *at = word; *at; at++)
        if ((unsigned char)*at <= ' ') *at = '_';
}

static double own_seconds(void)
{
    const char *text = getenv("SANLAB_LEASE");
    if (!text) return lease_seconds;
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0.1 && seconds <= 1e6))
        die("SANLAB_LEASE: \"%s\": expected seconds from 0.1 to 1000000", text);
    return seconds;
}

static struct lease_owner own_self(void)
{
    struct lease_owner self = {.pid = (int)getpid(),
                               .start = start_of((int)getpid()),
                               .near = true,
                               .attempt = 1,
                               .seconds = own_seconds()};
    char text[256] = "";
    const char *host = getenv("SANLAB_HOST");
    if (!host) gethostname(text, sizeof text - 1);
    set_word(self.host, sizeof self.host, host ? host : text);
    snprintf(text, sizeof text, "?");
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file) {
        if (!fgets(text, sizeof text, file)) snprintf(text, sizeof text, "?");
        text[strcspn(text, "\n")] = 0;
        fclose(file);
    }
    set_word(self.boot, sizeof self.boot, text);
    ssize_t length = readlink("/proc/self/ns/pid", text, sizeof text - 1);
    text[length > 0 ? length : 0] = 0;
    set_word(self.space, sizeof self.space, text);
    uint64_t nonce;
    if (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
        die("no random numbers: %s", strerror(errno));
    snprintf(self.nonce, sizeof self.nonce, "%016llx", (unsigned long long)nonce);
    return self;
}

/* False when there is no lock. One that cannot be understood has no name, and our lease. */
static bool look(const char *path, struct sight *sight)
{
    struct lease_owner *owner = &sight->owner;
    struct stat info;
    char text[512];
    memset(sight, 0, sizeof *sight);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) != 0) {
        if (file >= 0) close(file);
        return false;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    sight->modified = info.st_mtim;
    text[length > 0 ? length : 0] = 0;
    long milliseconds;
    if (sscanf(text, "%64s %d %39s %llu %39s %16s %d %ld", owner->host, &owner->pid, owner->boot,
               &owner->start, owner->space, owner->nonce, &owner->attempt, &milliseconds) == 8)
        owner->seconds = (double)milliseconds / 1000;
    else
        *owner = (struct lease_owner){.host = "?", .seconds = own_seconds()};
    return true;
}

static bool is_stale(struct sight *sight, const struct lease_owner *self, double now)
{
    struct lease_owner *owner = &sight->owner;
    owner->near = !strcmp(owner->host, self->host) && !strcmp(owner->boot, self->boot) &&
                  !strcmp(owner->space, self->space);
    owner->left = seconds_of(sight->modified) + owner->seconds - now;
    return owner->near && owner->start ? start_of(owner->pid) != owner->start : owner->left < 0;
}

static char *path_in(const char *folder, const char *suffix)
{
    return heap_print("%s/lock%s%s", folder, *suffix ? "." : "", suffix);
}

bool lease_held(const char *folder, struct lease_owner *owner)
{
    struct timespec now;
    struct sight sight;
    char *path = path_in(folder, "");
    bool held = look(path, &sight);
    free(path);
    if (!held) return false;
    clock_gettime(CLOCK_REALTIME, &now);
    struct lease_owner self = own_self();
    if (is_stale(&sight, &self, seconds_of(now))) return false;
    if (owner) *owner = sight.owner;
    return true;
}

/* Takes the lock away that was seen; false, and nothing has changed, when it is another by now. */
static bool take_away(const char *folder, const char *path, const struct sight *seen,
                      const char *nonce)
{
    struct sight moved;
    char *suffix = heap_print("%s-old", nonce), *aside = path_in(folder, suffix);
    bool same = false;
    if (rename(path, aside) == 0) {
        same = look(aside, &moved) && !strcmp(moved.owner.nonce, seen->owner.nonce) &&
               moved.modified.tv_sec == seen->modified.tv_sec &&
               moved.modified.tv_nsec == seen->modified.tv_nsec;
        if (!same && link(aside, path) != 0 && errno != EEXIST)
            die("%s: cannot be put back: %s", path, strerror(errno));
        unlink(aside);
    }
    free(aside);
    free(suffix);
    return same;
}

/* Private files of takers that were killed. */
static void sweep(const char *folder, double before)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat info;
        if (strncmp(entry->d_name, "lock.", 5) != 0) continue;
        if (fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            seconds_of(info.st_mtim) < before)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries) closedir(entries);
}

/* The lock under a private name; returns its file, and when it was made by the folder's clock. */
static int write_private(const char *path, const struct lease_owner *self, double *now)
{
    struct stat info;
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) die("%s: cannot be written: %s", path, strerror(errno));
    errno = ENOSPC; /* what a short write means */
    if (dprintf(file, "%s %d %s %llu %s %s %d %ld\n", self->host, self->pid, self->boot,
                self->start, self->space, self->nonce, self->attempt,
                (long)(self->seconds * 1000)) < 0 ||
        fsync(file) != 0 || fstat(file, &info) != 0) {
        unlink(path);
        die("%s: cannot be written: %s", path, strerror(errno));
    }
    *now = seconds_of(info.st_mtim);
    return file;
}

/* Where there is flock, takers come one after another, and none moves another's new lock aside. It
 * is only a help: not waited for longer than a second, since its holder may be frozen. */
static int wait_turn(const char *folder)
{
    int turn = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (turn < 0) die("%s: %s", folder, strerror(errno));
    for (int tries = 0; tries < 50 && flock(turn, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
         tries++)
        rest();
    return turn;
}

struct lease *lease_take(const char *folder)
{
    struct lease_owner self = own_self();
    struct sight seen;
    struct stat info;
    double now;
    char *path = path_in(folder, ""), *mine = path_in(folder, self.nonce);
    int turn = wait_turn(folder);
    bool found = look(path, &seen);
    if (found) self.attempt = seen.owner.attempt + 1;
    int file = write_private(mine, &self, &now);
    bool free_now =
        !found || (is_stale(&seen, &self, now) && take_away(folder, path, &seen, self.nonce));
    /* An answer may get lost on the way from a file server: the count of links tells. */
    if (free_now && link(mine, path) != 0 && errno != EEXIST && errno != EIO)
        die("%s: cannot be made: %s", path, strerror(errno));
    bool taken = free_now && fstat(file, &info) == 0 && info.st_nlink == 2;
    unlink(mine);
    free(mine);
    close(turn);
    if (!taken) {
        close(file);
        free(path);
        return NULL;
    }
    sweep(folder, now - self.seconds);
    struct lease *lease = heap_alloc(sizeof *lease);
    *lease = (struct lease){
        .folder = heap_print("%s", folder), .path = path, .file = file, .self = self};
    lease->renewed = clock_seconds();
    return lease;
}

bool lease_mine(struct lease *lease)
{
    double now = clock_seconds();
    if (now - lease->renewed > lease->self.seconds / beats_per_lease &&
        futimens(lease->file, NULL) == 0)
        lease->renewed = now;
    /* A taker that saw something else may have it aside for a moment. */
    for (int tries = 0; tries < 5; tries++) {
        struct sight sight;
        if (look(lease->path, &sight)) return !strcmp(sight.owner.nonce, lease->self.nonce);
        rest();
    }
    return false;
}

static void *keep(void *context)
{
    struct lease *lease = context;
    double beat = lease->self.seconds / beats_per_lease;
    bool mine = true;
    pthread_mutex_lock(&lease->mutex);
    while (mine && !lease->released) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        double next = seconds_of(until) + beat;
        until.tv_sec = (time_t)next;
        until.tv_nsec = (long)((next - (double)until.tv_sec) * 1e9);
        int status = pthread_cond_timedwait(&lease->wake, &lease->mutex, &until);
        if (status != ETIMEDOUT || lease->released) continue;
        pthread_mutex_unlock(&lease->mutex);
        mine = lease_mine(lease);
        pthread_mutex_lock(&lease->mutex);
    }
    pthread_mutex_unlock(&lease->mutex);
    if (!mine) lease->lost(lease->context);
    return NULL;
}

void lease_keep(struct lease *lease, void (*lost)(void *context), void *context)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    lease->lost = lost;
    lease->context = context;
    pthread_mutex_init(&lease->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&lease->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&lease->keeper, NULL, keep, lease);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) die("no thread for the heartbeat: %s", strerror(error));
    lease->kept = true;
}

static void stop_keeping(struct lease *lease)
{
    pthread_mutex_lock(&lease->mutex);
    lease->released = true;
    pthread_cond_signal(&lease->wake);
    pthread_mutex_unlock(&lease->mutex);
    pthread_join(lease->keeper, NULL);
    pthread_cond_destroy(&lease->wake);
    pthread_mutex_destroy(&lease->mutex);
}

void lease_release(struct lease *lease)
{
    struct sight seen;
    if (lease->kept) stop_keeping(lease);
    if (look(lease->path, &seen) && !strcmp(seen.owner.nonce, lease->self.nonce))
        take_away(lease->folder, lease->path, &seen, lease->self.nonce);
    close(lease->file);
    free(lease->folder);
    free(lease->path);
    free(lease);
}
