/* Tests experiments/keep/verify_runs.h. A stage is read again before a problem is reported, because
 * it may have changed meanwhile. A process may work on the folder before or after it was read. */
#include "tests/support/test.h"

#include "core/base/lease.h"
#include "results/store/collector.h"

/* lease_told replaces lease_held. Each call uses one character of `leases`. */
static const char *leases; /* '1': the lease is held; no character left: it is free */
static bool lease_told(const char *folder, struct lease_owner *owner)
{
    return *leases && *leases++ == '1';
}

/* collect_late replaces collect_runs. Between the two looks at a stage, it puts back a file. */
static const char *away, *place; /* NULL: no file */
static struct collect_report collect_late(struct store *store)
{
    if (away) assert_int_equal(rename(away, place), 0);
    away = NULL;
    return collect_runs(store);
}

#define lease_held lease_told
#define collect_runs collect_late
#pragma GCC diagnostic ignored "-Wshadow" /* the test's arena has the name of parameters */
#include "experiments/keep/verify_runs.c"
#undef lease_held
#undef collect_runs

#include "tests/support/runs.h"

static struct verify_report verify_train(struct store *store)
{
    struct found_stage *stage;
    struct verify_report report;
    const int count = query_stages(store, "kind = train", &stage, &arena);
    assert_int_equal(count, 1);
    PRINTED(report = verify_stages(store, stage, count, out));
    return report;
}

/* A problem that is gone after the database was updated is not reported. */
TEST(a_problem_that_vanishes)
{
    const char *runs = test_folder("verify_vanishes");
    const struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    leases = "";
    const int before = verify_train(store).problems; /* its id is invented */
    place = arena_print(&arena, "%s/done.json", train.folder);
    const char *moved = arena_print(&arena, "%s.away", place);
    assert_int_equal(rename(place, moved), 0);
    run_write(&train, "done.json", "{\"status\": \"fine\", \"outputs\": {\"lost\": \"00\"}}");
    assert_int_equal(before, 1);
    assert_int_equal(verify_train(store).problems, 2); /* the status, and a file that is gone */
    away = moved;
    assert_int_equal(verify_train(store).problems, before);
    assert_null(away);
    store_close(store);
}

/* If a process works or worked on an unfinished stage while it was read, no problem is reported. */
TEST(somebody_is_at_work)
{
    static const struct {
        const char *leases;
        int working;
    } cases[] = {{"", 0}, {"11", 1}, {"10", 1}, {"01", 1}};
    const char *runs = test_folder("verify_work");
    const struct run train = runs_fill(runs);
    char done[700];
    snprintf(done, sizeof done, "%s/done.json", train.folder);
    assert_int_equal(unlink(done), 0);
    struct store *store = runs_collect(runs);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        leases = cases[i].leases;
        const struct verify_report report = verify_train(store);
        assert_int_equal(report.working, cases[i].working);
        assert_int_equal(report.problems > 0, !cases[i].working);
    }
    store_close(store);
}
