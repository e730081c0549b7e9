/* Makes links with readable names for stages: RUNS/names/GRID/ROW/SEED/KIND is a relative link to
 * the stage's folder. Example:
 * RUNS/names/windows/layers=4/1/train -> ../../../../stages/train-0123456789ab
 * The links are for users and their scripts; sanlab opens no stage through them. */
#pragma once

#include "results/table/summary.h"

/* Replaces the links in RUNS/names/GRID by links to the grid's stages. The plan must have filled in
 * the stages of the grid. If the file system can exchange two folders, other programs see either
 * all old links or all new links. Prints a warning if links cannot be made. */
void links_write(const char *runs, const struct grid *grid);
