/* Reads and writes lock files, and identifies this process. */
#include "core/base/lease_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file_system.h"
#include "core/base/path.h"

static const double lease_seconds = 600;

unsigned long long lock_start_of(int pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) { /* /proc may hide the processes of other users (hidepid); kill does not */
        const bool gone = errno == ENOENT && kill(pid, 0) != 0 && errno == ESRCH;
        return gone ? 0 : LOCK_START_UNKNOWN;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    const bool gone = length < 0 && errno == ESRCH;
    close(file);
    if (length <= 0) return gone ? 0 : LOCK_START_UNKNOWN;
    text[length] = 0;
    /* The name (field 2) may contain anything but ends at the last parenthesis. Then state is field
     * 3 and the start time field 22. A zombie counts as gone. */
    const char *at = strrchr(text, ')');
    if (!at || at[1] != ' ') return LOCK_START_UNKNOWN;
    if (at[2] == 'Z' || at[2] == 'X') return 0;
    at += 2;
    for (int field = 3; field < 22; field++) {
        at = strchr(at, ' ');
        if (!at) return LOCK_START_UNKNOWN;
        at++;
    }
    return strtoull(at, NULL, 10);
}

/* Copies a text as a word of the lock's line: an empty text becomes "?", and blanks become "_". */
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

/* Sets the identity of this process on its host. It is read once and kept, because a later read
 * could fail for lack of free descriptors. */
static void set_place(struct lease_owner *self)
{
    static struct lease_owner known;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    char text[256] = "?";
    pthread_mutex_lock(&mutex);
    if (known.pid != (int)getpid()) {
        known = (struct lease_owner){.pid = (int)getpid(), .start = lock_start_of((int)getpid())};
        if (known.start == LOCK_START_UNKNOWN) known.start = 0;
        FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
        if (file) {
            if (!fgets(text, sizeof text, file)) snprintf(text, sizeof text, "?");
            text[strcspn(text, "\n")] = 0;
            fclose(file);
        }
        set_word(known.boot, sizeof known.boot, text);
        ssize_t length = readlink("/proc/self/ns/pid", text, sizeof text - 1);
        text[length > 0 ? length : 0] = 0;
        set_word(known.space, sizeof known.space, text);
    }
    *self = known;
    if (!known.start || !strcmp(known.boot, "?")) known.pid = 0; /* try again next time */
    pthread_mutex_unlock(&mutex);
}

struct lease_owner lock_self(void)
{
    struct lease_owner self;
    char text[256] = "";
    set_place(&self);
    self.near = true;
    self.attempt = 1;
    self.seconds = own_seconds();
    const char *host = getenv("SANLAB_HOST");
    if (!host) gethostname(text, sizeof text - 1);
    set_word(self.host, sizeof self.host, host ? host : text);
    uint64_t nonce;
    if (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
        die("cannot get random numbers from the kernel: %s", strerror(errno));
    snprintf(self.nonce, sizeof self.nonce, "%016llx", (unsigned long long)nonce);
    return self;
}

enum lock_look lock_look(const char *path, struct lock_sight *sight)
{
    struct lease_owner *owner = &sight->owner;
    struct stat info;
    char text[512];
    memset(sight, 0, sizeof *sight);
    int file = path_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return errno == ENOENT ? LOCK_ABSENT : LOCK_FAULT;
    ssize_t length = -1;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode))
        length = read(file, text, sizeof text - 1);
    close(file);
    if (length < 0) return LOCK_FAULT;
    sight->modified = info.st_mtim;
    text[length] = 0;
    long milliseconds;
    if (sscanf(text, "%64s %d %39s %llu %39s %16s %d %ld", owner->host, &owner->pid, owner->boot,
               &owner->start, owner->space, owner->nonce, &owner->attempt, &milliseconds) == 8)
        owner->seconds = (double)milliseconds / 1000;
    else
        *owner = (struct lease_owner){.host = "?", .seconds = own_seconds()};
    return LOCK_SEEN;
}

/* A synced lock is seen by other machines. On a local file system all processes see it at once, and
 * after a power failure no process owns it. */
int lock_write(const char *path, const struct lease_owner *self, double *now)
{
    struct stat info;
    int file = path_open(path, O_RDWR | O_CREAT | O_EXCL);
    if (file < 0) return -1;
    errno = ENOSPC; /* after a short write, which sets no errno */
    if (dprintf(file, "%s %d %s %llu %s %s %d %ld\n", self->host, self->pid, self->boot,
                self->start, self->space, self->nonce, self->attempt,
                (long)(self->seconds * 1000)) < 0 ||
        (file_system_of(path) != FILE_SYSTEM_LOCAL && fsync(file) != 0) ||
        fstat(file, &info) != 0) {
        const int error = errno;
        close(file);
        path_unlink(path);
        errno = error;
        return -1;
    }
    *now = lock_seconds(info.st_mtim);
    return file;
}
