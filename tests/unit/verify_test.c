/* experiments/keep/verify_runs: cases that are read again before they count. A folder is newer than
 * the database, or a process works on the folder before or after it was read. */
#include "tests/support/test.h"

#include "core/base/lease.h"

/* Replaces lease_held: one character of `leases` for each call. */
static const char *leases; /* '1': the lease is held; after the end it is free */
static bool lease_told(const char *folder, struct lease_owner *owner)
{
    return *leases && *leases++ == '1';
}

#define lease_held lease_told
#pragma GCC diagnostic ignored "-Wshadow" /* of the test arena */
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

/* One line more than the database has is no fault once the database is up to date. */
TEST(a_database_that_lacks_a_line)
{
    const char *runs = test_folder("verify_lacks");
    const struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    leases = "";
    const int before = verify_train(store).problems; /* its canonical text is any text */
    run_append(&train, "metrics.jsonl", "{\"name\":\"loss\",\"step\":600,\"value\":1}\n");
    run_write(&train, "changed", ""); /* as a stage that was just finished */
    assert_int_equal(verify_train(store).problems, before);
    store_close(store);
}

/* No problem is reported for an unfinished stage on which a process works or worked. */
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
