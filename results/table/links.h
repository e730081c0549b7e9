/* Readable names for stages: RUNS/names/GRID/ROW/SEED/KIND is a relative link to its folder, as
 * RUNS/names/windows/layers=4/1/train -> ../../../../stages/train-0123456789ab
 * For people and their scripts; sanlab itself never reads them. */
#pragma once

#include "results/table/summary.h"

/* Makes RUNS/names/GRID say what the grid (with its stages) says and nothing else, at once: whoever
 * looks meanwhile sees the old links or the new ones. Where it says so already, nothing is written.
 * A file system without links is a warning. */
void links_write(const char *runs, const struct grid *grid);
