/* Archives as the argument GRID of verbs that print a grid. The argument may be an archive (sanlab
 * archive), or a folder of archives of its rows, such as results/published/NAME. */
#pragma once

#include "experiments/cli/verb.h"

/* If word `index` is such a path, unpacks it to a temporary folder, which is removed at the end of
 * the process. The folder replaces --runs, and the grid's file replaces the word. This is the file
 * in the archive. If the archive has none, it is experiments/evidence/NAME.yaml or the grid NAME.
 * Returns false if the word is another path or a name. Dies if an archive is not from `sanlab
 * archive`, or has a file that is outside of its folder, or a link. */
bool archive_argument(struct verb_call *call, int index);
