/* Gets the files of a data set (data_set.h) into the data folder.
 *
 * A file comes as PATH.part and gets its name after its digest was found right and it was synced.
 * The next call continues a PATH.part that was left. A wrong file is kept as PATH.refused. A file
 * of that name with other content belongs to the user: it is refused, not replaced. Processes that
 * get data into one folder take turns (a lock on .sanlab-get, which stays). */
#pragma once

#include "core/corpus/data_set.h"

/* DATA_OTHER: there with another digest. A file without digest is here if there is one. */
enum data_state { DATA_HERE, DATA_ABSENT, DATA_OTHER };
enum data_state data_state(const struct data_file *file);
/* The number of the set's files (data_set_files) that are not here. Dies where one is there with
 * another digest. */
int data_get_absent(const struct data_set *set);

/* Dies unless a mirror is a folder or a URL that data_get takes. */
void data_get_check_mirror(const char *mirror);
/* Fetches what is absent and, for a set with a program, makes its files. `mirror` is
 *   NULL: the URLs of the manifest
 *   a URL, which replaces the scheme and host of these
 *   a folder, in which a file is looked for by its URL's path, by its own path and by both names.
 * Returns an exit status: 0; or DIE_EXIT after a line on stderr and the URLs that were not reached.
 * Dies on everything else. */
int data_get(const struct data_set *set, const char *mirror);
