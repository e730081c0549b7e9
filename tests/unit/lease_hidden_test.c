/* Tests core/base/lease: the state of an owner, read from /proc. If /proc hides the processes of
 * other users (hidepid=2), these processes do not count as dead. The name of a process may contain
 * blanks and parentheses. A process that has ended stays in /proc until its parent has waited for
 * it. */
#include "tests/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tests/support/lease_take.h"
#include "core/base/lease_lock.h"

/* The process that the following function hides; 0: none. */
static pid_t hidden;
int open(const char *path, int flags, ...)
{
    char stat[64];
    snprintf(stat, sizeof stat, "/proc/%d/stat", (int)hidden);
    if (hidden && !strcmp(path, stat)) {
        errno = ENOENT;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
}

/* Sets the last heartbeat to this number of seconds ago. */
static void age(const char *folder, int seconds)
{
    const struct timespec past = {.tv_sec = time(NULL) - seconds};
    const char *path = arena_print(&arena, "%s/lock", folder);
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[2]){past, past}, 0), 0);
}

TEST(one_that_is_hidden_is_alive)
{
    const char *folder = test_folder("lease_hidden");
    int ready[2];
    char byte;
    setenv("SANLAB_LEASE", "60", 1);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!lease_take(folder) || write(ready[1], "", 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    hidden = child;
    assert_true(lease_held(folder, NULL));
    assert_null(lease_take(folder));
    age(folder, 61); /* an owner that /proc hides counts as dead after the timeout, like an owner on
                        another host */
    assert_false(lease_held(folder, NULL));
    age(folder, 0);
    assert_true(lease_held(folder, NULL));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_false(lease_held(folder, NULL));
    for (int i = 0; i < 2; i++) close(ready[i]);
}

/* In /proc/PID/stat, the start time follows the name. It is parsed correctly even if the name
 * contains blanks and parentheses. */
TEST(names_with_parentheses)
{
    char name[16];
    const unsigned long long start = lock_start_of(getpid());
    assert_true(start && start != LOCK_START_UNKNOWN);
    assert_int_equal(prctl(PR_GET_NAME, name), 0);
    assert_int_equal(prctl(PR_SET_NAME, "a) Z 1 (b"), 0);
    assert_true(lock_start_of(getpid()) == start);
    assert_int_equal(prctl(PR_SET_NAME, name), 0);
}

TEST(a_zombie_holds_nothing)
{
    const char *folder = test_folder("lease_zombie");
    const pid_t child = fork();
    if (child == 0) _exit(lease_take(folder) ? 0 : 1);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0); /* a zombie */
    assert_int_equal(info.si_status, 0);
    assert_true(lock_start_of(child) == 0);
    assert_false(lease_held(folder, NULL));
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    lease_release(lease);
    waitpid(child, NULL, 0);
}
