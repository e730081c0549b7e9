/* core/base/lease: who holds a folder, when it is taken over, and that an owner who lost it knows.
 */
#include "tests/support/test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/base/lease.h"

static struct arena arena;

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

/* A child's exit status. */
static int status_of(pid_t child)
{
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool another_can_take(const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        struct lease *lease = lease_take(folder);
        if (lease) lease_release(lease);
        _exit(lease ? 0 : 1);
    }
    return status_of(child) == 0;
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

static void it_belongs_to_a_live_process(void **state)
{
    (void)state;
    struct lease_owner owner;
    const char *folder = test_folder("lease_live");
    set_host("a", "600");
    assert_false(lease_held(folder, &owner));
    pid_t child = fork();
    if (child == 0) _exit(lease_take(folder) ? 0 : 1); /* ends without releasing */
    assert_int_equal(status_of(child), 0);
    assert_int_equal(locks_in(folder), 1);
    assert_false(lease_held(folder, &owner));
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    assert_true(lease_held(folder, &owner));
    assert_int_equal(owner.pid, getpid());
    assert_int_equal(owner.attempt, 2);
    assert_true(owner.near);
    assert_false(another_can_take(folder));
    assert_true(lease_mine(lease));
    lease_release(lease);
    assert_int_equal(locks_in(folder), 0);
}

/* The dead of another host, and the reborn with the same pid, are respected until then. */
static void elsewhere_it_must_run_out(void **state)
{
    (void)state;
    struct lease_owner owner;
    const char *folder = test_folder("lease_elsewhere");
    set_host("a", "0.4");
    pid_t child = fork();
    if (child == 0) _exit(lease_take(folder) ? 0 : 1);
    assert_int_equal(status_of(child), 0);
    set_host("b", "600"); /* the owner's promise counts, not ours */
    assert_true(lease_held(folder, &owner));
    assert_false(owner.near);
    assert_true(owner.left > 0 && owner.left <= 0.4);
    assert_null(lease_take(folder));
    wait_seconds(0.5);
    assert_false(lease_held(folder, &owner));
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    lease_release(lease);
    assert_int_equal(locks_in(folder), 0);
}

static void lost(void *context)
{
    *(_Atomic bool *)context = true;
}

static void a_heartbeat_keeps_it(void **state)
{
    (void)state;
    _Atomic bool gone = false;
    const char *folder = test_folder("lease_kept");
    set_host("a", "0.3");
    struct lease *lease = lease_take(folder);
    lease_keep(lease, lost, &gone);
    set_host("b", "0.3");
    for (int i = 0; i < 5; i++) {
        wait_seconds(0.15);
        assert_true(lease_held(folder, NULL));
    }
    assert_false(another_can_take(folder));
    assert_false(gone);
    /* Somebody who thinks otherwise: the thread finds out by itself. */
    unlink(arena_print(&arena, "%s/lock", folder));
    for (int i = 0; i < 100 && !gone; i++) wait_seconds(0.02);
    assert_true(gone);
    lease_release(lease);
}

/* An owner that was frozen for longer than its lease: taken over, and it knows when it wakes. */
static void a_frozen_owner_loses_it(void **state)
{
    (void)state;
    const char *folder = test_folder("lease_frozen");
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    set_host("a", "0.3");
    pid_t child = fork();
    if (child == 0) {
        struct lease *lease = lease_take(folder);
        if (!lease || !lease_mine(lease)) _exit(1);
        if (write(ready[1], "r", 1) != 1) _exit(2);
        raise(SIGSTOP);
        bool mine = lease_mine(lease);
        lease_release(lease); /* must not touch the new owner's */
        _exit(mine ? 3 : 0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    waitpid(child, NULL, WUNTRACED);
    assert_false(another_can_take(folder)); /* same host: it is alive */
    set_host("b", "0.3");
    assert_false(another_can_take(folder));
    wait_seconds(0.4);
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    kill(child, SIGCONT);
    assert_int_equal(status_of(child), 0);
    assert_true(lease_mine(lease));
    lease_release(lease);
    close(ready[0]);
    close(ready[1]);
}

/* Frozen, but nobody came: it goes on. */
static void a_lease_that_nobody_took_is_renewed(void **state)
{
    (void)state;
    const char *folder = test_folder("lease_renewed");
    set_host("a", "0.2");
    struct lease *lease = lease_take(folder);
    wait_seconds(0.3);
    set_host("b", "0.2");
    assert_false(lease_held(folder, NULL));
    assert_true(lease_mine(lease));
    assert_true(lease_held(folder, NULL));
    assert_null(lease_take(folder));
    lease_release(lease);
}

enum { TAKERS = 6, LIVES = 5, ROUNDS = 5 };

/* Takes it ROUNDS times and dies with it; its exit status is not 0 when somebody else was there. */
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

/* Many takers, of free folders and of dead owners' ones: never two at once. */
static void one_taker_wins(void **state)
{
    (void)state;
    const char *folder = test_folder("lease_race");
    set_host("a", "600");
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

/* What is no lock (a full disk, an editor) is respected for a lease, then taken. */
static void nonsense_runs_out(void **state)
{
    (void)state;
    const char *folder = test_folder("lease_nonsense");
    file_write(arena_print(&arena, "%s/lock", folder), "", 0);
    file_write(arena_print(&arena, "%s/lock.0123-old", folder), "x", 1);
    set_host("a", "0.3");
    assert_true(lease_held(folder, NULL));
    assert_null(lease_take(folder));
    wait_seconds(0.4);
    assert_false(lease_held(folder, NULL));
    struct lease *lease = lease_take(folder);
    assert_non_null(lease);
    assert_int_equal(locks_in(folder), 1); /* what killed takers left is gone */
    lease_release(lease);
    setenv("SANLAB_LEASE", "0,5", 1);
    EXPECT_DIE("SANLAB_LEASE: \"0,5\": expected seconds", lease_take(folder));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_belongs_to_a_live_process),
        cmocka_unit_test(elsewhere_it_must_run_out),
        cmocka_unit_test(a_heartbeat_keeps_it),
        cmocka_unit_test(a_frozen_owner_loses_it),
        cmocka_unit_test(a_lease_that_nobody_took_is_renewed),
        cmocka_unit_test(one_taker_wins),
        cmocka_unit_test(nonsense_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
