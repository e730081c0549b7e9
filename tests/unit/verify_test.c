/* Tests experiments/keep/verify_runs.h. In some cases, a stage is read again before a problem is
 * reported. The folder may be newer than the database, or a process may work on the folder before
 * or after it was read. */
#include "tests/support/test.h"

#include "core/base/lease.h"

/* lease_told replaces lease_held. Each call uses one character of `leases`. */
static const char *leases; /* '1': the lease is held; no character left: it is free */
static bool lease_told(const char *folder, struct lease_owner *owner)
{
    return *leases && *leases++ == '1';
}

#define lease_held lease_told
#pragma GCC diagnostic ignored "-Wshadow" /* the test's arena has the name of parameters */
#include "experiments/keep/verify_runs.c"
#undef lease_held

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

/* The folder has a line that the database lacks. The database is updated before this counts as a
 * problem. */
TEST(a_database_that_lacks_a_line)
{
    const char *runs = test_folder("verify_lacks");
    const struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    leases = "";
    const int before = verify_train(store).problems; /* its canonical text is invented */
    run_append(&train, "metrics.jsonl", "{\"name\":\"loss\",\"step\":600,\"value\":1}\n");
    run_write(&train, "changed", ""); /* makes the folder newer than the database */
    assert_int_equal(verify_train(store).problems, before);
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
