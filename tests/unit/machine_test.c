/* Tests experiments/stage/machine.h. The number of cores and the free memory are the minimum over
 * the limits of the system, control groups, Slurm and the user. */
#include "tests/support/test.h"

#include <sched.h>

#include "experiments/stage/machine.h"

static const char *const root = "build/tmp/machine_test";
static int bound; /* number of processors on which this process may run */

static void put(const char *name, const char *text)
{
    const char *path = arena_print(&arena, "%s/%s", root, name);
    file_make_folder(arena_text_range(&arena, path, (size_t)(strrchr(path, '/') - path)));
    put_text(path, text);
}

BEFORE(each)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    bound = CPU_COUNT(&set);
    unsetenv("SANLAB_CORES");
    unsetenv("SLURM_CPUS_ON_NODE");
    file_remove_tree(root);
    put("proc/self/cgroup", "1:name=systemd:/old\n0::/batch/task\n");
    put("proc/meminfo", "MemTotal: 3000 kB\nMemFree: 5 kB\nMemAvailable:    2000 kB\n");
    machine_root = root;
}

AFTER(each)
{
    machine_root = "";
}

TEST(without_limits_the_machine_counts)
{
    assert_int_equal(machine_cores(), bound);
    assert_true(machine_memory() == 2000 * 1024);
    put("sys/fs/cgroup/batch/task/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/batch/task/memory.max", "max\n");
    put("sys/fs/cgroup/batch/task/memory.current", "5000\n");
    assert_int_equal(machine_cores(), bound);
    assert_true(machine_memory() == 2000 * 1024);
    put("proc/meminfo", "");
    assert_true(machine_memory() < 0);
}

TEST(processors_have_names)
{
    static const char *const text[][2] = {
        {"model name\t: Abacus 7\nflags\t: avx2\nmodel name\t: Abacus 8\n", "Abacus 7"},
        {"BogoMIPS\t: 2000.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n",
         "ARM, designer 0x41, part 0xd4f"},
        {"CPU implementer\t: 0x61\nCPU part\t: 0x022\nCPU part\t: 0x023\n",
         "ARM, designer 0x61, part 0x022"},
        {"", "unknown"}};
    for (size_t i = 0; i < COUNT_OF(text); i++) {
        char name[64];
        put("proc/cpuinfo", text[i][0]);
        machine_processor(name, sizeof name);
        assert_string_equal(name, text[i][1]);
    }
}

TEST(quotas_of_groups_above_count)
{
    put("sys/fs/cgroup/batch/cpu.max", "150000 100000\n");
    assert_int_equal(machine_cores(), bound < 2 ? bound : 2);
    put("sys/fs/cgroup/batch/task/cpu.max", "30000 100000\n");
    assert_int_equal(machine_cores(), 1);
}

TEST(a_container_sees_its_own_group_as_the_root)
{
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cpu.max", "100000 100000\n");
    put("sys/fs/cgroup/memory.max", "1500\n");
    put("sys/fs/cgroup/memory.current", "1000\n");
    assert_int_equal(machine_cores(), 1);
    assert_true(machine_memory() == 500);
}

TEST(pages_of_files_are_free)
{
    put("sys/fs/cgroup/batch/memory.max", "1000000\n");
    put("sys/fs/cgroup/batch/memory.current", "900000\n");
    assert_true(machine_memory() == 100000);
    put("sys/fs/cgroup/batch/memory.stat", "anon 9\ninactive_file 300000\nactive_file 8\n");
    assert_true(machine_memory() == 400000);
    put("sys/fs/cgroup/batch/task/memory.max", "700000\n");
    put("sys/fs/cgroup/batch/task/memory.current", "800000\n"); /* above the new limit */
    assert_true(machine_memory() == 0);
}

TEST(cores_are_what_variables_say)
{
    setenv("SANLAB_CORES", "1", 1);
    assert_int_equal(machine_cores(), 1);
    setenv("SANLAB_CORES", "100000", 1);
    assert_int_equal(machine_cores(), bound);
    setenv("SLURM_CPUS_ON_NODE", "1", 1);
    assert_int_equal(machine_cores(), 1);
    static const char *const bad[] = {"", "0", "-1", "1.5", "two", "2 "};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        setenv("SANLAB_CORES", bad[i], 1);
        EXPECT_DIE(arena_print(&arena, "SANLAB_CORES: \"%s\": expected a number of cores", bad[i]),
                   machine_cores());
    }
}

TEST(a_process_has_memory)
{
    machine_root = "";
    assert_true(machine_memory_of(getpid()) > 100000);
    assert_true(machine_memory_of(0) == 0);
}
