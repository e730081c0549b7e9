/* Removes unfinished folders. The signal handler only records the signal and ends the child. The
 * folder is removed later, at a point where no file in it is being written. */
#include "core/base/unfinished.h"

#include <signal.h>
#include <stdlib.h>

#include "core/base/file.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[COUNT_OF(numbers)];
static char *folder;
static volatile sig_atomic_t arrived;
static volatile pid_t child;

static void note(int number)
{
    arrived = number;
    if (child) kill(child, SIGTERM);
}

static void remove_folder(void)
{
    char *path = folder;
    folder = NULL; /* a removal that dies calls exit, which calls this again */
    if (path) file_remove_tree(path);
    free(path);
}

void unfinished_begin(const char *path)
{
    static bool told;
    CHECK(!folder, "%s is still unfinished", folder);
    if (!told) atexit(remove_folder);
    told = true;
    folder = heap_print("%s", path);
    arrived = 0;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const struct sigaction action = {.sa_handler = note};
        sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
    }
}

void unfinished_pass(void)
{
    if (!arrived) return;
    const int number = arrived;
    arrived = 0;
    unfinished_end();
    signal(number, SIG_DFL);
    raise(number);
}

void unfinished_child(pid_t process)
{
    child = process;
    if (process && arrived) kill(process, SIGTERM);
}

void unfinished_end(void)
{
    remove_folder();
    for (size_t i = 0; i < COUNT_OF(numbers); i++) sigaction(numbers[i], &before[i], NULL);
    const int number = arrived;
    arrived = 0;
    if (number) raise(number);
}
