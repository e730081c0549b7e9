/* Races in the kernels of every op of ops.def, found by watching their accesses
 * (tests/watch/memory_watch.h): there are none. Then every barrier of every kernel is removed in
 * turn; the watch, the emulator or the op's case must fail without it. A barrier that can be
 * removed unnoticed is a failure. OPS names the ops to test; default: all. */
#include "tests/support/test.h"

#include <sys/time.h>

#include "core/simt/simt.h"
#include "core/emu/table.h"
#include "tests/watch/memory_watch.h"
#include "tests/emu/kept.h"
#include "tests/support/op_run.h"

enum { EACH = 20, TRIALS = 2 * EACH, SITES = 512, OPS = 64, SAID = 1 << 16, PATIENCE = 20 };

/* A barrier: its code location, and the ops that reach it. */
static struct site {
    const char *kernel, *place;
    int begin
        [OPS]; /* one more than the first trial in which this op reaches the barrier; 0: none */
} sites[SITES];
static int site_count, op_now, trial_now;

static void note(const char *kernel, const char *place)
{
    static struct site *last;
    if (!last || last->kernel != kernel || last->place != place) {
        last = sites;
        while (last < sites + site_count &&
               (strcmp(last->kernel, kernel) != 0 || strcmp(last->place, place) != 0))
            last++;
        assert_true(last < sites + SITES);
        if (last == sites + site_count) site_count++;
        last->kernel = kernel, last->place = place;
    }
    if (!last->begin[op_now]) last->begin[op_now] = trial_now + 1;
}

/* Runs a trial: the later half in bf16; every other one in another order of warps and lanes. */
static void op_trial(const struct op_case *op, uint32_t trial)
{
    simt_control.order = trial % 2 ? 1 + trial : 0;
    struct op_run run = op_run_on_device(op, trial < EACH ? &emu_fp32 : &emu_bf16, trial % EACH);
    op_run_close(&run);
}

/* True if the trial is skipped: the slowest ops run only every second pair of trials. */
static bool is_left_out(const char *op, uint32_t trial)
{
    static const char *const long_ones[] = {"gemm", "gemm_weight", "pack", "attention_backward"};
    bool is_long = false;
    for (size_t i = 0; i < COUNT_OF(long_ones); i++) is_long |= !strcmp(op, long_ones[i]);
    return is_long && trial / 2 % 2;
}

static void op_has_no_race(void **state)
{
    op_now = *(const int *)*state;
    simt_control.barrier = note;
    for (trial_now = 0; trial_now < TRIALS; trial_now++) {
        const uint32_t trial = (uint32_t)trial_now;
        if (!is_left_out(op_cases[op_now].name, trial)) op_trial(&op_cases[op_now], trial);
    }
    simt_control.barrier = NULL;
}

/* Returns a code location without the prefix ./ of -I. */
static const char *file_of(const char *place)
{
    return strncmp(place, "./", 2) == 0 ? place + 2 : place;
}

/* Returns the line of a code location FILE:LINE. */
static int line_of(const char *place)
{
    return atoi(strrchr(place, ':') + 1);
}

static size_t file_bytes_of(const char *place)
{
    return (size_t)(strrchr(place, ':') - place);
}

/* By kernel, file and line. */
static int site_order(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    int order = strcmp(x->kernel, y->kernel);
    if (!order) order = strncmp(x->place, y->place, file_bytes_of(x->place) + 1);
    return order ? order : line_of(x->place) - line_of(y->place);
}

static bool same_file(const struct site *a, const struct site *b)
{
    return strcmp(a->kernel, b->kernel) == 0 &&
           file_bytes_of(a->place) == file_bytes_of(b->place) &&
           strncmp(a->place, b->place, file_bytes_of(a->place)) == 0;
}

/* Runs the ops that reach a barrier without this barrier. Prints which op runs. */
NORETURN static void run_without(const struct site *site, int says, int limit)
{
    signal(SIGABRT, SIG_DFL);
    setenv("CMOCKA_TEST_ABORT", "1", 1); /* a failing case ends the child */
    dup2(says, STDOUT_FILENO);
    dup2(says, STDERR_FILENO);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = limit}, NULL);
    simt_control.skip_kernel = site->kernel;
    simt_control.skip_place = site->place;
    for (uint32_t trial = 0; trial < TRIALS; trial++)
        for (int i = 0; i < op_case_count; i++) {
            if (!site->begin[i] || (int)trial + 1 < site->begin[i]) continue;
            dprintf(says, "%s\t%u\n", op_cases[i].name, trial);
            op_trial(&op_cases[i], trial);
        }
    _exit(0);
}

/* True if the missing barrier was detected; `said` has the message, with the op and trial. */
static bool is_missed(const struct site *site, char said[SAID], const char **how)
{
    int ends[2], status;
    size_t count = 0;
    ssize_t more;
    const int limit = PATIENCE * test_slow();
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) run_without(site, ends[1], limit);
    close(ends[1]);
    while ((more = read(ends[0], said + count, SAID - 1 - count)) > 0) count += (size_t)more;
    assert_true(count < SAID - 1);
    said[count] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    *how = strstr(said, ": race: ")                               ? "race"
           : strstr(said, "CHECK(")                               ? "emulator"
           : WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM ? "no end"
                                                                  : "values";
    return status != 0;
}

/* Returns the last line with a tab, "OP TAB TRIAL": the op and trial that ran last. */
static const char *last_trial(char *said)
{
    char *tab = strrchr(said, '\t');
    assert_non_null(tab);
    tab[strcspn(tab, "\n")] = 0;
    while (tab > said && tab[-1] != '\n') tab--;
    return tab;
}

TEST(every_barrier_is_missed)
{
    static char said[SAID];
    struct kept table = kept_new("kernel\tbarrier\tmissed by\tof op\tin trial");
    int useless = 0, number = 0;
    const char *how;
    qsort(sites, (size_t)site_count, sizeof *sites, site_order);
    for (int i = 0; i < site_count; i++) {
        const struct site *site = &sites[i];
        number = i && same_file(site - 1, site) ? number + 1 : 1;
        if (!is_missed(site, said, &how)) {
            print_error("%s: nobody misses the barrier %s\n", site->kernel, file_of(site->place));
            useless++;
            continue;
        }
        kept_add(&table, "%s\t%.*s %d\t%s\t%s", site->kernel,
                 (int)file_bytes_of(file_of(site->place)), file_of(site->place), number, how,
                 last_trial(said));
    }
    if (useless) fail_msg("%d of %d barriers are missed by nobody", useless, site_count);
    kept_check(&table, "tests/emu/barriers.tsv");
}

int main(void)
{
    static int numbers[OPS];
    CHECK(op_case_count <= OPS, "%d ops", op_case_count);
    for (int i = 0; i < op_case_count; i++) {
        if (!kept_wanted(op_cases[i].name)) continue;
        numbers[i] = i;
        test_add(0, op_has_no_race, &numbers[i], "%s", op_cases[i].name);
    }
    watch_begin(true, false);
    return tests_run();
}
