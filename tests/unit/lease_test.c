/* Tests core/base/lease: the holder of a folder, takeover, and how an owner detects that it has
 * lost its lease. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tests/support/lease_take.h"
#include "core/base/path.h"

static pid_t left_alive; /* started by leave_private */

/* Seconds by which this process's clock is ahead of the clock that stamps files. */
static time_t clock_off;
int clock_gettime(clockid_t clock, struct timespec *time)
{
    const long status = syscall(SYS_clock_gettime, clock, time);
    if (status == 0 && clock == CLOCK_REALTIME) time->tv_sec += clock_off;
    return (int)status;
}

static void set_host(const char *name, const char *seconds)
{
    setenv("SANLAB_HOST", name, 1);
    setenv("SANLAB_LEASE", seconds, 1);
}

static void wait_seconds(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

/* Sets the last heartbeat of a lock to this number of seconds ago. A test that waits instead would
 * fail on a busy machine. */
static void age(const char *folder, const char *name, int seconds)
{
    const struct timespec past = {.tv_sec = time(NULL) - seconds};
    const char *path = arena_print(&arena, "%s/%s", folder, name);
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[2]){past, past}, 0), 0);
}

/* Returns the exit status of a child process; -1 if a signal ended it. */
static int status_of(pid_t child)
{
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool another_can_take(const char *folder)
{
    return STATUS_OF(struct lease * lease = lease_take(folder); if (!lease) _exit(1);
                     lease_release(lease)) == 0;
}

/* Starts a process that takes the lease and ends without releasing it. */
static void die_with(const char *folder)
{
    assert_int_equal(STATUS_OF(if (!lease_take(folder)) _exit(1)), 0);
}

static struct lease *take(const char *folder)
{
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    return lease;
}

static int locks_in(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));)
        count += !strncmp(entry->d_name, "lock", 4);
    closedir(entries);
    return count;
}

BEFORE(each)
{
    set_host("a", "600");
}

TEST(it_belongs_to_a_live_process)
{
    struct lease_owner owner;
    const char *folder = test_folder("lease_live");
    assert_false(lease_held(folder, &owner));
    die_with(folder);
    assert_int_equal(locks_in(folder), 1);
    assert_false(lease_held(folder, &owner));
    struct lease *lease = take(folder);
    assert_true(lease_held(folder, &owner));
    assert_int_equal(owner.pid, getpid());
    assert_int_equal(owner.attempt, 2);
    assert_true(owner.near);
    assert_false(another_can_take(folder));
    assert_true(lease_mine(lease));
    lease_release(lease);
    assert_int_equal(locks_in(folder), 0);
}

/* On another host, a dead owner is respected until its lease expires. */
TEST(elsewhere_it_must_run_out)
{
    struct lease_owner owner;
    const char *folder = test_folder("lease_elsewhere");
    set_host("a", "60");
    die_with(folder);
    set_host("b", "600"); /* the owner's lease time counts */
    assert_true(lease_held(folder, &owner));
    assert_false(owner.near);
    assert_true(owner.left > 0 && owner.left <= 60);
    assert_null(lease_take(folder));
    age(folder, "lock", 61);
    assert_false(lease_held(folder, &owner));
    struct lease *lease = take(folder);
    lease_release(lease);
    assert_int_equal(locks_in(folder), 0);
}

/* According to a wrong clock, a lease may seem to have expired, or to be held. A process that has
 * tried to take a lease knows the difference from the clock that stamps files. Then it finds the
 * correct state of every lease. */
TEST(a_wrong_clock_is_found_out)
{
    const char *folder = test_folder("lease_clock");
    const char *other = arena_print(&arena, "%s/other", folder);
    file_make_folder(other);
    set_host("a", "60");
    die_with(folder);
    die_with(other);
    set_host("b", "60");
    clock_off = 3600;
    assert_false(lease_held(folder, NULL));
    assert_null(lease_take(folder));
    assert_true(lease_held(folder, NULL));
    clock_off = -3600;
    age(other, "lock", 61);
    assert_true(lease_held(other, NULL));
    age(folder, "lock", 61);
    struct lease *lease = take(folder);
    assert_false(lease_held(other, NULL));
    lease_release(lease);
    clock_off = 0;
    lease = take(folder);
    lease_release(lease);
}

