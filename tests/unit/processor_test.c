/* processor_prepare in programs of their own: this one, started again with another environment. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/cpu/processor.h"

/* What the child says: core, best core and origin, after processor_prepare. */
struct report {
    char core[32], best[32];
    int origin, status;
};

static int report_main(char **argv)
{
    processor_prepare(argv);
    printf("%s %s %d\n", processor_core(), processor_best_core(), (int)processor_core_origin());
    return 0;
}

static struct report run(const char *core, const char *mode)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        unsetenv("SANLAB_CORE_CHOSEN");
        core ? setenv("OPENBLAS_CORETYPE", core, 1) : unsetenv("OPENBLAS_CORETYPE");
        mode ? setenv("SANLAB_CORE", mode, 1) : unsetenv("SANLAB_CORE");
        dup2(ends[1], STDOUT_FILENO);
        if (!freopen("/dev/null", "w", stderr)) _exit(126);
        execl("/proc/self/exe", "processor_test", "report", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    struct report report = {0};
    FILE *in = fdopen(ends[0], "r");
    int fields = fscanf(in, "%31s %31s %d", report.core, report.best, &report.origin);
    fclose(in);
    waitpid(child, &report.status, 0);
    if (report.status == 0) assert_int_equal(fields, 3);
    return report;
}

static void nothing_better_is_left(void **state)
{
    (void)state;
    struct report own = run(NULL, "env"), prepared = run(NULL, NULL);
    assert_int_equal(own.origin, CORE_OF_LIBRARY);
    assert_int_equal(own.status, 0);
    assert_int_equal(prepared.status, 0);
    assert_string_equal(prepared.core, own.best);
    assert_string_equal(prepared.best, prepared.core);
    bool changed = strcmp(own.core, own.best) != 0;
    assert_int_equal(prepared.origin, changed ? CORE_OF_PREPARE : CORE_OF_LIBRARY);
    assert_string_equal(run(NULL, "auto").core, prepared.core);
}

static void what_the_user_sets_stays(void **state)
{
    (void)state;
    struct report pinned = run("Nehalem", NULL);
    assert_string_equal(pinned.core, "Nehalem");
    assert_int_equal(pinned.origin, CORE_OF_USER);
    /* Every processor that this program starts on has AVX2. */
    assert_string_not_equal(pinned.best, "Nehalem");
}

static void unknown_modes_are_refused(void **state)
{
    (void)state;
    struct report report = run(NULL, "fast");
    assert_true(WIFEXITED(report.status));
    assert_int_equal(WEXITSTATUS(report.status), DIE_EXIT);
}

static void sgemm_has_a_rate(void **state)
{
    (void)state;
    double rate = processor_sgemm_rate(clock_seconds);
    assert_true(rate > 1e8 && rate < 1e14);
    assert_true(processor_blas_is_openmp());
}

int main(int count, char **words)
{
    if (count > 1) return report_main(words);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_better_is_left),
        cmocka_unit_test(what_the_user_sets_stays),
        cmocka_unit_test(unknown_modes_are_refused),
        cmocka_unit_test(sgemm_has_a_rate),
    };
    return cmocka_run_group_tests_name("processor", tests, NULL, NULL);
}
