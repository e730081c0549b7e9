/* Named points at which tests kill the program. SANLAB_CRASH_AT=label:n kills it (as kill -9 does)
 * at the n-th passing of the label; SANLAB_FREEZE_AT=label:n stops it there (as kill -STOP does).
 * The points cost nothing if neither variable is set. Any thread may pass them. */
#pragma once

void crash_point(const char *label);
