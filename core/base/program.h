/* What main does first, for all verbs. */
#pragma once

/* Sees to it that
 *   - the environment is the one that the program was given: an entry was replaced while libgomp
 *     started
 *   - descriptors 0 to 2 are taken: a database that got number 1 would be printed into
 *   - a write beyond the limit of a file's size fails as any other, and does not end the program
 *   - the program does not end with success when what it printed did not arrive: then it says so on
 *     stderr and ends with DIE_EXIT, as for any other file. Of a reader that went away (`| head`)
 *     it says nothing. */
void program_begin(void);
