/* The clock around ops: of a table that computes when it likes, by its marks; else by the clock. */
#include "tests/support/test.h"

#include "core/bench/bench_ops.h"
#include "core/cpu/cpu.h"

/* A device on which an op takes two seconds, and marks are read back in any order. */
static double time_of_mark[OPS_MARKS];
static double device_time;
static int marks, reads;

static void sync_on_device(void)
{
    device_time += 2;
}

static void mark(int number)
{
    assert_in_range(number, 0, OPS_MARKS - 1);
    time_of_mark[number] = device_time;
    marks++;
}

static double elapsed(int from, int to)
{
    reads++;
    return time_of_mark[to] - time_of_mark[from];
}

static double no_clock(void)
{
    fail_msg("the host's clock was asked");
    return 0;
}

TEST(marks_are_read)
{
    struct ops table = *cpu_ops();
    table.sync = sync_on_device;
    table.mark = mark;
    table.elapsed = elapsed;
    const struct ops *timed = bench_ops(&table, no_clock, NULL);
    bench_ops_clear();
    for (int i = 0; i < 3; i++) timed->sync();
    assert_int_equal(marks, 6);
    assert_int_equal(reads, 0); /* not before somebody asks */
    assert_true(bench_ops_seconds("sync") == 6);
    assert_int_equal(reads, 3);
    assert_true(bench_ops_seconds("sync") == 6);
    for (int i = 0; i < OPS_MARKS; i++) timed->sync(); /* more than there are marks for */
    assert_true(bench_ops_seconds("sync") == 6 + 2. * OPS_MARKS);
    timed->sync();
    bench_ops_clear();
    assert_true(bench_ops_seconds("sync") == 0);
}

static double ticks(void)
{
    static double now;
    return now += 1;
}

TEST(else_the_clock)
{
    const struct ops *timed = bench_ops(cpu_ops(), ticks, NULL);
    int count;
    bench_ops_clear();
    timed->sync();
    timed->sync();
    assert_true(bench_ops_seconds("sync") == 2);
    const struct bench_op *op = bench_ops_read(&count);
    int calls = 0;
    for (int i = 0; i < count; i++) calls += op[i].calls;
    assert_int_equal(calls, 2);
}

TEST(others_are_not_timed)
{
    const struct ops *timed = bench_ops(cpu_ops(), ticks, (const char *const[]){"sync", NULL});
    real number[1] = {1};
    bench_ops_clear();
    timed->sync();
    timed->clear(number, sizeof number);
    assert_true(number[0] == 0);
    assert_true(bench_ops_seconds("sync") == 1);
    assert_true(bench_ops_seconds("clear") == 0);
}
