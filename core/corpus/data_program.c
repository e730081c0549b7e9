/* Starts Python programs. The end of this process ends the program. */
#include "core/corpus/data_program.h"

#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/unfinished.h"

void data_program_check(const char *what)
{
    SCOPED(arena_free) struct arena arena = {0};
    if (!child_find("python3", false, &arena))
        die("%s: needs python3, which is not installed (Debian: apt-get install python3)", what);
}

int data_program_run(const char *what, const char *const *word, const struct buffer *input,
                     int output)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct child child = {.word = word,
                                .input = input ? child_input(what, input->text, input->bytes)
                                               : child_input(what, "", 0),
                                .output = output,
                                .bound = true};
    int status;
    pid_t process;
    const int error = child_start(&child, &process);
    if (error) die("%s: python3: cannot be started: %s", what, strerror(error));
    unfinished_child(process);
    close(child.input);
    const char *how = child_wait_status(process, &status, &arena);
    unfinished_child(0);
    unfinished_pass();
    if (how && status != DIE_EXIT) die("%s: python3 %s %s", what, word[1], how);
    return how ? DIE_EXIT : 0;
}
