/* Starts the Python programs that make data sets (scripts/data). */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"

/* Dies if python3 is not installed. The message begins with `what`. */
void data_program_check(const char *what);
/* Runs a command, whose first words are "python3" and the path of the program. `input` is the text
 * of its standard input; NULL: empty. `output` is the descriptor of its standard output. Returns 0,
 * or DIE_EXIT if the program ended with this status, after its own message. Dies on every other end
 * of the program. This message begins with `what`. */
int data_program_run(const char *what, const char *const *word, const struct buffer *input,
                     int output);
