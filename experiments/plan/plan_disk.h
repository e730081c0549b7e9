/* Room for what a plan will leave in RUNS. */
#pragma once

#include "experiments/plan/plan.h"

struct plan_disk {
    double needed; /* bytes that the stages to run will add, what they have written already off */
    double margin; /* for journals, logs, the database and a checkpoint that is being written */
    double spare;  /* bytes that this user may still write there; negative: cannot be told */
    const struct task *largest; /* NULL: nothing to write */
};

struct plan_disk plan_disk(const struct plan *plan);
/* Dies if RUNS cannot be written, or if its disk will not hold what remains to be written; with
 * `force` it only warns of the disk. The plan has its estimates. */
void plan_check_disk(struct arena *arena, const struct plan *plan, bool force);
/* Bytes of a file, or of all in a folder: as long as they are, or in `blocks` of the disk, folders
 * included. No link is followed. */
double plan_disk_bytes(const char *path, bool blocks);
/* The path, or the nearest folder above it where it is not there yet; from the heap. */
char *plan_disk_place(const char *path);
/* Bytes that a user may still write where `path` is, or will be; negative: cannot be told. */
double plan_disk_spare(const char *path);
