/* Files of a data set that a Python program makes of others: `python3 PROGRAM DATA/raw OUT`, where
 * OUT is a new folder. The files get their names when all of them have the right digest. */
#pragma once

#include "core/corpus/data_set.h"

/* Dies where the set has a program, and the program or python3 is missing. */
void data_make_check(const struct data_set *set);
void data_make(const struct data_set *set);
