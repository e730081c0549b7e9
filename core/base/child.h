/* A program that is started beside this one, from its words and without a shell. Signals that we
 * ignore are its own again where it counts on them (SIGPIPE). */
#pragma once

#include <sys/types.h>

#include "core/base/arena.h"

/* word: [words] of the command, NULL-terminated; word 0 is looked for by child_find. */
struct child {
    const char *const *word;
    const char *const *environment; /* NULL-terminated; NULL: ours */
    const char *folder;             /* the folder in which the program starts; NULL: ours */
    int input, output;              /* its standard input and output; ours stay open */
    int errors;                     /* its standard error; 0: where ours goes; or CHILD_OUTPUT */
    bool bound;                     /* killed when this process ends, however it ends */
};
enum { CHILD_OUTPUT = -1 }; /* its standard error goes where its output goes */
/* 0, or errno of what keeps it from being started. */
int child_start(const struct child *child, pid_t *process);
/* Returns an open file with this text, the input of a child; the caller closes it. Dies, with WHAT
 * first, where there is no memory. */
int child_input(const char *what, const char *text, size_t bytes);
/* Waits for its end. NULL: it ended with 0; else how, in words: "ended with status 3". */
const char *child_wait(pid_t process, struct arena *arena);

/* Returns the executable file that a name denotes: the name itself if it has a slash, else the
 * first match in the folders of $PATH. NULL if there is none. Empty folders of $PATH are ignored: a
 * program in the current folder needs "./". `absolute` ignores relative folders, too. */
const char *child_find(const char *name, bool absolute, struct arena *arena);
/* Returns the file of a word of a command, on which the command's output depends: the program for
 * word 0, a file of that name for the others. NULL if the word names no file. */
const char *child_file(const char *const *word, int index, struct arena *arena);
/* Runs it once, without input, and says what came of it. Dies, with "WHAT: PROGRAM: " before it,
 * when it cannot be started, and when it prints more than 1 GB. */
struct child_said {
    char *text; /* [bytes] that it printed, and a NUL */
    size_t bytes;
    const char *end; /* as of child_wait */
    int status;      /* that it ended with; -1: it was ended */
};
struct child_said child_try(const char *what, const char *const *word, int errors,
                            struct arena *arena);
/* Returns the folder of a package of Python that python3 of $PATH finds; NULL if there is none.
 * Nothing in the current folder is run or imported, unless $PATH or $PYTHONPATH has the absolute
 * path of that folder. */
const char *child_python_package(const char *package, struct arena *arena);
/* Runs it once, with `text` as its standard input: all that it prints. Dies as child_try does,
 * and when it ends with another status than 0. */
char *child_ask(const char *what, const char *const *word, const char *text, size_t text_bytes,
                size_t *bytes, struct arena *arena);
