/* Links with readable names for stages: RUNS/names/GRID/ROW/SEED/KIND is a relative link to the
 * stage's folder, as in
 * RUNS/names/windows/layers=4/1/train -> ../../../../stages/train-0123456789ab
 * They are for users and their scripts; sanlab never reads them. */
#pragma once

#include "results/table/summary.h"

/* Makes RUNS/names/GRID match the grid (with its stages), atomically: readers see the old links
 * or the new ones. Writes nothing if the links already match. Warns if the file system has no
 * links. */
void links_write(const char *runs, const struct grid *grid);
