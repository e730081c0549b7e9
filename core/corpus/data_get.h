/* Downloads the files of a data set (data_set.h) into the data folder.
 *
 * A file is downloaded as PATH.part. It is renamed after its digest was checked and its data were
 * synced to the disk. If PATH.part exists, the download continues after its end. A file with a
 * wrong digest is kept as PATH.refused. An existing file with other content may belong to the user.
 * So it is not replaced, and data_get dies. Only one process at a time downloads into a folder. The
 * processes lock the file .sanlab-get, which is never removed. */
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
/* Fetches absent files. If the set has a program, also makes the files of the program. `mirror`:
 *   NULL      the files are fetched from the URLs of the manifest
 *   a URL     replaces scheme and host of these URLs
 *   a folder  files are copied from it. A file is looked up by the path of its URL, by its path,
 *             and by the file names in both
 * Returns 0. If a connection fails, prints the URLs of the missing files on stderr and returns
 * DIE_EXIT. Dies on other errors. */
int data_get(const struct data_set *set, const char *mirror);
