/* Downloads the files of a data set (data_set.h) into the data folder, with the Python program
 * scripts/data/get. Its comment describes how files get their names. */
#pragma once

#include "core/corpus/data_set.h"

/* State of a file. DATA_OTHER: the file exists with another digest. A file without digest is
 * DATA_HERE if it exists. */
enum data_state { DATA_HERE, DATA_ABSENT, DATA_OTHER };
enum data_state data_state(const struct data_file *file);

/* Dies unless a mirror is a folder or a URL that data_get accepts. */
void data_get_check_mirror(const char *mirror);
/* Fetches absent files. If the set has a program, also makes the files of the program. `mirror`:
 *   NULL      the files are fetched from the URLs of the manifest
 *   a URL     replaces scheme and host of these URLs
 *   a folder  files are copied from it. A file is looked up by the path of its URL, by its path,
 *             and by the file names in both
 * Returns 0, or DIE_EXIT after a message. `quiet`: shows no progress. */
int data_get(const struct data_set *set, const char *mirror, bool quiet);
