/* Starts another program from its words, without a shell. This process ignores SIGPIPE; the child
 * has the default action of SIGPIPE. */
#pragma once

#include <sys/types.h>

#include "core/base/arena.h"

/* word: [words] of the command, NULL-terminated; word 0 is resolved by child_find. */
struct child {
    const char *const *word;
    const char *const *environment; /* NULL-terminated; NULL: as here */
    const char *folder;             /* starting folder; NULL: the current folder */
    int input, output;              /* standard input and output; stay open here */
    int errors;                     /* standard error; 0: the same as here; or CHILD_OUTPUT */
    bool bound;                     /* killed when this process ends, for whatever reason */
};
enum { CHILD_OUTPUT = -1 }; /* standard error is joined with standard output */
/* Returns 0, or the errno of the failure to start it. */
int child_start(const struct child *child, pid_t *process);
/* Returns an open file with this text, the input of a child; the caller closes it. Dies with the
 * prefix WHAT if memory runs out. */
int child_input(const char *what, const char *text, size_t bytes);
/* Waits for the end of a child. Returns NULL if it ended with 0, else a description: "ended with
 * status 3". */
const char *child_wait(pid_t process, struct arena *arena);

/* Returns the executable file that a name denotes: the name itself if it has a slash, else the
 * first match in the folders of $PATH. NULL if there is none. Empty folders of $PATH are ignored: a
 * program in the current folder needs "./". `absolute` ignores relative folders, too. */
const char *child_find(const char *name, bool absolute, struct arena *arena);
/* Returns the file that a word of a command names: the program for word 0, a file of this name for
 * the other words. The output of the command depends on the file. NULL if the word names no
 * file. */
const char *child_file(const char *const *word, int index, struct arena *arena);
/* Runs a program without input and returns its output and status. Dies with the prefix "WHAT:
 * PROGRAM: " if it cannot be started, or if it prints more than 1 GB. */
struct child_said {
    char *text; /* [bytes] of output, and a NUL */
    size_t bytes;
    const char *end; /* result of child_wait */
    int status;      /* exit status; -1: killed by a signal */
};
struct child_said child_try(const char *what, const char *const *word, int errors,
                            struct arena *arena);
/* Returns the folder of a package of Python that python3 of $PATH finds; NULL if there is none.
 * Nothing in the current folder is run or imported, unless $PATH or $PYTHONPATH has the absolute
 * path of that folder. */
const char *child_python_package(const char *package, struct arena *arena);
/* Runs a program with `text` as its standard input and returns all of its output. Dies as child_try
 * does, and if its exit status is not 0. */
char *child_ask(const char *what, const char *const *word, const char *text, size_t text_bytes,
                size_t *bytes, struct arena *arena);
