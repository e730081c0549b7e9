/* Downloads the files of a data set (data_set.h) into the data folder.
 *
 * A file is downloaded as PATH.part and renamed after its digest was checked and it was synced. The
 * next call continues an existing PATH.part. A file with a wrong digest is kept as PATH.refused. An
 * existing file with other content belongs to the user, so it is refused and not replaced.
 * Processes that download into the same folder take turns (a lock on .sanlab-get, which stays). */
#pragma once

#include "core/corpus/data_set.h"

/* State of a file. DATA_OTHER: the file exists with another digest. A file without digest is
 * DATA_HERE if it exists. */
enum data_state { DATA_HERE, DATA_ABSENT, DATA_OTHER };
enum data_state data_state(const struct data_file *file);
/* Returns the number of the set's files (data_set_files) that are absent. Dies if a file exists
 * with another digest. */
int data_get_absent(const struct data_set *set);

/* Dies unless a mirror is a folder or a URL that data_get accepts. */
void data_get_check_mirror(const char *mirror);
/* Fetches absent files and, for a set with a program, makes its files. `mirror` is
 *   NULL: the URLs of the manifest
 *   a URL, which replaces the scheme and host of the URLs
 *   a folder, in which a file is looked up by its URL's path, its own path and both names.
 * Returns an exit status: 0; or DIE_EXIT after a line on stderr and the list of unreached URLs.
 * Dies on other errors. */
int data_get(const struct data_set *set, const char *mirror);
