/* Sets up the process at the start of main, for all verbs. Before main, a processor without AVX2
 * ends the program with a message and DIE_EXIT. */
#pragma once

/* Sets up the process:
 *   - restores the environment entry that spin_bounded (program.c) replaced for libgomp
 *   - opens descriptors 0 to 2 if they are closed. Otherwise a database could get descriptor 1, and
 *     the output would be written to the database.
 *   - ignores SIGXFSZ, so that a write beyond the file size limit fails with an error
 *   - checks at exit that stdout was written completely. If not, prints a line on stderr and exits
 *     with DIE_EXIT. Prints no line if the reader of a pipe has ended (`| head`). */
void program_begin(void);
