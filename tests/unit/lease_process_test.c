/* The state of an owner, read from /proc. A process may have any name, and a process that has ended
 * stays there until its parent has waited for it. */
#include "tests/support/test.h"

#include <signal.h>
#include <sys/prctl.h>

#include "core/base/lease_lock.h"
#include "tests/support/lease.h"

/* The start time is parsed correctly for any process name. */
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
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0); /* it stays */
    assert_int_equal(info.si_status, 0);
    assert_true(lock_start_of(child) == 0);
    assert_false(lease_held(folder, NULL));
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    lease_release(lease);
    waitpid(child, NULL, 0);
}