static void lost(void *context)
{
    *(_Atomic bool *)context = true;
}

TEST(a_heartbeat_keeps_it)
{
    _Atomic bool gone = false;
    const char *folder = test_folder("lease_kept"),
               *seconds =
                   arena_print(&arena, "%d", test_slow()); /* a late heartbeat must be in time */
    set_host("a", seconds);
    struct lease *lease = lease_take(folder);
    lease_keep(lease, lost, &gone);
    set_host("b", seconds);
    for (int i = 0; i < 5 * test_slow(); i++) {
        wait_seconds(0.3);
        assert_true(lease_held(folder, NULL));
    }
    assert_false(another_can_take(folder));
    assert_false(gone);
    /* Another process removes the lock. The thread for heartbeats detects this by itself. */
    unlink(arena_print(&arena, "%s/lock", folder));
    for (int i = 0; i < 100 * test_slow() && !gone; i++) wait_seconds(0.02);
    assert_true(gone);
    lease_release(lease);
}

/* An owner that is frozen for longer than its lease loses it to another process, and detects this
 * when it wakes. */
TEST(a_frozen_owner_loses_it)
{
    const char *folder = test_folder("lease_frozen");
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    set_host("a", "60");
    pid_t child = fork();
    if (child == 0) {
        struct lease *lease = lease_take(folder);
        if (!lease || !lease_mine(lease)) _exit(1);
        if (write(ready[1], "r", 1) != 1) _exit(2);
        raise(SIGSTOP);
        bool mine = lease_mine(lease);
        lease_release(lease); /* must not remove the new owner's lock */
        _exit(mine ? 3 : 0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    waitpid(child, NULL, WUNTRACED);
    assert_false(another_can_take(folder)); /* same host: the owner is alive */
    set_host("b", "60");
    assert_false(another_can_take(folder));
    age(folder, "lock", 61);
    struct lease *lease = take(folder);
    kill(child, SIGCONT);
    assert_int_equal(status_of(child), 0);
    assert_true(lease_mine(lease));
    lease_release(lease);
    close(ready[0]);
    close(ready[1]);
}

/* If no process took the lease of a frozen owner, the owner renews it. */
TEST(a_lease_that_nobody_took_is_renewed)
{
    const char *folder = test_folder("lease_renewed");
    set_host("a", "4");
    struct lease *lease = lease_take(folder);
    wait_seconds(0.3); /* longer than between two heartbeats */
    age(folder, "lock", 5);
    set_host("b", "4");
    assert_false(lease_held(folder, NULL));
    assert_true(lease_mine(lease));
    assert_true(lease_held(folder, NULL));
    assert_null(lease_take(folder));
    lease_release(lease);
}

enum { TAKERS = 6, LIVES = 5, ROUNDS = 5 };

/* Takes the lease ROUNDS times, and exits while it holds the lease. The exit status is not 0 if
 * another process held the lease at the same time. */
static void live_once(const char *folder)
{
    const char *inside = arena_print(&arena, "%s/inside", folder);
    for (int round = 0; round < ROUNDS;) {
        struct lease *lease = lease_take(folder);
        if (!lease) {
            wait_seconds(0.0005);
            continue;
        }
        if (mkdir(inside, 0777) != 0) _exit(1);
        FILE *file = fopen(arena_print(&arena, "%s/count", folder), "a");
        fputs("x", file);
        fclose(file);
        rmdir(inside);
        if (!lease_mine(lease)) _exit(2);
        if (++round < ROUNDS) lease_release(lease);
    }
    _exit(0);
}

/* Many processes take a folder that is free or has a dead owner. Two processes never hold it at the
 * same time. */
TEST(one_taker_wins)
{
    const char *folder = test_folder("lease_race");
    pid_t taker[TAKERS];
    for (int i = 0; i < TAKERS; i++) {
        if ((taker[i] = fork()) != 0) continue;
        int bad = 0;
        for (int life = 0; life < LIVES; life++) {
            pid_t child = fork();
            if (child == 0) live_once(folder);
            bad |= status_of(child);
        }
        _exit(bad);
    }
    for (int i = 0; i < TAKERS; i++) assert_int_equal(status_of(taker[i]), 0);
    assert_int_equal(file_bytes(arena_print(&arena, "%s/count", folder)), TAKERS * LIVES * ROUNDS);
}

/* A lock file with invalid content, such as after a full disk, is respected for the time of a
 * lease. Then the lease can be taken. */
TEST(nonsense_runs_out)
{
    const char *folder = test_folder("lease_nonsense");
    file_write(arena_print(&arena, "%s/lock", folder), "", 0);
    file_write(arena_print(&arena, "%s/lock.0123-old", folder), "x", 1);
    set_host("a", "60");
    assert_true(lease_held(folder, NULL));
    assert_null(lease_take(folder));
    age(folder, "lock", 61);
    age(folder, "lock.0123-old", 61);
    assert_false(lease_held(folder, NULL));
    struct lease *lease = take(folder);
    assert_int_equal(locks_in(folder), 1); /* files of killed takers are removed */
    lease_release(lease);
    setenv("SANLAB_LEASE", "0,5", 1);
    EXPECT_DIE("SANLAB_LEASE: \"0,5\": expected seconds", lease_take(folder));
}

/* The release fails, because no file can be opened. The folder is free nevertheless, although the
 * process that the lock file names is alive. */
TEST(a_release_that_failed_heals)
{
    const char *folder = test_folder("lease_heals");
    struct rlimit files, none;
    struct lease *lease = lease_take(folder);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = files.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    lease_release(lease);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(locks_in(folder), 1); /* the release has failed */
    assert_false(lease_held(folder, NULL));
    assert_true(another_can_take(folder));
    assert_int_equal(locks_in(folder), 0);
}

/* The release could not even mark the lock. The process itself knows that it does not hold this
 * lease. */
TEST(a_process_knows_what_it_holds)
{
    const char *folder = test_folder("lease_own");
    const char *lock = arena_print(&arena, "%s/lock", folder);
    struct lease *lease = lease_take(folder);
    size_t bytes;
    const char *text = file_read(&arena, lock, 0, &bytes);
    lease_release(lease);
    file_write(lock, text, bytes);
    assert_false(another_can_take(folder)); /* the lock seems to be held by this process */
    assert_false(lease_held(folder, NULL));
    lease = take(folder);
    assert_null(lease_take(folder)); /* this process holds the new lease */
    lease_release(lease);
    assert_int_equal(locks_in(folder), 0);
}

/* If the lock is a link, no process holds the folder, and none can take it. This is an error,
 * unlike a busy folder. */
TEST(a_link_is_no_lock)
{
    const char *folder = test_folder("lease_link");
    const char *outside = arena_print(&arena, "%s/outside", folder);
    assert_int_equal(symlink("outside", arena_print(&arena, "%s/lock", folder)), 0);
    assert_false(lease_held(folder, NULL));
    path_guard(folder);
    EXPECT_DIE("lock: is not a regular file; expected a lock", lease_take(folder));
    assert_int_equal(locks_in(folder), 1);
    assert_false(file_exists(outside));
    EXPECT_DIE("lease_link/absent: cannot be read",
               lease_take(arena_print(&arena, "%s/absent", folder)));
}

/* Makes a private lock file, which a process leaves if it is killed while it takes a lease. */
static void leave_private(const char *folder, const char *name, bool alive)
{
    const char *elsewhere = arena_text(&arena, test_folder("lease_private"));
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        bool taken = lease_take(elsewhere);
        if (write(ready[1], "r", 1) != 1 || !taken) _exit(1);
        if (alive) pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    if (!alive) status_of(child);
    size_t bytes;
    const char *text = file_read(&arena, arena_print(&arena, "%s/lock", elsewhere), 0, &bytes);
    file_write(arena_print(&arena, "%s/%s", folder, name), text, bytes);
    close(ready[0]);
    close(ready[1]);
    if (alive) left_alive = child;
}

static bool is_there(const char *folder, const char *name)
{
    struct stat info;
    return lstat(arena_print(&arena, "%s/%s", folder, name), &info) == 0;
}

/* Files of dead owners are removed when a process takes a lease, and when the holder sweeps the
 * folder. Files of living owners and complete files stay. */
TEST(the_holder_sweeps)
{
    const char *folder = arena_text(&arena, test_folder("lease_sweep"));
    const char *outside = arena_text(&arena, test_folder("lease_outside"));
    file_make_folder(arena_print(&arena, "%s/ckpt/step-00000001", folder));
    file_write(arena_print(&arena, "%s/keep", outside), "x", 1);
    struct lease *lease = NULL;
    for (int round = 0; round < 2; round++) {
        static const char *const left[] = {"done.json.tmp-1", "lock.dead", "lock.dead-old",
                                           "link.tmp-7", "ckpt/step-00000002.tmp-99"};
        set_host("a", "600");
        leave_private(folder, "lock.dead", false);
        leave_private(folder, "lock.dead-old", false);
        leave_private(folder, "lock.alive", true);
        set_host("b", "600");
        leave_private(folder, "lock.far", false); /* its owner is dead, but not on this host */
        set_host("a", "600");
        file_make_folder(arena_print(&arena, "%s/ckpt/step-00000002.tmp-99", folder));
        file_write(arena_print(&arena, "%s/ckpt/step-00000002.tmp-99/m", folder), "x", 1);
        file_write(arena_print(&arena, "%s/done.json.tmp-1", folder), "x", 1);
        assert_int_equal(symlink("../lease_outside", arena_print(&arena, "%s/link.tmp-7", folder)),
                         0);
        if (lease)
            lease_sweep(lease);
        else
            lease = lease_take(folder);
        for (size_t i = 0; i < COUNT_OF(left); i++)
            if (is_there(folder, left[i])) fail_msg("round %d: %s is left", round, left[i]);
        assert_true(is_there(folder, "lock.alive") && is_there(folder, "lock.far"));
        assert_true(is_there(folder, "ckpt/step-00000001") && is_there(outside, "keep"));
        assert_true(lease_mine(lease));
        kill(left_alive, SIGKILL);
        waitpid(left_alive, NULL, 0);
    }
    age(folder, "lock.far", 601);
    lease_sweep(lease);
    assert_false(is_there(folder, "lock.alive") || is_there(folder, "lock.far"));
    lease_release(lease);
    assert_int_equal(locks_in(folder), 0);
}

/* An owner that was frozen for too long has lost its lease. It must not remove files that seem to
 * be abandoned, because they may belong to the new holder. */
TEST(who_lost_it_sweeps_nothing)
{
    const char *folder = arena_text(&arena, test_folder("lease_lost"));
    struct lease *lease = lease_take(folder);
    file_write(arena_print(&arena, "%s/done.json.tmp-1", folder), "x", 1);
    leave_private(folder, "lock", false); /* now another owner has the lock */
    assert_false(lease_mine(lease));
    lease_sweep(lease);
    assert_true(is_there(folder, "done.json.tmp-1"));
    lease_release(lease);
    assert_int_equal(locks_in(folder), 1);
    lease = take(folder);
    assert_false(is_there(folder, "done.json.tmp-1"));
    lease_release(lease);
}
