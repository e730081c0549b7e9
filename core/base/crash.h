/* Named points at which tests kill the program: SANLAB_CRASH_AT=label:n ends it (as kill -9 would)
 * at the n-th passing of that label; SANLAB_FREEZE_AT=label:n stops it there (as kill -STOP would).
 * Free when neither variable is set. Of any thread. */
#pragma once

void crash_point(const char *label);
