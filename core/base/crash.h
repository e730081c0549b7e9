/* Named points at which tests kill the program. SANLAB_CRASH_AT=label:n kills the program (as kill
 * -9 does) when it passes the label for the n-th time. SANLAB_FREEZE_AT=label:n stops the program
 * there (as kill -STOP does). If neither variable is set, a point costs almost nothing. Any thread
 * may pass a point. */
#pragma once

void crash_point(const char *label);
