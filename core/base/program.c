/* The frame around every verb: open descriptors, quiet signals, and a last look at stdout. */
#include "core/base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base.h"
#include "core/base/file.h"
#include "core/base/spin.h"

/* A closed one is opened so that its use is an error: stdin to write only, the others to read. */
static void open_standard(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0 &&
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number)
            die("/dev/null: %s", strerror(errno));
}

/* Called by exit. */
static void check_output(int status, void *context)
{
    (void)context;
    bool bad = ferror(stdout);
    /* A stream does not remember why it failed: one more byte of what is not whole anyway. */
    if (bad && file_put(STDOUT_FILENO, "\n", 1)) errno = EIO;
    if (!bad) bad = fflush(stdout) != 0 || close(STDOUT_FILENO) != 0;
    if (!bad || status == DIE_EXIT) return; /* a line was said */
    if (errno != EPIPE)
        fprintf(stderr, "sanlab: standard output cannot be written: %s\n", strerror(errno));
    _exit(DIE_EXIT);
}

void program_begin(void)
{
    spin_restore();
    open_standard();
    signal(SIGXFSZ, SIG_IGN);
    on_exit(check_output, NULL);
}
