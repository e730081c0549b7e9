/* Starts another program from a list of words, without a shell. SIGPIPE has its default action in
 * the child, even if this process ignores SIGPIPE. */
#pragma once

#include <sys/types.h>

#include "core/base/arena.h"

/* A program to start. `word` has the name of the program and its arguments, NULL-terminated.
 * child_find finds the program. */
struct child {
    const char *const *word;
    const char *const *environment; /* NULL-terminated; NULL: as in this process */
    const char *folder;             /* starting folder; NULL: the current folder */
    int input, output;              /* descriptors for stdin and stdout; the caller closes them */
    int errors;                     /* descriptor for stderr; 0: inherited; or CHILD_OUTPUT */
    bool bound;                     /* true: the end of this process kills the child */
    /* Runs in the child directly before execve; `file` is the path of the program. NULL: none.
     * Requires `folder` or `bound`. */
    void (*before)(const void *context, const char *file);
    const void *context;
};
enum { CHILD_OUTPUT = -1 }; /* standard error goes to `output`, too */
/* Starts the child and sets *process. Returns 0, or an errno if the child cannot be started. With
 * `bound` or `folder`, a failure after fork only gives the child the exit status 127. */
int child_start(const struct child *child, pid_t *process);
/* Returns the descriptor of a file in memory that contains `text`, for the input of a child. The
 * caller closes it. Dies if memory runs out; the message begins with `what`. */
int child_input(const char *what, const char *text, size_t bytes);
/* Waits for the end of a child. Returns NULL if its exit status is 0, else a description such as
 * "ended with status 3". */
const char *child_wait(pid_t process, struct arena *arena);
/* Like child_wait, and sets *status to the exit status; -1 if a signal ended the child. */
const char *child_wait_status(pid_t process, int *status, struct arena *arena);

/* Returns the executable file that a name denotes: the name itself if it has a slash, else the
 * first match in the folders of $PATH. NULL if there is none. Empty folders of $PATH are ignored: a
 * program in the current folder needs "./". If `absolute` is true, relative folders are ignored,
 * too. */
const char *child_find(const char *name, bool absolute, struct arena *arena);
/* Returns the file that word[index] of a command names. For index 0 this is the program, for
 * another index an existing file with this path. NULL if there is no such file. The output of the
 * command may depend on the file. */
const char *child_file(const char *const *word, int index, struct arena *arena);
/* Runs a program with empty input, and returns its output and status. `errors` is that of struct
 * child. Dies if the program cannot be started, or if its output has 1 GiB or more. The message
 * then begins with "WHAT: PROGRAM: ". */
struct child_said {
    char *text; /* output, [bytes], and a NUL */
    size_t bytes;
    const char *end; /* result of child_wait; NULL: status 0 */
    int status;      /* exit status; -1: killed by a signal */
};
struct child_said child_try(const char *what, const char *const *word, int errors,
                            struct arena *arena);
/* Returns the folder of a Python package; NULL if python3 or the package is not found. Asks the
 * python3 next to the program (a virtual environment), else that in $PATH. No file in the current
 * folder is run or imported, unless $PATH or $PYTHONPATH has the absolute path of that folder. */
const char *child_python_package(const char *package, struct arena *arena);
/* Runs a program with `text` as its standard input and returns all of its output. Dies like
 * child_try, and also if the exit status is not 0. */
char *child_ask(const char *what, const char *const *word, const char *text, size_t text_bytes,
                size_t *bytes, struct arena *arena);
