/* Setup of main, for all verbs. */
#pragma once

/* Sets up the process:
 *   - restores the environment: spin_bounded replaced an entry while libgomp started
 *   - opens descriptors 0 to 2: else a database could get number 1 and receive the output
 *   - ignores SIGXFSZ: a write beyond the file size limit fails as any other write
 *   - at exit, checks that the output was written: if not, prints a line on stderr and exits with
 *     DIE_EXIT, as for any other file. Prints nothing if the reader is gone (`| head`). */
void program_begin(void);
