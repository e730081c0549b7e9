/* Readable names for stages: RUNS/names/GRID/ROW/SEED/KIND is a relative link to its folder, as
 * RUNS/names/windows/layers=4/1/train -> ../../../../stages/train-0123456789ab
 * For people and their scripts; sanlab itself never reads them. */
#ifndef RESULTS_LINKS_H
#define RESULTS_LINKS_H

#include "results/summary.h"

enum { LINKS_NAME = 130 }; /* bytes of a name with its NUL */

/* A row's name as that of a folder: letters, digits and . _ = , + - stay; everything else becomes
 * "_", as does a dot or a minus at the beginning; cut to 120 bytes. A name that was changed has 8
 * digits of its digest behind, so that different rows have different folders. */
void links_name(const char *row, char name[LINKS_NAME]);

/* Makes RUNS/names/GRID say what the grid (with its stages) says and nothing else, at once: whoever
 * looks meanwhile sees the old links or the new ones. Where it says so already, nothing is written.
 * A file system without links is a warning. */
void links_write(const char *runs, const struct summary_grid *grid);

#endif
