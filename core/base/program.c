/* Sets up descriptors and signals for every verb, and checks stdout at exit. */
#include "core/base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base.h"
#include "core/base/file.h"

/* ---- OpenMP threads ---- */

/* How often an OpenMP thread checks for new work (spins) before it sleeps.
 *
 * libgomp itself spins almost without end, or sleeps at once. Both are bad here. If other programs
 * run, a spinning thread may take the core of the thread for which it waits. If threads sleep at
 * once, a small model spends most of its time on waking threads. So this program spins for a
 * bounded count, unless the user sets GOMP_SPINCOUNT or OMP_WAIT_POLICY. Only libgomp has this
 * count; other runtimes ignore it. */
static char bounded[] = "GOMP_SPINCOUNT=300";
static char **place, *replaced;

static int begins(const char *entry, const char *with)
{
    return strncmp(entry, with, strlen(with)) == 0;
}

/* Ends the program if the processor lacks the instructions for which the other files are compiled.
 * Only this file is compiled without them (Makefile). Every aarch64 processor has NEON. */
static void need_processor(void)
{
#ifdef __x86_64__
    static const char text[] = "sanlab: this processor cannot run the program; expected an x86-64 "
                               "processor with AVX2, FMA, BMI and BMI2\n";
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(DIE_EXIT);
    _exit(DIE_EXIT);
#endif
}

/* Sets the spin count. libgomp reads its variables in a constructor, which runs before the
 * constructors of this program. Only functions of .preinit_array run earlier, and libc has no
 * environment at that time, so setenv would be lost. Instead the count replaces an environment
 * entry that libgomp does not read, until program_begin. Without such an entry libgomp keeps its
 * default. */
static void spin_bounded(int count, char **word, char **environment)
{
    need_processor();
    for (char **entry = environment; *entry; entry++) {
        if (begins(*entry, "GOMP_SPINCOUNT=") || begins(*entry, "OMP_WAIT_POLICY=")) {
            place = NULL;
            return;
        }
        if (!begins(*entry, "OMP_") && !begins(*entry, "GOMP_")) place = entry;
    }
    if (!place) return;
    replaced = *place;
    *place = bounded;
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = spin_bounded;

/* ---- main ---- */

/* Opens each closed descriptor in the wrong direction, so that its use is an error: stdin for
 * writing, stdout and stderr for reading. */
static void open_standard(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0 &&
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number)
            die("/dev/null: %s", strerror(errno));
}

/* Runs at exit. Reports output that could not be written. */
static void check_output(int status, void *context)
{
    bool bad = ferror(stdout);
    /* stdio does not keep the errno of a failed stream. One more write yields the errno. Its
     * newline does no harm, because the output is incomplete anyway. */
    if (bad && file_put(STDOUT_FILENO, "\n", 1)) errno = EIO;
    if (!bad) bad = fflush(stdout) != 0 || close(STDOUT_FILENO) != 0;
    if (!bad || status == DIE_EXIT) return; /* die has printed a message */
    if (errno != EPIPE)
        fprintf(stderr, "sanlab: standard output cannot be written: %s\n", strerror(errno));
    _exit(DIE_EXIT);
}

void program_begin(void)
{
    if (replaced) *place = replaced;
    open_standard();
    signal(SIGXFSZ, SIG_IGN);
    on_exit(check_output, NULL);
}
